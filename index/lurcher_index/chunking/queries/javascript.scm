; inherits: ecma jsx
(field_definition property: (_) @name) @def.field
(class_heritage (_) @inherit)
(field_definition property: (_) @hint value: (new_expression constructor: (_) @made))
