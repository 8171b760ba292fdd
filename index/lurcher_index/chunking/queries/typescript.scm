; inherits: ecma
(abstract_class_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(enum_declaration name: (_) @name) @def.enum
(type_alias_declaration name: (_) @name) @def.type
(internal_module name: (_) @name) @def.namespace
(module name: (_) @name) @def.namespace
(function_signature name: (_) @name) @def.function
(method_signature name: (_) @name) @def.method
(abstract_method_signature name: (_) @name) @def.method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)] @value) @def.method
(public_field_definition name: (_) @name) @def.field
(property_signature name: (_) @name) @def.property
(class_heritage (extends_clause value: (_) @inherit))
(class_heritage (implements_clause (_) @inherit))
(interface_declaration (extends_type_clause type: (_) @inherit))
(variable_declarator name: (identifier) @hint type: (type_annotation (_) @type))
(required_parameter pattern: (identifier) @hint type: (type_annotation (_) @type))
(optional_parameter pattern: (identifier) @hint type: (type_annotation (_) @type))
(public_field_definition name: (_) @hint [type: (type_annotation (_) @type) value: (new_expression constructor: (_) @made)])
(property_signature name: (_) @hint type: (type_annotation (_) @type))
(function_declaration return_type: (type_annotation (_) @returns))
(method_definition return_type: (type_annotation (_) @returns))
(method_signature return_type: (type_annotation (_) @returns))
(arrow_function return_type: (type_annotation (_) @returns))
