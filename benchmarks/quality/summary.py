"""Figures out of outcomes: means with intervals, over all questions and by group, and the change since another run."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from benchmarks.quality.asking import ALL
from benchmarks.quality.labels import MULTI, NONE
from benchmarks.quality.results import Area, Asked, Outcome, Run, Times, Told
from benchmarks.quality.scoring import area_under_curve, resampled_areas

from lurcher_index.evaluation.intervals import LEVEL, RESAMPLES, Figure, figures
from lurcher_index.finishing import WEAK_ANSWERABILITY

K = TypeVar("K", bound=Hashable)

SEED = 7
"""Of the bootstrap: the same outcomes have the same intervals."""

GROUPINGS = ("category", "language", "corpus")

Value = Callable[[Asked, str], float | None]
"""What a question counts in a configuration; None if it does not count."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that every question has, or does not have, in every configuration."""

    name: str
    value: Value
    less_is_better: bool = False
    is_share: bool = True
    """Whether it lies between 0 and 1."""
    is_grouped: bool = True
    """Whether it is told per group too."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became better or worse since an earlier run, over the questions that count in both."""

    configuration: str
    measure: Measure
    figure: Figure
    better: int
    worse: int
    count: int


def _ndcg(asked: Asked, name: str) -> float | None:
    return asked.outcomes[name].ndcg


def _of_first_right(value: Callable[[Outcome], float | None]) -> Value:
    """A measure of questions with one answer."""

    def measured(asked: Asked, name: str) -> float | None:
        counts = asked.labels == "spans" and asked.category not in (MULTI, NONE)
        return value(asked.outcomes[name]) if counts else None

    return measured


def _among(rank: int | None, first: int) -> float:
    return float(rank is not None and rank <= first)


def _coverage(asked: Asked, name: str) -> float | None:
    return asked.outcomes[name].coverage


def _of_none(value: Callable[[Outcome], float]) -> Value:
    return lambda asked, name: value(asked.outcomes[name]) if asked.category == NONE else None


def _cut(is_counted: Callable[[Outcome], bool]) -> Value:
    """Whether the right chunk was found and then filtered; needs the configuration without filters beside it."""

    def measured(asked: Asked, name: str) -> float | None:
        unfiltered = asked.outcomes.get(name + ALL)
        if unfiltered is None or unfiltered.rank is None or asked.category in (MULTI, NONE):
            return None
        outcome = asked.outcomes[name]
        return float(outcome.rank is None and is_counted(outcome))

    return measured


def _is_taken_for_unanswerable(outcome: Outcome) -> bool:
    return outcome.answerability is not None and outcome.answerability < WEAK_ANSWERABILITY


MEASURES = {
    each.name: each
    for each in (
        Measure("NDCG@10", _ndcg),
        Measure("chunk@1", _of_first_right(lambda outcome: _among(outcome.rank, 1))),
        Measure("chunk@5", _of_first_right(lambda outcome: _among(outcome.rank, 5))),
        Measure("chunk@10", _of_first_right(lambda outcome: _among(outcome.rank, 10))),
        Measure("file@5", _of_first_right(lambda outcome: _among(outcome.file_rank, 5))),
        Measure("told@5", _of_first_right(lambda outcome: _among(outcome.told_rank, 5))),
        Measure("told file@5", _of_first_right(lambda outcome: _among(outcome.told_file_rank, 5))),
        Measure("MRR", _of_first_right(lambda outcome: 1 / outcome.rank if outcome.rank else 0.0)),
        Measure("coverage@10", _coverage),
        Measure("tokens", _of_first_right(lambda outcome: outcome.tokens), True, is_share=False, is_grouped=False),
        Measure("none: chunks", _of_none(lambda outcome: outcome.returned), less_is_better=True, is_share=False),
        Measure("none: empty", _of_none(lambda outcome: float(outcome.returned == 0))),
        Measure("cut", _cut(lambda _: True), less_is_better=True, is_grouped=False),
        Measure("cut as unanswerable", _cut(_is_taken_for_unanswerable), less_is_better=True, is_grouped=False),
    )
}
"""By name. `chunk`, `file`, `told`, `MRR`, `tokens` are about questions with one answer, `coverage@10` about those with
several. `told` counts what is named without its code, too; `tokens` counts only where the right chunk is in the answer,
`cut` only where it was before the filters."""


def tell(questions: Sequence[Asked], names: Sequence[str]) -> dict[str, Told]:
    """The figures of each configuration."""
    overall = _figures(questions, names, tuple(MEASURES.values()))
    in_groups = tuple(measure for measure in MEASURES.values() if measure.is_grouped)
    groups = {
        grouping: {group: _figures(members, names, in_groups) for group, members in _grouped(questions, grouping)}
        for grouping in GROUPINGS
    }
    return {
        name: Told(
            overall[name],
            {measure: len(values_of(questions, name, MEASURES[measure])) for measure in overall[name]},
            {grouping: {group: each[name] for group, each in held.items()} for grouping, held in groups.items()},
            _times(questions, name),
            _area(questions, name),
        )
        for name in names
    }


def changes(run: Run, before: Run) -> list[Change]:
    """The differences to an earlier run: a paired bootstrap over the questions of both."""
    earlier = {asked.id: asked for asked in before.questions}
    pairs = [(asked, earlier[asked.id]) for asked in run.questions if asked.id in earlier]
    found: list[Change] = []
    for name in (name for name in run.configurations if name in before.configurations):
        for measure in MEASURES.values():
            both = [(measure.value(now, name), measure.value(then, name)) for now, then in pairs]
            steps = [now - then for now, then in both if now is not None and then is not None]
            if steps:
                up, down = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
                better, worse = (down, up) if measure.less_is_better else (up, down)
                figure = means({name: steps})[name]
                found.append(Change(name, measure, figure, better, worse, len(steps)))
    return found


def means(columns: Mapping[K, Sequence[float | None]]) -> dict[K, Figure]:
    """The mean of each column with its 95 % interval, over the rows that count in it; none if no row does.

    Columns in which the same rows count share their samples: drawing them takes nearly all the time.
    """
    alike: dict[tuple[int, ...], list[K]] = defaultdict(list)
    for key, column in columns.items():
        alike[tuple(at for at, value in enumerate(column) if value is not None)].append(key)
    found: dict[K, Figure] = {}
    for rows, keys in alike.items():
        if rows:
            table = [[columns[key][row] or 0.0 for key in keys] for row in rows]
            found |= zip(keys, figures(table, SEED), strict=True)
    return {key: found[key] for key in columns if key in found}


def values_of(questions: Iterable[Asked], name: str, measure: Measure) -> list[float]:
    """What the questions count that count."""
    return [value for asked in questions if (value := measure.value(asked, name)) is not None]


def answerabilities(questions: Iterable[Asked], name: str) -> tuple[list[float], list[float]]:
    """Those of questions with an answer and of questions without one; empty if nobody judged."""
    sides: tuple[list[float], list[float]] = ([], [])
    for asked in questions:
        value = asked.outcomes[name].answerability
        if asked.labels == "spans" and value is not None:
            sides[asked.category == NONE].append(value)
    return sides


def _figures(
    questions: Sequence[Asked], names: Sequence[str], measures: Sequence[Measure]
) -> dict[str, dict[str, Figure]]:
    columns = {
        (name, measure.name): [measure.value(asked, name) for asked in questions]
        for name in names
        for measure in measures
    }
    told: dict[str, dict[str, Figure]] = {name: {} for name in names}
    for (name, measure), figure in means(columns).items():
        told[name][measure] = figure
    return told


def _grouped(questions: Sequence[Asked], grouping: str) -> list[tuple[str, list[Asked]]]:
    groups: dict[str, list[Asked]] = defaultdict(list)
    for asked in questions:
        groups[getattr(asked, grouping)].append(asked)
    return sorted(groups.items())


def _times(questions: Sequence[Asked], name: str) -> Times:
    seconds = [asked.outcomes[name].seconds for asked in questions]
    p50, p95 = (round(1000 * float(each), 2) for each in np.quantile(seconds, (0.5, 0.95)))
    return Times(p50, p95)


def _area(questions: Sequence[Asked], name: str) -> Area | None:
    answerable, unanswerable = answerabilities(questions, name)
    if not answerable or not unanswerable:
        return None
    areas = resampled_areas(answerable, unanswerable, RESAMPLES, SEED)
    low, high = np.quantile(areas, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    ends = (area_under_curve(answerable, unanswerable), float(low), float(high))
    return Area(Figure(*(round(each, 4) for each in ends)), len(answerable), len(unanswerable))
