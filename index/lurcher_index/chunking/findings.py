"""What is found in a document's syntax, as plain numbers: definitions, references, hints and ranges."""

import msgspec

from lurcher_index.model import EdgeKind, SymbolKind

Range = tuple[int, int]


class Definition(msgspec.Struct, frozen=True, gc=False):
    """A definition as the grammar sees it: without its comments, its container not known yet."""

    start: int
    end: int
    name_start: int
    name_end: int
    kind: SymbolKind | None
    """None for a block that defines nothing itself but holds the methods of a type, as Rust's `impl` does."""
    body: int
    """Where its body starts, -1 without one."""
    owner: Range
    """Where the type it belongs to is named, if that type does not enclose it: a receiver in Go; else (0, 0)."""
    joins: bool


HintRange = tuple[int, int, int, int, bool]
"""Where a variable stands, where its type or what is called for its value stands, and whether that is a call."""

Reference = tuple[int, int, EdgeKind]
"""End and start of the expression that names what is called, imported or inherited: its name stands at the end."""


def _ranges() -> list[Range]:
    return []


def _hints() -> list[HintRange]:
    return []


class Findings(msgspec.Struct, frozen=True, gc=False):
    """All matches of one document, each list in document order."""

    definitions: list[Definition]
    references: list[Reference]
    comments: list[Range] = msgspec.field(default_factory=_ranges)
    attached: list[Range] = msgspec.field(default_factory=_ranges)
    """Decorators and attributes that stand before the definition they belong to."""
    docs: list[Range] = msgspec.field(default_factory=_ranges)
    names: list[Range] = msgspec.field(default_factory=_ranges)
    """Whole import statements."""
    returns: list[Range] = msgspec.field(default_factory=_ranges)
    """Types that functions return."""
    hints: list[HintRange] = msgspec.field(default_factory=_hints)
