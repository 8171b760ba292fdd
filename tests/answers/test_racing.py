"""Sections 2, 3, 5 and 6: the chain of strategies on a real index, and what is left when parts of it fail."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.answers.asked import ask, opened, paths, race

from lurcher_index import Engine, judging
from lurcher_index.answers import Answer, Empty
from lurcher_index.asking import Ask
from lurcher_index.dense import fresh
from lurcher_index.ranking.learned import LearnedRanker
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Cannot, Retrieved
from lurcher_index.strategies.registry import default_strategies
from lurcher_index.text.tokens import estimate_tokens

FILES = {
    "b.py": "def badger():\n    return 1\n",
    "a.py": "def aardvark():\n    return badger()\n",
    "no_newline.py": "last = badger",
    "empty.py": "",
    "blank.py": "\n\n",
    "wide.py": "name = '😀'\nend = 'é'\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("racing"), FILES) as engine:
        yield engine


# -- the first question


def test_what_answers_is_loaded_beside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded_in: list[threading.Thread] = []
    real = judging.shipped_ranker

    def noted() -> LearnedRanker:
        loaded_in.append(threading.current_thread())
        return real()

    monkeypatch.setattr(judging, "shipped_ranker", noted)
    with opened(tmp_path, FILES) as engine:

        async def asked_twice() -> None:
            await asyncio.gather(*(engine.ask(Ask(text="badger", max_results=1)) for _ in range(2)))
            assert threading.current_thread() not in loaded_in

        asyncio.run(asked_twice())
    assert len(loaded_in) == 1, "those who ask at the same time share what was loaded"


# -- the whole workspace


def test_section_2_a_small_workspace_is_returned_whole_in_the_order_of_paths(engine: Engine) -> None:
    answer = ask(engine, "anything at all", token_budget=20_000, max_results=1)
    assert (answer.strategy, answer.is_full_workspace) == ("fullWorkspace", True)
    assert [path for path in paths(answer) if path not in ("blank.py", "empty.py")] == [
        "a.py", "b.py", "no_newline.py", "wide.py",
    ]  # fmt: skip
    assert {chunk.raw_text for chunk in answer.chunks} >= {text for text in FILES.values() if text.strip()}
    assert all(chunk.is_full_file for chunk in answer.chunks)


def test_section_2_the_whole_workspace_is_what_passes_the_filters(engine: Engine) -> None:
    answer = ask(engine, "anything at all", token_budget=20_000, exclude=["a.py", "*ank.py"])
    assert answer.is_full_workspace
    assert "a.py" not in paths(answer)


def test_section_2_ninety_nine_files_are_returned_whole_and_a_hundred_are_not(tmp_path: Path) -> None:
    files = {f"f{number:03}.py": f"value_{number} = {number}\n" for number in range(99)}
    with opened(tmp_path, files) as engine:
        assert len(ask(engine, "value_7", token_budget=100_000).chunks) == 99
        (tmp_path / "f099.py").write_text("value_99 = 99\n")
        engine.update([tmp_path / "f099.py"])
        assert ask(engine, "value_7", token_budget=100_000).strategy != "fullWorkspace"
        assert ask(engine, "value_7", token_budget=100_000, exclude=["f000.py"]).is_full_workspace


def test_section_2_an_unreadable_file_is_left_out_of_the_whole_and_reported(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        (tmp_path / "b.py").unlink()
        answer = ask(engine, "badger", token_budget=20_000)
        assert answer.is_full_workspace
        assert "b.py" not in paths(answer)
        assert any("b.py" in alert for alert in answer.alerts)


def test_section_1_a_whole_workspace_fits_the_budget_with_its_final_text(engine: Engine) -> None:
    raw = sum(estimate_tokens(text) for text in FILES.values())
    answer = ask(engine, "badger", token_budget=raw + 10)
    assert answer.tokens <= raw + 10


def test_section_2_whole_files_have_correct_ranges(engine: Engine) -> None:
    from lurcher_server.lsp.convert import chunk_range

    for chunk in ask(engine, "badger", token_budget=20_000).chunks:
        found = chunk_range(chunk.first_line, chunk.last_line, chunk.before, chunk.raw_text, "utf-8")
        lines = chunk.raw_text.encode().split(b"\n")
        assert (found.end.line, found.end.character) == (len(lines) - 1, len(lines[-1]))


# -- the chain


class Scripted:
    """A strategy that does as it is told."""

    timeout = None

    def __init__(self, id: str, does: Exception | Cannot | Retrieved | None) -> None:
        self.id = id
        self._does = does

    async def prepare(self, context: Context) -> None:
        pass

    async def search(self, context: Context) -> Retrieved | Cannot:
        if self._does is None:
            await context.words()
            await asyncio.Event().wait()
        if isinstance(self._does, Exception):
            raise self._does
        assert self._does is not None
        return self._does


def test_section_2_ids_and_order(engine: Engine) -> None:
    order = ["fullWorkspace", "codeSearch", "embeddings", "tfidfSemantic", "tfidf"]
    assert [strategy.id for strategy in default_strategies()] == order
    assert [row.strategy for row in ask(engine, "badger").attempts] == order


def test_section_2_a_strategy_of_ones_own_is_one_small_class(engine: Engine) -> None:
    answer = race(engine, (Scripted("mine", Cannot("no")), *default_strategies()), "badger")
    assert (answer.attempts[0].strategy, answer.attempts[0].outcome) == ("mine", "cannot search")
    assert answer.strategy == "embeddings"


def test_section_2_finding_nothing_is_a_result_and_cannot_search_is_not(engine: Engine) -> None:
    nothing = race(engine, (Scripted("nothing", Retrieved()), *default_strategies()), "badger")
    assert (nothing.strategy, nothing.empty) == ("nothing", Empty.NO_MATCH)
    unable = race(engine, (Scripted("unable", Cannot("not today")),), "badger")
    assert (unable.strategy, unable.empty) == ("", Empty.FAILED)
    assert any("not today" in alert for alert in unable.alerts)


def test_section_2_an_exception_of_one_strategy_reaches_no_other(engine: Engine) -> None:
    broken = (Scripted("broken", ZeroDivisionError("oops")), *default_strategies())
    answer = race(engine, broken, "badger")
    assert (answer.strategy, answer.attempts[0].outcome) == ("embeddings", "failed")
    assert "oops" in answer.attempts[0].detail


def test_section_2_a_strategys_own_cancellation_is_its_failure(engine: Engine) -> None:
    class SelfCancelled(Scripted):
        async def search(self, context: Context) -> Retrieved | Cannot:
            await context.words()
            raise asyncio.CancelledError

    answer = race(engine, (SelfCancelled("own", None), *default_strategies()), "badger")
    assert (answer.strategy, answer.attempts[0].outcome) == ("embeddings", "failed")


def test_section_1_all_failed_is_an_empty_answer_with_joined_messages(engine: Engine) -> None:
    answer = race(engine, (Scripted("one", ValueError("first")), Scripted("two", Cannot("second"))), "badger")
    assert (answer.chunks, answer.empty, answer.complete) == ((), Empty.FAILED, False)
    (alert,) = answer.alerts
    assert "first" in alert and "second" in alert


def test_section_2_at_the_deadline_the_words_so_far_are_returned(engine: Engine) -> None:
    answer = race(engine, (Scripted("endless", None),), "badger", deadline_seconds=0.3)
    assert not answer.complete
    assert answer.strategy == "tfidf"
    assert set(paths(answer)) == {"a.py", "b.py", "no_newline.py"}
    assert any("stopped after 0.3 s" in alert for alert in answer.alerts)


def test_section_2_a_users_cancel_goes_through(engine: Engine) -> None:
    async def cancelled() -> Answer:
        task = asyncio.create_task(engine.ask(Ask(text="badger", max_results=1)))
        await asyncio.sleep(0)
        task.cancel()
        return await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    assert ask(engine, "badger").chunks


# -- without vectors


def test_section_6_without_a_model_the_words_answer(tmp_path: Path) -> None:
    with opened(tmp_path, FILES, embeddings=False) as engine:
        answer = ask(engine, "badger")
        assert answer.strategy == "tfidf"
        assert answer.complete
        assert answer.freshness.vectors_ready == 0.0


def test_section_5_before_half_of_the_vectors_are_there_the_words_are_reordered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "MOST_CHUNKS", 0)  # More are missing than can be made while a question waits.
    with opened(tmp_path, FILES, embeddings=False) as words, Engine.open([tmp_path], store=":memory:") as engine:
        assert engine.build()
        answer = ask(engine, "badger")
        assert answer.strategy == "tfidfSemantic"
        # What is worth showing is judged by meaning too; what there is to judge comes from the words.
        assert set(paths(ask(engine, "badger", unfiltered=True))) == set(paths(ask(words, "badger", unfiltered=True)))
        assert "vector" in {row.strategy: row.detail for row in answer.attempts}["embeddings"]
        assert engine.embed()
        assert ask(engine, "badger").strategy == "embeddings"
