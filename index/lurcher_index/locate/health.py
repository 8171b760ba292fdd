"""Remembers which tools work, so that one that does not is not waited for again and again."""

import threading
from collections.abc import Callable
from time import monotonic

import msgspec

HEALTH_SECONDS = 300.0
"""How long success and failure of a tool are remembered: 5 minutes, the rule's figure."""


class Verdict(msgspec.Struct, frozen=True):
    """What is known of a tool."""

    healthy: bool
    reason: str = ""
    """Why it is not."""


class Health:
    """Verdicts that are forgotten after a while. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock` counts seconds."""
        self._clock = clock
        self._known: dict[str, tuple[float, Verdict]] = {}
        self._turn = threading.Lock()

    def of(self, tool: str) -> Verdict | None:
        """The last verdict, if it is fresh."""
        with self._turn:
            known = self._known.get(tool)
        if known is None or self._clock() - known[0] >= HEALTH_SECONDS:
            return None
        return known[1]

    def tell(self, tool: str, verdict: Verdict) -> None:
        """Remember how a tool did just now."""
        with self._turn:
            self._known[tool] = (self._clock(), verdict)
