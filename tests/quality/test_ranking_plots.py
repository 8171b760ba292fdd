"""The ranker's pictures are drawn from its file and its card."""

from math import log
from pathlib import Path

import msgspec
import pytest
from benchmarks.ranking_plots import main, most_lacking, read_weights, read_worth

from lurcher_index.ranking.answerability import SIGNS
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.learned import KINDS, Head, RankerData
from lurcher_index.ranking.worth import READING_ON, Worth

CARD = """# a-ranker

| questions | number | repositories |
|---|--:|--:|
| our questions | 12 | 3 |

| clue | weight of one standard deviation |
|---|--:|
| cosine | +0.52 |
| test | -0.31 |
"""


def ranker(folder: Path, cut: float = 2.0) -> Path:
    """A file of a ranker whose kinds differ in their cut."""
    zeros = (0.0,) * len(CLUES)
    heads = {kind.name: Head(zeros, zeros, 1.0, cut + at) for at, kind in enumerate(KINDS)}
    answers = {kind.name: (0.0,) * (len(SIGNS) + 1) for kind in KINDS}
    worth = {kind.name: Worth((1.0, -2.0, -0.5, 0.0, -1.0), -2.0) for kind in KINDS}
    file = folder / "ranker.json"
    file.write_bytes(msgspec.json.encode(RankerData("a-ranker", "", "", CLUES, SIGNS, heads, answers, worth)))
    return file


def card(folder: Path, text: str = CARD) -> Path:
    file = folder / "RANKER_CARD.md"
    file.write_text(text, "utf-8")
    return file


def test_what_is_worth_showing_is_told_by_the_file(tmp_path: Path) -> None:
    worth = read_worth(ranker(tmp_path))
    assert worth.keys() == {kind.name for kind in KINDS}
    assert most_lacking(worth["words"], 0.5, 1) == pytest.approx(0.5), (
        "the first of two log odds goes for what is added"
    )
    assert most_lacking(worth["words"], 0.5, 3) == pytest.approx(0.5 - 0.25 * log(3))
    assert most_lacking(worth["words"], 0.1, 1) < 0
    behind = (log(9) - 0.5 * log(10) - READING_ON + 1.0) / 2
    assert most_lacking(worth["words"], 0.9, 10) == pytest.approx(behind), "and who reads on wants more"


def test_weights_are_those_of_the_card_alone(tmp_path: Path) -> None:
    assert read_weights(card(tmp_path)) == {"cosine": 0.52, "test": -0.31}


def test_a_card_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no table of weights"):
        read_weights(card(tmp_path, "# a-ranker\n"))


def test_pictures_are_small_and_the_same_every_time(tmp_path: Path) -> None:
    options = ["--ranker", str(ranker(tmp_path)), "--card", str(card(tmp_path))]
    drawn: list[dict[str, bytes]] = []
    for folder in (tmp_path / "once", tmp_path / "again"):
        assert main([*options, "--out", str(folder)]) == 0
        drawn.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert drawn[0] == drawn[1]
    assert drawn[0].keys() == {"ranking-calibration.png", "ranking-weights.png"}
    assert all(data.startswith(b"\x89PNG") and len(data) < 60_000 for data in drawn[0].values())
