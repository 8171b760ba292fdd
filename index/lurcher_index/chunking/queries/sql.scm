(create_table (object_reference) @name) @def.table
(create_view (object_reference) @name) @def.table
(create_materialized_view (object_reference) @name) @def.table
(create_function (object_reference) @name (function_body) @body) @def.function
(create_trigger . (keyword_create) (_)* (keyword_trigger) . (object_reference) @name) @def.function
(create_index column: (identifier) @name) @def.key
(create_type (object_reference) @name) @def.type
(create_schema (identifier) @name) @def.namespace
(create_sequence (object_reference) @name) @def.variable
(column_definition name: (_) @name) @def.field

[(comment) (marginalia)] @comment

(invocation (object_reference) @call)
