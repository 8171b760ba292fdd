"""What a run leaves: figures of every package and language, at the default confidence and as a curve."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from benchmarks.callgraph.comparing import Comparison, Fault, Figures
from benchmarks.callgraph.packages import REPORT, Package
from benchmarks.callgraph.truth import Status, Truth

ALL = "all"
"""Name of the row over several packages."""


class Row(msgspec.Struct, frozen=True):
    """One package, or several of one language and use together."""

    language: str
    name: str
    role: str
    calls: dict[str, int]
    """How many calls the analyser resolved inside, outside, and not at all."""
    open: int
    """Callers with names that the analyser could not resolve and that may mean definitions of the package."""
    figures: Figures
    baseline: Figures
    curve: dict[str, Figures]
    """By the least confidence, as text."""
    kinds: dict[str, int]
    """How many errors of each kind."""
    faults: tuple[Fault, ...] = ()


class Run(msgspec.Struct, frozen=True):
    """A whole run."""

    confidence: float
    rows: tuple[Row, ...]
    left_out: tuple[str, ...]


def row(package: Package, truth: Truth, ours: Comparison, bare: Comparison, confidence: float) -> Row:
    """One package. The errors in a package that is held out are counted, not shown."""
    compared = ours.compared(confidence)
    return Row(
        language=package.language,
        name=package.name,
        role=package.role,
        calls={status.value: sum(call.status is status for call in truth.calls) for status in Status},
        open=ours.open,
        figures=compared.figures,
        baseline=bare.figures(0.0),
        curve={f"{threshold:.2f}": figures for threshold, figures in ours.curve().items()},
        kinds=compared.kinds(),
        faults=() if package.role == REPORT else compared.faults,
    )


def together(rows: Iterable[Row]) -> list[Row]:
    """For each language and use, all its packages as one: every edge has the same weight."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for each in rows:
        groups.setdefault((each.language, each.role), []).append(each)
    return [_sum(group) for group in groups.values()]


def _sum(rows: Sequence[Row]) -> Row:
    first = rows[0]
    return Row(
        language=first.language,
        name=ALL,
        role=first.role,
        calls=_added(each.calls for each in rows),
        open=sum(each.open for each in rows),
        figures=sum((each.figures for each in rows), Figures()),
        baseline=sum((each.baseline for each in rows), Figures()),
        curve={at: sum((each.curve[at] for each in rows), Figures()) for at in first.curve},
        kinds=dict(sorted(_added(each.kinds for each in rows).items(), key=lambda kind: -kind[1])),
    )


def _added(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            total[name] = total.get(name, 0) + count
    return total


def write_run(run: Run, path: Path) -> None:
    """As JSON that people can read, too."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")


def read_run(path: Path) -> Run:
    """A run from its file; ValueError if it is none."""
    return msgspec.json.decode(path.read_bytes(), type=Run)
