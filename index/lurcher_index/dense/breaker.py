"""Keeps away from something that has just failed: fails at once for a while, then lets one caller try again."""

import threading
import time
from collections.abc import Callable

from lurcher_index.errors import EmbedderError

FIRST_SECONDS = 5.0
"""How long it is left alone after a failure; each time twice as long, …"""

LAST_SECONDS = 300.0
"""… up to this. The figures of a build that failed."""

LONGEST_SECONDS = 3_600.0
"""Longest wait that a server may ask for."""


class Breaker:
    """Remembers the last failure. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` tells seconds that only grow."""
        self._clock = clock
        self._turn = threading.Lock()
        self._failure = ""
        self._until = 0.0
        self._patience = FIRST_SECONDS

    @property
    def failure(self) -> str:
        """What was wrong the last time; empty if nothing was."""
        return self._failure

    @property
    def remaining(self) -> float:
        """Seconds until somebody may try again."""
        with self._turn:
            return max(0.0, self._until - self._clock()) if self._failure else 0.0

    def allows(self) -> bool:
        """Whether the caller may try. Who is told so after a failure tries alone: others wait for what comes of it."""
        with self._turn:
            now = self._clock()
            if self._failure and now < self._until:
                return False
            self._until = now + self._patience
            return True

    def check(self) -> None:
        """The last failure again, if it is too early to try."""
        if not self.allows():
            raise EmbedderError(self._failure)

    def forgive(self) -> None:
        """There is reason to believe that it works again: whoever comes next may try."""
        with self._turn:
            self._until = 0.0

    def succeeded(self) -> None:
        """It works."""
        with self._turn:
            self._failure = ""
            self._patience = FIRST_SECONDS

    def failed(self, why: str, wait: float = 0.0) -> None:
        """It does not work; `wait` are the seconds it asks to be left alone."""
        with self._turn:
            self._failure = why
            self._until = self._clock() + min(max(self._patience, wait), LONGEST_SECONDS)
            self._patience = min(2 * self._patience, LAST_SECONDS)
