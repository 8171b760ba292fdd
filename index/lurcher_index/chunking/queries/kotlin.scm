(class_declaration "interface" name: (_) @name (class_body) @body) @def.interface
(class_declaration "interface" name: (_) @name) @def.interface
(class_declaration name: (_) @name (enum_class_body) @body) @def.enum
(class_declaration name: (_) @name (class_body) @body) @def.class
(class_declaration name: (_) @name) @def.class
(object_declaration name: (_) @name (class_body) @body) @def.class
(object_declaration name: (_) @name) @def.class
(function_declaration name: (_) @name (function_body) @body) @def.function
(function_declaration name: (_) @name) @def.function
(secondary_constructor "constructor" @name) @def.constructor
(source_file (property_declaration (variable_declaration . (identifier) @name)) @def.variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @def.property)
(class_parameter ["val" "var"] (identifier) @name) @def.property
(enum_entry . (identifier) @name) @def.constant
(type_alias type: (_) @name) @def.type

[(line_comment) (block_comment)] @comment
(modifiers (annotation) @attach)

(call_expression . [(identifier) (navigation_expression)] @call)
(constructor_invocation (user_type) @call)
(import (qualified_identifier) @import)
(delegation_specifier (user_type) @inherit)
(delegation_specifier (constructor_invocation (user_type) @inherit))

(import) @names
(class_parameter (identifier) @hint [(user_type) (nullable_type)] @type)
(parameter (identifier) @hint [(user_type) (nullable_type)] @type)
(variable_declaration . (identifier) @hint [(user_type) (nullable_type)] @type)
(property_declaration (variable_declaration . (identifier) @hint .) (call_expression . [(identifier) (navigation_expression)] @made))
(function_declaration (function_value_parameters) . (user_type) @returns)
