"""Trying again when the engine is busy or cannot be reached for a moment."""

import time
from collections.abc import Callable
from typing import TypeVar

from lurcher_index.errors import Cancelled, RemoteBusy, RemoteError, RemoteUnreachable

FIRST_PAUSE = 0.5
"""Seconds before the second try; each later pause is twice as long."""

LONGEST_PAUSE = 8.0

PATIENCE = 30.0
"""Seconds that pass in pauses before it is given up; a database that is started anew is back by then."""

_POLL_SECONDS = 0.1

T = TypeVar("T")


class Patience:
    """How long somebody waits without getting any further."""

    def __init__(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        """`seconds` of pauses in all; 0 for one try."""
        self._seconds = seconds
        self._cancelled = cancelled
        self._left = seconds
        self._pause = FIRST_PAUSE

    def restore(self) -> None:
        """Something was got done: begin to count anew."""
        self._left = self._seconds
        self._pause = FIRST_PAUSE

    def attempt(self, work: Callable[[], T], waiting: Callable[[RemoteError], object]) -> T:
        """Do some work, again and again if need be; `waiting` hears why, before each pause."""
        while True:
            try:
                return work()
            except (RemoteBusy, RemoteUnreachable) as error:
                wanted = max(self._pause, error.wait if isinstance(error, RemoteBusy) else 0.0)
                if wanted > self._left:
                    raise _repeatable(error) from None
                waiting(error)
                self._wait(wanted)

    def _wait(self, seconds: float) -> None:
        self._left -= seconds
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._cancelled():
                raise Cancelled("stopped while waiting; the same command goes on from here")
            time.sleep(min(left, _POLL_SECONDS))


def _repeatable(error: RemoteBusy | RemoteUnreachable) -> RemoteError:
    """The same, with what is to be done about it."""
    text = f"{error}. Nothing is lost and nothing half visible: run the same command again"
    return RemoteBusy(text, error.wait) if isinstance(error, RemoteBusy) else RemoteUnreachable(text)
