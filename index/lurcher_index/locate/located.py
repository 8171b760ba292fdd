"""What locating answers."""

import msgspec

from lurcher_index.locate.running import Attempt, Outcome
from lurcher_index.locate.scoring import Strategy
from lurcher_index.results import HitSymbol


class Location(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A place that the issue is about; lines count from 1 and are inclusive."""

    folder: str
    path: str
    """Relative to its folder."""
    first_line: int
    last_line: int
    symbol: HitSymbol | None
    """The innermost definition around it."""
    node: str = ""
    """Its id in the call graph; empty if there is none."""
    reason: str
    score: float
    """From 0 to 1, comparable within one answer."""


class Located(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The answer to an issue: what was decided, and the places, best first."""

    primary: Strategy
    fallback: Strategy
    confidence: int
    """The primary's score, from 0 to 100."""
    reasoning: str
    search_patterns: tuple[str, ...]
    locations: tuple[Location, ...]
    tool_used: str
    """Whose matches these are; empty if there are none."""
    strategy_used: str
    fallback_chain: tuple[Attempt, ...]
    """Every tool that was tried or skipped, in order."""
    scores: dict[str, int]
    left_out: int = 0
    """Places that tools found and that are not among the locations."""
    fused: bool = False
    """Whether chunk search had a say in the order."""
    alerts: tuple[str, ...] = ()
    """What a person should know, for example settings that could not be used."""
    transcript: tuple[str, ...] = ()
    """How it went, line by line, if that was asked for."""

    @property
    def could_search(self) -> bool:
        """Whether any tool came to an end; without one, an empty answer says nothing about the code."""
        chain = self.fallback_chain
        return not chain or any(each.outcome not in (Outcome.FAILED, Outcome.SKIPPED) for each in chain)

    @property
    def why_empty(self) -> str:
        """Why there is no place, in the same words for everybody; empty if there is one."""
        if self.locations:
            return ""
        return NOTHING_FOUND if self.could_search else NOTHING_SEARCHED


NOTHING_FOUND = "No place was found. Name a function, or quote a text that stands in the code."
NOTHING_SEARCHED = "No tool could search, so this says nothing about the code; the chain says what went wrong."
