"""Work that waits for somebody else, in threads of its own."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def apart(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """As `asyncio.to_thread`, but beside its pool.

    The pool has few threads, four more than the machine has cores. A server that does not answer would soon hold all
    of them, and what could be found on this machine would wait for it. Nor does the end of a program wait for these.
    """
    done: Future[R] = Future()
    # Before it can be cancelled: a thread that has begun cannot be stopped, and must not fail for having a result.
    done.set_running_or_notify_cancel()
    work = partial(function, *args, **kwargs)
    threading.Thread(target=_do, args=(work, done), name="lurcher-apart", daemon=True).start()
    return await asyncio.wrap_future(done)


def _do(work: Callable[[], R], done: "Future[R]") -> None:
    try:
        found = work()
    except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits
        done.set_exception(error)
    else:
        done.set_result(found)
