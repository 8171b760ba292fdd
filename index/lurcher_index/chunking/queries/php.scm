(class_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(trait_declaration name: (_) @name) @def.trait
(enum_declaration name: (_) @name) @def.enum
(enum_case name: (_) @name) @def.constant
(namespace_definition name: (_) @name body: (_)) @def.namespace
(function_definition name: (_) @name) @def.function
(method_declaration name: (_) @name) @def.method
(property_declaration (property_element name: (variable_name (name) @name))) @def.field
(const_declaration (const_element . (_) @name)) @def.constant

(comment) @comment
(attribute_list) @attach

(function_call_expression function: (_) @call)
(member_call_expression object: (_) @qualifier name: (_) @call)
(nullsafe_member_call_expression object: (_) @qualifier name: (_) @call)
(scoped_call_expression scope: (_) @qualifier name: (_) @call)
(object_creation_expression [(name) (qualified_name)] @call)
(namespace_use_clause [(name) (qualified_name)] @import)
(require_once_expression (_) @import)
(require_expression (_) @import)
(include_expression (_) @import)
(include_once_expression (_) @import)
(base_clause (_) @inherit)
(class_interface_clause (_) @inherit)
(use_declaration (_) @inherit)

(namespace_use_declaration) @names
(simple_parameter type: (_) @type name: (_) @hint)
(property_promotion_parameter type: (_) @type name: (_) @hint)
(property_declaration type: (_) @type (property_element name: (_) @hint))
(assignment_expression left: [(variable_name) (member_access_expression)] @hint right: (object_creation_expression [(name) (qualified_name)] @type))
(assignment_expression left: (member_access_expression) @hint right: (variable_name) @same)
(assignment_expression left: (variable_name) @hint right: [(scoped_call_expression) (member_call_expression)] @made)
(method_declaration return_type: (_) @returns)
(function_definition return_type: (_) @returns)
