"""Whether a chunk does something or tells of it, whatever is asked.

Questions are written in the words of comments and declarations, so these come before the code that they are about. What
is asked for is more often where something is decided, in the body of a function.
"""

from collections.abc import Iterable
from math import log1p

from lurcher_index.model import Chunk, Symbol, SymbolKind

DOING = (
    "branches",
    "remarks",
    "in_functions",
    "in_values",
    "defines_functions",
    "defines_types",
    "defines_values",
    "goes_on",
    "goes_on_from",
)
"""Branches and marks of comments a line; which share of the chunk lies in functions, and in fields and constants
outside of them; how many functions, types, fields and constants it defines, as logarithms; whether it begins within a
function, and how far into it."""

NOTHING_DONE = (0.0,) * len(DOING)

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.MACRO})
_TYPES = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.ENUM,
        SymbolKind.INTERFACE,
        SymbolKind.MODULE,
        SymbolKind.NAMESPACE,
        SymbolKind.STRUCT,
        SymbolKind.TRAIT,
        SymbolKind.TYPE,
    }
)
_VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.KEY, SymbolKind.PROPERTY, SymbolKind.VARIABLE})


def doing_of(chunk: Chunk, symbols: Iterable[Symbol]) -> tuple[float, ...]:
    """The numbers of `DOING`; `symbols` are those that the chunk defines or lies in, outermost first."""
    start, end = chunk.start, chunk.end
    functions: list[tuple[int, int]] = []
    values: list[tuple[int, int]] = []
    defined = [0, 0, 0]
    around: Symbol | None = None
    for symbol in symbols:
        is_defined = start <= symbol.name_start < end
        within = (max(start, symbol.start), min(end, symbol.end))
        if symbol.kind in _FUNCTIONS:
            functions.append(within)
            defined[0] += is_defined
            if symbol.name_start < start < symbol.end:
                around = symbol
        elif symbol.kind in _VALUES:
            values.append(within)
            defined[2] += is_defined
        elif symbol.kind in _TYPES:
            defined[1] += is_defined
    lines, size = chunk.last_line - chunk.first_line + 1, max(1, end - start)
    in_functions = _covered(functions)
    in_values = _covered(functions + values) - in_functions if values else 0
    return (
        chunk.branches / lines,
        chunk.remarks / lines,
        in_functions / size,
        in_values / size,
        *map(log1p, defined),
        float(around is not None),
        (start - around.start) / max(1, around.end - around.start) if around is not None else 0.0,
    )


def _covered(spans: list[tuple[int, int]]) -> int:
    """How many bytes lie in one of some spans."""
    covered = reached = 0
    for start, end in sorted(spans):
        if end > reached:
            covered += end - max(start, reached)
            reached = end
    return covered
