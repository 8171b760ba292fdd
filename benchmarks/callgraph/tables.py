"""A run on the terminal, and the errors to look at."""

import random
from collections.abc import Iterator

from benchmarks.callgraph.comparing import Fault, Figures
from benchmarks.callgraph.results import Row, Run, together
from rich.table import Table

SHOWN = 6
"""Errors of each kind that are shown for a package."""

STEPS = ("0.00", "0.20", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00")
"""Confidences of the curve on the terminal; the file has all."""


def tables(run: Run) -> Iterator[Table]:
    """Figures of every package, then the curves of the languages."""
    yield _figures(run)
    yield _curves(run)
    yield _kinds(run)


def _figures(run: Run) -> Table:
    table = Table(title=f"callers beside an analyser's, confidence at least {run.confidence:g}")
    for name in ("language", "package", "use"):
        table.add_column(name)
    columns = ("edges", "unresolved\ncalls", "may be\nedges", "P", "R", "F1", "right", "wrong", "missed", "unknown")
    for name in (*columns, "bare name\nP", "bare name\nR"):
        table.add_column(name, justify="right")
    for row in (*run.rows, *together(run.rows)):
        figures, calls = row.figures, row.calls
        table.add_row(
            row.language,
            row.name,
            row.role,
            f"{figures.right + figures.missed:,}",
            f"{calls['unknown'] / max(1, sum(calls.values())):.0%}",
            f"{row.open:,}",
            *_shares(figures),
            *(f"{count:,}" for count in (figures.right, figures.wrong, figures.missed, figures.unknown)),
            *_shares(row.baseline)[:2],
        )
    return table


def _curves(run: Run) -> Table:
    table = Table(title="precision / recall by the least confidence")
    for name in ("language", "use"):
        table.add_column(name)
    for step in STEPS:
        table.add_column(step, justify="right")
    for row in together(run.rows):
        cells = ("/".join(f"{share:.2f}" for share in _both(row.curve[step])) for step in STEPS)
        table.add_row(row.language, row.role, *cells)
    return table


def _kinds(run: Run) -> Table:
    table = Table(title="errors by kind")
    groups = together(run.rows)
    table.add_column("")
    for row in groups:
        table.add_column(f"{row.language}\n{row.role}", justify="right")
    for kind in sorted({kind for row in groups for kind in row.kinds}):
        table.add_row(kind, *(f"{row.kinds.get(kind, 0):,}" for row in groups))
    return table


def faults(row: Row, shown: int = SHOWN) -> Iterator[str]:
    """Some errors of each kind, as lines of text, the same in every run."""
    by_kind: dict[str, list[Fault]] = {}
    for fault in row.faults:
        by_kind.setdefault(fault.kind, []).append(fault)
    for kind, all_of_kind in by_kind.items():
        yield f"{row.name}: {kind} ({len(all_of_kind)})"
        chooser = random.Random(row.name)
        for fault in chooser.sample(all_of_kind, min(shown, len(all_of_kind))):
            confidence = f" [{fault.confidence:.2f}]" if fault.confidence is not None else ""
            note = f"  ({fault.note})" if fault.note else ""
            yield f"    {fault.place}  {fault.caller} -> {fault.callee}{confidence}{note}"


def _both(figures: Figures) -> tuple[float, float]:
    return figures.precision, figures.recall


def _shares(figures: Figures) -> list[str]:
    return [f"{share:.3f}" for share in (figures.precision, figures.recall, figures.f1)]
