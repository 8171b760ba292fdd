"""Lanes: threads with an event loop of their own, in which searches run from beginning to end.

In the session's loop a search would have to hand each of its steps to a thread and be woken after it. That costs more
than some of the steps, and each of them may go on at another core, which knows nothing of it yet. In a lane the steps
follow each other, and the session's loop hears of a search twice: when it is asked and when it is answered.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from lurcher_server.lsp.failures import log_failure

R = TypeVar("R")

LANES = 4
"""Searches that have a lane for themselves; more share them. One that a disk holds up holds up few others."""

STOP_SECONDS = 1.0
"""How long who is cancelled waits for the work to stop. What still goes on then cannot be stopped, as when a disk does
not answer: its lane is left to it."""


class Lanes:
    """The lanes of one session. Used in the session's loop only."""

    def __init__(self) -> None:
        """There are none yet."""
        self._lanes: list[_Lane] = []
        self._pool = ThreadPoolExecutor(thread_name_prefix="lurcher-beside")
        """What takes longer is done here, for all lanes; it has no thread before it is needed."""

    async def run(self, work: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """Have something done in a lane. Who is cancelled stops the work, and goes when it has stopped."""
        return await self._free().run(work)

    def close(self) -> None:
        """End the lanes; what still runs in them is given up."""
        for lane in self._lanes:
            lane.close()
        self._lanes.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _free(self) -> "_Lane":
        """The first that is free, so that the same thread works as long as searches come one by one."""
        for lane in self._lanes:
            if not lane.busy:
                return lane
        if len(self._lanes) < LANES:
            self._lanes.append(_Lane(self._pool))
            return self._lanes[-1]
        return min(self._lanes, key=lambda lane: lane.busy)


class _Lane:
    """A thread that runs an event loop until it is closed."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.busy = 0
        """How much runs in it, whether or not somebody waits for it."""
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(pool)
        threading.Thread(target=self._run, name="lurcher-lane", daemon=True).start()

    async def run(self, work: Callable[[], Coroutine[Any, Any, R]]) -> R:
        home = asyncio.get_running_loop()
        ended: asyncio.Future[R] = home.create_future()
        begun: list[asyncio.Task[R]] = []

        def begin() -> None:
            task = self._loop.create_task(work())
            begun.append(task)
            task.add_done_callback(lambda task: _at(home, tell, task))

        def tell(task: asyncio.Task[R]) -> None:
            self.busy -= 1
            if task.cancelled():
                ended.cancel()
            elif (error := task.exception()) is not None:
                ended.set_exception(error)
            else:
                ended.set_result(task.result())

        self.busy += 1
        _at(self._loop, begin)
        try:
            return await asyncio.shield(ended)
        except asyncio.CancelledError:
            if not ended.done():
                _at(self._loop, lambda: begun[0].cancel())
                await asyncio.wait([ended], timeout=STOP_SECONDS)
            ended.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # Nobody else will ask.
            raise

    def close(self) -> None:
        _at(self._loop, self._loop.stop)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        except Exception as error:  # noqa: BLE001 - a thread has nobody else to tell
            log_failure("a lane of searches", error)
        finally:
            self._loop.close()


async def at_home(home: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, R]]) -> R:
    """Have something done in the loop where it belongs, wherever it is waited for."""
    if asyncio.get_running_loop() is home:
        return await work()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), home))


def _at(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *args: object) -> None:
    # A loop that is closed has nobody left who would want to know.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call, *args)
