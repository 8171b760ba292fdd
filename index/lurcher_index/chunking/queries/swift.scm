(class_declaration declaration_kind: "class" name: (_) @name) @def.class
(class_declaration declaration_kind: "actor" name: (_) @name) @def.class
(class_declaration declaration_kind: "struct" name: (_) @name) @def.struct
(class_declaration declaration_kind: "enum" name: (_) @name) @def.enum
(class_declaration declaration_kind: "extension" name: (_) @name) @scope
(protocol_declaration name: (_) @name) @def.interface
(function_declaration name: (simple_identifier) @name) @def.function
(protocol_function_declaration name: (simple_identifier) @name) @def.method
(init_declaration "init" @name) @def.constructor
(deinit_declaration "deinit" @name) @def.method
(typealias_declaration . (_)* name: (type_identifier) @name) @def.type
(associatedtype_declaration . (_)* name: (type_identifier) @name) @def.type
(enum_entry name: (_) @name) @def.constant
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @def.variable)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @def.property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @def.property)
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @def.property

[(comment) (multiline_comment)] @comment
(modifiers (attribute) @attach)

(call_expression . [(simple_identifier) (navigation_expression)] @call)
(import_declaration (identifier) @import)
(inheritance_specifier inherits_from: (_) @inherit)

(parameter name: (simple_identifier) @hint [(user_type) (optional_type)] @type)
(property_declaration name: (pattern bound_identifier: (_) @hint) (type_annotation [(user_type) (optional_type)] @type))
(property_declaration name: (pattern bound_identifier: (_) @hint) value: (call_expression . [(simple_identifier) (navigation_expression)] @made))
(function_declaration (user_type) @returns)
