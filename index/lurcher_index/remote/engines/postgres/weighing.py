"""Weights as pgvector takes them.

A term of a field of a repository is one number, so that the inverted index of a partition never mixes two repositories,
and a rare name is found although its word is common in the code.
"""

from collections.abc import Mapping

from lurcher_index.remote.engines import weighing
from lurcher_index.remote.engines.interface import SharedChunk
from lurcher_index.remote.engines.postgres.schema import MOST_TERMS

MOST_IN_CHUNK = 16_000
"""Numbers in a sparse vector of pgvector. A chunk of 250 tokens has about a hundred."""


class Numbering(weighing.Numbering):
    """The numbers of one repository's terms. Two of them share one about once in ten thousand."""

    def __init__(self, repository: int) -> None:
        """The repository by its own number."""
        super().__init__(MOST_TERMS, f"{repository}\0")


def stored_weights(chunk: SharedChunk, path_terms: str, numbering: Numbering) -> dict[int, float]:
    """By the numbers of its terms, in ascending order, what each counts in a chunk; the weightiest, if too many."""
    weights = weighing.stored_weights(chunk, path_terms, numbering)
    if len(weights) > MOST_IN_CHUNK:
        weights = dict(sorted(weights.items(), key=lambda item: -item[1])[:MOST_IN_CHUNK])
    return dict(sorted(weights.items()))


def sparse_text(weights: Mapping[int, float]) -> str:
    """A sparse vector as pgvector reads it."""
    inside = ",".join(f"{number}:{weight:.6g}" for number, weight in sorted(weights.items()))
    return f"{{{inside}}}/{MOST_TERMS}"
