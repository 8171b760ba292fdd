(function_item name: (_) @name) @def.function
(function_signature_item name: (_) @name) @def.function
(struct_item name: (_) @name) @def.struct
(union_item name: (_) @name) @def.struct
(enum_item name: (_) @name) @def.enum
(enum_variant name: (_) @name) @def.constant
(trait_item name: (_) @name) @def.trait
(type_item name: (_) @name) @def.type
(associated_type name: (_) @name) @def.type
(mod_item name: (_) @name body: (_)) @def.module
(const_item name: (_) @name) @def.constant
(static_item name: (_) @name) @def.variable
(macro_definition name: (_) @name) @def.macro
(field_declaration name: (_) @name) @def.field
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name) (scoped_type_identifier name: (_) @name)]) @scope
(impl_item type: (_) @name) @scope

[(line_comment) (block_comment)] @comment
(attribute_item) @attach

(call_expression function: [(identifier) (field_expression) (scoped_identifier) (generic_function)] @call)
(macro_invocation macro: (_) @call)
(use_declaration argument: (_) @import)
(extern_crate_declaration name: (_) @import)
(mod_item name: (_) @import !body)
(impl_item trait: (_) @inherit)
(trait_bounds (_) @inherit)

(use_declaration argument: (_) @names)
(parameter pattern: (identifier) @hint type: (_) @type)
(let_declaration pattern: (identifier) @hint type: (_) @type)
(let_declaration pattern: (identifier) @hint value: (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @made))
(let_declaration pattern: (identifier) @hint value: (struct_expression name: (_) @type))
(field_declaration name: (_) @hint type: (_) @type)
(function_item return_type: (_) @returns)
