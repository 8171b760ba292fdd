"""Sums of word vectors, for many texts at once. In C: `native/src/pooling.c`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.static.tokens import Ids, Tokens
from lurcher_index.dense.vectors import unit_rows

Table = NDArray[np.int8]
Weights = NDArray[np.float32]

MOST_TEXTS = 1 << 15
"""Texts counted at once, so that a text and a word fit into 32 bits."""

_WORD_BITS = 16


class Pooled(NamedTuple):
    """Texts as they are embedded."""

    vectors: Vectors
    """One row a text, of length 1."""
    words: list[bytes]
    """The different words of each text, rising, two bytes each."""


class PurePooling:
    """The twin of the compiled `Pooling`, for where there is none, and what that one is compared with."""

    def __init__(self, tokens: Tokens, table: Table, weights: Weights) -> None:
        self._tokens = tokens
        self._table = table
        self._weights = weights

    def pooled(self, texts: Sequence[bytes]) -> Pooled:
        """The weighted sums of the vectors of some texts' words, and the words."""
        parts = [self._pooled(texts[at : at + MOST_TEXTS]) for at in range(0, len(texts), MOST_TEXTS)]
        vectors = [np.zeros((0, self._table.shape[1]), np.float32), *(part.vectors for part in parts)]
        return Pooled(np.concatenate(vectors), [words for part in parts for words in part.words])

    def _pooled(self, texts: Sequence[bytes]) -> Pooled:
        counted = bags([self._tokens.packed(text) for text in texts])
        words = counted.words.astype(np.uint16)
        lists = [words[start:end].tobytes() for start, end in spans(counted.ends)]
        return Pooled(unit_rows(pooled(counted, self._table, self._weights)), lists)


class Bags(NamedTuple):
    """The different words of some texts and how often they occur."""

    words: NDArray[np.int64]
    counts: NDArray[np.int64]
    ends: NDArray[np.int64]
    """Text → where its words end; they begin where those of the text before end."""


def bags(packed: Sequence[bytes]) -> Bags:
    """Count the words of texts, at most `MOST_TEXTS`, given as `Tokens.packed` gives them."""
    assert len(packed) <= MOST_TEXTS
    sizes = np.fromiter((len(each) // 2 for each in packed), np.int64, len(packed))
    numbers: Ids = np.frombuffer(b"".join(packed), dtype=np.uint16)
    texts = np.repeat(np.arange(len(packed), dtype=np.uint32), sizes)
    keys, counts = np.unique(texts << _WORD_BITS | numbers, return_counts=True)
    ends = np.searchsorted(keys, np.arange(1, len(packed) + 1, dtype=np.uint64) << _WORD_BITS)
    return Bags((keys & (1 << _WORD_BITS) - 1).astype(np.int64), counts, ends)


def pooled(bags: Bags, table: Table, weights: Weights) -> Vectors:
    """One row a text, of any length: the weighted sum of its words' vectors.

    Text by text, for the rows of one then stay in the cache: measured, that takes a tenth of the time of gathering the
    rows of a batch first, and a tenth of a product with a dense matrix of weights.
    """
    sums = np.zeros((len(bags.ends), table.shape[1]), np.float32)
    # The tenth occurrence of a word says less than the first.
    shares = weights[bags.words] * np.sqrt(bags.counts, dtype=np.float32)
    for row, (start, end) in zip(sums, spans(bags.ends), strict=True):
        if end > start:
            vectors = table.take(bags.words[start:end], axis=0, mode="clip").astype(np.float32)
            np.dot(shares[start:end], vectors, out=row)
    return sums


def spans(ends: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Where the words of each text begin and end."""
    last = 0
    for end in ends.tolist():
        yield last, end
        last = end
