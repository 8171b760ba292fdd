"""The different words of a content's chunks, as numbers of a model's vocabulary, in one run of bytes.

Two bytes a chunk say how many words it has; the numbers of the words follow, chunk after chunk, two bytes each.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Wordlist = NDArray[np.uint16]
"""The words of one chunk and of its path; what stands in both is there twice."""

MOST_WORDS = (1 << 16) - 1
"""That can be counted of a chunk; chunks have some fifty."""


class Wordlists(NamedTuple):
    """The words of all chunks of a content."""

    words: Wordlist
    starts: NDArray[np.int64]
    """Where the words of each chunk begin, and in the end where the last ones end."""

    def of(self, ordinal: int) -> Wordlist:
        """The words of one chunk; none if there is no such chunk."""
        start, end = self.starts[ordinal : ordinal + 2] if ordinal < len(self.starts) - 1 else (0, 0)
        return self.words[start:end]


def packed(chunks: Sequence[Wordlist]) -> bytes:
    """The words of all chunks of a content, in their order."""
    kept = [words[:MOST_WORDS] for words in chunks]
    counts = np.array([len(words) for words in kept], np.uint16)
    return b"".join([counts.tobytes(), *(words.tobytes() for words in kept)])


def unpacked(data: bytes, chunks: int) -> Wordlists | None:
    """The words of each chunk; None if this is not what was packed for so many chunks."""
    if len(data) % 2 or len(data) < 2 * chunks:
        return None
    numbers = np.frombuffer(data, np.uint16)
    starts = np.concatenate([[0], np.cumsum(numbers[:chunks], dtype=np.int64)])
    words = numbers[chunks:]
    return Wordlists(words, starts) if starts[-1] == len(words) else None
