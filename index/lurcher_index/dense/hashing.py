"""An embedder that is no trained model: terms hashed into 256 numbers, so that equal words make similar vectors."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.text.terms import word_terms, words, words_of
from lurcher_index.words.query import MAX_QUERY_WORDS

MODEL = "hashing-256-v1"
"""Says what it is. Raise the version whenever the same text would give another vector."""

DIMENSION = 256
"""Numbers in a vector. A power of two, so that the low bits of a hash choose one."""

TRUST = 0.2
"""A hashed bag of words knows no more than the words do, and less exactly; it must not overrule them."""

FLOOR = 1.01
"""No similarity is enough without a shared word: what is left then is two words that fell into the same place."""

CALIBRATION_EXPONENT = 0.31
"""ln 0.65 / ln 0.25: 0.65 of the best on the common scale is then 25 % of the best raw score, the words' own cut
(CHUNK_SEARCH.md, sections 3 and 6)."""

MEMO_WORDS = 300_000
"""Words whose hashes are remembered before the memo starts anew; about 60 MB at most."""

_HASH_BITS = 32
"""A term has two buckets, each with a sign, from the two halves of its hash; with one, a term is the same as every
256th other. Among 6,000 chunks, questions of three words found theirs at a mean reciprocal rank of 0.11 with one
bucket, 0.18 with two and 0.19 with three."""


class HashingEmbedder:
    """Signed feature hashing of our own search terms. The same on every machine; safe to call from any thread."""

    name = MODEL
    dimension = DIMENSION
    trust = TRUST
    is_quick = True
    floor = FLOOR

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row; words that only say that something is asked do not count."""
        asked = words(text)
        kept = [word for word in asked if word.lower() not in QUESTION_WORDS] or asked
        return _embed([" ".join(kept[:MAX_QUERY_WORDS])])

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks; the words of the path in the first line count like all others."""
        return _embed(texts)

    def calibrate(self, similarity: float) -> float:
        """A cosine on the common scale from 0 to 1."""
        return float(min(1.0, max(0.0, similarity)) ** CALIBRATION_EXPONENT)


def _embed(texts: Iterable[str]) -> Vectors:
    if len(_hashes) > MEMO_WORDS:
        _hashes.clear()
    found: list[int] = []
    sizes: list[int] = []
    for text in texts:
        before = len(found)
        found += chain.from_iterable(map(_hashes_of, words_of(text.encode("utf-8", "replace"))))
        sizes.append(len(found) - before)
    return unit_rows(_sums(np.array(found, dtype=np.int64), sizes))


def _sums(found: NDArray[np.int64], sizes: list[int]) -> Vectors:
    """One row a text: every term adds its weight, with the sign of its hash, to each of its two buckets."""
    texts = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    occurring, counts = np.unique(texts << _HASH_BITS | found, return_counts=True)
    # The tenth occurrence of a term says less than the first.
    weights = 1.0 + np.log(counts)
    starts = (occurring >> _HASH_BITS) * DIMENSION
    sums = np.zeros(len(sizes) * DIMENSION)
    for shift in (0, _HASH_BITS // 2):
        bits = occurring >> shift
        signed = np.where(bits & DIMENSION, weights, -weights)
        sums += np.bincount(starts + (bits & DIMENSION - 1), signed, minlength=len(sums))
    return sums.reshape(len(sizes), DIMENSION).astype(np.float32)


class _Hashes(dict[str | bytes, tuple[int, ...]]):
    """Word → 32 bits for each of its terms, which depend on nothing but the term.

    Python's own hash differs from process to process.
    """

    def __missing__(self, word: str | bytes) -> tuple[int, ...]:
        digests = (blake2b(term.encode(), digest_size=_HASH_BITS // 8).digest() for term in word_terms(word))
        found = self[word] = tuple(int.from_bytes(digest, "little") for digest in digests)
        return found


_hashes = _Hashes()
_hashes_of = _hashes.__getitem__
