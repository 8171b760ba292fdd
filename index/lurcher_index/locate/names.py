"""Names of functions, variables and other symbols in prose and code. A keyword of a language is never a name."""

import re
from collections.abc import Iterable

from lurcher_index.query.code_terms import has_code_shape, identifier_of, quoted
from lurcher_index.query.paths import is_path
from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.query.tokens import tokens

KEYWORDS = frozenset(
    """abstract and any array arguments as assert async auto await base begin bool boolean break byte case catch char
    class const constexpr constructor continue debugger declare def default defer del delete delegate do double dynamic
    elif else elsif end enum ensure except explicit export extends extern false final finally fixed float fn for foreach
    friend from func function global go goto guard if impl implements import in include inline instanceof int interface
    internal is lambda let lock long loop match mod module mut mutable namespace native new nil none nonlocal not null
    number object of operator optional or out override package params pass private prop property protected protocol pub
    public raise range readonly record ref repeat rescue return sealed select self short signed sizeof static str string
    struct sub super switch synchronized template then this throw throws trait transient true try type typedef typename
    typeof undefined union unless unsafe unsigned until use using val var virtual void volatile when where while with
    yield""".split()
)
"""Reserved words of the common languages, and names of their basic types, in lower case."""

FUNCTION_WORDS = frozenset(
    "function functions method methods func subroutine procedure routine callback handler".split()
)
VARIABLE_WORDS = frozenset("variable variables constant constants field parameter argument property".split())
SYMBOL_WORDS = frozenset("class classes interface struct enum trait module type symbol macro".split())
"""Words that stand beside a name and say what it is, before it or after it: "the function f", "the f function"."""

MAX_NAMES = 50
"""Names that are kept of one issue; what is searched for are the first few."""

_PLACES = frozenset({"in", "of", "by", "from", "inside", "calling"})
_NAMING = frozenset({"called", "named"})
_NO_NAMES = FUNCTION_WORDS | VARIABLE_WORDS | SYMBOL_WORDS | _NAMING
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_CALL = re.compile(r"\b([^\W\d]\w*)\s*\(")
_DEFINITION = re.compile(r"\b(?:def|fn|func|function|sub|fun)\s+([^\W\d]\w*)")


def spoken_names(prose: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Functions, variables and all symbols that prose names, each once and in the order of the text.

    A word before or after "function" is its name if it is written as only names are. A plain word is one only where
    the sentence leaves no doubt: "in function login", "the function called login"; not in "the function is slow".
    """
    found = tokens(prose)
    functions: dict[str, None] = {}
    variables: dict[str, None] = {}
    symbols: dict[str, None] = {}
    for at, token in enumerate(found):
        lower = token.lower
        into = functions if lower in FUNCTION_WORDS else variables if lower in VARIABLE_WORDS else None
        if into is None and lower not in SYMBOL_WORDS:
            if token.text.endswith(")") and (name := _name(token.text)):
                functions[name] = None
            if has_code_shape(token.text) and (name := _name(token.text)):
                symbols[name] = None
            continue
        before = found[at - 1].text if at and not found[at - 1].ends_clause else ""
        after = found[at + 1 : at + 3] if not token.ends_clause else ()
        certain = before.lower() in _PLACES
        if after and after[0].lower in _NAMING:
            after, certain = after[1:], True
        for name in filter(None, (_beside(before, False), _beside(after[0].text, certain) if after else "")):
            symbols[name] = None
            if into is not None:
                into[name] = None
    for name in filter(None, map(_name, quoted(prose))):
        symbols[name] = None
    # The same name is no variable if somebody calls it a function.
    variables = {name: None for name in variables if name not in functions}
    return _first(functions), _first(variables), _first({**functions, **symbols})


def snippet_names(code: str) -> tuple[str, ...]:
    """Names in code that tell something: those written as only names are (`userId`, `API_KEY`), in their order."""
    bare = without_strings(code)
    return _first(name for name in _IDENTIFIER.findall(bare) if not is_keyword(name) and has_code_shape(name))


def called_names(code: str) -> tuple[str, ...]:
    """Functions that code calls or defines."""
    bare = without_strings(code)
    names = [*_DEFINITION.findall(bare), *_CALL.findall(bare)]
    return _first(name for name in names if not is_keyword(name))


def is_keyword(name: str) -> bool:
    """Whether a word is reserved in some language, as it is written there."""
    return name.lower() in KEYWORDS


_STRING = re.compile(
    r"\\.|\"(?:[^\"\\\n]|\\.){0,2000}\"|'(?:[^'\\\n]|\\.){0,2000}'|`(?:[^`\\]|\\.){0,2000}`", re.DOTALL
)


def without_strings(code: str) -> str:
    """Code with its string literals emptied."""
    return _STRING.sub(lambda match: match[0] if match[0][0] == "\\" else match[0][0] * 2, code)


def strings_of(code: str) -> list[str]:
    """What stands in the string literals of code."""
    return [match[0][1:-1] for match in _STRING.finditer(code) if match[0][0] != "\\"]


def _beside(word: str, certain: bool) -> str:
    """The name that a word beside "function" is; a plain word only if what stands around makes that `certain`."""
    name = _name(word)
    lower = name.lower()
    if lower in QUESTION_WORDS or lower in _NO_NAMES:
        return ""
    return name if certain or has_code_shape(word) else ""


def _name(word: str) -> str:
    if is_path(word) and "." in word.rpartition("/")[2]:
        return ""
    name = identifier_of(word)
    return "" if is_keyword(name) or not name else name


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:MAX_NAMES]
