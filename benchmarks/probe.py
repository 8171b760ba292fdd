"""Watches the event loop from inside: how late a short sleep wakes up is how long the loop could do nothing else.

A machine can stop, too: a virtual one gets no more than its share of the host, and whoever has used it up stands still
to the end of a period, often 100 ms, without any sign of it inside. So a second probe sits in a loop that does nothing.
What stops both at the same moment is not the doing of either.
"""

import asyncio
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from itertools import islice, takewhile
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

BLOCK_MS = 10.0
"""A loop that wakes up later than this was blocked."""

SLEEP_SECONDS = 0.001
"""How long the probe sleeps: a tenth of the longest block that is allowed, 10 ms."""

BOUNDS_MS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
"""Upper ends of the histogram's classes in milliseconds; one more class holds what is longer."""

LATE_MS = 5.0
"""Wake-ups later than this are kept one by one …"""

LATE_KEPT = 10_000
"""… but for the oldest, beyond so many."""

SCHEDULER = Path("/proc/thread-self/schedstat")
"""Where Linux tells, as the second number, for how many nanoseconds this thread was ready but had no core."""


class Probe:
    """How late wake-ups were, in all and for those that were very late one by one."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._began = time.perf_counter()
        self._counts = [0] * (len(BOUNDS_MS) + 1)
        self._longest = 0.0
        self._late: deque[tuple[float, float, float]] = deque(maxlen=LATE_KEPT)

    @property
    def seconds(self) -> float:
        """Since when it watches."""
        return time.perf_counter() - self._began

    async def watch(self) -> None:
        """Sleep and look at the clock, for ever."""
        waited = without_core_ms()
        while True:
            before = time.perf_counter()
            await asyncio.sleep(SLEEP_SECONDS)
            now, waited_now = time.perf_counter(), without_core_ms()
            self.woke(now - self._began, (now - before - SLEEP_SECONDS) * 1000, waited_now - waited)
            waited = waited_now

    def woke(self, at: float, late_ms: float, without_core: float) -> None:
        """Note one wake-up: when, in seconds since the beginning, how late, and how much of that had no core."""
        late_ms = max(0.0, late_ms)
        self._counts[bisect_left(BOUNDS_MS, late_ms)] += 1
        self._longest = max(self._longest, late_ms)
        if late_ms > LATE_MS:
            self._late.append((round(at, 3), round(late_ms, 2), round(min(without_core, late_ms), 2)))

    def as_answer(self) -> dict[str, Any]:
        """The figures, as they go over the wire."""
        names = [f"≤ {bound:g}" for bound in BOUNDS_MS] + [f"> {BOUNDS_MS[-1]:g}"]
        return {
            "began": self._began,
            "seconds": round(self.seconds, 3),
            "longestMs": round(self._longest, 2),
            "histogramMs": dict(zip(names, self._counts, strict=True)),
            "late": [{"atSeconds": at, "ms": ms, "withoutCoreMs": core} for at, ms, core in self._late],
        }


class Late(NamedTuple):
    """What a probe saw: the latest wake-up, the latest that was its process's own doing, and how many of these were
    blocks."""

    worst: float
    own: float
    blocks: int


def late(seen: dict[str, Any], idle: dict[str, Any] | None = None, since: float = 0.0, until: float = inf) -> Late:
    """What is left of the late wake-ups between two seconds when it is taken out that there was no core, or that the
    idle loop stood still as well, whichever is more: they may be one and the same."""
    stops = [] if idle is None else list(_stops(idle))
    meant = [each for each in seen["late"] if since < each["atSeconds"] <= until]
    own = [each["ms"] - max(each["withoutCoreMs"], _common(*_span(seen, each), stops)) for each in meant]
    worst = max((each["ms"] for each in meant), default=0.0)
    return Late(worst, max(own, default=0.0), sum(value > BLOCK_MS for value in own))


def _span(seen: dict[str, Any], each: dict[str, float]) -> tuple[float, float]:
    """From when to when a loop was late, in seconds of the machine's clock, which is one for all processes."""
    end = seen["began"] + each["atSeconds"]
    return end - each["ms"] / 1000, end


def _stops(idle: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """When the idle loop stood still although nobody kept it from a core."""
    for each in idle["late"]:
        begin, end = _span(idle, each)
        yield begin + each["withoutCoreMs"] / 1000, end


def _common(begin: float, end: float, stops: list[tuple[float, float]]) -> float:
    """Milliseconds of a span that lie in stops, which follow each other."""
    near = bisect_left(stops, begin, key=itemgetter(1))
    common = 0.0
    for first, last in takewhile(lambda stop: stop[0] < end, islice(stops, near, None)):
        common += max(0.0, min(end, last) - max(begin, first))
    return 1000 * common


def without_core_ms() -> float:
    """Milliseconds for which this thread was ready to run and had to wait for a core; 0 where nobody tells."""
    try:
        return int(SCHEDULER.read_bytes().split()[1]) / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0
