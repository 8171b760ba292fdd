"""What an answer is worth, given what is right. Pure functions of ranked chunks."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from benchmarks.quality.labels import MULTI, NONE, Question, SpanQuestion, Target
from benchmarks.quality.results import Outcome

DEPTH = 10
"""Ranks that count in NDCG@10 and in the coverage of several answers."""


class Place(NamedTuple):
    """A chunk of an answer."""

    path: str
    """From the root of the repository."""
    first: int
    last: int
    tokens: int = 0
    score: float = 0.0

    @property
    def lines(self) -> tuple[str, int, int]:
        """Its path and lines."""
        return self[:3]


class Given(NamedTuple):
    """An answer of the engine, best chunk first, and what it took."""

    chunks: tuple[Place, ...]
    seconds: float
    answerability: float | None = None
    named: tuple[Place, ...] = ()
    """What comes near and is told without its code."""


def score(question: Question | SpanQuestion, given: Given) -> Outcome:
    """What one answer came to."""
    return _score_files(question, given) if isinstance(question, Question) else _score_spans(question, given)


def ndcg(targets: Iterable[Target], chunks: Sequence[Place]) -> float:
    """NDCG@10 with every target relevant alike; a target counts at its first chunk, a rank counts once."""
    targets = list(targets)
    ranks = set()
    for target in targets:
        rank = next((rank for rank, chunk in enumerate(chunks[:DEPTH], 1) if target.holds(*chunk.lines)), 0)
        ranks.add(rank)
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(targets)) + 1))


def coverage(question: SpanQuestion, chunks: Sequence[Place]) -> float:
    """Share of the answers that the first chunks hit; an alternative that is hit makes up for one that is missing."""
    shown = chunks[:DEPTH]
    hit = sum(any(span.is_hit(*chunk.lines) for chunk in shown) for span in question.answers)
    instead = sum(any(span.is_hit(*chunk.lines) for chunk in shown) for span in question.alternatives)
    return min(1.0, (hit + instead) / len(question.answers))


def area_under_curve(right: Sequence[float], wrong: Sequence[float]) -> float:
    """How likely one of the first is larger than one of the second; equal ones count half."""
    return float(_wins(right, wrong).mean())


def resampled_areas(right: Sequence[float], wrong: Sequence[float], samples: int, seed: int) -> list[float]:
    """The area in bootstrap samples of both."""
    draw = np.random.default_rng(seed)
    wins = _wins(right, wrong)
    rows = draw.multinomial(len(right), np.full(len(right), 1 / len(right)), size=samples)
    columns = draw.multinomial(len(wrong), np.full(len(wrong), 1 / len(wrong)), size=samples)
    areas: list[float] = (((rows @ wins) * columns).sum(axis=1) / wins.size).tolist()
    return areas


def _wins(right: Sequence[float], wrong: Sequence[float]) -> "np.typing.NDArray[np.float64]":
    difference = np.subtract.outer(np.asarray(right, np.float64), np.asarray(wrong, np.float64))
    return (np.sign(difference) + 1) / 2


def _score_files(question: Question, given: Given) -> Outcome:
    return Outcome(
        returned=len(given.chunks),
        seconds=round(given.seconds, 5),
        answerability=given.answerability,
        ndcg=ndcg(question.targets, given.chunks),
    )


def _score_spans(question: SpanQuestion, given: Given) -> Outcome:
    spans = (*question.answers, *question.alternatives)
    files = {span.path for span in spans}
    told = (*given.chunks, *given.named)

    def is_right(place: Place) -> bool:
        return any(span.is_hit(*place.lines) for span in spans)

    def is_of_right_file(place: Place) -> bool:
        return place.path in files

    rank = _first(given.chunks, is_right)
    return Outcome(
        returned=len(given.chunks),
        seconds=round(given.seconds, 5),
        answerability=given.answerability,
        rank=rank,
        file_rank=_first(given.chunks, is_of_right_file),
        told_rank=_first(told, is_right),
        told_file_rank=_first(told, is_of_right_file),
        coverage=coverage(question, given.chunks) if question.category == MULTI else None,
        tokens=None if rank is None else sum(chunk.tokens for chunk in given.chunks[:rank]),
        relative=None if rank is None or question.category == NONE else _relative(given.chunks, rank),
    )


def _first(chunks: Sequence[Place], is_right: Callable[[Place], bool]) -> int | None:
    return next((rank for rank, chunk in enumerate(chunks, 1) if is_right(chunk)), None)


def _relative(chunks: Sequence[Place], rank: int) -> float | None:
    """The score of a chunk as a share of the best; none if no share means anything."""
    best = max(chunk.score for chunk in chunks)
    return round(chunks[rank - 1].score / best, 4) if best > 0 else None
