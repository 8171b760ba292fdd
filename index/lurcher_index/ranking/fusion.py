"""One ranking out of several: reciprocal rank fusion, which needs ranks only and no scores that can be compared."""

from collections.abc import Hashable, Sequence
from math import fsum
from operator import itemgetter
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
    ranks: dict[Key, list[int | None]] = {}
    for at, (_, keys) in enumerate(rankings):
        for rank, key in enumerate(keys, start=1):
            row = ranks.get(key)
            if row is None:
                row = ranks[key] = [None] * len(rankings)
            if row[at] is None:
                row[at] = rank
    shares = [[0.0, *(weight / (k + rank) for rank in range(1, len(keys) + 1))] for weight, keys in rankings]
    fused: list[tuple[tuple[float, int, list[int]], Fused[Key]]] = []
    for key, row in ranks.items():
        # An exact sum: the same ranks in another order must tie, not differ in the last bit.
        score = fsum([share[rank] for share, rank in zip(shares, row, strict=True) if rank is not None])
        places = [UNRANKED if rank is None else rank for rank in row]
        fused.append(((-score, min(places), places), Fused(key, score, tuple(row))))
    fused.sort(key=itemgetter(0))
    return [each for _, each in fused]
