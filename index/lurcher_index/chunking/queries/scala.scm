(class_definition name: (_) @name) @def.class
(object_definition name: (_) @name) @def.class
(package_object name: (_) @name) @def.class
(trait_definition name: (_) @name) @def.trait
(enum_definition name: (_) @name) @def.enum
(simple_enum_case name: (_) @name) @def.constant
(full_enum_case name: (_) @name) @def.constant
(given_definition name: (_) @name) @def.constant
(function_definition name: (_) @name) @def.function
(function_declaration name: (_) @name) @def.function
(type_definition name: (_) @name) @def.type
(val_definition pattern: (identifier) @name) @def.constant
(var_definition pattern: (identifier) @name) @def.variable
(val_declaration name: (_) @name) @def.constant
(var_declaration name: (_) @name) @def.variable
(class_parameter ["val" "var"] name: (_) @name) @def.property

[(comment) (block_comment)] @comment
(annotation) @attach

(call_expression function: [(identifier) (field_expression) (generic_function)] @call)
(instance_expression (_) @call)
(import_declaration) @import
(extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @inherit)

(import_declaration) @names
(class_parameter name: (_) @hint type: (_) @type)
(parameter name: (_) @hint type: (_) @type)
(val_definition pattern: (identifier) @hint type: (_) @type)
(val_definition pattern: (identifier) @hint value: (instance_expression (_) @type))
(val_definition pattern: (identifier) @hint value: (call_expression function: [(identifier) (field_expression)] @made))
(var_definition pattern: (identifier) @hint type: (_) @type)
(function_definition return_type: (_) @returns)
