(function_declaration name: (_) @name) @def.function
(variable_declaration (identifier) @name (struct_declaration)) @def.struct
(variable_declaration (identifier) @name (opaque_declaration)) @def.struct
(variable_declaration (identifier) @name (union_declaration)) @def.struct
(variable_declaration (identifier) @name (enum_declaration)) @def.enum
(variable_declaration (identifier) @name (error_set_declaration)) @def.enum
(source_file (variable_declaration . "pub"? "const" . (identifier) @name) @def.constant)
(source_file (variable_declaration "var" . (identifier) @name) @def.variable)
(struct_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(union_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(enum_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(opaque_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(container_field name: (_) @name) @def.field
(test_declaration (string (string_content) @name) (block) @body) @def.function

(comment) @comment

(call_expression function: [(identifier) (field_expression)] @call)
(builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import)) (#eq? @_import "@import"))
(variable_declaration (identifier) (builtin_function (builtin_identifier) @_import) (#match? @_import "^.import$")) @names
