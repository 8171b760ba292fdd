"""An event loop whose clock jumps to the next timer: hours pass in microseconds, and in the same way every time."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple
from weakref import ReferenceType, ref

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run_virtual(main: Coroutine[Any, Any, T]) -> T:
    """Run to the end on a clock that starts at 0. Waiting for what nothing will ever bring is an error."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


def now() -> float:
    """The seconds since the loop was made."""
    return asyncio.get_running_loop().time()


def leftovers() -> set[str]:
    """What would still happen after the task that asks: the names of other tasks, the times of timers."""
    tasks = {task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()}
    loop = asyncio.get_running_loop()
    return tasks | (loop.timers() if isinstance(loop, VirtualLoop) else set())


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._seconds = 0.0
        # Weak, since a timer holds what it calls, and some tests look at what nobody holds.
        self._handles: list[ReferenceType[asyncio.TimerHandle]] = []
        super().__init__(_Jumping(self._advance))

    def time(self) -> float:
        return self._seconds

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = super().call_at(when, callback, *args, context=context)
        self._handles.append(ref(handle))
        return handle

    def timers(self) -> set[str]:
        handles = [handle for each in self._handles if (handle := each()) is not None and not handle.cancelled()]
        return {f"timer at {handle.when():g}" for handle in handles if handle.when() > self.time()}

    def _advance(self, seconds: float) -> None:
        self._seconds += seconds


class _Jumping(selectors.SelectSelector):
    """Where a real loop would sleep, the clock is put forward."""

    def __init__(self, advance: Callable[[float], None]) -> None:
        super().__init__()
        self._advance = advance

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise AssertionError("nothing is left that could happen: this would wait for ever")
        if not ready and timeout is not None:
            self._advance(max(timeout, 0.0))
        return ready
