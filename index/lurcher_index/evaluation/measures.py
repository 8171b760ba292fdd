"""What a ranking is worth, given the files that should be in it. Pure functions of ranks."""

import math
from collections.abc import Sequence
from statistics import fmean

DEPTH = 10
"""Results that count in NDCG@10: what people look at."""

RECALL_AT = (1, 5, 10)
"""Lengths of the list at which recall is told."""

MEASURES = (*(f"recall@{length}" for length in RECALL_AT), "mrr", f"ndcg@{DEPTH}")
"""Names of the measures, in the order of `measure`."""

Ranks = Sequence[int | None]
"""Where each target first stands among the results, from 1; None where it is not among them."""


def ranks_of(targets: Sequence[str], paths: Sequence[str]) -> tuple[int | None, ...]:
    """The ranks of some files in a list of results, of which several may come from one file."""
    first: dict[str, int] = {}
    for rank, path in enumerate(paths, 1):
        first.setdefault(path, rank)
    return tuple(first.get(target) for target in targets)


def measure(ranks: Ranks) -> tuple[float, ...]:
    """One value from 0 to 1 for each of `MEASURES`."""
    return (*(recall(ranks, length) for length in RECALL_AT), reciprocal_rank(ranks), ndcg(ranks))


def recall(ranks: Ranks, length: int) -> float:
    """Share of the targets among the first results."""
    return fmean(rank is not None and rank <= length for rank in ranks)


def reciprocal_rank(ranks: Ranks) -> float:
    """1 if the first result is a target, ½ if the second is the first that is one, and so on."""
    return max((1 / rank for rank in ranks if rank is not None), default=0.0)


def ndcg(ranks: Ranks) -> float:
    """NDCG@10, all targets relevant alike and counted where they first stand; `benchmarks/quality` has the same."""
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank is not None and rank <= DEPTH)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(ranks)) + 1))
