"""Where the work of a search is done, beside the threads that a loop has for it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def at_once(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Right here: for a loop that has nothing else to do meanwhile."""
    return function(*args, **kwargs)


async def apart(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """As `asyncio.to_thread`, but beside its pool: for work that waits for somebody else.

    The pool has few threads, four more than the machine has cores. A server that does not answer would soon hold all
    of them, and what could be found on this machine would wait for it. Nor does the end of a program wait for these.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[R] = loop.create_future()
    work = partial(function, *args, **kwargs)

    def tell(how: Callable[[], None]) -> None:
        # Who stopped waiting hears nothing any more, and neither does a loop that is closed.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: None if done.done() else how())

    def run() -> None:
        try:
            found = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits
            tell(partial(done.set_exception, error))
        else:
            tell(partial(done.set_result, found))

    threading.Thread(target=run, name="lurcher-apart", daemon=True).start()
    return await done
