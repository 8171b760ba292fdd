"""Locates an issue: decides, searches along the chains, and puts the places in order."""

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from time import monotonic

from lurcher_index.answers import Empty
from lurcher_index.locate.chains import Toolbox
from lurcher_index.locate.chunks import CHUNK_SEARCH, AskEngine, chunk_places
from lurcher_index.locate.framed import FRAMES, STACK_TRACE, frame_places
from lurcher_index.locate.fusing import (
    ALL_LOCATIONS,
    MAX_LOCATIONS,
    MAX_PER_FILE,
    SURE_TOOL_WEIGHT,
    TOOL_WEIGHT,
    ChunkPlace,
    Placed,
    fused,
    led_by,
)
from lurcher_index.locate.health import Health
from lurcher_index.locate.issue import Goal, Issue
from lurcher_index.locate.located import Located, Location
from lurcher_index.locate.matches import Match, Wanted
from lurcher_index.locate.patterns import FALLBACK_PATTERNS, MAX_PATTERNS, patterns_of, structure_of
from lurcher_index.locate.placing import Spot, spots_of
from lurcher_index.locate.running import Attempt, Chains, Outcome
from lurcher_index.locate.scoring import Decision, Strategy, decide
from lurcher_index.locate.settings import LocateSettings
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.signals import signals_of
from lurcher_index.locate.tools.interface import Tool
from lurcher_index.locate.transcript import transcript
from lurcher_index.presenting import described
from lurcher_index.query.frames import frames_of
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View

BASE_FINDER = "base-finder"
LAST_RESORT = "last-resort"
"""What the stages after both strategies are called in answers."""

LEAST_STEM_CHARACTERS = 4
"""A file is named by its name without the ending only if that is longer than `main`: `api` is a word."""


class Locator:
    """Locates issues and remembers, between them, which tools work."""

    def __init__(
        self, toolbox: Callable[[LocateSettings], Toolbox] = Toolbox.of, clock: Callable[[], float] = monotonic
    ) -> None:
        """`toolbox` makes the tools that settings ask for; `clock` counts seconds."""
        self._toolbox = toolbox
        self._clock = clock
        self._health = Health(clock)

    def locate(
        self,
        view: View,
        issue: Issue,
        settings: LocateSettings,
        ask: AskEngine,
        alerts: Sequence[str] = (),
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Located:
        """Where an issue is. Blocks while tools run; when it is stopped, no further one begins."""
        signals = signals_of(issue)
        decision = decide(signals, settings.weights, settings.force_strategy)
        wants_all = issue.goal in (Goal.ANALYZE_IMPACT, Goal.FIND_DUPLICATES)
        frames = frames_of(issue.pasted)
        patterns = patterns_of(issue, signals, {frame.path for frame in frames})
        structure = structure_of(issue.snippet)
        sight, toolbox = Sight(view), self._toolbox(settings)
        chains = Chains(sight, self._health, self._clock, is_stopped)
        search = _Search(sight, chains, issue, patterns, structure)
        framed = [] if wants_all else frame_places(sight, frames)
        if framed:
            search.note(STACK_TRACE, FRAMES, found=True, failed=False)
        found = search.run(decision, toolbox, settings)
        spots = search.spots(found)
        fuses = settings.fuse_chunks and not wants_all
        chains.go_on()
        chunks, said = chunk_places(sight, issue, patterns, ask) if fuses or not spots else ([], None)
        used = search.used
        if not spots:
            failed = said is not None and said.empty is Empty.FAILED
            search.note(LAST_RESORT, CHUNK_SEARCH, bool(chunks), failed)
            used = (FRAMES, STACK_TRACE) if framed else (CHUNK_SEARCH, LAST_RESORT) if chunks else ("", "")
        most = (ALL_LOCATIONS, ALL_LOCATIONS) if wants_all else (MAX_LOCATIONS, MAX_PER_FILE)
        placed = fused(spots, chunks, SURE_TOOL_WEIGHT if issue.snippet else TOOL_WEIGHT, *most)
        placed = led_by(framed, placed)
        shown = {id(each.spot) for each in placed if each.spot is not None}
        # Tools and searches take seconds, in which files may go.
        rows = view.rows({each.place.file for each in placed})
        placed = [each for each in placed if each.place.file in rows]
        tried = _shown_patterns(decision, patterns, structure)
        complaints = (toolbox.complaint(strategy, settings.preferred(strategy)) for strategy in Strategy)
        return Located(
            primary=decision.primary,
            fallback=decision.fallback,
            confidence=decision.confidence,
            reasoning=decision.reasoning,
            search_patterns=tried,
            locations=tuple(_location(sight, rows[each.place.file], each, patterns) for each in placed),
            tool_used=used[0],
            strategy_used=used[1],
            fallback_chain=tuple(search.attempts),
            scores={str(strategy): score for strategy, score in decision.scores.items()},
            fused=bool(spots and chunks),
            left_out=sum(id(spot) not in shown for spot in spots),
            alerts=(
                *alerts,
                *filter(None, complaints),
                *(said.alerts if said is not None else ()),
                *([ONLY_LIKE] if placed and not spots and not framed else []),
            ),
            transcript=transcript(decision, tried, search.begun, search.attempts, used) if settings.debug else (),
        )


ONLY_LIKE = "no tool found the patterns; these places only resemble the words of the issue"


class _Search:
    """The stages for one issue, until one finds something."""

    def __init__(self, sight: Sight, chains: Chains, issue: Issue, patterns: tuple[str, ...], structure: str) -> None:
        self._sight = sight
        self._chains = chains
        self._issue = issue
        self._patterns = patterns
        self._structure = structure
        self.begun: list[tuple[str, list[str]]] = []
        self.used = ("", "")

    @property
    def attempts(self) -> list[Attempt]:
        """What was tried so far."""
        return self._chains.attempts

    def run(self, decision: Decision, toolbox: Toolbox, settings: LocateSettings) -> Sequence[Match]:
        """The primary tries all patterns, the fallback the first two, then the base finder all of them."""
        references = self._issue.goal == Goal.ANALYZE_IMPACT
        for strategy, most in ((decision.primary, MAX_PATTERNS), (decision.fallback, FALLBACK_PATTERNS)):
            tools = toolbox.chain(strategy, settings.preferred(strategy), references)
            structure = self._structure if strategy is Strategy.PATTERN_MATCH else ""
            wanted = Wanted(
                patterns=self._patterns[:most],
                structure=structure,
                snippet=self._issue.snippet,
                all_references=references,
            )
            if matches := self._stage(strategy, tools, wanted):
                return matches
        return self._stage(BASE_FINDER, toolbox.base_finder(), Wanted(patterns=self._patterns))

    def spots(self, matches: Sequence[Match]) -> list[Spot]:
        """The places of some matches, best first."""
        return spots_of(
            matches, self._sight.file_count, lambda match: self._sight.outline(match.row), _mentions(self._issue.prose)
        )

    def note(self, strategy: str, tool: str, found: bool, failed: bool) -> None:
        """Write down what was tried outside of all chains."""
        outcome = Outcome.SUCCESS if found else Outcome.FAILED if failed else Outcome.NOTHING
        self.begun.append((strategy, [tool]))
        self.attempts.append(Attempt(strategy, tool, outcome))

    def _stage(self, strategy: str, tools: Sequence[Tool], wanted: Wanted) -> Sequence[Match]:
        self.begun.append((strategy, [tool.id for tool in tools]))
        matches = self._chains.run(strategy, tools, wanted)
        if matches:
            self.used = (self.attempts[-1].tool, strategy)
        return matches


def _shown_patterns(decision: Decision, patterns: tuple[str, ...], structure: str) -> tuple[str, ...]:
    """What is searched for first; the structure is a pattern where structures are matched."""
    if decision.primary is Strategy.PATTERN_MATCH and structure:
        return (structure, *patterns)[:MAX_PATTERNS]
    return patterns


def _mentions(prose: str) -> Callable[[str], bool]:
    """Whether a text names a file: its name, or the name without its ending if that is no everyday word."""
    words = set(re.findall(r"[\w.+-]+", prose.lower()))
    words |= {word.rstrip(".") for word in words}

    def mentions(path: str) -> bool:
        name = PurePosixPath(path.lower())
        return name.name in words or (len(name.stem) > LEAST_STEM_CHARACTERS and name.stem in words)

    return mentions


def _location(sight: Sight, row: FileRow, placed: Placed, patterns: Sequence[str]) -> Location:
    place = placed.place
    outline = sight.outline(row)
    known = placed.frame or placed.spot
    symbol = known.symbol if known else _innermost(sight, placed.chunk, row)
    return Location(
        folder=str(sight.view.folder_of(row)),
        path=row.path,
        first_line=place.first_line,
        last_line=place.last_line,
        symbol=described(outline, symbol) if outline is not None and symbol >= 0 else None,
        node=sight.node(row, symbol),
        reason="; ".join(_reasons(placed, patterns)),
        score=round(placed.score, 4),
    )


def _innermost(sight: Sight, chunk: ChunkPlace | None, row: FileRow) -> int:
    """The smallest definition that holds a whole chunk, or the first that begins in it."""
    outline = sight.outline(row)
    if outline is None or chunk is None:
        return -1
    symbols = list(enumerate(outline.symbols))
    around = [at for at, each in symbols if each.first_line <= chunk.first_line and chunk.last_line <= each.last_line]
    begun = [at for at, each in symbols if chunk.first_line <= each.first_line <= chunk.last_line]
    if around:
        return min(around, key=lambda at: outline.symbols[at].last_line - outline.symbols[at].first_line)
    return begun[0] if begun else -1


def _reasons(placed: Placed, patterns: Sequence[str]) -> list[str]:
    reasons: list[str] = [placed.frame.reason] if placed.frame is not None else []
    if placed.spot is not None:
        named = [patterns[at] for at in placed.spot.patterns if 0 <= at < len(patterns)]
        if named:
            reasons.append(("defines " if placed.spot.defines else "has ") + ", ".join(named))
        if -1 in placed.spot.patterns:
            reasons.append("has the structure of the snippet")
    if placed.chunk is not None:
        reasons.append(placed.chunk.reason)
    return reasons
