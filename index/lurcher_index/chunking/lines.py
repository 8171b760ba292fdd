"""A document as lines with a size each: what the chunk borders are computed from."""

from bisect import bisect_right
from itertools import accumulate

import msgspec

from lurcher_index.native import compiled
from lurcher_index.text.lines import line_starts

_BLANK = b" \t\x0b\x0c"


class Lines(msgspec.Struct, frozen=True, gc=False):
    """Lines of a document, counted from 0 here. Sizes are non-blank bytes, so a size of 0 is a blank line."""

    data: bytes
    starts: list[int]
    """Offset of each line, and the document's length at the end."""
    sums: list[int]
    """Size of everything before each line, and of the whole document at the end."""

    @classmethod
    def of(cls, data: bytes) -> "Lines":
        """Measure all lines in one pass."""
        return cls(data, *_measured(data))

    @property
    def count(self) -> int:
        """Number of lines."""
        return len(self.starts) - 1

    def size(self, low: int, high: int) -> int:
        """Non-blank bytes of the lines `low` up to `high`, exclusive."""
        return self.sums[high] - self.sums[low]

    def line_of(self, offset: int) -> int:
        """The line that holds the byte at `offset`; the last one for an offset at the document's end."""
        starts = self.starts
        return bisect_right(starts, offset, 0, len(starts) - 1) - 1

    def end_of(self, line: int) -> int:
        """Offset where the text of a line ends, before its line end."""
        start, end = self.starts[line], self.starts[line + 1]
        return start + len(self.data[start:end].rstrip(b"\r\n"))

    def indent(self, line: int) -> int:
        """Width of a line's leading blanks, in bytes."""
        text = self.data[self.starts[line] : self.starts[line + 1]]
        return len(text) - len(text.lstrip(_BLANK))

    def starts_line(self, line: int, offset: int) -> bool:
        """Whether nothing but blanks stands before `offset` on its line."""
        return not self.data[self.starts[line] : offset].strip(_BLANK)


def pure_measured(data: bytes) -> tuple[list[int], list[int]]:
    """Starts and sums of the lines of a text; the twin of what is compiled."""
    starts = line_starts(data)
    # Line ends first: without the blank in the middle, CR FF LF would look like one line end.
    text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    bare = text.translate(None, _BLANK)
    sums = [0, *accumulate(map(len, bare.split(b"\n")))]
    starts.append(len(data))
    return starts, sums[: len(starts)]


_measured = compiled.measure_lines if compiled else pure_measured
