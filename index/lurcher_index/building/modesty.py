"""Processes that nobody waits for step back behind those that somebody waits for."""

import os
import sys


def be_modest(niceness: int) -> None:
    """Give this process a lower priority, as `nice` counts, and long turns that others may interrupt.

    A thread that holds the interpreter's lock when it loses its core stops the server. As a batch, work that wakes
    up never takes a core from such a thread: the longest blocks of the event loop were half as long.
    """
    if sys.platform == "win32" or not niceness:
        return
    os.nice(niceness)
    if sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER:
        try:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        except OSError:
            pass  # Not allowed in here. It is a courtesy, no need.
