"""Matches in lines of files, as servers tell them, as hits of ours."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.remote.interface import RemoteHit, Wanted

LAST_LINE = 2**31 - 1
"""`last_line` of a hit that means the whole file: the server does not tell lines, or the path matched. Such a hit goes
from line 1 to this one, however long the file is."""

NEAR_LINES = 3
"""Lines that may lie between two matches of one hit: the context that grep shows around a line."""

ROUNDS = 3
"""How often a server is asked for more if the filters of this machine leave too little."""

WIDER = 4
"""How many times as many are asked for in each further round."""


class Span(msgspec.Struct, frozen=True):
    """Lines that match, from 1, inclusive."""

    first: int
    last: int
    score: float = 0.0


class FoundFile(msgspec.Struct, frozen=True):
    """A file with matches."""

    path: str
    spans: tuple[Span, ...] = ()
    """None for a file of which no lines are told."""
    score: float = 0.0
    """What the server gives; 0 if it only puts files in order."""


class Portion(msgspec.Struct, frozen=True):
    """What a server told when it was asked for so many files."""

    files: tuple[FoundFile, ...]
    is_all: bool
    """Whether there is nothing more to be had."""
    alerts: tuple[str, ...] = ()


def enough(wanted: Wanted, ask: Callable[[int], Portion]) -> Portion:
    """What passes the filters of this machine; a server whose answer they thin out is asked for more."""
    count = wanted.limit
    portion = Portion((), True)
    for number in range(ROUNDS):
        try:
            told = ask(count)
        except RemoteError as error:
            if not number:
                raise
            return msgspec.structs.replace(portion, alerts=(*portion.alerts, f"{error}; further results are left out"))
        passed = tuple(each for each in told.files if wanted.accepts(each.path, ""))
        portion = Portion(passed, told.is_all, told.alerts)
        if told.is_all or len(passed) >= wanted.limit:
            break
        count *= WIDER
    return portion


def hits_of(files: Sequence[FoundFile], limit: int) -> tuple[RemoteHit, ...]:
    """At most `limit` hits in the order of the files. If there are more, every file gives its best before any gives
    its second: one that holds a common word in every line leaves room for the others."""
    merged = [sorted(_merged(each.spans), key=lambda span: -span.score) or [Span(1, LAST_LINE)] for each in files]
    shares = [0] * len(files)
    left = limit
    for turn in range(max(map(len, merged), default=0)):
        for at, spans in enumerate(merged):
            if left and turn < len(spans):
                shares[at] += 1
                left -= 1
    return tuple(
        RemoteHit(each.path, span.first, span.last, each.score or 1.0 / (1 + rank))
        for rank, (each, spans, share) in enumerate(zip(files, merged, shares, strict=True))
        for span in spans[:share]
    )


def other_commit(who: str, asked: str, told: Iterable[str]) -> tuple[str, ...]:
    """What to say if a server searched another commit than it was asked for."""
    if asked and any(each and each != asked for each in told):
        return (f"{who} searched another commit than {asked[:12]}; files that differ on this machine are checked",)
    return ()


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(map(_possible, spans), key=lambda span: (span.first, span.last)):
        if merged and span.first <= merged[-1].last + NEAR_LINES + 1:
            before = merged[-1]
            merged[-1] = Span(before.first, max(before.last, span.last), max(before.score, span.score))
        else:
            merged.append(span)
    return merged


def _possible(span: Span) -> Span:
    """Lines that a file can have, whatever the server says."""
    first = min(max(span.first, 1), LAST_LINE)
    return Span(first, min(max(span.last, first), LAST_LINE), span.score)
