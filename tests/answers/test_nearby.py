"""Places that are too weak to be shown are named, wherever an answer is told; what was seen makes no others strong."""

from collections.abc import Iterator
from math import log
from pathlib import Path

import msgspec
import pytest
from mcp.types import TextContent
from tests.answers.asked import ask, opened, paths, race

from lurcher_index import Engine, finishing
from lurcher_index.answers import Answer, Empty
from lurcher_index.asking import Ask, Seen
from lurcher_index.judging import Judge, shipped_evidence
from lurcher_index.pinpointing import candidate_at
from lurcher_index.presenting import Asked
from lurcher_index.ranking.answerability import SIGNS
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.learned import KINDS, SHOWN_OF_SMALL, Head, LearnedRanker, RankerData
from lurcher_index.ranking.worth import NUMBERS, Worth
from lurcher_index.rendering import excerpt
from lurcher_index.strategies.embeddings import Embeddings
from lurcher_index.strategies.tfidf import Tfidf
from lurcher_index.view import View
from lurcher_index.whereabouts import files_meant
from lurcher_index.words.query import understand
from lurcher_server.cli.printing import Printer
from lurcher_server.lsp.convert import answer_of
from lurcher_server.mcp.answered import answered
from lurcher_server.names import Names

QUESTION = "which marmot zebra yak gnu"
NAMES = "abcdef"


def judge(places: int, doubt: float = 0.0, model: str = "") -> Judge:
    """A judge to whom all candidates are alike, so many places worth showing, and an answer the less likely the greater
    the doubt: in log odds."""
    nothing = (0.0,) * len(CLUES)
    heads = {kind.name: Head(nothing, nothing, 0.0, 1.0) for kind in KINDS}
    answers = {kind.name: (*(0.0,) * len(SIGNS), -doubt) for kind in KINDS}
    by_place = tuple(-float(name == "place") for name in NUMBERS)
    # The log odds of the places are 0 and less the logarithms of 2, 3 and so on.
    worth = {kind.name: Worth((*by_place, 0.0), 0.1 - log(places + 1) if places else 1.0) for kind in KINDS}
    evidence = shipped_evidence()
    return Judge(
        LearnedRanker(RankerData("made up", model, evidence.name, CLUES, SIGNS, heads, answers, worth)), evidence
    )


@pytest.fixture(autouse=True)
def whole_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files enough for signs that were learned from whole projects, though they are few."""
    monkeypatch.setattr(finishing, "SMALL_CHUNKS", 0)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    files = {f"{name}.py": f"def {name}(marmot):\n    return marmot.{name}\n" for name in NAMES}
    with opened(tmp_path_factory.mktemp("marmots"), files, embeddings=False) as found:
        yield found


def asked(engine: Engine, places: int, *seen: Seen) -> Answer:
    return race(engine, [Tfidf()], QUESTION, judge=judge(places), seen=seen)


def of_file(answer: Answer, at: int) -> Seen:
    return Seen(chunk_id=answer.chunks[at].chunk_id)


@pytest.mark.parametrize("places", [0, 1, 2])
def test_what_is_shown_and_what_is_named(engine: Engine, places: int) -> None:
    answer = asked(engine, places)
    assert len(answer.chunks) == places
    assert paths(answer) + [each.path for each in answer.nearby] == [f"{name}.py" for name in NAMES][: places + 5]
    assert answer.dropped.spread == len(NAMES) - places


@pytest.mark.parametrize(("count", "shown"), [(len(NAMES), 2), (3, 0)])
def test_what_the_judge_finds_worth_showing_may_share_no_word_with_the_question(
    tmp_path: Path, count: int, shown: int
) -> None:
    """But of very few candidates it shows all, so that some likeness is asked of them."""
    files = {f"{name}.py": f"def {name}(marmot):\n    return marmot.{name}\n" for name in NAMES[:count]}
    with opened(tmp_path, files) as engine:
        model = judge(2, model=engine.meaning.embedder.name)
        answer = race(engine, [Embeddings()], "quarterly revenue", judge=model)
        assert len(answer.chunks) == shown
        assert all(chunk.trace.keyword_rank is None for chunk in answer.chunks)


def test_a_small_workspace_shows_the_best_places_where_it_would_show_none(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    for places, shown in ((0, SHOWN_OF_SMALL), (1, 1), (3, 3)):
        answer = asked(engine, places)
        assert paths(answer) == [f"{name}.py" for name in NAMES][:shown]
    doubted = race(engine, [Tfidf()], QUESTION, judge=judge(0, 5.0))
    assert len(doubted.chunks) == SHOWN_OF_SMALL
    assert any("seems to answer" in alert for alert in doubted.alerts)


def test_a_small_workspace_shows_nothing_for_a_word_that_has_just_been_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file on the disk still has it, and is counted until it is saved."""
    monkeypatch.undo()
    files = {f"{name}.py": f"def {name}(marmot):\n    return marmot.{name}\n" for name in NAMES}
    with opened(tmp_path, {**files, "burrow.py": "def zookeeper(gate):\n    return gate\n"}) as engine:
        (found,) = ask(engine, "which zookeeper").chunks
        engine.show(Path(found.folder, found.path), "def warden(gate):\n    return gate\n", 1)
        assert not ask(engine, "which zookeeper").chunks


@pytest.mark.parametrize(
    ("question", "is_shown"),
    [
        ("which marmot will dig a new burrow beside the zebra", False),
        ("which marmot will Dig a new burrow beside the zebra", False),
        ("which marmot will `dig` a new burrow beside the zebra", True),
        ("which marmot will call dig() for a new burrow beside the zebra", True),
        ("which marmot is it in den.dig for a new burrow beside the zebra", True),
        ("dig", True),
    ],
)
def test_the_definition_of_a_name_is_shown_and_an_everyday_word_is_no_name(
    tmp_path: Path, question: str, is_shown: bool
) -> None:
    """Something is called `run`, `task` or `dig` nearly everywhere, and that is no reason to show it."""
    files = {f"dig_{name}.py": f"def dig_{name}(marmot):\n    return marmot\n" for name in NAMES[:4]}
    files["dig.py"] = "def dig(marmot):\n    return marmot\n"
    with opened(tmp_path, files, embeddings=False) as engine:
        answer = race(engine, [Tfidf()], question, judge=judge(0))
        assert ("dig.py" in paths(answer)) is is_shown
        assert "dig.py" in [*paths(answer), *(each.path for each in answer.nearby)]


def test_who_has_seen_the_best_gets_no_worse_ones_for_it(engine: Engine) -> None:
    first = asked(engine, 1)
    again = asked(engine, 1, of_file(first, 0))
    assert again.chunks == ()
    assert again.empty is Empty.ALL_SEEN, "it was worth showing"
    assert again.dropped.seen == 1
    assert [each.path for each in again.nearby] == [each.path for each in first.nearby]


def test_that_something_weak_was_seen_is_not_why_an_answer_is_empty(engine: Engine) -> None:
    shown = asked(engine, 1)
    weak = asked(engine, 0, of_file(shown, 0))
    assert weak.empty is Empty.BELOW_SPREAD
    assert (weak.dropped.seen, weak.dropped.spread) == (0, len(NAMES))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "# A file.\n\ndef a(marmot):\n    yak = 1\n    return marmot + yak + marmot\n",
            "return marmot + yak + marmot",
        ),
        ("# On any marmot.\ndef a(marmot):\n    return 1\n", "def a(marmot):"),
        ("# ---\ndef a(cat):\n\treturn 1\n", "def a(cat):"),
        ("x  =  \t[\n    1,\n]\n", "x = ["),
        (f"def a(cat):\n    return '{'marmot ' * 40}'\n", f"return '{'marmot ' * 40}"[:119] + "…"),
        ("import os\n\x0c\ndef a(cat):\n    return 1\n", "def a(cat):"),
        ("def a(cat):\r\n    return cat # Zebra\r\n", "return cat # Zebra"),
    ],
)
def test_the_line_that_says_most_stands_for_the_rest(tmp_path: Path, text: str, line: str) -> None:
    with opened(tmp_path, {"a.py": text}, embeddings=False) as engine:
        view = View(engine.workspace)
        (row,) = files_meant(view, "a.py").rows
        candidate = candidate_at(view, Ask(text=QUESTION, max_results=1), row, 1, 1.0)
        assert candidate is not None
        (passage,), _ = view.passages([candidate], stop_at=1)
        assert excerpt(passage, Asked(understand(QUESTION))) == line


def test_over_the_wire_they_have_whole_lines(engine: Engine) -> None:
    told = answer_of(asked(engine, 1), "utf-16", lambda folder: folder.replace("marmots", "as opened"), "id")
    assert [each.uri.rpartition("/")[2] for each in told.nearby] == ["b.py", "c.py", "d.py", "e.py", "f.py"]
    place = told.nearby[0]
    assert "as%20opened" in place.uri
    assert (place.range.start.line, place.range.start.character) == (0, 0)
    assert (place.range.end.line, place.range.end.character) == (2, 0)
    assert place.excerpt == "def b(marmot):"
    assert place.symbol is not None and place.symbol.name == "b"


def text_and_places(engine: Engine, answer: Answer, budget: int) -> tuple[str, list[str]]:
    folder = answer.nearby[0].folder
    result, _ = answered(engine, Names([folder, "/elsewhere/other"]), QUESTION, answer, budget)
    (block,) = result.content
    assert isinstance(block, TextContent)
    structured = result.structured_content or {}
    return block.text, [place["path"] for place in structured["nearby"]]


def test_assistants_are_told_as_much_as_there_is_room_for(engine: Engine) -> None:
    answer = asked(engine, 0)
    text, places = text_and_places(engine, answer, 4_000)
    name = Path(answer.nearby[0].folder).name
    assert places == [f"{name}/{each}.py" for each in NAMES[:5]]
    assert f"- {name}/a.py:1-2 (a): def a(marmot):" in text
    assert "Nothing here seems to answer this" in text
    _, fewer = text_and_places(engine, answer, 300)
    assert len(fewer) < len(places)
    assert fewer == places[: len(fewer)]


def results(engine: Engine, answer: Answer, budget: int) -> int:
    result, _ = answered(engine, Names([answer.chunks[0].folder]), QUESTION, answer, budget)
    return len((result.structured_content or {})["results"])


def test_weaker_places_take_no_room_from_results(engine: Engine) -> None:
    answer = asked(engine, 2)
    alone = msgspec.structs.replace(answer, nearby=())
    budgets = range(200, 700, 25)
    shown = [results(engine, answer, budget) for budget in budgets]
    assert shown == [results(engine, alone, budget) for budget in budgets]
    assert {0, 1, 2} >= set(shown) > {2}


def test_the_command_line_names_them(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    Printer(as_json=False).answer(asked(engine, 0), QUESTION, [], Names(()))
    told = capsys.readouterr().out
    assert "no match" in told
    assert "weaker, not shown (--weak shows them):" in told
    assert "   a.py:1-2  function a" in told
