"""How far a build is."""

from collections.abc import Callable
from enum import StrEnum

import msgspec


class Phase(StrEnum):
    """What a build is doing."""

    WAITING = "waiting for another process that is indexing this workspace"
    SCANNING = "looking for changes"
    INDEXING = "indexing"
    EMBEDDING = "making vectors"
    DONE = "done"
    CANCELLED = "cancelled"


class Progress(msgspec.Struct, frozen=True):
    """One report. The counts are of the files that had to be read; unchanged ones cost nothing."""

    phase: Phase
    done: int = 0
    total: int = 0
    unchanged: int = 0
    seconds: float = 0.0
    """Since indexing began."""

    @property
    def rate(self) -> float:
        """Files per second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining_seconds(self) -> float | None:
        """Expected time until the end; None while there is nothing to judge by."""
        return (self.total - self.done) / self.rate if self.rate > 0 else None


Report = Callable[[Progress], object]
Cancelled = Callable[[], bool]


def never() -> bool:
    """The `Cancelled` of work that nobody cancels."""
    return False


def unheard(_: Progress) -> None:
    """The `Report` of work that nobody watches."""
