"""What a cosine means: measured on pairs that were held out, so that the run time only looks it up."""

import numpy as np

from lurcher_index.dense.static.modelfile import Calibration
from training.arrays import Data
from training.measure import pooled_cosines
from training.network import Parameters

TRUST = 0.6
"""How far the model counts beside the words, which find names exactly: a little more than half."""

CHANCE = 0.99
"""Share of wrong documents below the floor. Not more: a pool holds the code of few packages, and one of a hundred
documents in it is about the same thing as the right one."""

FLOOR = 0.5
"""Value of the floor on the common scale; with a usual right answer at 0.8, the spread of 0.65 cuts right there."""


def calibrated(held_out: Data, parameters: Parameters, path_weight: float) -> Calibration:
    """Points between what any document has, what one has by chance, and what right ones have."""
    wrong: list[np.ndarray] = []
    right: list[np.ndarray] = []
    for _, cosines in pooled_cosines(held_out, parameters, path_weight):
        right.append(np.diagonal(cosines).copy())
        wrong.append(cosines[~np.eye(len(cosines), dtype=bool)])
    among_wrong = np.quantile(np.concatenate(wrong), [0.5, CHANCE])
    among_right = np.quantile(np.concatenate(right), [0.5, 0.95])
    # Each at least a little above the one before, whatever a poor table gives.
    cosines = np.maximum.accumulate(np.concatenate([among_wrong, among_right])) + np.arange(4) * 1e-3
    return Calibration(tuple(round(float(each), 4) for each in cosines), (0.0, FLOOR, 0.8, 1.0), TRUST, FLOOR)
