"""How relevant a hit is: words and meaning on one scale from 0 to 1, and the stage that puts hits in a new order."""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Protocol

import msgspec

from lurcher_index.errors import Cancelled

WORDS_CALIBRATION = 0.31
"""Exponent that calibrates the words' scores: ln 0.65 / ln 0.25. A word score of 25 % of the best, the cut of the words
themselves, becomes 0.65 of the best, the cut of the spread; so the spread means the same for words and for meaning."""

RERANK_TOP = 30
"""How many of the best are put in a new order; the figure of hybrid engines with a cross-encoder."""


class RetrieverWeights(Protocol):
    """How much words and meaning count; only their ratio matters."""

    @property
    def words(self) -> float:
        """At least 0."""
        ...

    @property
    def meaning(self) -> float:
        """At least 0."""
        ...


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about one hit before it gets its final place."""

    words: float | None = None
    """Its score by words, uncalibrated; None if the words did not find it."""
    similarity: float | None = None
    """Its calibrated similarity to the question, 0 to 1; None if it has no vector."""
    fused: float = 0.0
    exact: bool = False
    """Whether it defines exactly the identifier that was asked for."""
    all_words: bool = False
    near: bool = False
    """Whether the words of the question stand close together in it."""


Reranker = Callable[[Sequence[Evidence]], Sequence[float]]
"""Gives every evidence a score, in the order of the evidences; higher is better, the scale is its own."""


class Reranked(msgspec.Struct, frozen=True):
    """A new order of evidences."""

    order: tuple[int, ...]
    """Indexes of the evidences, best first; each exactly once."""
    scores: tuple[float | None, ...]
    """What the reranker said, in the order of the evidences; None for those it did not see or if it failed."""
    note: str = ""
    """Why the order is still the previous one, for an alert; empty if all went well."""


def calibrate_words(score: float, best: float) -> float:
    """A score by words as a share of the best one, 0 to 1, on the scale of similarities."""
    if not (isfinite(score) and isfinite(best)) or score <= 0 or best <= 0:
        return 0.0
    return 1.0 if score >= best else (score / best) ** WORDS_CALIBRATION


def relevance(words: float | None, meaning: float | None, trust: float, weights: RetrieverWeights) -> float:
    """How relevant a hit is, 0 to 1: calibrated words and calibrated similarity, mixed in the ratio of their shares.

    The shares are the weights, that of meaning times `trust` (0 to 1: how far the model can be relied on). A hit that
    the words did not find has 0 words; one without a similarity is judged by its words alone. What is not a number
    counts as missing.
    """
    if meaning is None or not isfinite(meaning):
        return _within(words)
    of_words, of_meaning = weights.words, weights.meaning * min(max(trust, 0.0), 1.0)
    if of_words + of_meaning <= 0:
        # Without trust and without weight for the words, meaning is still all that was asked for.
        of_words, of_meaning = (0.0, 1.0) if weights.meaning > 0 else (1.0, 0.0)
    share = of_meaning / (of_words + of_meaning)
    return _within((1.0 - share) * _within(words) + share * _within(meaning))


def by_rules(best_words: float, trust: float, weights: RetrieverWeights) -> Reranker:
    """The reranker that needs no model: relevance, with the words measured against the best score of the search.

    The flags add nothing: scores by words have already been lifted for all words and for words close together.
    """

    def score(evidence: Evidence) -> float:
        words = None if evidence.words is None else calibrate_words(evidence.words, best_words)
        return relevance(words, evidence.similarity, trust, weights)

    return lambda evidences: [score(evidence) for evidence in evidences]


def rerank(reranker: Reranker, evidences: Sequence[Evidence], top: int = RERANK_TOP) -> Reranked:
    """Put the first `top` in the order of the reranker's scores; the rest stays behind them. 0 turns it off.

    Whatever is wrong with the reranker's answer costs its order only: the previous one stays, with a note.
    """
    seen = evidences[: max(0, top)]
    unscored = (None,) * len(evidences)
    previous = tuple(range(len(evidences)))
    if not seen:
        return Reranked(previous, unscored)
    try:
        scores = _checked(reranker(seen), len(seen))
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 - a reranker may be anybody's model; the search outlives it
        why = str(error) or type(error).__name__
        return Reranked(previous, unscored, f"reranking failed, the order before it is kept: {why}")
    order = sorted(range(len(seen)), key=lambda at: -scores[at])
    return Reranked((*order, *previous[len(seen) :]), (*scores, *unscored[len(seen) :]))


def scores_by_index(pairs: Iterable[tuple[int, float]], count: int) -> list[float]:
    """Scores in the order of the evidences, for a reranker that answers (index, score) pairs in its own order.

    Raises ValueError if an index is left out, repeated or unknown.
    """
    found: dict[int, float] = {}
    for index, score in pairs:
        if not 0 <= index < count:
            raise ValueError(f"index {index} of {count} is unknown")
        if index in found:
            raise ValueError(f"index {index} is repeated")
        found[index] = score
    if len(found) < count:
        raise ValueError(f"{count - len(found)} of {count} are left out")
    return [found[index] for index in range(count)]


def _checked(scores: Sequence[float], count: int) -> list[float]:
    if len(scores) != count:
        raise ValueError(f"{len(scores)} scores for {count} hits")
    checked = [float(score) for score in scores]
    if not all(map(isfinite, checked)):
        raise ValueError("a score is not a number")
    return checked


def _within(value: float | None) -> float:
    return min(max(value, 0.0), 1.0) if value is not None and isfinite(value) else 0.0
