"""How far a mean can be trusted: the bootstrap over questions."""

from collections.abc import Sequence

import msgspec
import numpy as np

RESAMPLES = 10_000
"""Samples drawn; the ends of the interval then move by about 0.001 from seed to seed."""

LEVEL = 0.95
"""Share of the samples whose mean lies in the interval."""


class Figure(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def figures(values: Sequence[Sequence[float]], seed: int) -> list[Figure]:
    """One figure for each column; rows are questions, which are drawn as a whole."""
    table = np.asarray(values, dtype=np.float64)
    count = len(table)
    draws = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
    means = draws @ table / count
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    rows = zip(table.mean(axis=0), low, high, strict=True)
    return [Figure(*(round(float(value), 4) for value in row)) for row in rows]
