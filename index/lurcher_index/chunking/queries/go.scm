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

(import_spec) @names
(parameter_declaration name: (identifier) @hint type: (_) @type)
(short_var_declaration left: (expression_list . (identifier) @hint) right: (expression_list . (composite_literal type: (_) @type)))
(short_var_declaration left: (expression_list . (identifier) @hint) right: (expression_list . (unary_expression operand: (composite_literal type: (_) @type))))
(short_var_declaration left: (expression_list . (identifier) @hint) right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @made)))
(short_var_declaration left: (expression_list . (identifier) @hint) right: (expression_list . (type_assertion_expression type: (_) @type)))
(var_spec name: (identifier) @hint type: (_) @type)
(var_spec name: (identifier) @hint value: (expression_list . (call_expression function: [(identifier) (selector_expression)] @made)))
(var_spec name: (identifier) @hint value: (expression_list . (unary_expression operand: (composite_literal type: (_) @type))))
(field_declaration name: (_) @hint type: (_) @type)
(function_declaration result: (parameter_list . (parameter_declaration type: (_) @returns)))
(function_declaration result: [(type_identifier) (pointer_type) (qualified_type)] @returns)
(method_declaration result: (parameter_list . (parameter_declaration type: (_) @returns)))
(method_declaration result: [(type_identifier) (pointer_type) (qualified_type)] @returns)
