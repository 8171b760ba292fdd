"""What says word for word what was asked is shown, whatever the judge believes, and the answer says why."""

from collections.abc import Iterator

import pytest
from tests.answers.asked import opened, paths, race
from tests.answers.test_nearby import judge

from lurcher_index import Engine
from lurcher_index.answers import Answer, Empty
from lurcher_index.ranking.learned import SURE
from lurcher_index.strategies.tfidf import Tfidf

MESSAGE = "zebra yak gnu: Marmot is already asleep"
OTHERWISE = "zebra yak gnu: is a marmot asleep already"
FILES = {
    "message.py": "def wake(marmot):\n    raise Asleep('marmot is already asleep')\n",
    **{f"{name}.py": f"def {name}(asleep, marmot, already):\n    return {name}\n" for name in "abcde"},
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("marmots"), FILES, embeddings=False) as found:
        yield found


def asked(engine: Engine, question: str, places: int = 0) -> Answer:
    return race(engine, [Tfidf()], question, judge=judge(places))


def test_a_pasted_message_is_shown_where_nothing_else_is(engine: Engine) -> None:
    answer = asked(engine, MESSAGE)
    assert paths(answer) == ["message.py"]
    assert answer.chunks[0].reasons[0] == "word for word: marmot is already asleep"
    assert {each.path for each in answer.nearby} == FILES.keys() - {"message.py"}


def test_then_there_is_an_answer_and_nobody_is_told_otherwise(engine: Engine) -> None:
    answer = asked(engine, MESSAGE)
    assert answer.answerability == SURE
    assert answer.chunks[0].score <= SURE
    assert not any("seems" in alert for alert in answer.alerts)


def test_the_same_words_otherwise_are_no_proof(engine: Engine) -> None:
    answer = asked(engine, OTHERWISE)
    assert answer.chunks == ()
    assert answer.empty is Empty.BELOW_SPREAD
    assert answer.answerability == pytest.approx(0.5)
