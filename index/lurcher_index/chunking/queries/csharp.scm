(class_declaration name: (_) @name) @def.class
(record_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(struct_declaration name: (_) @name) @def.struct
(enum_declaration name: (_) @name) @def.enum
(enum_member_declaration name: (_) @name) @def.constant
(namespace_declaration name: (_) @name) @def.namespace
(file_scoped_namespace_declaration name: (_) @name) @def.namespace
(method_declaration name: (_) @name) @def.method
(local_function_statement name: (_) @name) @def.function
(constructor_declaration name: (_) @name) @def.constructor
(destructor_declaration name: (_) @name) @def.method
(operator_declaration operator: (_) @name) @def.method
(property_declaration name: (_) @name accessors: (_) @body) @def.property
(property_declaration name: (_) @name) @def.property
(event_declaration name: (_) @name) @def.property
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.property
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.field
(delegate_declaration name: (_) @name) @def.type

(comment) @comment
(attribute_list) @attach

(invocation_expression function: [(identifier) (member_access_expression) (generic_name) (conditional_access_expression)] @call)
(object_creation_expression type: (_) @call)
(attribute name: (_) @call)
(using_directive [(identifier) (qualified_name)] @import)
(base_list [(identifier) (qualified_name) (generic_name)] @inherit)
(base_list (primary_constructor_base_type type: (_) @inherit))

(using_directive) @names
(parameter type: (_) @type name: (_) @hint)
(variable_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type)] @type (variable_declarator name: (_) @hint))
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @hint (object_creation_expression type: (_) @type)))
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @hint (invocation_expression function: [(identifier) (member_access_expression)] @made)))
(property_declaration type: (_) @type name: (_) @hint)
(foreach_statement type: (_) @type left: (_) @hint)
(method_declaration returns: [(identifier) (qualified_name) (generic_name)] @returns)
