(class name: (constant) @name) @def.class
(class name: (scope_resolution scope: (_)? @owner name: (_) @name)) @def.class
(module name: (constant) @name) @def.module
(module name: (scope_resolution scope: (_)? @owner name: (_) @name)) @def.module
(method name: (_) @name) @def.method
(singleton_method name: (_) @name) @def.method
(assignment left: (constant) @name) @def.constant
(alias name: (_) @name) @def.method
(call !receiver method: (identifier) @_def arguments: (argument_list . (simple_symbol) @name) (#any-of? @_def "alias_method" "define_method" "define_singleton_method")) @def.method
(call !receiver method: (identifier) @_def arguments: (argument_list (simple_symbol) @name @def.property) (#any-of? @_def "attr_reader" "attr_writer" "attr_accessor" "attr" "cattr_accessor" "mattr_accessor" "class_attribute"))

(comment) @comment

(call !receiver method: (_) @call)
(call receiver: (_) @qualifier method: (_) @call)
(call method: (identifier) @_require arguments: (argument_list . (string (string_content) @import)) (#any-of? @_require "require" "require_relative" "load" "autoload"))
(superclass (_) @inherit)
(class body: (body_statement (call method: (identifier) @_include arguments: (argument_list (_) @inherit)) (#any-of? @_include "include" "extend" "prepend")))
(assignment left: [(identifier) (instance_variable) (constant)] @hint right: (call receiver: (_) @type method: (identifier) @_new (#eq? @_new "new")))
