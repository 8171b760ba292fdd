"""Which definition encloses which: kinds and containers, from ranges and names alone."""

import re
from bisect import bisect_right
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from lurcher_index.chunking.findings import Definition
from lurcher_index.model import SymbolKind
from lurcher_index.native import compiled

_TYPES = frozenset(
    {SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.TRAIT, SymbolKind.TYPE}
)
_CODE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_VALUES = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY})
# Looked up once: a member of an enum takes ten times as long to find as a global.
_VARIABLE, _FUNCTION, _METHOD = SymbolKind.VARIABLE, SymbolKind.FUNCTION, SymbolKind.METHOD
_BEFORE_ARGUMENT = re.compile(rb"[\w,(]\s*\Z")
MAX_BLANKS = 200
"""How far before a symbol it is looked for what it is an argument of."""
_CONSTRUCTORS = frozenset({"__init__", "constructor", "__construct", "initialize", "init"})


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A definition with its final kind and its container's index, -1 for none."""

    definition: Definition
    name: str
    kind: SymbolKind
    container: int
    parent: int
    """Index of the definition whose text encloses it; the container can be another one, named by an owner."""
    owner: str = ""
    """Name of the type it belongs to, if that one is not in this document."""


class Scope(NamedTuple):
    """A block that belongs to a type without defining it: its range and the type's index, -1 if it is elsewhere."""

    start: int
    end: int
    symbol: int


class _Open(msgspec.Struct, frozen=True, gc=False):
    end: int
    symbol: int
    kind: SymbolKind | None
    name: str


class Nest(msgspec.Struct, frozen=True, gc=False):
    """Ranges in document order that are nested in each other or apart."""

    starts: list[int]
    ends: list[int]
    parents: list[int]
    scopes: list[Scope]

    def innermost(self, offset: int) -> int:
        """Index of the innermost range around an offset, or -1."""
        index = bisect_right(self.starts, offset) - 1
        while index >= 0 and self.ends[index] <= offset:
            index = self.parents[index]
        return index

    def inheriting(self, offset: int) -> int:
        """Index of the type that inherits what is named at an offset."""
        index = bisect_right(self.scopes, (offset + 1,)) - 1
        if index >= 0 and offset < self.scopes[index].end and self.scopes[index].symbol >= 0:
            return self.scopes[index].symbol
        return self.innermost(offset)


def place(data: bytes, definitions: list[Definition]) -> tuple[list[Placed], list[Scope]]:
    """Put each definition into its container and leave out local variables; the order stays."""
    placed = compiled.place(_RULES, data, definitions) if compiled else None
    return place_in_python(data, definitions) if placed is None else (placed, [])


def place_in_python(data: bytes, definitions: list[Definition]) -> tuple[list[Placed], list[Scope]]:
    """The same without the compiled part, which knows definitions that nothing but their ranges put anywhere."""
    placed: list[Placed] = []
    owners: list[str] = []
    blocks: list[tuple[Definition, str]] = []
    stack = [_Open(len(data) + 1, -1, None, "")]
    for definition in definitions:
        while stack[-1].end <= definition.start:
            stack.pop()
        around = stack[-1]
        name = _text(data, definition.name_start, definition.name_end)
        if not name:
            continue
        if definition.kind is None:
            stack.append(_Open(definition.end, around.symbol, None, name))
            blocks.append((definition, name))
            continue
        if definition.kind in _VALUES and around.kind in _CODE:
            continue
        if definition.joins and _joins(placed, definition, name, around.symbol):
            joined = replace(placed[-1].definition, end=definition.end)
            placed[-1] = replace(placed[-1], definition=joined)
            stack.append(_Open(definition.end, len(placed) - 1, placed[-1].kind, name))
            continue
        scope = around.name if around.kind is None else ""
        owner = (_text(data, *definition.owner) if definition.owner[1] else "") or scope
        kind = _kind(definition.kind, name, owner or (around.name if around.kind in _TYPES else ""))
        stack.append(_Open(definition.end, len(placed), kind, name))
        placed.append(Placed(definition, name, kind, around.symbol, around.symbol))
        owners.append(owner)
    return _give_to_owners(placed, owners, blocks)


def _text(data: bytes, start: int, end: int) -> str:
    text = data[start:end].decode("utf-8", "replace")
    if text.isidentifier():
        return text
    if text[:1] == ":" and text[1:].rstrip("?!=").isidentifier() and _is_argument(data, start):
        return text[1:]
    if text[:1] in "\"'`" and len(text) > 2 and text[-1] == text[0]:
        text = text[1:-1]
    return " ".join(text.split())


def _is_argument(data: bytes, start: int) -> bool:
    """Whether `:name` is what something is called with, as `attr_reader :name`; in CSS it is a selector."""
    return bool(_BEFORE_ARGUMENT.search(data, max(0, start - MAX_BLANKS), start))


def _joins(placed: list[Placed], definition: Definition, name: str, parent: int) -> bool:
    """Whether a definition goes on with the one before it."""
    if not placed or not placed[-1].definition.joins:
        return False
    return placed[-1].name == name and placed[-1].parent == parent and placed[-1].definition.end <= definition.start


def _kind(kind: SymbolKind, name: str, owner: str) -> SymbolKind:
    """The final kind of what a grammar calls a function or a variable."""
    if kind is _VARIABLE:
        return SymbolKind.CONSTANT if name.isupper() else kind
    if kind is _FUNCTION and owner:
        kind = _METHOD
    # A function in an object that belongs to no type may be called `init`, too.
    if kind is _METHOD and ((name in _CONSTRUCTORS and (owner or name == "constructor")) or name == owner):
        return SymbolKind.CONSTRUCTOR
    return kind


def _give_to_owners(
    placed: list[Placed], owners: list[str], blocks: list[tuple[Definition, str]]
) -> tuple[list[Placed], list[Scope]]:
    """Point the members of types that are defined elsewhere in the document to those types."""
    if not blocks and not any(owners):
        return placed, []
    types: dict[str, int] = {}
    for index, item in reversed(list(enumerate(placed))):
        if item.kind in _TYPES or (item.kind not in _CODE and item.name not in types):
            types[item.name] = index
    scopes = [Scope(block.start, block.end, types.get(name, -1)) for block, name in blocks]
    owned = [
        replace(item, container=types.get(owner, item.container), owner="" if owner in types else owner)
        if owner
        else item
        for item, owner in zip(placed, owners, strict=True)
    ]
    return owned, scopes


if compiled:
    _RULES = (
        Placed,
        (tuple(_TYPES), tuple(_CODE), tuple(_VALUES)),
        _CONSTRUCTORS,
        (_text, _kind),
        (_VARIABLE, _FUNCTION, _METHOD, SymbolKind.CONSTANT, SymbolKind.CONSTRUCTOR),
    )
