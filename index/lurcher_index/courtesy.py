"""Work that nobody waits for steps back while somebody waits: threads of one process have one interpreter to share."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

PATIENCE_SECONDS = 0.05
"""How long one step back takes at most, so that what is done behind comes to an end where people never rest."""


class Courtesy:
    """Counts who is being served. Thread-safe."""

    def __init__(self) -> None:
        """Nobody is."""
        self._served = 0
        self._turn = threading.Lock()
        self._nobody = threading.Event()
        self._nobody.set()

    @contextmanager
    def serving(self) -> Generator[None]:
        """Around what somebody waits for."""
        with self._turn:
            self._served += 1
            self._nobody.clear()
        try:
            yield
        finally:
            with self._turn:
                self._served -= 1
                if not self._served:
                    self._nobody.set()

    def step_back(self) -> None:
        """Called every few milliseconds by work that nobody waits for: it goes on when all are served, or soon."""
        self._nobody.wait(PATIENCE_SECONDS)
