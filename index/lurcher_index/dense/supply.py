"""An embedding model that may not be there yet, or not now: nobody waits long, and it is tried again by itself."""

import threading
import time
from collections.abc import Callable

from lurcher_index.dense.breaker import Breaker
from lurcher_index.dense.embedder import Embedder
from lurcher_index.errors import EmbedderError

FIRST_SECONDS = 1.0
"""How long those wait who ask before the first attempt has ended: a model on this disk is loaded by then. Nobody waits
for a later one."""

LOADING = "the embedding model is still being loaded"

Start = Callable[[Callable[[], None]], object]


def at_once(work: Callable[[], None]) -> None:
    """Have something done now, if that takes no time."""
    work()


def in_a_thread(work: Callable[[], None]) -> None:
    """Have something done beside; it ends with the process."""
    threading.Thread(target=work, daemon=True).start()


class Supply:
    """Makes one embedder, when it can be made. Thread-safe."""

    def __init__(
        self,
        make: Callable[[], Embedder],
        *,
        clock: Callable[[], float] = time.monotonic,
        start: Start = in_a_thread,
    ) -> None:
        """`make` raises `EmbedderError` if it cannot; `start` runs it for those who do not want to wait."""
        self._make = make
        self._start = start
        self._breaker = Breaker(clock)
        self._turn = threading.Lock()
        self._made: Embedder | None = None
        self._ended = threading.Event()
        self._is_running = False

    @property
    def problem(self) -> str:
        """Why there is no embedder now; empty if there is one."""
        if self._made is not None:
            return ""
        return self._breaker.failure or LOADING

    def now(self) -> Embedder | None:
        """The embedder, if it is there. If it is time another attempt begins, of which the next who asks may profit."""
        if self._made is None:
            is_first = not self._ended.is_set()
            self._begin()
            if is_first:
                self._ended.wait(FIRST_SECONDS)
        return self._made

    def made(self) -> Embedder:
        """The embedder, waited for however long it takes, or the reason why there is none."""
        with self._turn:
            if self._made is None:
                self._breaker.check()
                self._attempt()
            if self._made is None:
                raise EmbedderError(self._breaker.failure)
            return self._made

    def retry(self) -> None:
        """Try again now, whenever the last attempt was; there is reason to believe that it works."""
        self._breaker.forgive()
        try:
            self.made()
        except EmbedderError:
            pass  # Whoever asks is told.

    def _begin(self) -> None:
        # Whoever holds the turn is making it.
        if not self._turn.acquire(blocking=False):
            return
        try:
            if self._is_running or self._made is not None or not self._breaker.allows():
                return
            self._is_running = True
        finally:
            self._turn.release()
        self._start(self._run)

    def _run(self) -> None:
        with self._turn:
            if self._made is None:
                self._attempt()
            self._is_running = False

    def _attempt(self) -> None:
        try:
            self._made = self._make()
            self._breaker.succeeded()
        except EmbedderError as error:
            self._breaker.failed(str(error))
        finally:
            self._ended.set()
