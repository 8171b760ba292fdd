"""What says word for word what was asked is shown, whatever the judge believes, and the answer says why."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.answers.asked import opened, paths, race
from tests.answers.test_nearby import judge

from lurcher_index import Engine, finishing
from lurcher_index.answers import Answer, Empty
from lurcher_index.asking import Seen
from lurcher_index.ranking.learned import SURE
from lurcher_index.strategies.tfidf import Tfidf

MESSAGE = "zebra yak gnu: Marmot is already asleep"
LONGER = f"owl emu ape {MESSAGE}"
"""Of which a smaller part stands in one place."""
OTHERWISE = "zebra yak gnu: is a marmot asleep already"
FILES = {
    **{f"{name}.py": f"def {name}(asleep, marmot, already):\n    return {name}\n" for name in "abcdefghijkl"},
    "message.py": "def wake(marmot):\n    raise Asleep('marmot is already asleep')\n",
}
ABOUT_IT = "".join(f"    marmot_{at} = asleep(already(marmot), gnu, yak, zebra)\n" for at in range(60))
DOUBT = 5.0
"""So that there hardly is an answer: 0.0067."""


@pytest.fixture(autouse=True)
def whole_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files enough for signs that were learned from whole projects, though they are few."""
    monkeypatch.setattr(finishing, "SMALL_CHUNKS", 0)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("marmots"), FILES, embeddings=False) as found:
        yield found


def asked(engine: Engine, question: str, places: int = 0, **how: Any) -> Answer:
    return race(engine, [Tfidf()], question, judge=judge(places, DOUBT), **how)


def seems_unanswered(answer: Answer) -> bool:
    return any("seems" in alert for alert in answer.alerts)


def test_a_pasted_message_is_shown_where_nothing_else_is(engine: Engine) -> None:
    answer = asked(engine, MESSAGE)
    assert paths(answer) == ["message.py"]
    assert answer.chunks[0].reasons[0] == "word for word: marmot is already asleep"
    assert len(answer.nearby) == 5


def test_what_says_most_of_the_question_comes_first(tmp_path: Path) -> None:
    about = "def doze(marmot):\n    asleep(already, marmot)\n    asleep(already, marmot)\n    asleep(marmot)\n"
    files = {"about.py": about, **{name: FILES[name] for name in ("a.py", "b.py", "c.py", "message.py")}}
    with opened(tmp_path, files, embeddings=False) as engine:
        answer = asked(engine, MESSAGE, places=20)
        assert paths(answer)[:2] == ["message.py", "about.py"]
        assert answer.chunks[0].score == answer.answerability == SURE
        # What says less of it has the place that it has anyway.
        for question in (OTHERWISE, LONGER):
            found = paths(asked(engine, question, places=20))
            assert found[0] == "about.py" and "message.py" in found


def test_then_there_is_an_answer_and_nobody_is_told_otherwise(engine: Engine) -> None:
    answer = asked(engine, MESSAGE, places=2)
    assert "message.py" in paths(answer)
    assert answer.answerability == SURE
    assert max(chunk.score for chunk in answer.chunks) == SURE
    assert not seems_unanswered(answer)


def test_the_same_words_otherwise_are_no_proof(engine: Engine) -> None:
    answer = asked(engine, OTHERWISE)
    assert answer.chunks == ()
    assert answer.empty is Empty.BELOW_SPREAD
    assert answer.answerability == pytest.approx(0.0067, abs=1e-4)
    assert seems_unanswered(asked(engine, OTHERWISE, places=2))


def test_nothing_else_is_shown_because_of_it(engine: Engine) -> None:
    said, unsaid = (asked(engine, question, places=3) for question in (MESSAGE, OTHERWISE))
    assert len(unsaid.chunks) == 3
    assert set(paths(said)) == {*paths(unsaid), "message.py"}


@pytest.mark.parametrize("limit", [1, 5, 20])
def test_it_is_shown_whatever_its_place(engine: Engine, limit: int) -> None:
    answer = asked(engine, MESSAGE, max_results=limit)
    assert paths(answer) == ["message.py"]
    assert not seems_unanswered(answer)


def test_a_better_one_of_its_file_that_is_too_weak_does_not_take_its_place(tmp_path: Path) -> None:
    files = {**FILES, "message.py": f"def doze(marmot):\n{ABOUT_IT}\n\n{FILES['message.py']}"}
    with opened(tmp_path, files, embeddings=False) as engine:
        assert not asked(engine, LONGER, unfiltered=True).chunks[0].reasons[0].startswith("word for word")
        for per_file in (None, 1):
            (only,) = asked(engine, LONGER, per_file=per_file).chunks
            assert only.reasons[0].startswith("word for word")


def test_who_has_it_already_is_told_so(engine: Engine) -> None:
    seen = (Seen(chunk_id=asked(engine, MESSAGE).chunks[0].chunk_id),)
    again = asked(engine, MESSAGE, seen=seen)
    assert again.empty is Empty.ALL_SEEN
    assert again.dropped.seen == 1
    assert asked(engine, OTHERWISE, seen=seen).empty is Empty.BELOW_SPREAD


def test_keywords_of_the_caller_are_not_what_was_asked(engine: Engine) -> None:
    assert asked(engine, "zebra yak gnu: marmot is", keywords=("already", "asleep")).chunks == ()
