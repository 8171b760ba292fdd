"""The ranker as pictures: `python -m benchmarks.ranking_plots`, from the repository's root.

Draws, from the ranker's file and its card, what is worth showing and what counts most for files, into `docs/pictures`.
Another ranker is drawn with `--ranker FILE --card FILE --out DIR`. How whole configurations compare is
drawn by `python -m benchmarks.quality --results DIR`.
"""

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from lurcher_index.ranking.learned import RankerData
from lurcher_index.ranking.worth import Worth, odds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).resolve().parents[1]
RANKING = ROOT / "index" / "lurcher_index" / "ranking"

SIZE = (7, 3.8)
"""Inches: half a page."""

DPI = 90
"""Dots per inch: readable, and below 60 KB."""

PLACES = (1, 2, 3, 5, 10)
"""Those that have a curve."""

STYLES = {"meaning": "-", "words": ":"}
"""Kinds of search, and how their curves are drawn. Names have the same ones."""

_STRONGEST = re.compile(r"^\| (\w+) \| ([+-]\d+\.\d+) \|$", re.MULTILINE)
"""A row of the card's table of weights; the other tables have no signs."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw what the options name."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ranker", type=Path, default=RANKING / "ranker.json", help="the ranker's file")
    parser.add_argument("--card", type=Path, default=RANKING / "RANKER_CARD.md", help="its card")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures", help="folder for the pictures")
    options = parser.parse_args(arguments)
    try:
        worth = read_worth(options.ranker)
        weights = read_weights(options.card)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    options.out.mkdir(parents=True, exist_ok=True)
    draw(options.out / "ranking-calibration.png", lambda axes: calibration(axes, worth))
    draw(options.out / "ranking-weights.png", lambda axes: strongest(axes, weights))
    return 0


def read_worth(ranker: Path) -> dict[str, Worth]:
    """Kind of search → what is worth showing."""
    return msgspec.json.decode(ranker.read_bytes(), type=RankerData).worth


def read_weights(card: Path) -> dict[str, float]:
    """Clue → its weight for files, of one standard deviation, as the card tells it."""
    found = {name: float(weight) for name, weight in _STRONGEST.findall(card.read_text("utf-8"))}
    if not found:
        raise ValueError(f"{card.name} has no table of weights")
    return found


def draw(file: Path, drawn: Callable[["Axes"], None]) -> None:
    """One picture."""
    # The pictures go to files: this class draws without a window, whatever the machine has.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    picture = Figure(figsize=SIZE, layout="constrained")
    FigureCanvasAgg(picture)
    drawn(picture.add_subplot())
    # Without the name and version of what drew it, so that the same numbers give the same file.
    picture.savefig(file, dpi=DPI, metadata={"Software": None})


def most_lacking(worth: Worth, answerability: float, place: int) -> float:
    """How far a chunk in a place, from 1, may lie behind the best one to be shown, as a share of the cut; below 0 if it
    may not be shown at all."""
    none, whole = (float(odds(worth, answerability, np.full(place, lack))[-1]) - worth.least for lack in (0.0, 1.0))
    return none / (none - whole) if none > whole else float("inf")


def calibration(axes: "Axes", worth: Mapping[str, Worth]) -> None:
    """How far behind the best a chunk may lie in each place, by how likely there is an answer."""
    sure = np.linspace(0.01, 0.99, 99)
    for name, style in STYLES.items():
        axes.set_prop_cycle(None)
        for place in PLACES:
            shown = [max(0.0, most_lacking(worth[name], float(each), place)) for each in sure]
            axes.plot(sure, shown, linestyle=style, label=f"place {place}" if style == "-" else None)
    axes.set(
        xlim=(0, 1),
        ylim=(0, 1.02),
        xlabel="answerability (solid: with vectors, dotted: by words alone)",
        ylabel="behind the best, share of the cut",
    )
    axes.set_title("what lies further behind is not shown")
    axes.legend()


def strongest(axes: "Axes", weights: Mapping[str, float]) -> None:
    """The weights as bars, the strongest on top."""
    names = sorted(weights, key=lambda name: abs(weights[name]))
    colours = ["tab:blue" if weights[name] > 0 else "tab:red" for name in names]
    axes.barh(names, [weights[name] for name in names], color=colours)
    axes.axvline(0.0, color="black", linewidth=0.8)
    axes.tick_params(axis="y", labelsize="small")
    axes.set_xlabel("weight of one standard deviation")
    axes.set_title("what counts most for files, questions with vectors")


if __name__ == "__main__":
    sys.exit(main())
