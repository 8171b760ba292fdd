"""Where lines start. A line ends as LSP says: at LF, CR LF or a lone CR, which is how Python splits bytes, too."""

from bisect import bisect_right
from itertools import accumulate


def line_starts(data: bytes) -> list[int]:
    """Byte offset of every line's first byte; text that ends with a line end has no empty line after it."""
    starts = list(accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    starts.pop()
    return starts


def may_have_line_of(data: bytes, size: int) -> bool:
    """False if every line is certainly shorter than `size` bytes: told by a few looks, not by one at each line."""
    # A line that long covers one of these blocks wholly. Where lines end with a lone CR, all look so.
    block = size // 2
    return any(data.find(b"\n", at, at + block) < 0 for at in range(0, len(data) - block + 1, block))


def line_at(starts: list[int], offset: int) -> int:
    """The line, counted from 1, that holds the byte at `offset`."""
    return bisect_right(starts, offset)
