"""A clock that moves when somebody sleeps, and no chance."""

import ssl

from lurcher_index.remote.http.surroundings import Limits, Surroundings

NOW = 1_700_000_000.0


class World:
    """`seconds` are real: what a server may take before it is cut."""

    def __init__(self, seconds: float = 20.0, tls: ssl.SSLContext | None = None, most: int = 1 << 20) -> None:
        self.time = 1_000.0
        self.slept = 0.0
        self._seconds = seconds
        self._tls = tls
        self._bytes = most

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.time += seconds

    def around(self) -> Surroundings:
        seconds = self._seconds
        return Surroundings(
            clock=lambda: self.time,
            now=lambda: NOW,
            sleep=self.sleep,
            chance=lambda: 1.0,
            tls=self._tls,
            limits=Limits(connect=seconds, read=seconds, overall=seconds, bytes=self._bytes),
        )
