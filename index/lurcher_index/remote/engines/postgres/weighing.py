"""Terms as the server has them: numbers, and what BM25 makes of how often each stands in a field.

A term of a field of a repository is one number, so that the inverted index of a partition never mixes two repositories,
and a rare name is found although its word is common in the code. The part of BM25 that belongs to the chunk is stored
(against the usual lengths: averages of a repository would change with every publish); the rarity, which changes, comes
with the question. The score is then the inner product of two sparse vectors, which pgvector computes.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import blake2b

from lurcher_index.remote.engines.interface import SharedChunk
from lurcher_index.remote.engines.postgres.schema import MOST_TERMS
from lurcher_index.words.weights import BM25_B, BM25_K1, FIELD_WEIGHTS, USUAL_LENGTHS, Fields

WEIGHTS = FIELD_WEIGHTS[Fields.SNIPPETS]
"""Documentation is searched on this machine only: who asks a shared index compares with the code."""

MOST_IN_CHUNK = 16_000
"""Numbers in a sparse vector of pgvector. A chunk of 250 tokens has about a hundred."""


class Numbering:
    """The numbers of one repository's terms."""

    def __init__(self, repository: int) -> None:
        """Numbers that were asked for are remembered: the same terms come again and again within a batch."""
        self._repository = repository
        self._known: dict[tuple[str, str], int] = {}

    def number(self, field: str, term: str) -> int:
        """From 1 to `MOST_TERMS`. Two terms of a repository share one about once in ten thousand."""
        known = self._known.get((field, term))
        if known is None:
            text = f"{self._repository}\0{field}\0{term}".encode("utf-8", "surrogatepass")
            known = 1 + int.from_bytes(blake2b(text, digest_size=8).digest(), "big") % MOST_TERMS
            self._known[field, term] = known
        return known


def stored_weights(chunk: SharedChunk, path_terms: str, numbering: Numbering) -> dict[int, float]:
    """By the numbers of its terms, in ascending order, what each counts in a chunk, from 0 to 1."""
    weights: dict[int, float] = {}
    for field, text in (("body", chunk.terms.body), ("names", chunk.terms.names), ("path_terms", path_terms)):
        terms = text.split()
        length = BM25_K1 * (1.0 - BM25_B + BM25_B * len(terms) / USUAL_LENGTHS[field])
        for term, count in Counter(terms).items():
            weights[numbering.number(field, term)] = count / (count + length)
    if len(weights) > MOST_IN_CHUNK:
        weights = dict(sorted(weights.items(), key=lambda item: -item[1])[:MOST_IN_CHUNK])
    return dict(sorted(weights.items()))


def asked_numbers(terms: Mapping[str, float], numbering: Numbering) -> Iterator[tuple[int, float]]:
    """The numbers a question looks for, with what a match of each counts before its rarity."""
    for field, field_weight in WEIGHTS.items():
        for term, weight in terms.items():
            yield numbering.number(field, term), weight * field_weight * (BM25_K1 + 1.0)


def rarity(holding: int, total: int) -> float:
    """BM25's worth of a term that so many chunks of all hold."""
    holding = min(max(holding, 0), total)
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))


def sparse_text(weights: Mapping[int, float]) -> str:
    """A sparse vector as pgvector reads it."""
    inside = ",".join(f"{number}:{weight:.6g}" for number, weight in sorted(weights.items()))
    return f"{{{inside}}}/{MOST_TERMS}"
