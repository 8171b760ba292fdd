"""Where lines start. A line ends as LSP says: at LF, CR LF or a lone CR."""

import re
from bisect import bisect_right
from itertools import accumulate

_LINE_END = re.compile(rb"\r\n|\n|\r")


def line_starts(data: bytes) -> list[int]:
    """Byte offset of every line's first byte; text that ends with a line end has no empty line after it."""
    if not data:
        return []
    if data.count(b"\r") == data.count(b"\r\n"):
        starts = [0, *accumulate(len(line) + 1 for line in data.split(b"\n"))]
        starts.pop()
    else:
        starts = [0, *(match.end() for match in _LINE_END.finditer(data))]
    if starts[-1] == len(data):
        starts.pop()
    return starts


def line_at(starts: list[int], offset: int) -> int:
    """The line, counted from 1, that holds the byte at `offset`."""
    return bisect_right(starts, offset)
