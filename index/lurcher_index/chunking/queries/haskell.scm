(header module: (_) @name) @def.module
(class name: (_) @name declarations: (_)? @body) @def.interface
(data_type name: (_) @name) @def.type
(newtype name: (_) @name) @def.type
(type_synonym name: (_) @name) @def.type
(field name: (field_name (variable) @name)) @def.field
(data_constructor (prefix name: (_) @name)) @def.constant
(data_constructor (record name: (_) @name @def.constant))
(data_constructor (infix operator: (_) @name)) @def.constant
(gadt_constructor name: (_) @name) @def.constant
(newtype_constructor name: (_) @name @def.constant)
(type_family name: (_) @name) @def.type
(data_family name: (_) @name) @def.type
(pattern_synonym (equation synonym: (apply function: (constructor) @name))) @def.constant
(pattern_synonym (equation synonym: (apply function: (apply function: (constructor) @name)))) @def.constant
(pattern_synonym (equation synonym: (constructor) @name)) @def.constant
(foreign_import signature: (signature name: (_) @name)) @def.function
(instance patterns: (type_patterns . (_) @name)) @scope
(declarations (signature name: (_) @name) @def.function (#set! joins))
(declarations (function name: (_) @name) @def.function (#set! joins))
(declarations (bind name: (_) @name) @def.function (#set! joins))
(class_declarations (signature name: (_) @name) @def.method)
(class_declarations (signature names: (binding_list name: (_) @name @def.method)))
(instance_declarations (function name: (_) @name) @def.method (#set! joins))
(instance_declarations (bind name: (_) @name) @def.method)

[(comment) (haddock)] @comment

(apply function: [(variable) (qualified)] @call)
(infix operator: (infix_id (_) @call))
(import module: (_) @import)
(instance name: (_) @inherit)
(deriving classes: (_ (name) @inherit))
(deriving classes: (name) @inherit)
(class context: (context (apply constructor: (_) @inherit)))
(import) @names
