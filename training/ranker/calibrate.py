"""What the logits mean: how far below the best a chunk is still worth showing, and when there is no answer at all."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lurcher_index.ranking.answerability import signs
from lurcher_index.ranking.diversity import fade_by_lead, faded, placed
from lurcher_index.ranking.learned import believed
from training.ranker.collect import Group
from training.ranker.fit import Floats
from training.ranker.heads import Judged, folds

Order = NDArray[np.int64]
"""Candidates by their place in a group."""

KEPT_SHARE = 0.995
"""Right chunks among the first ten, one for each file that answers, that the 0.65 spread must keep where an answer is
sure. Where it is not, the cut is narrower (`shares_of`), so it need not be narrow here: with 0.97 of the best
right chunks alone, questions that two files answer lost the second one, and the benchmark 0.03 of its NDCG@10. With
0.998 two or three questions decide, and those without an answer get 0.7 chunks more for 0.001."""

SHOWN = 10
"""Places that a reader looks at."""

RIDGE = 0.005
"""What the squares of the signs' weights cost; with 0.02 the sign that tells most is held too small."""

NONE_WEIGHT = 5.0
"""What a question that was written to have no answer counts beside one that was asked of another project, which is
easier to tell."""

OWN_COUNT = 2.0
"""What a question of our own counts beside one of the benchmark, whose words nearly always stand in its answer: so both
sets come to about the same."""

NEWTON_STEPS = 30


def with_fade(judged: Judged, fade: float) -> Floats:
    """The logits as the run time has them."""
    scores, files = judged.logits.tolist(), judged.group.files.tolist()
    return np.array(faded(scores, files, fade_by_lead(scores, files, fade)))


def in_places(judged: Judged, fade: float) -> Order:
    """Candidates in the places of an answer, as the run time has them."""
    best_first = np.argsort(-with_fade(judged, fade), kind="stable").tolist()
    return np.array(placed(best_first, judged.group.files.__getitem__), dtype=np.int64)


def cut_of(answered: Sequence[Judged], fade: float) -> float:
    """How far below the best logit right chunks stand where they stand far."""
    gaps = [gap for judged in answered for gap in gaps_of_right(judged, fade)]
    return float(np.quantile(gaps, KEPT_SHARE))


def gaps_of_right(judged: Judged, fade: float) -> list[float]:
    """What the first right chunk of each file that answers lacks to the best one, for those that are shown."""
    lacking: list[float] = (judged.logits.max() - judged.logits[first_right(judged, fade)]).tolist()
    return lacking


def first_right(judged: Judged, fade: float) -> Order:
    """The first right chunk of each file that answers, among those that are shown."""
    shown = in_places(judged, fade)[:SHOWN]
    right = shown[judged.group.hits[shown]]
    _, first = np.unique(judged.group.files[right], return_index=True)
    return right[first]


def sign_rows(judged: Sequence[Judged], fade: float) -> Floats:
    """The signs of some questions, a row each."""
    rows: list[Floats] = []
    for each in judged:
        logits = with_fade(each, fade)
        order = np.argsort(-logits, kind="stable")
        rows.append(signs(each.group.matrix, order, logits, each.group.wording))
    return np.array(rows)


def counts_of(judged: Sequence[Judged]) -> Floats:
    """How much each question counts when it is learned whether there is an answer."""
    return np.array([_count(each.group) for each in judged])


def _count(group: Group) -> float:
    if group.targets:
        return OWN_COUNT if group.exact else 1.0
    return NONE_WEIGHT if group.category == "none" else 1.0


def chances(rows: Floats, weights: Floats) -> Floats:
    """How likely there is an answer, by the signs of each question."""
    found: Floats = 1.0 / (1.0 + np.exp(-np.clip(np.c_[rows, np.ones(len(rows))] @ weights, -30.0, 30.0)))
    return found


def unseen_chances(judged: Sequence[Judged], rows: Floats) -> Floats:
    """The same, each by weights that were learned without its repository."""
    has_answer, counts = answered(judged), counts_of(judged)
    corpora = np.array([each.group.corpus for each in judged])
    found = np.zeros(len(judged))
    for left_out in folds({each.group.corpus for each in judged}):
        out = np.isin(corpora, list(left_out))
        if out.any():
            found[out] = chances(rows[out], answer_weights(rows[~out], has_answer[~out], counts[~out]))
    groups = [each.group for each in judged]
    return np.array(
        [
            believed(likely, group.matrix, group.is_symbol, group.wording)
            for likely, group in zip(found, groups, strict=True)
        ]
    )


def answered(judged: Sequence[Judged]) -> Floats:
    """1 for each question that has an answer, else 0."""
    return np.array([float(bool(each.group.targets)) for each in judged])


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
