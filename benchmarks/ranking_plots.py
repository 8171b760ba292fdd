"""The ranker as pictures: `python -m benchmarks.ranking_plots`, from the repository's root.

Draws, from the ranker's file and its card, how relevance falls with the logit and what counts most for files, into
`docs/pictures`. Another ranker is drawn with `--ranker FILE --card FILE --out DIR`. How whole configurations compare is
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
from lurcher_index.ranking.spread import SPREAD

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).resolve().parents[1]
RANKING = ROOT / "index" / "lurcher_index" / "ranking"

SIZE = (7, 3.8)
"""Inches: half a page."""

DPI = 90
"""Dots per inch: readable, and below 60 KB."""

BEYOND = 1.5
"""How far beyond the largest cut the curve is drawn, as a share of it: far enough to see that nothing jumps there."""

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
        cuts = read_cuts(options.ranker)
        weights = read_weights(options.card)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    options.out.mkdir(parents=True, exist_ok=True)
    draw(options.out / "ranking-calibration.png", lambda axes: calibration(axes, cuts))
    draw(options.out / "ranking-weights.png", lambda axes: strongest(axes, weights))
    return 0


def read_cuts(ranker: Path) -> dict[str, float]:
    """Kind of search → how far below the best logit a chunk is just worth showing."""
    data = msgspec.json.decode(ranker.read_bytes(), type=RankerData)
    return {name: head.cut for name, head in data.heads.items()}


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


def calibration(axes: "Axes", cuts: Mapping[str, float]) -> None:
    """How the relevance of a chunk falls, as a share of the best one's, with the distance of its logit."""
    gaps = np.linspace(0.0, BEYOND * max(cuts.values()), 200)
    for name, cut in cuts.items():
        (line,) = axes.plot(gaps, SPREAD ** (gaps / cut), label=f"{name}: cut {cut:.2f}")
        axes.plot([cut, cut], [0.0, SPREAD], color=line.get_color(), linestyle=":", linewidth=1.0)
    axes.axhline(SPREAD, color="black", linestyle="--", linewidth=0.8)
    axes.set(
        xlim=(0, float(gaps[-1])),
        ylim=(0, 1.02),
        xlabel="logit below the best one",
        ylabel="relevance ÷ best relevance",
    )
    axes.set_title(f"what is below {SPREAD} is not shown")
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
