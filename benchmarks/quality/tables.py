"""A run on the terminal."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from benchmarks.quality.results import Run, Told
from benchmarks.quality.summary import GROUPINGS, MEASURES, Change, Measure
from rich.table import Table

from lurcher_index.evaluation.intervals import Figure

FOUND = ("NDCG@10", "chunk@1", "chunk@5", "chunk@10", "file@5", "MRR", "coverage@10")
"""What is found, and where it stands."""

GROUPED = ("NDCG@10", "chunk@5", "coverage@10", "none: chunks")
"""One measure for each kind of question: more than that is in the file."""


def tables(run: Run) -> Iterator[Table]:
    """The tables of all questions, then one for each grouping and measure."""
    found = [name for name in FOUND if any(name in told.figures for told in run.configurations.values())]
    yield _found(run.configurations, found)
    yield _spent(run.configurations, [name for name in MEASURES if name not in FOUND])
    for measure in GROUPED:
        for grouping in GROUPINGS:
            table = _grouped(run.configurations, grouping, MEASURES[measure])
            if table.row_count > 1:
                yield table


def change_table(changes: Sequence[Change]) -> Table:
    """Measures in which any question changed since an earlier run; a row says so if the interval excludes no change."""
    table = _table("against the earlier run", ["configuration", "measure", "change", "", "better", "worse", "of"])
    for each in changes:
        if not each.better and not each.worse:
            continue
        mean, low, high = (_number(end, each.measure, sign=True) for end in msgspec.structs.astuple(each.figure))
        is_clear = each.figure.low > 0 or each.figure.high < 0
        is_better = (each.figure.mean > 0) is not each.measure.less_is_better
        verdict = ("better" if is_better else "worse") if is_clear else ""
        counts = map(str, (each.better, each.worse, each.count))
        table.add_row(each.configuration, each.measure.name, f"{mean} ({low} to {high})", verdict, *counts)
    return table


def _found(told: dict[str, Told], measures: Sequence[str]) -> Table:
    counts = [_counts(told, name) for name in measures]
    table = _table("found", ["", *(f"{name}\nof {count}" for name, count in zip(measures, counts, strict=True))])
    for name, each in told.items():
        table.add_row(name, *(_with_interval(each.figures.get(measure), MEASURES[measure]) for measure in measures))
    return table


def _spent(told: dict[str, Told], measures: Sequence[str]) -> Table:
    """What a reader has to read, what is said where there is nothing to say, what was cut, how long it took."""
    shown = [name for name in measures if any(name in each.figures for each in told.values())]
    columns = [f"{name}\nof {_counts(told, name)}" for name in shown]
    table = _table("spent", ["", *columns, "answerability\nAUC", "p50 ms", "p95 ms"])
    for name, each in told.items():
        cells = [_with_interval(each.figures.get(measure), MEASURES[measure]) for measure in shown]
        area = _with_interval(each.area.area, MEASURES["chunk@1"]) if each.area else ""
        table.add_row(name, *cells, area, f"{each.times.p50:.1f}", f"{each.times.p95:.1f}")
    return table


def _counts(told: dict[str, Told], measure: str) -> str:
    """How many questions count; in some measures not the same ones in all configurations."""
    counts = [each.counts[measure] for each in told.values() if measure in each.counts]
    least, most = min(counts), max(counts)
    return str(most) if least == most else f"{least}–{most}"


def _grouped(told: dict[str, Told], grouping: str, measure: Measure) -> Table:
    table = _table(f"{measure.name} per {grouping}", ["", *told])
    names = sorted({name for each in told.values() for name in each.groups[grouping]})
    for name in names:
        figures = [each.groups[grouping].get(name, {}).get(measure.name) for each in told.values()]
        if any(figures):
            table.add_row(name, *(_number(each.mean, measure) if each else "" for each in figures))
    return table


def _table(title: str, columns: Iterable[str]) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for at, column in enumerate(columns):
        table.add_column(column, justify="left" if at == 0 else "right")
    return table


def _with_interval(figure: Figure | None, measure: Measure) -> str:
    """The mean and, in a second line, its interval."""
    if figure is None:
        return ""
    return f"{_number(figure.mean, measure)}\n{_number(figure.low, measure)}–{_number(figure.high, measure)}"


def _number(value: float, measure: Measure, sign: bool = False) -> str:
    return f"{value:{'+' if sign else ''}.{3 if measure.is_share else 1}f}"
