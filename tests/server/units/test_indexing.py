"""Builds come one at a time, and nobody who asks for one is forgotten."""

import asyncio
import threading
from collections.abc import Callable
from typing import cast

import pytest

from lurcher_index import Engine, Phase, Progress
from lurcher_index.errors import LurcherError
from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.indexing import Indexing, State
from lurcher_server.lsp.metrics import Metrics


class Builds:
    """An engine whose builds end when they are let go, or soon after they are stopped."""

    def __init__(self) -> None:
        self.begun = 0
        self.let_go = threading.Event()
        self.told: list[Progress] = []
        """What each build has to say."""

    def build_in_background(
        self, report: Callable[[Progress], object], stopped: Callable[[], bool], embed_up_to: int | None
    ) -> bool:
        assert embed_up_to is None and report is not None
        self.begun += 1
        for progress in self.told:
            report(progress)
        while not self.let_go.wait(0.001):
            if stopped():
                return False
        return True

    def has_unseen(self) -> bool:
        return False

    def close(self) -> None:
        self.let_go.set()


class Unseen:
    """Nobody looks at the progress."""

    def begin(self, cancel: Callable[[], None]) -> None: ...
    def report(self, progress: Progress) -> None: ...
    def end(self) -> None: ...


async def indexing_of(builds: Builds) -> Indexing:
    slot = EngineSlot()
    await slot.replace(lambda: cast(Engine, builds))
    return Indexing(slot, Metrics(), Unseen(), lambda: None)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.001)


def test_a_build_that_is_asked_for_while_another_is_stopped_follows_it() -> None:
    async def main() -> None:
        builds = Builds()
        indexing = await indexing_of(builds)
        indexing.request()
        await until(lambda: builds.begun == 1)
        indexing.cancel()
        indexing.request()
        await until(lambda: builds.begun == 2)
        assert indexing.state is State.UPDATING
        builds.let_go.set()
        await until(lambda: indexing.state is State.READY)
        await indexing.settle()
        assert builds.begun == 2 and not indexing.is_running

    asyncio.run(main())


def test_section_5_a_build_that_fails_is_tried_again_after_longer_and_longer_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []

    class Failing(Builds):
        def build_in_background(self, *_given: object) -> bool:
            self.begun += 1
            if self.begun == 9:
                return True
            raise LurcherError(f"no luck {self.begun}")

    async def main() -> None:
        builds = Failing()
        indexing = await indexing_of(builds)
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def at_once(seconds: float, call: Callable[..., object], *given: object) -> asyncio.TimerHandle:
            if call == indexing.request:
                assert (indexing.state, indexing.last_error) == (State.FAILED, f"no luck {builds.begun}")
                pauses.append(seconds)
                seconds = 0.0
            return later(seconds, call, *given)

        monkeypatch.setattr(loop, "call_later", at_once)
        indexing.request()
        await until(lambda: indexing.state is State.READY)
        assert indexing.last_error is None
        await indexing.settle()

    asyncio.run(main())
    assert pauses == [5, 10, 20, 40, 80, 160, 300, 300]


def test_who_stops_a_build_gets_no_other() -> None:
    async def main() -> None:
        builds = Builds()
        indexing = await indexing_of(builds)
        indexing.request()
        indexing.request()
        await until(lambda: builds.begun == 1)
        indexing.cancel()
        await indexing.settle()
        assert builds.begun == 1 and indexing.state is State.REQUIRES_INDEXING

    asyncio.run(main())


def test_who_asks_twice_while_a_build_runs_gets_one_more() -> None:
    async def main() -> None:
        builds = Builds()
        indexing = await indexing_of(builds)
        indexing.request()
        await until(lambda: builds.begun == 1)
        indexing.request()
        indexing.request()
        builds.let_go.set()
        await indexing.settle()
        assert builds.begun == 2 and indexing.state is State.READY

    asyncio.run(main())


@pytest.mark.parametrize(
    ("phase", "total", "is_told"), [(Phase.SCANNING, 0, False), (Phase.INDEXING, 0, False), (Phase.INDEXING, 3, True)]
)
def test_what_is_ready_stays_so_while_a_build_looks_once_more_unless_it_finds_something(
    phase: Phase, total: int, is_told: bool
) -> None:
    async def main() -> None:
        builds = Builds()
        slot = EngineSlot()
        await slot.replace(lambda: cast(Engine, builds))
        states: list[State] = []
        indexing = Indexing(slot, Metrics(), Unseen(), lambda: states.append(indexing.state))
        builds.let_go.set()
        indexing.request()
        await indexing.settle()
        states.clear()
        builds.told = [Progress(phase, total=total)]
        indexing.look_once_more()
        await indexing.settle()
        assert builds.begun == 2
        assert (State.UPDATING in states) is is_told
        builds.told = []
        builds.let_go.clear()
        indexing.look_once_more()
        await until(lambda: builds.begun == 3)
        states.clear()
        indexing.request()
        assert states == [State.UPDATING], "what is asked for is told at once"
        builds.let_go.set()
        await indexing.settle()
        assert builds.begun == 4 and states[-1] is State.READY

    asyncio.run(main())


def test_when_the_watch_begins_a_build_looks_once_more_but_never_against_a_wish() -> None:
    async def main() -> None:
        builds = Builds()
        indexing = await indexing_of(builds)
        indexing.cleared()
        indexing.look_once_more()
        assert not indexing.is_running, "nothing is built at the start"
        indexing.request()
        await until(lambda: builds.begun == 1)
        indexing.cancel()
        indexing.look_once_more()
        await indexing.settle()
        assert (builds.begun, indexing.state) == (1, State.REQUIRES_INDEXING)
        indexing.look_once_more()
        indexing.request()
        await until(lambda: builds.begun == 2)
        indexing.look_once_more()
        builds.let_go.set()
        await indexing.settle()
        assert (builds.begun, indexing.state) == (3, State.READY)
        indexing.look_once_more()
        await indexing.settle()
        assert (builds.begun, indexing.state) == (4, State.READY)

    asyncio.run(main())
