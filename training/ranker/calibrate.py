"""What the logits mean: how far below the best a chunk is still worth showing, and when there is no answer at all."""

from collections.abc import Sequence

import numpy as np

from lurcher_index.ranking.answerability import signs
from lurcher_index.ranking.diversity import faded
from training.ranker.fit import Floats
from training.ranker.heads import Judged

KEPT_SHARE = 0.97
"""Right chunks among the first ten that the 0.65 spread must keep."""

SHOWN = 10
"""Places that a reader looks at."""

RIDGE = 0.02
"""What the squares of the signs' weights cost."""

NONE_WEIGHT = 5.0
"""What a question that was written to have no answer counts beside one that was asked of another project, which is
easier to tell."""

NEWTON_STEPS = 30


def with_fade(judged: Judged, fade: float) -> Floats:
    """The logits as the run time has them."""
    return np.array(faded(judged.logits.tolist(), judged.group.files.tolist(), fade))


def cut_of(answered: Sequence[Judged], fade: float) -> float:
    """How far below the best logit the right chunk stands where it stands far; what fades is only the order."""
    gaps = [gap for judged in answered if (gap := gap_of_right(judged, fade)) is not None]
    return float(np.quantile(gaps, KEPT_SHARE))


def gap_of_right(judged: Judged, fade: float) -> float | None:
    """What the right chunk lacks to the best one; None if it is not among those shown."""
    order = np.argsort(-with_fade(judged, fade), kind="stable")
    right = np.nonzero(judged.group.hits[order])[0]
    if not len(right) or right[0] >= SHOWN:
        return None
    return float(judged.logits.max() - judged.logits[order[right[0]]])


def sign_rows(judged: Sequence[Judged], fade: float) -> Floats:
    """The signs of some questions, a row each."""
    rows: list[Floats] = []
    for each in judged:
        logits = with_fade(each, fade)
        rows.append(signs(each.group.matrix, np.argsort(-logits, kind="stable"), logits))
    return np.array(rows)


def answer_weights(rows: Floats, has_answer: Floats, counts: Floats) -> Floats:
    """A logistic regression, both sides counting alike: a weight for each sign, and at the end what is always added."""
    scale = rows.std(axis=0) + 1e-6
    mean = rows.mean(axis=0)
    table = np.c_[(rows - mean) / scale, np.ones(len(rows))]
    sides = np.where(has_answer > 0, counts / counts[has_answer > 0].sum(), counts / counts[has_answer == 0].sum()) / 2
    ridge = np.diag([RIDGE] * rows.shape[1] + [0.0])
    weights = np.zeros(table.shape[1])
    for _ in range(NEWTON_STEPS):
        chances = 1.0 / (1.0 + np.exp(-np.clip(table @ weights, -30, 30)))
        gradient = table.T @ (sides * (chances - has_answer)) + ridge @ weights
        curvature = (table * (sides * chances * (1 - chances))[:, None]).T @ table + ridge
        weights -= np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), gradient)
    plain = weights[:-1] / scale
    found: Floats = np.r_[plain, weights[-1] - plain @ mean]
    return found
