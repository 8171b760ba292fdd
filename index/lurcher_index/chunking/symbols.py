"""Definitions become symbols: joined with their comments, signature and documentation."""

import re
from bisect import bisect_right

from lurcher_index.chunking.attach import Attachments
from lurcher_index.chunking.findings import Findings, Range
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.nesting import Nest, Placed, place
from lurcher_index.model import Symbol
from lurcher_index.native import compiled

_MODIFIERS = re.compile(rb"[\w\s]+")
_BLANK = re.compile(rb"\s*")
_NOTHING = (0, 0)
"""The range of no comments."""


def build_symbols(lines: Lines, found: Findings, attached: Attachments) -> tuple[tuple[Symbol, ...], Nest]:
    """All symbols in document order, and how their ranges are nested."""
    placed, scopes = place(lines.data, found.definitions)
    starts, firsts, docs = beginnings(lines, placed, attached)
    nest = Nest(starts, [item.definition.end for item in placed], [item.parent for item in placed], scopes)
    for doc in reversed(found.docs):
        index = nest.innermost(doc[0])
        if index >= 0:
            docs[index] = doc
    if found.attached:
        decorators = dict(found.attached)
        firsts = [_after(lines.data, decorators, first) if first in decorators else first for first in firsts]
    return symbols_of(lines, placed, starts, firsts, docs), nest


def beginnings(lines: Lines, placed: list[Placed], attached: Attachments) -> tuple[list[int], list[int], list[Range]]:
    """Where each definition begins with what is above it, where it starts itself, and the range of its comments."""
    if not compiled:
        return beginnings_in_python(lines, placed, attached)
    return compiled.beginnings(lines.data, lines.starts, placed, attached.tops, attached.comments, _NOTHING, _own_start)


def beginnings_in_python(
    lines: Lines, placed: list[Placed], attached: Attachments
) -> tuple[list[int], list[int], list[Range]]:
    """The same without the compiled part, which has this loop once more."""
    starts: list[int] = []
    firsts: list[int] = []
    docs: list[Range] = []
    last = 0
    line_starts, count, tops = lines.starts, lines.count, attached.tops
    for item in placed:
        start = item.definition.start
        line = bisect_right(line_starts, start, 0, count) - 1
        if line_starts[line] != start:
            start = _own_start(lines.data, line_starts[line], start)
        top, doc = _top(lines, attached, line, start) if line in tops else (start, _NOTHING)
        # Two definitions on one line must not both begin at the comment above it.
        if top > last:
            last = top
        starts.append(last)
        firsts.append(start)
        docs.append(doc)
    return starts, firsts, docs


def symbols_of(
    lines: Lines, placed: list[Placed], starts: list[int], firsts: list[int], docs: list[Range]
) -> tuple[Symbol, ...]:
    """The symbols of definitions whose beginnings and documentation are known."""
    if not compiled:
        return symbols_in_python(lines, placed, starts, firsts, docs)
    return compiled.symbols(Symbol, lines.data, lines.starts, placed, starts, firsts, docs)


def symbols_in_python(
    lines: Lines, placed: list[Placed], starts: list[int], firsts: list[int], docs: list[Range]
) -> tuple[Symbol, ...]:
    """The same without the compiled part, which has this loop once more."""
    return tuple(_symbol(lines, *columns) for columns in zip(placed, starts, firsts, docs, strict=True))


def _own_start(data: bytes, line_start: int, start: int) -> int:
    """Where a definition starts when the words before it (`export`, `const`, `public`) are counted in."""
    before = data[line_start:start]
    words = before.lstrip()
    if words and _MODIFIERS.fullmatch(words):
        return start - len(words)
    return start


def _top(lines: Lines, attached: Attachments, line: int, start: int) -> tuple[int, Range]:
    """Where the comments and decorators above a definition start, and the range of the comments."""
    top = attached.tops[line]
    if not lines.starts_line(line, start):
        return start, _NOTHING
    return lines.starts[top] + lines.indent(top), attached.comments.get(line, _NOTHING)


def _after(data: bytes, decorators: dict[int, int], start: int) -> int:
    """Where the signature starts: after decorators that the grammar counts as part of the definition."""
    while start in decorators:
        blank = _BLANK.match(data, decorators[start])
        start = blank.end() if blank else decorators[start]
    return start


def _symbol(lines: Lines, item: Placed, start: int, first: int, doc: Range) -> Symbol:
    data = lines.data
    definition = item.definition
    starts, count = lines.starts, lines.count
    end = definition.end
    while end > definition.name_end and data[end - 1] in b" \t\r\n":
        end -= 1
    stop = definition.body if definition.body > first else min(end, lines.end_of(lines.line_of(first)))
    while stop > first and data[stop - 1] in b" \t\r\n{":
        stop -= 1
    doc_end = doc[1]
    if doc_end and data[doc_end - 1] in b"\r\n":
        doc_end = doc[0] + len(data[doc[0] : doc_end].rstrip())
    return Symbol(
        item.name,
        item.kind,
        item.container,
        bisect_right(starts, start, 0, count),
        bisect_right(starts, end - 1 if end > start else start, 0, count),
        start,
        end,
        definition.name_start,
        definition.name_end,
        first,
        stop,
        doc[0],
        doc_end,
        item.owner,
    )
