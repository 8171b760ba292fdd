"""Where a document is cut: a pure function over line sizes and the places where a cut is allowed.

A region that fits is one piece. A region that does not is cut into parts by its source; neighbouring parts are packed
together while they fit, and a part that is too large by itself is cut further by the source it brought along. All of
this is there a second time, compiled.
"""

from bisect import bisect_right
from typing import NamedTuple, Protocol

import msgspec

from lurcher_index.chunking.lines import Lines
from lurcher_index.text.tokens import BYTES_PER_TOKEN

TINY_SHARE = 0.2
"""Share of a chunk below which a piece is not worth a chunk: a class header, a closing brace."""

SLACK = 1.2
"""How far a chunk may grow, as a factor, to take in a tiny piece; a whole piece is worth more than an exact size."""


class Source(Protocol):
    """Something that knows where a region of lines may be cut."""

    def parts(self, low: int, high: int) -> "list[Part]":
        """Parts of the lines `low` to `high` in order, the first beginning at `low`; one part or none: no cut."""
        ...


class Part(msgspec.Struct, frozen=True, gc=False):
    """One part of a region: its first line, the line after its own end, and who can cut it further."""

    first: int
    """Line it begins at; it reaches to the next part's first line."""
    after: int
    """Line after its syntax ends; what follows, up to the next part, is closing brackets and blank lines."""
    source: "Source | None"


class Limits(NamedTuple):
    """Sizes in non-blank bytes."""

    full: int
    tiny: int
    most: int

    @classmethod
    def of(cls, chunk_tokens: int) -> "Limits":
        """Limits for chunks of about so many tokens."""
        full = max(1, round(chunk_tokens * BYTES_PER_TOKEN))
        return cls(full, round(full * TINY_SHARE), round(full * SLACK))


class Piece(msgspec.Struct, frozen=True, gc=False):
    """Lines `low` to `high`, exclusive, that become one chunk, or more if it is a single long line."""

    low: int
    high: int


class _Task(msgspec.Struct, frozen=True, gc=False):
    low: int
    high: int
    source: Source | None
    split: bool
    """Whether the region is to be cut further; otherwise it is done."""


def segment(lines: Lines, limits: Limits, source: Source) -> list[Piece]:
    """Cut a whole document. Uses a stack of its own, so deep nesting costs no Python recursion."""
    pieces: list[Piece] = []
    sums = lines.sums
    tasks = [_Task(0, lines.count, source, True)]
    while tasks:
        task = tasks.pop()
        size = sums[task.high] - sums[task.low]
        if size == 0:
            continue
        if size <= limits.full or not task.split or task.high - task.low == 1:
            _settle(sums, limits, pieces, task)
        else:
            tasks.extend(reversed(_cut(lines, limits, task)))
    return pieces


def _settle(sums: list[int], limits: Limits, pieces: list[Piece], task: _Task) -> None:
    """Accept a region as a piece, or as the end of the previous one if it is tiny."""
    tiny = sums[task.high] - sums[task.low] <= limits.tiny
    if tiny and pieces and sums[task.high] - sums[pieces[-1].low] <= limits.most:
        pieces[-1] = Piece(pieces[-1].low, task.high)
    else:
        pieces.append(Piece(task.low, task.high))


def _cut(lines: Lines, limits: Limits, task: _Task) -> list[_Task]:
    """One step: the region's parts, packed; those that are still too large are marked to be cut again."""
    parts = task.source.parts(task.low, task.high) if task.source else []
    if len(parts) < 2 and not (parts and parts[0].source):
        return _count_lines(lines, limits, task)
    sums, full = lines.sums, limits.full
    ends = [part.first for part in parts[1:]] + [task.high]
    tasks: list[_Task] = []
    low = task.low
    for part, end in zip(parts, ends, strict=True):
        first, after = part.first, part.after
        held = sums[first] - sums[low]
        if sums[after] - sums[first] > full:
            # A tiny beginning stays with it, unless that would be the same region over again, for ever.
            again = (low, end) == (task.low, task.high) and part.source is task.source
            if held > limits.tiny or again:
                tasks.append(_packed(lines, limits, low, first))
                low = first
            tasks.append(_Task(low, end, part.source, True))
            low = end
        elif held and sums[after] - sums[low] > (limits.most if held <= limits.tiny else full):
            tasks.append(_packed(lines, limits, low, first))
            low = first
    if low < task.high:
        tasks.append(_packed(lines, limits, low, task.high))
    return tasks


def _packed(lines: Lines, limits: Limits, low: int, high: int) -> _Task:
    """Parts that stay together, unless what closes them is so long that it has to be cut off."""
    return _Task(low, high, None, lines.size(low, high) > limits.most)


def _count_lines(lines: Lines, limits: Limits, task: _Task) -> list[_Task]:
    """The last resort: as many whole lines as fit, at least one."""
    tasks: list[_Task] = []
    low = task.low
    while low < task.high:
        high = bisect_right(lines.sums, lines.sums[low] + limits.full, low + 1, task.high + 1) - 1
        high = max(high, low + 1)
        tasks.append(_Task(low, high, None, False))
        low = high
    return tasks
