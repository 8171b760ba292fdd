"""Notices when the client's process is gone, so that a server never outlives its editor."""

import asyncio
import os
import sys
from collections.abc import Callable

POLL_SECONDS = 3.0
"""Time between two looks; a look costs one system call."""


async def watch_parent(pid: int | None, on_gone: Callable[[], None], every: float = POLL_SECONDS) -> None:
    """Call `on_gone` once when process `pid` has ended; without a pid there is nothing to watch.

    The way to hear of a broken pipe is the pipe; this is for clients whose pipes are held open by somebody else.
    """
    if pid is None or pid <= 0:
        return
    while is_alive(pid):
        await asyncio.sleep(every)
    on_gone()


if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE = 0x00100000
    _WAIT_TIMEOUT = 0x102
    _ACCESS_DENIED = 5

    def is_alive(pid: int) -> bool:
        """Whether the process runs. (`os.kill` would end it: on Windows there is no signal 0.)"""
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, pid)
        if not handle:
            return bool(kernel.GetLastError() == _ACCESS_DENIED)
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
        finally:
            kernel.CloseHandle(handle)

else:

    def is_alive(pid: int) -> bool:
        """Whether the process exists; one that we may not signal does."""
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        except (ProcessLookupError, OverflowError):
            return False
        return True
