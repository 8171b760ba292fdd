"""Runs a chain of tools until one finds something: probed first, retried once, skipped while unhealthy."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from time import monotonic

import msgspec

from lurcher_index.errors import Cancelled, LurcherError
from lurcher_index.locate.health import Health, Verdict
from lurcher_index.locate.matches import Match, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import Tool, ToolFailed

PROBE_SECONDS = 1.0
"""Longest time for finding out whether a tool works; the rule's figure."""

RUN_SECONDS = 10.0
"""Longest time for one run of a tool; the rule's figure."""

RETRIES = 1
"""How often a run that failed is repeated; the rule's figure."""

TOTAL_SECONDS = 60.0
"""After so long no further tool is started: whoever waits for six of them to time out has gone."""


class Outcome(StrEnum):
    """How an attempt ended."""

    SUCCESS = "success"
    NOTHING = "nothing found"
    FAILED = "failed"
    SKIPPED = "skipped"


class Attempt(msgspec.Struct, frozen=True, rename="camel"):
    """One tool that was tried, or why it was not."""

    strategy: str
    tool: str
    outcome: Outcome
    detail: str = ""


class Chains:
    """Runs chains for one issue, and keeps account."""

    def __init__(
        self,
        sight: Sight,
        health: Health,
        clock: Callable[[], float] = monotonic,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """`clock` counts seconds, for the time of all tools together; `is_stopped` tells that nobody waits any more."""
        self._sight = sight
        self._health = health
        self._clock = clock
        self._is_stopped = is_stopped
        self._end = clock() + TOTAL_SECONDS
        self._in_vain: list[tuple[str, Wanted]] = []
        self.attempts: list[Attempt] = []

    def go_on(self) -> None:
        """Raise if nobody waits any more."""
        if self._is_stopped():
            raise Cancelled("locating was stopped")

    def run(self, strategy: str, tools: Sequence[Tool], wanted: Wanted) -> Sequence[Match]:
        """What the first tool finds that finds anything."""
        if not wanted.patterns and not wanted.structure:
            return ()
        for tool in tools:
            self.go_on()
            attempt, matches = self._attempt(strategy, tool, wanted)
            self.attempts.append(attempt)
            if matches:
                return matches
        return ()

    def _attempt(self, strategy: str, tool: Tool, wanted: Wanted) -> tuple[Attempt, Sequence[Match]]:
        if self._clock() >= self._end:
            return Attempt(strategy, tool.id, Outcome.SKIPPED, f"{TOTAL_SECONDS:.0f} s are over"), ()
        verdict = self._health.of(tool.id) or self._probed(tool)
        if not verdict.healthy:
            return Attempt(strategy, tool.id, Outcome.SKIPPED, verdict.reason), ()
        if any(name == tool.id and _covers(before, wanted) for name, before in self._in_vain):
            return Attempt(strategy, tool.id, Outcome.NOTHING, "as before"), ()
        try:
            matches = self._run(tool, wanted)
        except ToolFailed as error:
            self._health.tell(tool.id, Verdict(False, str(error)))
            return Attempt(strategy, tool.id, Outcome.FAILED, str(error)), ()
        self._health.tell(tool.id, Verdict(True))
        if not matches:
            self._in_vain.append((tool.id, wanted))
        return Attempt(strategy, tool.id, Outcome.SUCCESS if matches else Outcome.NOTHING), matches

    def _probed(self, tool: Tool) -> Verdict:
        try:
            tool.probe(PROBE_SECONDS)
            verdict = Verdict(True)
        except ToolFailed as error:
            verdict = Verdict(False, str(error))
        self._health.tell(tool.id, verdict)
        return verdict

    def _run(self, tool: Tool, wanted: Wanted) -> Sequence[Match]:
        for left in reversed(range(RETRIES + 1)):
            self.go_on()
            try:
                return tool.run(self._sight, wanted, RUN_SECONDS)
            except ToolFailed:
                if not left:
                    raise
            except LurcherError:
                raise  # The index itself failed: that is for whoever can open another one.
        raise AssertionError("a run ends or raises")


def _covers(before: Wanted, now: Wanted) -> bool:
    """Whether a search that found nothing says that another one will find nothing, too."""
    return not (before.structure or now.structure) and set(now.patterns) <= set(before.patterns)
