"""What the logits mean: how far below the best a chunk is still worth showing, and when there is no answer at all."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lurcher_index.ranking.answerability import Belief, signs
from lurcher_index.ranking.diversity import fade_by_lead, faded, placed
from lurcher_index.ranking.learned import believed
from lurcher_index.ranking.worth import Worth, numbers, odds
from training.ranker.believing import Plan, believing
from training.ranker.collect import Group, is_own
from training.ranker.fit import Floats
from training.ranker.heads import Judged, folds
from training.ranker.labels import FILED, NONE

Order = NDArray[np.int64]
"""Candidates by their place in a group."""

KEPT_SHARE = 0.995
"""Right chunks among the first ten, one for each file that answers, that the 0.65 spread must keep where an answer is
sure. What is worth showing is told by more (`ranking.worth`), so it need not be narrow here: with 0.97 of the best
right chunks alone, questions that two files answer lost the second one, and the benchmark 0.03 of its NDCG@10. With
0.998 two or three questions decide, and those without an answer get 0.7 chunks more for 0.001."""

SHOWN = 10
"""Places that a reader looks at."""

BELIEF = Plan(neurons=12, steps=400, rate=0.02, shrink=0.005, seed=0)
"""How signs are learned; decision 0050 says what else was tried."""

NONE_WEIGHT = 5.0
"""What a question that was written to have no answer counts beside one that was asked of another project, which is
easier to tell."""

OWN_COUNT = 2.0
"""What a question of our own counts beside one of the benchmark, whose words nearly always stand in its answer: so both
sets come to about the same."""

NEWTON_STEPS = 30

WORTH_NONE_WEIGHT = 8.0
"""What a question without an answer counts beside an answered one where it is learned which places are worth showing:
there are four times as many answered ones, and what is read in vain is to count twice."""

WORTH_RIDGE = 1.0

DIGITS = 5
"""Of a weight in the file."""

LEAST_CUT = 1e-5
"""Smallest cut that is written: by a cut of 0 nothing can be divided."""

IN_VAIN = {True: 2.0, False: 4.0}
"""Chunks that readers are asked to read in vain, on average of our questions without an answer: with a model, and by
words alone, where too much would be cut for two."""


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
    # Of very few questions the right chunks may all be the best: then nothing else is near.
    return max(float(np.quantile(gaps, KEPT_SHARE)), LEAST_CUT)


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
    return NONE_WEIGHT if group.category == NONE else 1.0


def chances(rows: Floats, belief: Belief) -> Floats:
    """How likely there is an answer, by the signs of each question."""
    heard = np.tanh(rows @ belief.hidden[:, :-2].T + belief.hidden[:, -2])
    voices = rows @ belief.weights[:-1] + belief.weights[-1] + heard @ belief.hidden[:, -1]
    found: Floats = 1.0 / (1.0 + np.exp(-np.clip(voices, -30.0, 30.0)))
    return found


def unseen_chances(judged: Sequence[Judged], rows: Floats) -> Floats:
    """The same, each by weights that were learned without its repository."""
    has_answer, counts = answered(judged), counts_of(judged)
    corpora = np.array([each.group.corpus for each in judged])
    found = np.zeros(len(judged))
    for left_out in folds({each.group.corpus for each in judged}):
        out = np.isin(corpora, list(left_out))
        if out.any():
            found[out] = chances(rows[out], believing(rows[~out], has_answer[~out], counts[~out], BELIEF))
    groups = [each.group for each in judged]
    return np.array(
        [
            believed(likely, group.matrix, group.is_symbol, group.wording)
            for likely, group in zip(found, groups, strict=True)
        ]
    )


def lacking(judged: Judged, order: Order, cuts: Mapping[bool, float]) -> Floats:
    """How far some candidates lie behind the best, as shares of the cut; `cuts` by whether a name is asked for."""
    found: Floats = (judged.logits.max() - judged.logits[order]) / cuts[judged.group.is_symbol]
    return found


def worth_of(judged: Sequence[Judged], chances: Floats, fade: float, cuts: Mapping[bool, float]) -> Worth:
    """In which places right chunks stand, learned from our questions with and without an answer and from those of other
    projects; and what is worth showing, so that ours without one get as many chunks as may be read in vain (more if a
    few words are asked for that all stand in one place: these are always shown)."""
    rows: list[Floats] = []
    right: list[Floats] = []
    counts: list[Floats] = []
    without: list[tuple[Judged, float]] = []
    for each, chance in zip(judged, chances.tolist(), strict=True):
        group = each.group
        if group.targets and not (is_own(group) and not group.category.startswith(FILED)):
            continue
        order = in_places(each, fade)[:SHOWN]
        rows.append(numbers(chance, lacking(each, order, cuts)))
        right.append(group.hits[order].astype(np.float64))
        is_without = is_own(group) and not group.targets
        counts.append(np.full(len(order), WORTH_NONE_WEIGHT if is_without else 1.0))
        if is_without:
            without.append((each, chance))
    weights = _logistic(*map(np.concatenate, (rows, right, counts))).round(DIGITS)
    learned = Worth(tuple(weights.tolist()), 0.0)
    has_meaning = judged[0].group.has_meaning
    places = [_odds_of_shown(learned, each, chance, fade, cuts) for each, chance in without]
    # The best place of those that are too many; a little above it, so that it is one of them once it is rounded.
    every = np.sort(np.concatenate(places))[::-1]
    least = float(every[min(int(IN_VAIN[has_meaning] * len(without)), len(every) - 1)])
    return Worth(learned.weights, round(least + 10**-DIGITS, DIGITS))


def _odds_of_shown(worth: Worth, judged: Judged, chance: float, fade: float, cuts: Mapping[bool, float]) -> Floats:
    order = in_places(judged, fade)
    return odds(worth, chance, lacking(judged, order, cuts))[:SHOWN]


def _logistic(rows: Floats, wanted: Floats, counts: Floats) -> Floats:
    """A logistic regression: a weight for each number of a row, and at the end what is always added."""
    table = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(table.shape[1])
    ridge = WORTH_RIDGE * np.eye(len(weights))
    for _ in range(NEWTON_STEPS):
        chances = 1.0 / (1.0 + np.exp(-np.clip(table @ weights, -30, 30)))
        gradient = table.T @ (counts * (chances - wanted)) + ridge @ weights
        curvature = (table * (counts * chances * (1 - chances))[:, None]).T @ table + ridge
        weights -= np.linalg.solve(curvature, gradient)
    return weights


def answered(judged: Sequence[Judged]) -> Floats:
    """1 for each question that has an answer, else 0."""
    return np.array([float(bool(each.group.targets)) for each in judged])
