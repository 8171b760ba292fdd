(class_declaration name: (_) @name) @def.class
(class name: (_) @name) @def.class
(function_declaration name: (_) @name) @def.function
(generator_function_declaration name: (_) @name) @def.function
(method_definition name: (_) @name) @def.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)] @value) @def.function
(variable_declarator name: (identifier) @name value: (class) @value) @def.class
(assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression) (generator_function)] @value) @def.function
(assignment_expression left: (member_expression property: (_) @name) right: [(arrow_function) (function_expression) (generator_function)] @value) @def.method
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)] @value) @def.method
(program (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @def.variable))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant)))

(comment) @comment
(decorator) @attach

(call_expression function: [(identifier) (member_expression) (super)] @call)
(new_expression constructor: (_) @call)
(decorator (_) @call)

(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression function: (identifier) @_require arguments: (arguments . (string) @import) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))

(import_statement) @names
(export_statement source: (string)) @names
(variable_declarator value: [(call_expression function: (identifier) @_require) (member_expression object: (call_expression function: (identifier) @_require))] (#eq? @_require "require")) @names
(variable_declarator name: (identifier) @hint value: [
  (new_expression constructor: (_) @made)
  (call_expression function: [(identifier) (member_expression)] @made)
  (await_expression (call_expression function: [(identifier) (member_expression)] @made))])
(assignment_expression left: (member_expression object: (this)) @hint right: [(new_expression constructor: (_) @made) (identifier) @same])
