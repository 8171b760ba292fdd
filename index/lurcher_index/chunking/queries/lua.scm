(function_declaration name: (identifier) @name) @def.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (_) @name)) @def.function
(function_declaration name: (method_index_expression table: (_) @owner method: (_) @name)) @def.method
(assignment_statement (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @owner field: (_) @name)]) (expression_list . value: (function_definition body: (_)? @body))) @def.function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @def.function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @def.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @def.variable)
(chunk (assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @owner field: (_) @name)) (#not-match? @name "^__")) @def.variable)
(field name: (string content: (_) @name) value: (function_definition body: (_)? @body)) @def.function

(comment) @comment

(function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @call)
(function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import)) (#eq? @_require "require"))
(assignment_statement (variable_list . name: (identifier)) (expression_list . value: (function_call name: (identifier) @_require)) (#eq? @_require "require")) @names
