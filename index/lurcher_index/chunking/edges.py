"""References by name: calls, imports and inheritance."""

import re
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

_TAIL = re.compile(r"(?:[\w$@#]|\b-\b)+[!?]?$")
_ARGUMENTS = re.compile(r"^([^<\[(\s]+?)(?:::)?\s*[<\[].*[>\]]$", re.DOTALL)
_SEPARATOR = re.compile(r"\s*(?:\.|::|->|\?\.|!!?\.|&\.|\?->|:|\\)\s*$")
_PLAIN = re.compile(r"[\w$@#.]*[\w$@#]")
_SIMPLE = re.compile(r"[\w$@#.:?!&\\*>-]+")


def build_edges(lines: Lines, references: list[Reference], nest: Nest) -> tuple[Edge, ...]:
    """Each reference once per symbol that makes it, with the line where it does so first."""
    data = lines.data
    starts, ends, parents = nest.starts, nest.ends, nest.parents
    edges: dict[tuple[EdgeKind, str, str, int], Edge] = {}
    # References come in the order of their ends, so the last symbol that starts before each is found by going on.
    begun = 0
    for end, start, kind in references:
        # Cut short, because in a chain of a thousand calls each expression holds all those before it.
        text = data[start if end - start <= LOOK_BACK else end - LOOK_BACK - 1 : end]
        name, qualifier = _module(text) if kind is EdgeKind.IMPORT else split_name(text)
        if not name:
            continue
        while begun < len(starts) and starts[begun] < end:
            begun += 1
        symbol = begun - 1
        while symbol >= 0 and ends[symbol] < end:
            symbol = parents[symbol]
        if kind is EdgeKind.INHERIT:
            symbol = nest.inheriting(end - 1)
        key = (kind, name, qualifier, symbol)
        if key not in edges:
            edges[key] = Edge(kind, name, qualifier, lines.line_of(end - 1) + 1, symbol)
    return tuple(edges.values())


@lru_cache(MEMO)
def split_name(expression: bytes) -> tuple[str, str]:
    """Bare name and qualifier of a called or inherited expression: `os.path.join` is `join` of `os.path`."""
    text = expression.decode("utf-8", "ignore").strip()
    if text.isidentifier():
        return text, ""
    # Nearly every expression is one of these; the patterns below would say the same, slower.
    head, _, name = text.rpartition(".")
    if name.isidentifier() and len(expression) <= LOOK_BACK:
        if head.endswith((")", "]", "}")):
            return name, ""
        if len(head) <= QUALIFIER_LENGTH and head.replace(".", "_").isidentifier():
            return name, head
    before, dot, name = text.rpartition(".")
    if dot and name.isidentifier() and _PLAIN.fullmatch(before):
        return name, before if len(before) <= QUALIFIER_LENGTH and len(expression) <= LOOK_BACK else ""
    if arguments := _ARGUMENTS.match(text):
        text = arguments[1]
    tail = _TAIL.search(text)
    if not tail:
        return "", ""
    before = text[: tail.start()]
    separator = _SEPARATOR.search(before)
    qualifier = before[: separator.start()] if separator else ""
    if len(expression) > LOOK_BACK or len(qualifier) > QUALIFIER_LENGTH or not _SIMPLE.fullmatch(qualifier):
        qualifier = ""
    return tail[0], qualifier


def _module(text: bytes) -> tuple[str, str]:
    """An import's module: whole, without quotes."""
    return " ".join(text.decode("utf-8", "replace").split()).removeprefix("import ").strip("\"'`<>; "), ""
