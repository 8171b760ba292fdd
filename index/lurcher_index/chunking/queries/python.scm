(class_definition name: (identifier) @name) @def.class
(function_definition name: (identifier) @name) @def.function
(module (expression_statement (assignment left: (identifier) @name)) @def.variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @def.field))
(type_alias_statement left: (type (identifier) @name)) @def.type

(module . (comment)* . (expression_statement (string) @doc))
(class_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(function_definition body: (block . (comment)* . (expression_statement (string) @doc)))

(comment) @comment
(decorator) @attach

(call function: (_) @call)
(decorator [(identifier) (attribute)] @call)
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @inherit))

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)

[(import_statement) (import_from_statement)] @names
(assignment left: [(identifier) (attribute)] @hint right: (call function: [(identifier) (attribute)] @made))
(assignment left: [(identifier) (attribute)] @hint right: (await (call function: [(identifier) (attribute)] @made)))
(assignment left: [(identifier) (attribute)] @hint type: (type) @type)
(assignment left: (attribute object: (identifier) @_self) @hint right: (identifier) @same (#eq? @_self "self"))
(typed_parameter . (identifier) @hint type: (type) @type)
(typed_default_parameter name: (identifier) @hint type: (type) @type)
(as_pattern (call function: [(identifier) (attribute)] @made) alias: (as_pattern_target (identifier) @hint))
(function_definition return_type: (type) @returns)
