"""Parts of the server by themselves, on an event loop whose timers do not keep anybody waiting."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextvars import Context
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple, Unpack, cast

import msgspec
import pytest

from lurcher_index import Engine
from lurcher_index.asking import Ask
from lurcher_index.strategies.apart import at_once
from lurcher_index.words.filters import Filters
from lurcher_server.lsp import lanes
from lurcher_server.lsp.documents import Documents
from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.handlers import search as handler
from lurcher_server.lsp.handlers.search import with_alerts
from lurcher_server.lsp.loaded import Loaded
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.metrics import Metrics
from lurcher_server.lsp.protocol import (
    ChunkSearchAnswer,
    ChunkSearchParams,
    DroppedAnswer,
    FreshnessAnswer,
    LooksLikeAnswer,
    QueryAnswer,
)
from lurcher_server.lsp.session import STATUS_SECONDS, Session
from lurcher_server.lsp.settings import read_settings
from lurcher_server.lsp.showing import BARRIER_SECONDS, Showing
from lurcher_server.lsp.standard import OpenedDocument
from lurcher_server.lsp.uris import uri_of

R = TypeVar("R")
Ts = TypeVarTuple("Ts")


class Hurried(asyncio.SelectorEventLoop):
    """Timers ring at once; `delays` are what they were set to."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []

    def call_at(
        self, when: float, callback: Callable[[Unpack[Ts]], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        self.delays.append(round(when - self.time(), 2))
        return super().call_at(self.time(), callback, *args, context=context)

    async def shutdown_default_executor(self, *_: object) -> None:
        """Without the timer that newer Pythons set: it would ring before the threads have ended."""
        await super().shutdown_default_executor()


class Recorder:
    """A client that notes what it hears."""

    is_congested = False

    def __init__(self) -> None:
        self.told: list[tuple[str, object]] = []

    def notify(self, method: str, params: object = None) -> None:
        self.told.append((method, params))

    async def request(self, method: str, params: object, result_type: type[R], timeout: float = 0) -> R:
        raise AssertionError(f"nothing is asked here: {method}, {params}, {result_type}, {timeout}")


def nothing_to_load() -> Callable[[Session], Loaded]:
    raise AssertionError("nothing is loaded here")


def run(work: Coroutine[Any, Any, R]) -> tuple[R, list[float]]:
    """The result, and the timers that were set on the way."""
    with asyncio.Runner(loop_factory=Hurried) as runner:
        result = runner.run(work)
        loop = runner.get_loop()
        assert isinstance(loop, Hurried)
        return result, loop.delays


# -- status


def test_section_9_the_status_is_debounced() -> None:
    async def many_changes() -> None:
        session = Session(Recorder(), lambda: None, nothing_to_load)
        for _ in range(2):
            for _ in range(100):
                session.status_changed()
            while session._status_timer is not None:
                await asyncio.sleep(0)
        await session.close()

    assert STATUS_SECONDS == 0.25
    assert run(many_changes())[1].count(STATUS_SECONDS) == 2


# -- read your writes


async def shown(version: int, wanted: dict[str, int]) -> list[str]:
    """What is complained of when a document is searchable in a version and others are asked for."""
    slot, documents = EngineSlot(), Documents("utf-16")
    await slot.replace(Engine.without_folders)
    showing = Showing(slot, Metrics(), lambda: None)
    showing.documents = documents
    uri = uri_of(Path.cwd() / "shown.py")
    documents.open(OpenedDocument(uri=uri, text="shown = 1\n", version=version))
    showing.touch(uri)
    await showing.settle()
    complaints = await showing.wait_for({wanted_uri or uri: number for wanted_uri, number in wanted.items()})
    await slot.close()
    return complaints


def test_section_1_a_version_that_does_not_come_is_waited_for_and_complained_of() -> None:
    complaints, delays = run(shown(3, {"file:///never/opened.py": 7}))
    assert complaints == ["file:///never/opened.py was not searchable in version 7"]
    assert BARRIER_SECONDS in delays
    assert run(shown(3, {"": 3}))[0] == []
    assert run(shown(3, {"": 2}))[0] == []
    assert len(run(shown(3, {"": 4}))[0]) == 1


def test_section_1_a_minimum_version_of_0_is_a_version() -> None:
    assert run(shown(0, {"": 0}))[0] == []


NOTHING_PARSED = QueryAnswer(
    original="",
    text="",
    intent="navigational",
    task="general",
    keywords=(),
    code_terms=(),
    expanded=(),
    expanded_from={},
    languages=(),
    phrases=(),
    cross_reference=None,
    looks_like=LooksLikeAnswer(
        is_symbol=False,
        is_question=False,
        asks_for_tests=False,
        asks_for_config=False,
        asks_for_docs=False,
        asks_for_examples=False,
        is_error_text=False,
        mentions_path=False,
    ),
    confidence=0.5,
    used_model=False,
    terms=(),
    cut=False,
)


def test_section_1_an_answer_that_missed_a_version_is_not_complete() -> None:
    answer = ChunkSearchAnswer(
        chunks=(),
        strategy="tfidf",
        stage="",
        is_full_workspace=False,
        alerts=("an alert",),
        empty=None,
        complete=True,
        limit_hit=False,
        parsed_query=NOTHING_PARSED,
        attempts=(),
        model="",
        freshness=FreshnessAnswer(indexed=0, pending=0, skipped=0, unsaved=0, vectors_ready=1.0),
        cross_reference=None,
        answerability=None,
        remote=(),
        dropped=DroppedAnswer(limit=0, spread=0, duplicates=0, per_file=0, budget=0, already_in_context=0),
        nearby=(),
        tokens=0,
        timings={},
        correlation_id="",
    )
    assert with_alerts(answer, []) is answer
    late = with_alerts(answer, ["too late"])
    assert late == msgspec.structs.replace(answer, alerts=("an alert", "too late"), complete=False)


# -- settings


def test_a_negative_number_of_files_is_a_bad_setting() -> None:
    assert len(read_settings({"embeddingsManualMaxFiles": -1})[1]) == 1


def test_a_search_that_hangs_is_told_to_be_held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a disk that does not answer: the thread cannot be stopped, but the client is told and others go on."""
    monkeypatch.setattr(handler, "LATE_SECONDS", 0.05)
    monkeypatch.setattr(handler, "_wait_for_documents", nothing_typed)
    monkeypatch.setattr(lanes, "STOP_SECONDS", 0.05)
    held = threading.Event()

    class Stuck:
        def filters(self, *_given: object) -> Filters:
            return Filters()

        async def ask(self, *_given: object) -> None:
            held.wait(60)

    async def main() -> None:
        session = Session(Recorder(), lambda: None, nothing_to_load)
        stuck = cast("Engine", Stuck())
        await session.slot.replace(lambda: stuck)
        try:
            with pytest.raises(RpcError, match="did not end in time"):
                await handler.search(session, ChunkSearchParams(query="open", max_results=1, deadline_ms=50))
            assert session.metrics.failed == 1
            assert await session.lanes.run(partial(at_once, max, 3, 7)) == 7
        finally:
            held.set()
            session.lanes.close()

    asyncio.run(main())


def test_a_time_that_ran_out_inside_a_search_is_not_taken_for_a_dead_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "_wait_for_documents", nothing_typed)

    class Impatient:
        def filters(self, *_given: object) -> Filters:
            return Filters()

        async def ask(self, *_given: object) -> None:
            raise TimeoutError("of somebody else")

    async def main() -> None:
        session = Session(Recorder(), lambda: None, nothing_to_load)
        impatient = cast("Engine", Impatient())
        await session.slot.replace(lambda: impatient)
        try:
            with pytest.raises(TimeoutError, match="of somebody else"):
                await handler.search(session, ChunkSearchParams(query="open", max_results=1))
            assert session.metrics.failed == 1
        finally:
            session.lanes.close()

    asyncio.run(main())


def test_section_2_what_was_waited_for_counts_against_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the wait was, something is left to search by words."""
    given: list[float] = []

    class Noting:
        def filters(self, *_given: object) -> Filters:
            return Filters()

        async def ask(self, asked: Ask, *_given: object) -> None:
            given.append(asked.deadline_seconds)
            raise TimeoutError("noted")

    async def typed_for_a_while(_session: Session, params: ChunkSearchParams, _deadline: float) -> list[str]:
        await asyncio.sleep(0.2 if params.query == "a little" else 0.6)
        return []

    monkeypatch.setattr(handler, "_wait_for_documents", typed_for_a_while)

    async def main() -> None:
        session = Session(Recorder(), lambda: None, nothing_to_load)
        noting = cast("Engine", Noting())
        await session.slot.replace(lambda: noting)
        try:
            for query in ("a little", "too long"):
                with pytest.raises(TimeoutError, match="noted"):
                    await handler.search(session, ChunkSearchParams(query=query, max_results=1, deadline_ms=500))
        finally:
            session.lanes.close()

    asyncio.run(main())
    assert handler.LEAST_SECONDS <= given[0] <= 0.3
    assert given[1] == handler.LEAST_SECONDS


def test_section_2_a_version_that_never_comes_is_waited_for_no_longer_than_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lurcher_server.lsp.showing.BARRIER_SECONDS", 3600.0)

    class Open:
        def get(self, _uri: str) -> object:
            return "open"

    async def main() -> list[str]:
        shown = Showing(EngineSlot(), Metrics(), lambda: None)
        shown.documents = cast("Documents", Open())
        async with asyncio.timeout(60):
            return await shown.wait_for({"file:///a.py": 9}, 0.01)

    assert asyncio.run(main()) == ["file:///a.py was not searchable in version 9"]


async def nothing_typed(_session: Session, _params: ChunkSearchParams, _deadline: float) -> list[str]:
    return []
