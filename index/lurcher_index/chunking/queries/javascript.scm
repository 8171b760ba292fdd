; inherits: ecma jsx
(field_definition property: (_) @name) @def.field
(class_heritage (_) @inherit)
