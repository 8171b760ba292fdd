"""One ranking out of several: reciprocal rank fusion, which needs ranks only and no scores that can be compared."""

from collections.abc import Hashable, Sequence
from math import fsum, inf
from typing import Generic, TypeVar

import msgspec

Key = TypeVar("Key", bound=Hashable)

RRF_K = 60
"""The constant of reciprocal rank fusion in the literature: how little the first ranks differ."""


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
    weights = [weight for weight, _ in rankings]
    places = [_ranks(keys) for _, keys in rankings]
    keys = dict.fromkeys(key for _, each in rankings for key in each)
    fused = [_fused(key, weights, tuple(ranks.get(key) for ranks in places), k) for key in keys]
    fused.sort(key=_order)
    return fused


def _ranks(keys: Sequence[Key]) -> dict[Key, int]:
    ranks: dict[Key, int] = {}
    for rank, key in enumerate(keys, start=1):
        ranks.setdefault(key, rank)
    return ranks


def _fused(key: Key, weights: Sequence[float], ranks: tuple[int | None, ...], k: int) -> Fused[Key]:
    # An exact sum: the same ranks in another order must tie, not differ in the last bit.
    score = fsum(weight / (k + rank) for weight, rank in zip(weights, ranks, strict=True) if rank is not None)
    return Fused(key, score, ranks)


def _order(fused: Fused[Key]) -> tuple[float, float, tuple[float, ...]]:
    ranks = tuple(inf if rank is None else float(rank) for rank in fused.ranks)
    return -fused.score, min(ranks), ranks
