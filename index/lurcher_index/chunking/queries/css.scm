(rule_set (selectors) @name (block) @body) @def.section
(media_statement "@media" @name (block) @body) @def.section
(keyframes_statement (keyframes_name) @name (_) @body) @def.section
(supports_statement "@supports" @name (block) @body) @def.section
(declaration (property_name) @name (#match? @name "^--")) @def.variable

(comment) @comment

(import_statement (string_value) @import)
(import_statement (call_expression (arguments (_) @import)))
