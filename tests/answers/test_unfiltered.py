"""Who judges the filters gets to see what they leave out: what is far weaker than the best, what seems no answer."""

from pathlib import Path

import pytest
from tests.answers.asked import ask, opened, paths, race

from lurcher_index import finishing
from lurcher_index.answers import Empty
from lurcher_index.finishing import MOST_NEARBY
from lurcher_index.judging import Judge, shipped_evidence
from lurcher_index.ranking.answerability import SIGNS
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.learned import KINDS, Head, LearnedRanker, RankerData
from lurcher_index.ranking.worth import NUMBERS, Worth
from lurcher_index.strategies.tfidf import Tfidf

FILES = {
    "best.py": "def hibernate(marmot, burrow):\n    return burrow.hibernate(marmot)\n",
    "good.py": "def sleep(marmot):\n    return marmot.sleep()\n",
    "weak.md": "Notes.\n\n"
    + "Here is some other text about hills and weather and paths. " * 12
    + "A marmot was seen.\n",
}


QUESTION = "which marmot was seen in the hills, asleep in its burrow"
"""Longer than three words: whoever asks for two and gets both has an answer."""


def judge(answer_offset: float) -> Judge:
    """A judge to whom all candidates are alike, and who believes in an answer as much as it is told."""
    nothing = (0.0,) * len(CLUES)
    heads = {kind.name: Head(nothing, nothing, 0.0, 1.0) for kind in KINDS}
    answers = {kind.name: (*(0.0 for _ in SIGNS), answer_offset) for kind in KINDS}
    believing = tuple(float(name == "answerability") for name in NUMBERS)
    worth = {kind.name: Worth((*believing, 0.0), 0.0) for kind in KINDS}
    evidence = shipped_evidence()
    return Judge(LearnedRanker(RankerData("made up", "", evidence.name, CLUES, SIGNS, heads, answers, worth)), evidence)


def test_the_spread_cuts_unless_all_is_wanted(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        filtered = ask(engine, "where does the marmot hibernate in its burrow", ranker="rules")
        whole = ask(engine, "where does the marmot hibernate in its burrow", ranker="rules", unfiltered=True)
    assert filtered.dropped.spread > 0
    assert whole.dropped.spread == 0
    assert paths(whole)[: len(filtered.chunks)] == paths(filtered)
    assert len(whole.chunks) == len(filtered.chunks) + filtered.dropped.spread


@pytest.mark.parametrize(("offset", "shown"), [(-5.0, 0), (5.0, 6)])
def test_an_answer_that_is_taken_for_none_is_empty_unless_all_is_wanted(
    tmp_path: Path, offset: float, shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finishing, "SMALL_CHUNKS", 0)
    question = "which marmot zebra yak gnu"
    files = {f"{name}.py": f"def {name}(marmot):\n    return marmot.{name}\n" for name in "abcdef"}
    with opened(tmp_path, files) as engine:
        answer = race(engine, [Tfidf()], question, judge=judge(offset))
        whole = race(engine, [Tfidf()], question, judge=judge(offset), unfiltered=True)
        few = race(engine, [Tfidf()], question, judge=judge(offset), max_results=2)
    assert (len(answer.chunks), len(whole.chunks)) == (shown, 6)
    assert answer.empty is (Empty.BELOW_SPREAD if not shown else None)
    assert (answer.dropped.spread, answer.dropped.limit) == (6 - shown, 0)
    near = [(each.path, each.first_line, each.last_line) for each in answer.nearby]
    wanted = [(each.path, each.first_line, each.last_line) for each in whole.chunks]
    assert near == ([] if shown else wanted[:MOST_NEARBY]), "the way to what is left out is told"
    assert whole.nearby == ()
    assert len(few.chunks) + len(few.nearby) == 2, "who wants two gets no more, of whatever kind"
