"""A question that is nothing but a place is answered with the chunk that stands there."""

from collections.abc import Iterator

import pytest
from tests.answers.asked import ask, opened, paths

from lurcher_index import Engine
from lurcher_index.asking import Mode, Seen
from lurcher_index.pinpointing import PLACE
from lurcher_index.relating import CALL_GRAPH


def body(name: str) -> str:
    return "".join(f"def {name}_{n}(value):\n    return value * {n} + len(str(value))\n\n\n" for n in range(60))


FILES = {
    "api/sessions.py": body("session"),
    "api/cart.py": body("cart"),
    "one/index.ts": "export function a() {\n  return 1;\n}\n\n",
    "two/index.ts": "export function b() {\n  return 2;\n}\n\n",
    "margins.py": "\n\ndef late():\n    return 1\n\n",
    "blank.py": "\n\n\n",
    "README.md": "# Sessions\n\nA line of sessions.py, the 21st.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("places"), FILES, embeddings=False) as engine:
        yield engine


@pytest.mark.parametrize(
    "question",
    ["api/sessions.py:21", "sessions.py:21:5", "sessions.py line 21", "/srv/app/api/sessions.py:21", "sessions.py#L21"],
)
@pytest.mark.parametrize("mode", [Mode.SNIPPETS, Mode.FEATURES])
def test_a_place_is_answered_with_its_chunk(engine: Engine, question: str, mode: Mode) -> None:
    answer = ask(engine, question, mode=mode)
    assert answer.strategy == PLACE and answer.complete
    (chunk,) = answer.chunks
    assert chunk.path == "api/sessions.py" and chunk.first_line <= 21 <= chunk.last_line
    assert chunk.reasons == ("line 21 is in it",)
    assert chunk.symbol is not None and chunk.symbol.name == "session_5"


def test_all_files_that_are_meant_are_told(engine: Engine) -> None:
    answer = ask(engine, "index.ts:2")
    assert paths(answer) == ["one/index.ts", "two/index.ts"]
    assert [chunk.score for chunk in answer.chunks] == [0.5, 0.5]
    assert "one of 2" in answer.chunks[0].reasons[0]


def place(engine: Engine, name: str, line: int) -> tuple[int, int, str, str]:
    (chunk,) = ask(engine, f"{name}:{line}").chunks
    return chunk.first_line, chunk.last_line, chunk.symbol.name if chunk.symbol else "", chunk.reasons[0]


def test_a_blank_line_is_answered_with_the_nearest_chunk(engine: Engine) -> None:
    first, last, symbol, _ = place(engine, "sessions.py", 1)
    assert (first, symbol) == (1, "session_0")
    _, _, symbol, reason = place(engine, "sessions.py", last)
    assert reason == f"line {last} is in it"
    # Two lines are blank between two functions.
    assert place(engine, "sessions.py", last + 1) == (1, last, symbol, f"nearest to line {last + 1}")
    following = place(engine, "sessions.py", last + 3)
    assert following[0] == last + 3
    assert place(engine, "sessions.py", last + 2) == (*following[:3], f"nearest to line {last + 2}")
    assert place(engine, "sessions.py", 240)[2:] == ("session_59", "nearest to line 240")
    assert place(engine, "margins.py", 1) == (3, 4, "late", "nearest to line 1")
    assert "nearest to line 4 of one of 2 such files" in ask(engine, "index.ts:4").chunks[0].reasons[0]


@pytest.mark.parametrize(
    "question",
    [
        *("sessions.py:9000", "sessions.py:0", "sessions.py:241", "blank.py:2", "margins.py:6"),
        *("nowhere.py:3", "why does sessions.py:21 fail", "sessions.py"),
    ],
)
def test_anything_else_is_searched_for(engine: Engine, question: str) -> None:
    assert ask(engine, question).strategy not in ("", PLACE)


@pytest.mark.parametrize("strategies", [(PLACE,), (CALL_GRAPH,), (PLACE, CALL_GRAPH)])
def test_another_question_for_this_strategy_alone_says_why_nothing_is_found(
    engine: Engine, strategies: tuple[str, ...]
) -> None:
    for question in ("where are apples kept", "nowhere.py:3"):
        (alert,) = ask(engine, question, strategies=strategies).alerts
        assert alert.startswith("no strategy had a result: those that were chosen only answer questions for"), alert


def test_filters_strategies_and_what_was_seen_hold(engine: Engine) -> None:
    assert ask(engine, "index.ts:2", include=["two/**"]).chunks[0].path == "two/index.ts"
    assert ask(engine, "cart.py:3", strategies=("tfidf",)).strategy != PLACE
    (chunk,) = ask(engine, "cart.py:3").chunks
    again = ask(engine, "cart.py:3", seen=(Seen(chunk_id=chunk.chunk_id),))
    assert not again.chunks and again.dropped.seen == 1
