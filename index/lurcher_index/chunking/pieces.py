"""Pieces become chunks: trimmed, long lines split, with offsets and digests."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from lurcher_index.chunking.doing import counted
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.segments import Limits, Piece
from lurcher_index.model import Chunk

_BREAKS = b" \t,;)}]>"
"""Bytes after which a long line is preferably split."""


Borders = tuple[int, int, int, int]
"""First and last line of a chunk, counted from 1, and where its text starts and ends, in bytes."""


def chunks_of(data: bytes, ranges: Iterable[Borders]) -> tuple[Chunk, ...]:
    """The document's chunks in order."""
    return tuple([_chunk(data[borders[2] : borders[3]], borders) for borders in ranges])


def _chunk(text: bytes, borders: Borders) -> Chunk:
    return Chunk(*borders, blake2b(text, digest_size=8).digest(), *counted(text))


def ranges_of(lines: Lines, limits: Limits, pieces: list[Piece]) -> list[Borders]:
    """The borders of all chunks; compiled, they come with the pieces."""
    ranges: list[Borders] = []
    sums = lines.sums
    for piece in pieces:
        low, high = piece.low, piece.high
        while sums[low] == sums[low + 1]:
            low += 1
        while sums[high - 1] == sums[high]:
            high -= 1
        start, end = lines.starts[low], lines.end_of(high - 1)
        if high - low == 1 and sums[high] - sums[low] > limits.most:
            ranges.extend((low + 1, high, *part) for part in _split(lines.data, start, end, limits.full))
        else:
            ranges.append((low + 1, high, start, end))
    return ranges


def _split(data: bytes, start: int, end: int, full: int) -> Iterator[tuple[int, int]]:
    """Parts of one long line, between characters, and between words where there are any."""
    while end - start > full:
        stop = _border(data, start, start + full)
        best = max(data.rfind(byte, start + full // 2, stop) for byte in _BREAKS)
        stop = best + 1 if best >= 0 else stop
        if data[start:stop].strip():
            yield start, stop
        start = stop
    if data[start:end].strip():
        yield start, end


def _border(data: bytes, start: int, stop: int) -> int:
    """The last border between characters up to `stop`, or the first one after `start` if a character is that large."""
    back = stop
    while back > start and data[back] & 0xC0 == 0x80:
        back -= 1
    while back == start or (back < len(data) and data[back] & 0xC0 == 0x80):
        back += 1
    return back
