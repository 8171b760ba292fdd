"""Weights by gradient descent: the share of a softmax over a question's answers, summed over all questions."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.ranker.collect import Group

Floats = NDArray[np.float64]


class Plan(NamedTuple):
    """How to train."""

    steps: int = 150
    rate: float = 0.05
    shrink: float = 0.03
    """What the squares of the weights cost (of clues brought to one scale): few questions, many clues that tell the
    same."""


USUAL = Plan()


class Arrays(NamedTuple):
    """All candidates in one table, sorted by question and by unit.

    A unit is what is right or wrong: a chunk where chunks are labelled, else a file, as good as its best chunk.
    """

    rows: Floats
    unit_starts: NDArray[np.int64]
    unit_of_row: NDArray[np.int64]
    group_starts: NDArray[np.int64]
    """In units."""
    group_of_unit: NDArray[np.int64]
    wanted: Floats
    """For each unit the share of its question's probability it should have."""
    weights: Floats
    """For each group how much it counts."""


def arrays(groups: Sequence[Group], counts: Sequence[float]) -> Arrays:
    """The table of some questions that have an answer among their candidates."""
    kept = [(group, count) for group, count in zip(groups, counts, strict=True) if group.hits.any()]
    rows: list[NDArray[np.float32]] = []
    unit_sizes: list[int] = []
    group_sizes: list[int] = []
    wanted: list[float] = []
    for group, _ in kept:
        units = np.arange(len(group.files)) if group.exact else np.unique(group.files, return_inverse=True)[1]
        order = np.argsort(units, kind="stable")
        rows.append(group.matrix[order])
        sizes = np.bincount(units)
        hits = np.array([group.hits[units == unit].any() for unit in range(len(sizes))])
        unit_sizes += sizes.tolist()
        group_sizes.append(len(sizes))
        wanted += (hits / hits.sum()).tolist()
    starts = np.r_[0, np.cumsum(unit_sizes)[:-1]]
    group_starts = np.r_[0, np.cumsum(group_sizes)[:-1]]
    weights = np.array([count for _, count in kept])
    return Arrays(
        np.concatenate(rows).astype(np.float64),
        starts,
        np.repeat(np.arange(len(unit_sizes)), unit_sizes),
        group_starts,
        np.repeat(np.arange(len(kept)), group_sizes),
        np.array(wanted),
        weights / weights.sum(),
    )


def fit(
    data: Arrays, allowed: NDArray[np.bool_], plan: Plan = USUAL, upright: NDArray[np.bool_] | None = None
) -> Floats:
    """A weight for each clue; 0 for those that are not allowed, and never below 0 for those that are `upright`."""
    mean, scale = data.rows.mean(axis=0), data.rows.std(axis=0)
    usable = allowed & (scale > 1e-6)
    table = ((data.rows - mean) / np.where(usable, scale, 1.0))[:, usable].astype(np.float32)
    least = np.where(upright[usable], 0.0, -np.inf) if upright is not None else -np.inf
    weights = np.zeros(table.shape[1])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, plan.steps + 1):
        gradient = _gradient(data, table, weights.astype(np.float32)) + 2 * plan.shrink * weights
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        weights -= plan.rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        weights = np.maximum(weights, least)
    found = np.zeros(len(allowed))
    found[usable] = weights / scale[usable]
    return found


def loss(data: Arrays, weights: Floats) -> float:
    """What `fit` makes small, without the shrinking."""
    best = np.maximum.reduceat(data.rows @ weights, data.unit_starts)
    shifted = best - np.maximum.reduceat(best, data.group_starts)[data.group_of_unit]
    sums = np.log(np.add.reduceat(np.exp(shifted), data.group_starts))
    per_group = np.add.reduceat(data.wanted * (sums[data.group_of_unit] - shifted), data.group_starts)
    return float(per_group @ data.weights)


def _gradient(data: Arrays, table: NDArray[np.float32], weights: NDArray[np.float32]) -> Floats:
    scores = table @ weights
    best = np.maximum.reduceat(scores, data.unit_starts)
    # The chunks that stand for their unit. Equals share: before the first step all are equal, and were it the last of
    # them alone, that step would go towards the ends of files.
    leads = scores == best[data.unit_of_row]
    equals = np.add.reduceat(leads.astype(np.float64), data.unit_starts)
    leaders = np.nonzero(leads)[0]
    units = data.unit_of_row[leaders]
    shifted = np.exp(best - np.maximum.reduceat(best, data.group_starts)[data.group_of_unit])
    chances = shifted / np.add.reduceat(shifted, data.group_starts)[data.group_of_unit]
    wrong = (chances - data.wanted) * data.weights[data.group_of_unit]
    shares = (wrong / equals)[units].astype(np.float32)
    gradient: Floats = (table[leaders].T @ shares).astype(np.float64)
    return gradient
