"""One ranking out of several: reciprocal rank fusion, which needs ranks only and no scores that can be compared."""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

import msgspec

Key = TypeVar("Key", bound=Hashable)

RRF_K = 60
"""The constant of reciprocal rank fusion in the literature: how little the first ranks differ."""


UNRANKED = 2**62
"""Stands behind every rank where a ranking does not hold a key."""


class Fused(msgspec.Struct, Generic[Key], frozen=True):
    """A key with its fused score and its rank in each ranking."""

    key: Key
    score: float
    ranks: tuple[int | None, ...]
    """Counted from 1, in the order of the rankings; None where it was not found."""


def fuse(rankings: Sequence[tuple[float, Sequence[Key]]], k: int = RRF_K) -> list[Fused[Key]]:
    """Everything that any ranking holds, best first: the sum of `weight / (k + rank)`, where it was found.

    A ranking is a weight and its keys, best first; a key that stands in it twice counts where it stands first. Equal
    scores are decided by the best single rank, then by the rank in the first ranking, in the second and so on. No two
    keys share a place in a ranking, so the order never depends on anything else.
    """
    # Takes 0.1 s of a core the first time, which a process that only builds an index need not pay.
    import numpy as np

    if not rankings:
        return []
    places: dict[Key, int] = {}
    for _, ranked in rankings:
        for key in ranked:
            places.setdefault(key, len(places))
    table = np.full((len(rankings), len(places)), UNRANKED, dtype=np.int64)
    for row, (_, ranked) in zip(table, rankings, strict=True):
        # From the last to the first: of a key that stands in it twice the better place is written over the other.
        row[[places[key] for key in reversed(ranked)]] = np.arange(len(ranked), 0, -1)
    weights = np.array([[weight] for weight, _ in rankings])
    shares = np.where(table == UNRANKED, 0.0, weights / (k + table))
    # Summed in the order of their size: the same ranks in another order must tie, not differ in the last bit.
    scores = np.sort(shares, axis=0).sum(axis=0)
    order = np.lexsort((*table[::-1], table.min(axis=0), -scores))
    placed: list[list[int]] = table[:, order].tolist()
    ranks = zip(*([None if rank == UNRANKED else rank for rank in row] for row in placed), strict=True)
    keys = list(places)
    numbers: list[int] = order.tolist()
    values: list[float] = scores[order].tolist()
    return [Fused(keys[at], score, each) for at, score, each in zip(numbers, values, ranks, strict=True)]
