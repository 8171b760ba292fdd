(call target: (identifier) @_def (arguments . (alias) @name) (do_block)? @body (#any-of? @_def "defmodule" "defimpl")) @def.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block)? @body (#eq? @_def "defprotocol")) @def.interface
(call target: (identifier) @_def (arguments . [
  (call target: (identifier) @name)
  (identifier) @name
  (binary_operator left: (call target: (identifier) @name) operator: "when")
  (binary_operator left: (identifier) @name operator: "when")]) (do_block)? @body (#any-of? @_def "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp") (#set! joins)) @def.function
(call target: (identifier) @_def (arguments . [
  (call target: (identifier) @name)
  (identifier) @name
  (binary_operator left: (call target: (identifier) @name) operator: "when")]) (do_block)? @body (#any-of? @_def "defmacro" "defmacrop")) @def.macro
(unary_operator operator: "@" operand: (call target: (identifier) @_def (arguments . [
  (binary_operator left: (call target: (identifier) @name) operator: "::")
  (binary_operator left: (binary_operator left: (call target: (identifier) @name) operator: "::") operator: "when")])) (#any-of? @_def "callback" "macrocallback")) @def.method
(unary_operator operator: "@" operand: (call target: (identifier) @_def (arguments . [
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
  (binary_operator left: (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::") operator: "when")])) (#any-of? @_def "type" "typep" "opaque")) @def.type
(call target: [(identifier) @_def (dot right: (identifier) @_def)] (arguments . (atom) @name) (#any-of? @_def "defrecord" "defrecordp")) @def.struct
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments (_))) (#not-match? @name "^(doc|moduledoc|typedoc|spec|impl|type|typep|opaque|callback|macrocallback|behaviour|derive|deprecated|since|dialyzer|compile)$")) @def.constant

(comment) @comment
(unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments)) (#any-of? @_doc "spec" "impl" "deprecated" "since")) @attach
(unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments)) (#any-of? @_doc "doc" "typedoc")) @comment
(unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments (string) @doc)) (#eq? @_doc "moduledoc"))

(call target: (identifier) @call (#not-match? @call "^(def.*|alias|import|use|require|if|unless|case|cond|with|for|quote|unquote|doc|moduledoc|typedoc|spec|type|typep|impl)$"))
(call target: (dot right: (identifier)) @call)
(call target: (identifier) @_import (arguments . (alias) @import) (#any-of? @_import "alias" "import" "require"))
(call target: (identifier) @_use (arguments . (alias) @inherit) (#eq? @_use "use"))
(unary_operator operator: "@" operand: (call target: (identifier) @_behaviour (arguments (alias) @inherit)) (#eq? @_behaviour "behaviour"))
(call target: (identifier) @_import (arguments . (_)) (#any-of? @_import "alias" "import")) @names
