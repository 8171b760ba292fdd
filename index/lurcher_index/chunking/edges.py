"""References by name: calls, imports and inheritance."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from lurcher_index.chunking.findings import Reference
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.nesting import Nest
from lurcher_index.model import Edge, EdgeKind, Symbol, SymbolKind
from lurcher_index.native import compiled

QUALIFIER_LENGTH = 80
"""Longest text before a name that is kept; a longer one is a chain of calls, not a name."""

VALUE = "()"
"""Qualifier of what stands behind an expression that is no chain of names and calls."""

LITERAL = "''"
"""Qualifier of what stands behind a text in quotes."""

MAX_NESTED = 8
"""Brackets in brackets that are taken out of a qualifier."""

MAX_PLACES = 200
"""Places kept of one name that one function uses in one way; tables of data, made of calls, have thousands."""

MAX_HEAD_BYTES = 2_000
"""How far parameters are looked for behind a function's name."""

MEMO = 32_768
"""Names kept in mind between documents: the same few thousand are called all over a workspace."""

LOOK_BACK = 240
"""Bytes of an expression that are looked at, from its end: room for a name and the longest qualifier."""

# Looked up once: a member of an enum takes ten times as long to find as a global.
_IMPORT, _INHERIT, _CALL = EdgeKind.IMPORT, EdgeKind.INHERIT, EdgeKind.CALL
_CODE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_TAIL = re.compile(r"(?:[\w$@#]|\b-\b)+[!?]?$")
_ARGUMENTS = re.compile(r"^([^<\[(\s]+?)(?:::)?\s*[<\[].*[>\]]$", re.DOTALL)
_SEPARATOR = re.compile(r"\s*(?:\.|::|->|\?\.|!!?\.|&\.|\?->|:|\\)\s*$")
_MARKS = ("?", "!")
"""What a name can end with, in Ruby and Elixir."""
_BEFORE_DOT = ("?", "!", "&")
"""What makes one separator together with the dot behind it."""
_CLOSING = (">", "]")
_SIMPLE = re.compile(r"[\w$@#.:?!&\\*>-]+")
_SIMPLE_CALLS = re.compile(r"[\w$@#.:?!&\\*>()-]+")
_BRACKETS = re.compile(r"\([^()]*\)")
_MADE = re.compile(r"^(?:new\s+(?=[\w$])|\(\s*new\s+([\w$.:\\]+(?:<[^<>]*>)?\s*\([^()]*\))\s*\))")
"""A value made in passing, with or without brackets around it: `new Shop(1).sell()`, `(new Shop(1)).sell()`."""
_BEFORE_PARAMETER = re.compile(rb"(?<![\w.:>|\[@])(?<![:>|\[] )")
_AFTER_PARAMETER = re.compile(rb"\s*[,):=?]")
_BLANK = re.compile(r"\s")
_SPACE = re.compile(r"\s+(?=[.?:]|->)|(?<=[.:>])\s+")
_GENERIC = re.compile(r"(?:::)?<[^<>]*>(?=::|\.|$)")


def build_edges(
    lines: Lines, references: list[Reference], nest: Nest, symbols: Sequence[Symbol] = ()
) -> tuple[Edge, ...]:
    """Each reference once per symbol that makes it, with the places where it does so."""
    if not compiled:
        return build_edges_in_python(lines, references, nest, symbols)
    nested = (nest.starts, nest.ends, nest.parents)
    return compiled.edges(_RULES, lines.data, lines.starts, references, nested, nest.inheriting, symbols)


def build_edges_in_python(
    lines: Lines, references: list[Reference], nest: Nest, symbols: Sequence[Symbol] = ()
) -> tuple[Edge, ...]:
    """The same without the compiled part, which has this loop once more."""
    data = lines.data
    ends, parents = nest.ends, nest.parents
    first: dict[tuple[EdgeKind, str, str, int], list[int]] = {}
    found = first.get
    # References come in the order of their ends, so the last symbol that starts before each is found by going on.
    last, coming = -1, iter((*nest.starts, len(data) + 1))
    border = next(coming)
    for end, start, kind in references:
        # Cut short, because in a chain of a thousand calls each expression holds all those before it.
        text = data[start if end - start <= LOOK_BACK else end - LOOK_BACK - 1 : end]
        name, qualifier = split_name(text) if kind is not _IMPORT else _module(text)
        if not name:
            continue
        while border < end:
            last += 1
            border = next(coming)
        symbol = last
        while symbol >= 0 and ends[symbol] < end:
            symbol = parents[symbol]
        if kind is _INHERIT:
            symbol = nest.inheriting(end - 1)
        key = (kind, name, qualifier, symbol)
        places = found(key)
        if places is None:
            first[key] = [end]
        else:
            places.append(end)
    starts, count = lines.starts, lines.count
    edges: list[Edge] = []
    for (kind, name, qualifier, symbol), places in first.items():
        width = len(name) if name.isascii() else len(name.encode())
        end = places[0]
        line = bisect_right(starts, end - 1, 0, count)
        column = end - width - starts[line - 1]
        more: list[int] = []
        for end in places[1:MAX_PLACES]:
            next_line = bisect_right(starts, end - 1, line - 1, count)
            at = end - width - starts[next_line - 1]
            more += (next_line, at if at > 0 else 0)
        bound = not qualifier and symbol >= 0 and kind is _CALL and _is_parameter(data, symbols, symbol, name)
        edges.append(Edge(kind, name, qualifier, line, symbol, column if column > 0 else 0, tuple(more), bound))
    return tuple(edges)


def _is_parameter(data: bytes, symbols: Sequence[Symbol], at: int, name: str) -> bool:
    """Whether the function or one around it has a parameter of this name, as far as the text of their heads tells."""
    word = name.encode()
    while at >= 0:
        start, end, at = _head(symbols, at)
        head = data[start:end]
        place = head.find(word)
        while place >= 0:
            # Two patterns for all words: one that holds the word would have to be made for each.
            if _BEFORE_PARAMETER.match(head, place) and _AFTER_PARAMETER.match(head, place + len(word)):
                return True
            place = head.find(word, place + 1)
    return False


def _head(symbols: Sequence[Symbol], at: int) -> tuple[int, int, int]:
    """Where the parameters of a function stand, and the index of what is around it; nowhere for what is none."""
    if not 0 <= at < len(symbols):
        return 0, 0, -1
    symbol = symbols[at]
    if symbol.kind not in _CODE:
        return 0, 0, -1
    return symbol.name_end, min(symbol.signature_end, symbol.name_end + MAX_HEAD_BYTES), symbol.container


@lru_cache(MEMO)
def split_name(expression: bytes) -> tuple[str, str]:
    """Bare name and qualifier of a called or inherited expression: `os.path.join` is `join` of `os.path`."""
    text = expression.decode("utf-8", "ignore").strip()
    if text.isidentifier():
        return text, ""
    # Nearly every expression is a name after a dot; the patterns below would say the same, several times slower.
    head, _, name = text.rpartition(".")
    bare = name[:-1] if name[-1:] in _MARKS else name
    if bare.isidentifier() and head[-1:] not in _BEFORE_DOT:
        qualifier = head.rstrip()
    else:
        if text[-1:] in _CLOSING and (arguments := _ARGUMENTS.match(text)):
            text = arguments[1]
        tail = _TAIL.search(text)
        if not tail:
            return "", ""
        name, before = tail[0], text[: tail.start()]
        separator = _SEPARATOR.search(before)
        qualifier = before[: separator.start()] if separator else ""
    if len(expression) > LOOK_BACK:
        qualifier = VALUE
    elif qualifier and (len(qualifier) > QUALIFIER_LENGTH or not _SIMPLE.fullmatch(qualifier)):
        qualifier = _without_arguments(qualifier)
    return name, qualifier


def _without_arguments(qualifier: str) -> str:
    """`super()` and `Foo().open()` stay what they are, without what is between the brackets; so does `new Foo()`."""
    if qualifier[0] in "\"'`" or qualifier[-1] in "\"'`":
        return LITERAL
    # A pattern that finds nothing costs as much as one that does; what it needs to begin with is looked for first.
    if qualifier.startswith(("new", "(")):
        qualifier = _MADE.sub(r"\1", qualifier)
    for _ in range(MAX_NESTED):
        shorter = _BRACKETS.sub("\0", qualifier) if "(" in qualifier else qualifier
        if "<" in shorter:
            shorter = _GENERIC.sub("", shorter)
        if shorter == qualifier:
            break
        qualifier = shorter
    if _BLANK.search(qualifier):
        qualifier = _SPACE.sub("", qualifier)
    qualifier = qualifier.replace("\0", "()")
    return qualifier if len(qualifier) <= QUALIFIER_LENGTH and _SIMPLE_CALLS.fullmatch(qualifier) else VALUE


def _module(text: bytes) -> tuple[str, str]:
    """An import's module: whole, without quotes."""
    return " ".join(text.decode("utf-8", "replace").split()).removeprefix("import ").strip("\"'`<>; "), ""


if compiled:
    _RULES = (
        Edge,
        (_CALL, _IMPORT, _INHERIT),
        (compiled.Memo(split_name.__wrapped__, MEMO), compiled.Memo(_module, MEMO)),
        (tuple(_CODE), MAX_HEAD_BYTES, _is_parameter),
        LOOK_BACK,
        MAX_PLACES,
    )
