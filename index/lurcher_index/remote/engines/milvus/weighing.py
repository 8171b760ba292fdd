"""Terms as the server has them: numbers, and what BM25 makes of how often each stands in a field.

Words are sparse vectors that we compute, and a search by words is an inner product. So every form of Milvus ranks
alike, terms may count differently in a question, rarity is that of one repository and not of a segment or of all
repositories together, and the terms themselves are not stored anywhere.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from lurcher_index.remote.engines.interface import SharedChunk, SharedFile
from lurcher_index.words.weights import BM25_B, BM25_K1, FIELD_WEIGHTS, USUAL_LENGTHS, Fields

WEIGHTS = FIELD_WEIGHTS[Fields.SNIPPETS]
"""Documentation is searched on this machine only."""

NOTHING = 0
"""Number of no term. A chunk without terms has it, since a sparse vector must not be empty; among counts it stands for
the chunks themselves."""

_MOST = 2**32 - 2
"""Largest number that a sparse vector of Milvus takes."""


class Numbering:
    """The numbers of terms; the same terms come again and again within a batch."""

    def __init__(self) -> None:
        """Nothing known yet."""
        self._known: dict[tuple[str, str], int] = {}

    def number(self, field: str, term: str) -> int:
        """From 1 on. Of 200,000 terms of a repository, five share theirs with another."""
        known = self._known.get((field, term))
        if known is None:
            text = f"{field}\0{term}".encode("utf-8", "surrogatepass")
            known = 1 + int.from_bytes(blake2b(text, digest_size=8).digest(), "big") % _MOST
            self._known[field, term] = known
        return known


def stored_weights(file: SharedFile, chunk: SharedChunk, numbering: Numbering) -> dict[int, float]:
    """By the numbers of its terms, what each counts in a chunk."""
    weights: dict[int, float] = {}
    for field, text in (("body", chunk.terms.body), ("names", chunk.terms.names), ("path_terms", file.path_terms)):
        terms = text.split()
        length = BM25_K1 * (1.0 - BM25_B + BM25_B * len(terms) / USUAL_LENGTHS[field])
        for term, count in Counter(terms).items():
            weights[numbering.number(field, term)] = count / (count + length)
    return weights or {NOTHING: 1.0}


def asked_numbers(terms: Mapping[str, float], numbering: Numbering) -> Iterator[tuple[int, float]]:
    """The numbers a question looks for, with what a match of each counts before its rarity."""
    for field, field_weight in WEIGHTS.items():
        for term, weight in terms.items():
            if weight > 0.0:
                yield numbering.number(field, term), weight * field_weight * (BM25_K1 + 1.0)


def rarity(holding: int, chunks: int) -> float:
    """What a term counts that so many chunks hold."""
    total = max(chunks, holding)
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))


def counted(vectors: Iterable[Mapping[int, float]]) -> Counter[int]:
    """How many chunks hold each number, and under `NOTHING` how many there are."""
    counts: Counter[int] = Counter()
    chunks = 0
    for vector in vectors:
        counts.update(vector.keys())
        chunks += 1
    counts[NOTHING] = chunks
    return counts
