"""Runs what may hang in a thread of its own.

The loop's own threads are few and everybody's: some calls that wait for a silent server would keep every search on this
machine waiting, and the process from leaving.
"""

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def apart(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Its result. Whoever is cancelled stops waiting; the thread ends with the function, and nobody hears of it."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[R] = loop.create_future()
    variables = copy_context()

    def settle(error: BaseException | None, value: R | None) -> None:
        if result.done():
            return
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(value)  # type: ignore[arg-type]

    def work() -> None:
        error, value = None, None
        try:
            value = variables.run(function, *args, **kwargs)
        except BaseException as raised:  # noqa: BLE001 - it is raised where somebody waits
            error = raised
        try:
            loop.call_soon_threadsafe(settle, error, value)
        except RuntimeError:
            pass  # The loop is closed.

    threading.Thread(target=work, name="lurcher-apart", daemon=True).start()
    return await result
