"""References by name: calls, imports and inheritance."""

import re
from bisect import bisect_right
from functools import lru_cache

from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.nesting import Nest
from lurcher_index.chunking.syntax import Reference
from lurcher_index.model import Edge, EdgeKind

QUALIFIER_LENGTH = 80
"""Longest text before a name that is kept; a longer one is a chain of calls, not a name."""

MEMO = 32_768
"""Names kept in mind between documents: the same few thousand are called all over a workspace."""

LOOK_BACK = 240
"""Bytes of an expression that are looked at, from its end: room for a name and the longest qualifier."""

# Looked up once: a member of an enum takes ten times as long to find as a global.
_IMPORT, _INHERIT = EdgeKind.IMPORT, EdgeKind.INHERIT
_TAIL = re.compile(r"(?:[\w$@#]|\b-\b)+[!?]?$")
_ARGUMENTS = re.compile(r"^([^<\[(\s]+?)(?:::)?\s*[<\[].*[>\]]$", re.DOTALL)
_SEPARATOR = re.compile(r"\s*(?:\.|::|->|\?\.|!!?\.|&\.|\?->|:|\\)\s*$")
_MARKS = ("?", "!")
"""What a name can end with, in Ruby and Elixir."""
_BEFORE_DOT = ("?", "!", "&")
"""What makes one separator together with the dot behind it."""
_CLOSING = (">", "]")
_SIMPLE = re.compile(r"[\w$@#.:?!&\\*>-]+")


def build_edges(lines: Lines, references: list[Reference], nest: Nest) -> tuple[Edge, ...]:
    """Each reference once per symbol that makes it, with the line where it does so first."""
    data = lines.data
    ends, parents = nest.ends, nest.parents
    first: dict[tuple[EdgeKind, str, str, int], int] = {}
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
        first.setdefault((kind, name, qualifier, symbol), end)
    starts, count = lines.starts, lines.count
    return tuple(
        Edge(kind, name, qualifier, bisect_right(starts, end - 1, 0, count), symbol)
        for (kind, name, qualifier, symbol), end in first.items()
    )


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
    if len(expression) > LOOK_BACK or len(qualifier) > QUALIFIER_LENGTH or not _SIMPLE.fullmatch(qualifier):
        qualifier = ""
    return name, qualifier


def _module(text: bytes) -> tuple[str, str]:
    """An import's module: whole, without quotes."""
    return " ".join(text.decode("utf-8", "replace").split()).removeprefix("import ").strip("\"'`<>; "), ""
