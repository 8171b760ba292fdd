(class_declaration name: (_) @name) @def.class
(record_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(annotation_type_declaration name: (_) @name) @def.interface
(enum_declaration name: (_) @name) @def.enum
(enum_constant name: (_) @name) @def.constant
(method_declaration name: (_) @name) @def.method
(constructor_declaration name: (_) @name) @def.constructor
(compact_constructor_declaration name: (_) @name) @def.constructor
(field_declaration declarator: (variable_declarator name: (_) @name)) @def.field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @def.constant
(annotation_type_element_declaration name: (_) @name) @def.method

[(line_comment) (block_comment)] @comment
(modifiers [(annotation) (marker_annotation)] @attach)

(method_invocation !object name: (_) @call)
(method_invocation object: (_) @qualifier name: (_) @call)
(object_creation_expression type: (_) @call)
(annotation name: (_) @call)
(explicit_constructor_invocation constructor: (_) @call)
(import_declaration [(scoped_identifier) (identifier)] @import)
(superclass (_) @inherit)
(super_interfaces (type_list (_) @inherit))
(extends_interfaces (type_list (_) @inherit))

(import_declaration) @names
(formal_parameter type: (_) @type name: (_) @hint)
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @hint))
(local_variable_declaration declarator: (variable_declarator name: (_) @hint value: (object_creation_expression type: (_) @type)))
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @hint))
(enhanced_for_statement type: (_) @type name: (_) @hint)
(resource type: (_) @type name: (_) @hint)
(catch_formal_parameter (catch_type (_) @type) name: (_) @hint)
(method_declaration type: (type_identifier) @returns)
(method_declaration type: (generic_type) @returns)
