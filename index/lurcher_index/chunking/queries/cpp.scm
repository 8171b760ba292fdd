; inherits: c
(class_specifier name: (type_identifier) @name body: (_)) @def.class
(class_specifier name: (template_type) @name body: (_)) @def.class
(class_specifier name: (qualified_identifier scope: (_) @owner name: (_) @name) body: (_)) @def.class
(struct_specifier name: (qualified_identifier scope: (_) @owner name: (_) @name) body: (_)) @def.struct
(struct_specifier name: (template_type) @name body: (_)) @def.struct
(namespace_definition name: (_) @name) @def.namespace
(function_definition declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (pointer_declarator (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: (field_identifier) @name))
  (function_declarator declarator: (operator_name) @name)
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
  (function_declarator declarator: (destructor_name) @name)
  (operator_cast) @name]) @def.function
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (destructor_name) (operator_name)] @name))
  (pointer_declarator (function_declarator declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (destructor_name) (operator_name)] @name)))
  (reference_declarator (function_declarator declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (destructor_name) (operator_name)] @name)))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: (_) @owner name: [(identifier) (destructor_name) (operator_name)] @name)))]) @def.method
(field_declaration declarator: [
  (function_declarator declarator: (_) @name)
  (pointer_declarator (function_declarator declarator: (_) @name))
  (reference_declarator (function_declarator declarator: (_) @name))]) @def.method
(field_declaration_list (declaration declarator: (function_declarator declarator: (_) @name)) @def.method)
(field_declaration (storage_class_specifier) declarator: (field_identifier) @name default_value: (_)) @def.field
(declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @def.variable)
(declaration_list (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.variable)
(alias_declaration name: (_) @name) @def.type
(concept_definition name: (_) @name) @def.type
(template_declaration "template" @attach)

(call_expression function: [(qualified_identifier) (template_function)] @call)
(new_expression type: (_) @call)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit)
(parameter_declaration type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: [(identifier) @hint (pointer_declarator declarator: (identifier) @hint) (reference_declarator (identifier) @hint)])
(declaration type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: [(identifier) @hint (init_declarator declarator: [(identifier) @hint (pointer_declarator declarator: (identifier) @hint) (reference_declarator (identifier) @hint)])])
(declaration type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: [(pointer_declarator declarator: (identifier) @hint) (reference_declarator (identifier) @hint)])
(declaration declarator: (init_declarator declarator: (identifier) @hint value: (call_expression function: [(identifier) (qualified_identifier) (field_expression)] @made)))
(declaration declarator: (init_declarator declarator: (identifier) @hint value: (new_expression type: (_) @type)))
(field_declaration type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: [(field_identifier) @hint (pointer_declarator declarator: (field_identifier) @hint)])
(function_definition type: [(type_identifier) (qualified_identifier)] @returns)
