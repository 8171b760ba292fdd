"""Work in a thread that is told when nobody waits for it any more."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

R = TypeVar("R")


async def until_stopped(work: Callable[[Callable[[], bool]], R]) -> R:
    """Do something in a thread; it is handed a function that tells whether the request was cancelled meanwhile.

    A thread cannot be ended from outside, so the work has to look now and then.
    """
    stopped = threading.Event()
    try:
        return await asyncio.to_thread(work, stopped.is_set)
    finally:
        stopped.set()
