"""Which places of an answer are worth showing: those where the right chunk stands often enough.

The chance of a place grows with how likely there is an answer at all, and falls with the place and with what the chunk
there lacks to the best one. How much is learned; what a chance must be is chosen, by what readers can be asked to read
in vain.
"""

from math import log

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NUMBERS = ("answerability", "lacking", "place", "answerability_by_lacking")
"""What is known of a place; the last one since what is missing tells more where an answer is likely."""

FIRST = 10
"""Places that people read one after the other."""

AT_ONCE = 5
"""Places that are taken in at one look; fewer people read on …"""

READING_ON = 0.75
"""… so that a place behind them has to be more likely by so much of log odds. A figure of ours: with it the same number
of chunks in vain leaves room for more right ones (decision 0052)."""

MOST_SURE = 0.999
"""Nobody is surer than that, nor surer of the opposite."""


class Worth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was learned about places."""

    weights: tuple[float, ...]
    """One for each of `NUMBERS`, and one that is always added."""
    least: float
    """The log odds from which a place is worth showing."""


def numbers(answerability: float, lacking: Floats) -> Floats:
    """A row for each place; `lacking` is how far each lies behind the best, as a share of the cut."""
    sure = min(MOST_SURE, max(1.0 - MOST_SURE, answerability))
    likely = np.full(len(lacking), log(sure / (1.0 - sure)))
    place = np.log1p(np.arange(len(lacking)))
    return np.stack([likely, lacking, place, likely * lacking], axis=1)


def odds(worth: Worth, answerability: float, lacking: Floats) -> Floats:
    """The log odds that the right chunk stands in each place, less what reading on costs. None of the first has smaller
    ones than those behind it: who wants what is further down reads what stands above it too."""
    found: Floats = numbers(answerability, lacking) @ np.array(worth.weights[:-1]) + worth.weights[-1]
    found[:FIRST] = np.maximum.accumulate(found[:FIRST][::-1])[::-1]
    found[AT_ONCE:] -= READING_ON
    return found
