"""Searches run in threads with loops of their own: results, errors, cancels, many at once, and the way home."""

import asyncio
import gc
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from lurcher_server.lsp import lanes as lanes_module
from lurcher_server.lsp.lanes import LANES, Lanes, at_home


def in_lanes(body: Callable[[Lanes], Coroutine[Any, Any, None]]) -> None:
    """Run something in a session's loop that has lanes; afterwards none of their threads is left."""

    async def main() -> None:
        lanes = Lanes()
        try:
            async with asyncio.timeout(60):
                await body(lanes)
        finally:
            lanes.close()

    asyncio.run(main())
    for thread in threading.enumerate():
        if thread.name == "lurcher-lane":
            thread.join(60)
            assert not thread.is_alive()


async def where() -> str:
    await asyncio.sleep(0)
    return threading.current_thread().name


def test_work_is_done_elsewhere_and_its_result_comes_home() -> None:
    async def body(lanes: Lanes) -> None:
        assert await lanes.run(where) == "lurcher-lane"
        assert threading.current_thread() is threading.main_thread()

    in_lanes(body)


def test_one_after_the_other_they_have_the_same_thread() -> None:
    async def number() -> int:
        return threading.get_ident()

    async def body(lanes: Lanes) -> None:
        assert len({await lanes.run(number) for _ in range(10)}) == 1

    in_lanes(body)


def test_one_that_is_held_up_does_not_hold_up_the_next() -> None:
    held = threading.Event()

    async def blocked() -> bool:
        return held.wait(60)

    async def body(lanes: Lanes) -> None:
        tasks = [asyncio.create_task(lanes.run(blocked)) for _ in range(LANES - 1)]
        await asyncio.sleep(0)
        assert await lanes.run(where) == "lurcher-lane"
        held.set()
        assert await asyncio.gather(*tasks) == [True] * (LANES - 1)

    in_lanes(body)


def test_more_than_there_are_lanes_share_them() -> None:
    async def body(lanes: Lanes) -> None:
        assert await asyncio.gather(*(lanes.run(where) for _ in range(5 * LANES))) == ["lurcher-lane"] * 5 * LANES
        assert sum(thread.name == "lurcher-lane" for thread in threading.enumerate()) == LANES

    in_lanes(body)


def test_all_lanes_have_the_same_threads_beside_them() -> None:
    async def beside() -> str:
        await asyncio.sleep(0)
        return await asyncio.to_thread(lambda: threading.current_thread().name)

    async def body(lanes: Lanes) -> None:
        names = set(await asyncio.gather(*(lanes.run(beside) for _ in range(5 * LANES))))
        assert all(name.startswith("lurcher-beside") for name in names)
        assert len(names) <= lanes._pool._max_workers

    in_lanes(body)


def test_an_error_comes_home() -> None:
    async def fails() -> None:
        raise KeyError("x")

    async def body(lanes: Lanes) -> None:
        with pytest.raises(KeyError, match="x"):
            await lanes.run(fails)

    in_lanes(body)


def test_who_is_cancelled_stops_the_work_and_goes_when_it_has_stopped() -> None:
    begun, steps = threading.Event(), list[str]()

    async def works() -> None:
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(0.01)
            steps.append("stopped")

    async def body(lanes: Lanes) -> None:
        task = asyncio.create_task(lanes.run(works))
        await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        steps.append("gone")
        assert steps == ["stopped", "gone"]
        assert await lanes.run(where) == "lurcher-lane"

    in_lanes(body)


def test_who_is_cancelled_does_not_wait_for_what_cannot_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_module, "STOP_SECONDS", 0.01)
    begun, held = threading.Event(), threading.Event()

    async def hangs() -> int:
        begun.set()
        held.wait(60)
        return threading.get_ident()

    async def number() -> int:
        return threading.get_ident()

    async def body(lanes: Lanes) -> None:
        task = asyncio.ensure_future(lanes.run(hangs))
        assert await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        other = await lanes.run(number)
        held.set()
        while (first := await lanes.run(number)) == other:
            await asyncio.sleep(0.01)  # The lane is used again when it is free.
        assert first != other

    in_lanes(body)


def test_work_that_cancels_itself_is_cancelled_at_home_too() -> None:
    async def gives_up() -> None:
        raise asyncio.CancelledError

    async def body(lanes: Lanes) -> None:
        with pytest.raises(asyncio.CancelledError):
            await lanes.run(gives_up)

    in_lanes(body)


def test_what_belongs_home_is_done_there() -> None:
    async def body(lanes: Lanes) -> None:
        home = asyncio.get_running_loop()

        async def asks() -> str:
            return await at_home(home, where)

        assert await lanes.run(asks) == threading.main_thread().name
        assert await at_home(home, where) == threading.main_thread().name

    in_lanes(body)


def test_a_search_leaves_no_cycle_behind() -> None:
    async def body(lanes: Lanes) -> None:
        await lanes.run(where)
        gc.collect()
        gc.disable()
        try:
            for _ in range(20):
                await lanes.run(where)
            assert gc.collect() == 0
        finally:
            gc.enable()

    in_lanes(body)
