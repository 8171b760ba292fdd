"""Cuts for text without syntax: blank lines first, then lines that are indented least."""

import msgspec

from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.pieces import chunks_of, ranges_of
from lurcher_index.chunking.segments import Limits, Part, segment
from lurcher_index.model import Chunk
from lurcher_index.native import compiled


def plain_chunks(lines: Lines, limits: Limits) -> tuple[Chunk, ...]:
    """The chunks of a document that is cut by its lines alone."""
    if compiled:
        return chunks_of(lines.data, compiled.ranges(lines.data, lines.starts, lines.sums, {}, *limits))
    return plain_chunks_in_python(lines, limits)


def plain_chunks_in_python(lines: Lines, limits: Limits) -> tuple[Chunk, ...]:
    """The same without the compiled part, which has these cuts once more."""
    return chunks_of(lines.data, ranges_of(lines, limits, segment(lines, limits, Paragraphs(lines))))


class Paragraphs(msgspec.Struct, frozen=True, gc=False):
    """Cuts after blank lines."""

    lines: Lines

    def parts(self, low: int, high: int) -> list[Part]:
        """One part per paragraph."""
        sums = self.lines.sums
        deeper = Indents(self.lines)
        firsts = [low] + [
            line for line in range(low + 1, high) if sums[line] == sums[line - 1] and sums[line + 1] > sums[line]
        ]
        return [Part(first, end, deeper) for first, end in zip(firsts, [*firsts[1:], high], strict=True)]


class Indents(msgspec.Struct, frozen=True, gc=False):
    """Cuts at the lines with the smallest indentation."""

    lines: Lines

    def parts(self, low: int, high: int) -> list[Part]:
        """One part per line of the smallest indentation; none if all are indented alike, where a count is as good."""
        sums = self.lines.sums
        widths = [(self.lines.indent(line), line) for line in range(low + 1, high) if sums[line + 1] > sums[line]]
        if not widths:
            return []
        least = min(widths)[0]
        firsts = [low] + [line for width, line in widths if width == least]
        if len(firsts) == len(widths) + 1:
            return []
        return [Part(first, end, self) for first, end in zip(firsts, [*firsts[1:], high], strict=True)]
