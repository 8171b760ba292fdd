"""What the languages have in common when a name is looked up: who can call whom, and what a plain name can mean."""

from functools import cache

import msgspec

from lurcher_index.model import SymbolKind


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """Languages whose code calls each other, and how names are found in them."""

    name: str
    implicit_self: bool = False
    """Whether `f()` in a method can mean another method of the same object."""
    folder_scope: bool = False
    """Whether the definitions of a folder see each other without an import."""
    global_scope: bool = False
    """Whether a definition anywhere can be meant without an import: it was included, loaded or linked."""
    callable_values: bool = False
    """Whether variables that are called are definitions of what is called, as `const isText = testFor("string")` is."""
    functions_as_methods: bool = False
    """Whether a function that lies in no type can be called on a value, as one assigned to a property is."""


_FAMILIES = (
    (Family(name="python"), "python"),
    (Family(name="ecma", functions_as_methods=True, callable_values=True), "javascript typescript tsx"),
    (Family(name="go", folder_scope=True), "go"),
    (Family(name="jvm", implicit_self=True, folder_scope=True), "java kotlin scala"),
    (Family(name="c", implicit_self=True, global_scope=True, functions_as_methods=True), "c cpp"),
    (Family(name="csharp", implicit_self=True, global_scope=True), "csharp"),
    (Family(name="swift", implicit_self=True, global_scope=True), "swift"),
    (Family(name="ruby", implicit_self=True, global_scope=True), "ruby"),
    (Family(name="rust"), "rust"),
    (Family(name="php", global_scope=True), "php"),
    (Family(name="elixir"), "elixir"),
    (Family(name="haskell"), "haskell"),
    (Family(name="lua", global_scope=True, functions_as_methods=True), "lua"),
    (Family(name="bash", global_scope=True), "bash"),
    (Family(name="zig"), "zig"),
    (Family(name="sql", global_scope=True), "sql"),
)
_BY_LANGUAGE = {language: family for family, languages in _FAMILIES for language in languages.split()}


@cache
def family_of(language: str) -> Family:
    """The family of a language; one that is not listed stands alone and needs no imports."""
    return _BY_LANGUAGE.get(language) or Family(name=language, global_scope=True)


@cache
def languages_of(family: str) -> frozenset[str]:
    """The languages of a family, by its name."""
    return frozenset(language for language, each in _BY_LANGUAGE.items() if each.name == family) or frozenset({family})


TYPES = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.TRAIT,
        SymbolKind.TYPE,
        SymbolKind.MODULE,
        SymbolKind.NAMESPACE,
    }
)
"""What can have members."""

CALLABLE = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.MACRO,
    }
)
"""What a call can lead to; a variable that holds a function is told by its own definition, if it has one."""

VALUES = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})
"""What can hold a function."""

SELF = frozenset({"self", "this", "cls", "Self", "static", "me"})
"""Words for the object or class in which a method lies."""

SUPER = frozenset({"super", "super()", "parent", "base"})
"""Words for what its class inherits."""

COMMON_METHODS = frozenset(
    "add addAll all any append apply args as asList at bind build call cast charAt clear clone close compare compareTo "
    "concat contains containsKey copy count create data debug decode default delete done each emit empty encode "
    "endsWith endswith entries entrySet equals error errorf every exec exists exit expect extend fail fatal fatalf "
    "filter find first flatMap flush forEach format from get getClass getName getOrDefault getattr group has hasNext "
    "hash hashCode hasOwnProperty hex id includes index indexOf info init insert into isEmpty is_empty items iter join "
    "keys last len length limit list load lock log lower lstrip main make map match max merge min name new next none "
    "of off ok on once open orElse parse partition path peek poll pop post print printf println push put query raw "
    "read readline reduce register remove render replace reset resolve reverse rstrip run save scan search seek send "
    "set setdefault shift size skip sleep slice some sort sorted splice split start startsWith startswith stat state "
    "stop stream string strip sub submit substring sum sync tell test text then throw time title toArray toList "
    "toLowerCase toString toUpperCase to_string toggle trim try type uncurry unlock unshift unwrap update upper url "
    "use validate value valueOf values view visit wait warn warning with wrap write Add Close Contains Error Errorf "
    "Fatal Fatalf Format Get Len Lock Log Name New Next Print Printf Println Read Run Set Sprintf String Unlock Write "
    "ToString Equals Dispose Select Where ToList First Any".split()
)
"""Names of methods that values of every language's own library have: alone they say nothing about whose is meant."""
