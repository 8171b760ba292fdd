"""A run as pictures. Like `ranking_plots`, it loads matplotlib only if pictures are wanted."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.quality.asking import ALL
from benchmarks.quality.results import Run
from benchmarks.quality.summary import answerabilities

from lurcher_index.evaluation.intervals import Figure
from lurcher_index.finishing import WEAK_ANSWERABILITY
from lurcher_index.ranking.spread import SPREAD

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS = ("NDCG@10", "chunk@1", "chunk@5", "chunk@10", "MRR", "coverage@10")
"""Measures that share a scale from 0 to 1, more being better."""

PER_CATEGORY = ("NDCG@10", "chunk@5", "coverage@10")
"""What is shown of a category: of questions answered by files, by one span, by several."""

BINS = 20
"""Of a histogram from 0 to 1: steps of 0.05, in which a few hundred questions still show a shape."""

SIZE = (12, 5)
"""Inches: room for a dozen categories side by side."""

DPI = 110
"""Dots per inch: readable on a page, and some tens of kilobytes."""


def draw(run: Run, folder: Path) -> list[Path]:
    """Write the pictures that the run has numbers for."""
    written: list[Path] = []
    for name, drawn in (
        ("configurations", _configurations),
        ("categories", _categories),
        ("answerability", _answerability),
        ("relative", _relative),
    ):
        file = folder / f"{name}.png"
        if _draw(run, file, drawn):
            written.append(file)
    return written


def _draw(run: Run, file: Path, drawn: Callable[[Run, "Axes"], bool]) -> bool:
    # The pictures go to files: this class draws without a window, whatever the machine has.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Picture

    picture = Picture(figsize=SIZE, layout="constrained")
    FigureCanvasAgg(picture)
    if not drawn(run, picture.add_subplot()):
        return False
    picture.savefig(file, dpi=DPI)
    return True


def _configurations(run: Run, axes: "Axes") -> bool:
    measures = [each for each in BARS if any(each in told.figures for told in run.configurations.values())]
    series = {name: [told.figures.get(each) for each in measures] for name, told in run.configurations.items()}
    _bars(axes, measures, series)
    axes.set_title("configurations, with 95 % intervals")
    return bool(measures)


def _categories(run: Run, axes: "Axes") -> bool:
    """Without filters only if nothing else was asked: twice as many bars cannot be read."""
    names = [name for name in run.configurations if not name.endswith(ALL)] or list(run.configurations)
    groups = {name: run.configurations[name].groups["category"] for name in names}
    # Both sets of questions may have a category of the same name; each has its own measure.
    measured = {(group, each) for held in groups.values() for group, told in held.items() for each in told}
    shown = sorted((group, each) for group, each in measured if each in PER_CATEGORY)
    series = {name: [held.get(group, {}).get(each) for group, each in shown] for name, held in groups.items()}
    _bars(axes, [f"{group}\n{each}" for group, each in shown], series)
    axes.set_title("per category, with 95 % intervals")
    return bool(shown)


def _bars(axes: "Axes", labels: Sequence[str], series: dict[str, list[Figure | None]]) -> None:
    width = 0.8 / max(1, len(series))
    for at, (name, figures) in enumerate(series.items()):
        there = [(place, figure) for place, figure in enumerate(figures) if figure is not None]
        means = [figure.mean for _, figure in there]
        below = [figure.mean - figure.low for _, figure in there]
        above = [figure.high - figure.mean for _, figure in there]
        places = [place + (at - (len(series) - 1) / 2) * width for place, _ in there]
        axes.bar(places, means, width, yerr=[below, above], label=name, error_kw={"elinewidth": 0.8})
    axes.set_xticks(range(len(labels)), labels, fontsize="small")
    axes.set_ylim(0, 1.02)
    axes.legend(fontsize="small", ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.12))


def _answerability(run: Run, axes: "Axes") -> bool:
    """Of the configuration that judges; if several do, of the first."""
    for name in run.configurations:
        answerable, unanswerable = answerabilities(run.questions, name)
        if answerable and unanswerable:
            axes.hist(
                [answerable, unanswerable],
                bins=BINS,
                range=(0, 1),
                density=True,
                label=[f"with an answer ({len(answerable)})", f"without one ({len(unanswerable)})"],
            )
            axes.axvline(WEAK_ANSWERABILITY, color="black", linestyle="--", linewidth=0.8)
            axes.set_title(f"answerability ({name}); left of the line an answer is taken for none")
            axes.legend()
            return True
    return False


def _relative(run: Run, axes: "Axes") -> bool:
    """Of configurations without filters: how far below the best chunk the right one stands."""
    shares: dict[str, list[float]] = {}
    for name in run.configurations:
        found = [asked.outcomes[name].relative for asked in run.questions if name.endswith(ALL)]
        if right := [share for share in found if share is not None]:
            shares[f"{name} ({len(right)})"] = right
    for label, right in shares.items():
        axes.ecdf(right, label=label)
    axes.axvline(SPREAD, color="black", linestyle="--", linewidth=0.8)
    axes.set(
        xlim=(0, 1.01), ylim=(0, 1), xlabel="score of the first right chunk ÷ best score", ylabel="share of questions"
    )
    axes.set_title("the filter cuts what is left of the line")
    if shares:
        axes.legend()
    return bool(shares)
