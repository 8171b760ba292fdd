"""Counters of what the server did. They stay on this machine, and hold no text of questions or code."""

from collections import Counter, deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lurcher_index.answers import Answer, StrategyAttempt

RECENT = 100
"""Searches that are remembered one by one."""


OFTEN_UNABLE = frozenset({"fullWorkspace", "codeSearch"})
"""Strategies that are asked first and mostly cannot search, since the workspace is large and nobody allowed a search
elsewhere: who answers then does not stand in for them."""


class Metrics:
    """What happened since the server was started."""

    def __init__(self) -> None:
        """Nothing has happened."""
        self.searches = 0
        self.cancelled = 0
        self.failed = 0
        self.documents_shown = 0
        self.files_updated = 0
        self.builds = 0
        self._strategies: dict[str, Counter[str]] = {}
        self._recent: deque[dict[str, Any]] = deque(maxlen=RECENT)

    def searched(self, answer: "Answer", correlation_id: str) -> None:
        """A search was answered."""
        self.searches += 1
        started = [row for row in answer.attempts if row.started_ms is not None]
        for row in started:
            counts = self._strategies.setdefault(row.strategy, Counter())
            counts[row.outcome] += 1
            counts["timedOut"] += row.timed_out
        if answer.strategy and any(_stood_in(row, answer.strategy) for row in started):
            self._strategies.setdefault(answer.strategy, Counter())["asFallback"] += 1
        self._recent.append(
            {
                "correlationId": correlation_id,
                "strategy": answer.strategy,
                "outcome": answer.empty.value if answer.empty else "found",
                "complete": answer.complete,
                "first": self.searches == 1,
                "files": answer.freshness.indexed,
                "results": len(answer.chunks),
                "milliseconds": answer.timings,
            }
        )

    def as_answer(self) -> dict[str, Any]:
        """Everything, as it goes over the wire."""
        return {
            "searches": self.searches,
            "cancelled": self.cancelled,
            "failed": self.failed,
            "documentsShown": self.documents_shown,
            "filesUpdated": self.files_updated,
            "builds": self.builds,
            "strategies": {name: dict(counts) for name, counts in self._strategies.items()},
            "recent": list(self._recent),
        }


def _stood_in(tried: "StrategyAttempt", winner: str) -> bool:
    """Whether the winner had to do what another one was asked to do first."""
    if tried.strategy == winner:
        return False
    if tried.outcome == "cannot search":
        return tried.strategy not in OFTEN_UNABLE
    return tried.outcome == "failed" or tried.timed_out
