"""A clock that moves when somebody sleeps, and no chance."""

import ssl

from lurcher_index.remote.http.surroundings import Limits, Surroundings

NOW = 1_700_000_000.0


class World:
    """`seconds` are real: what a call may take before it is cut; so is the longest `silence` of a server."""

    def __init__(
        self, seconds: float = 20.0, tls: ssl.SSLContext | None = None, most: int = 1 << 20, silence: float = 20.0
    ) -> None:
        self.time = 1_000.0
        self.slept = 0.0
        self._seconds = seconds
        self._tls = tls
        self._bytes = most
        self._silence = silence

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.time += seconds

    def around(self) -> Surroundings:
        return Surroundings(
            clock=lambda: self.time,
            now=lambda: NOW,
            sleep=self.sleep,
            chance=lambda: 1.0,
            tls=self._tls,
            limits=Limits(connect=20.0, read=self._silence, overall=self._seconds, bytes=self._bytes),
        )
