(function_definition name: (_) @name) @def.function
(program (variable_assignment name: (variable_name) @name) @def.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @def.variable)

(comment) @comment

(command name: (command_name (word) @call))
(command name: (command_name (word) @_source) . argument: (_) @import (#any-of? @_source "source" "."))
