(function_declaration name: (identifier) @name) @def.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @owner (pointer_type (type_identifier) @owner) (generic_type type: (type_identifier) @owner) (pointer_type (generic_type type: (type_identifier) @owner))])) name: (_) @name) @def.method
(type_spec name: (_) @name type: (struct_type)) @def.struct
(type_spec name: (_) @name type: (interface_type)) @def.interface
(type_spec name: (_) @name) @def.type
(type_alias name: (_) @name) @def.type
(method_elem name: (_) @name) @def.method
(source_file (const_declaration (const_spec name: (_) @name) @def.constant))
(source_file (var_declaration (var_spec name: (_) @name) @def.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @def.variable)))
(field_declaration name: (_) @name) @def.field

(comment) @comment

(call_expression function: [(identifier) (selector_expression) (index_expression) (type_instantiation_expression)] @call)
(import_spec path: (_) @import)
(struct_type (field_declaration_list (field_declaration !name type: (_) @inherit)))
(interface_type (type_elem (_) @inherit))
