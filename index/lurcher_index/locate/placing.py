"""From matches to places: gathered by the definition they lie in, and put in order by what they tell. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log

import msgspec

from lurcher_index.locate.matches import Match, MatchKind
from lurcher_index.model import Outline
from lurcher_index.nodes import innermost
from lurcher_index.ranking.kinds import kind_of

KIND_WEIGHTS: Mapping[MatchKind, float] = {
    MatchKind.DEFINITION: 2.0,
    MatchKind.STRUCTURE: 1.5,
    MatchKind.REFERENCE: 1.0,
    MatchKind.TEXT: 1.0,
}
"""A name's definition says more about an issue than one of its uses; guesses that were not fitted."""

LEAST_RARITY = 0.05
"""What a pattern counts that stands in every file."""

ELSEWHERE_SHARE = 0.5
"""What a pattern counts for a place if it stands elsewhere in the same file; a guess that was not fitted."""

MENTION_BONUS = 1.0
"""What it counts that the issue names the file: as much as one pattern that stands there alone."""

ASIDE_FACTOR = 0.4
"""For tests, examples, documents, configuration and copies: they speak of what is wrong and are seldom where it is
mended. A guess that was not fitted."""

WHOLE_SYMBOL_LINES = 120
"""A definition of up to so many lines is reported whole, a longer one only around the matches."""

MARGIN_LINES = 5
"""Lines that are shown around a match then, as an editor's peek does."""


class Spot(msgspec.Struct, frozen=True):
    """Matches in one definition of one file, or outside of all."""

    file: int
    path: str
    first_line: int
    last_line: int
    symbol: int
    """Index in the file's outline, -1 for none."""
    patterns: tuple[int, ...]
    defines: bool
    score: float


OutlineOf = Callable[[Match], Outline | None]


def spots_of(
    matches: Iterable[Match], files: int, outline_of: OutlineOf, mentions: Callable[[str], bool]
) -> list[Spot]:
    """The places, best first; `files` is how many there are in all, `mentions` whether the issue names a path."""
    groups: dict[tuple[int, int], list[Match]] = {}
    holders: dict[int, set[int]] = {}
    inside: dict[int, set[int]] = {}
    outlines: dict[int, Outline | None] = {}
    around: dict[tuple[int, int, int], int] = {}
    for match in matches:
        number = match.row.file_id
        if number not in outlines:
            outlines[number] = outline_of(match)
        lines = (number, match.first_line, match.last_line)
        if lines not in around:
            around[lines] = innermost(outlines[number], match.first_line, match.last_line)
        groups.setdefault((number, around[lines]), []).append(match)
        holders.setdefault(match.pattern, set()).add(number)
        inside.setdefault(number, set()).add(match.pattern)
    rarity = {pattern: _rarity(len(held), files) for pattern, held in holders.items()}
    spots = [
        _spot(group, symbol, outlines[number], rarity, inside[number], mentions)
        for (number, symbol), group in groups.items()
    ]
    return sorted(spots, key=lambda spot: (-spot.score, spot.path, spot.first_line))


def ranked_files(spots: Sequence[Spot]) -> list[int]:
    """The files of some places, each once, best first."""
    return list(dict.fromkeys(spot.file for spot in spots))


def _rarity(held: int, files: int) -> float:
    """1 for a pattern in one file, towards 0 for one in all of them."""
    if files <= 1:
        return 1.0
    return max(LEAST_RARITY, 1.0 - log(held) / log(files + 1))


def shown_lines(outline: Outline, symbol: int, first: int, last: int, *, is_beginning: bool) -> tuple[int, int]:
    """The lines that are shown for a match: its definition, or what is around it, or the definition's beginning."""
    if symbol >= 0:
        found = outline.symbols[symbol]
        if found.last_line - found.first_line < WHOLE_SYMBOL_LINES:
            return found.first_line, found.last_line
        if is_beginning:
            # It is its own match: the beginning tells what it is.
            return found.first_line, min(found.last_line, found.first_line + MARGIN_LINES)
        return max(found.first_line, first - MARGIN_LINES), min(found.last_line, last + MARGIN_LINES)
    end = max(outline.line_count, last)
    first, last = first - MARGIN_LINES, last + MARGIN_LINES
    return max(1, first), max(1, min(last, end))


def _spot(
    group: Sequence[Match],
    symbol: int,
    outline: Outline | None,
    rarity: Mapping[int, float],
    in_file: set[int],
    mentions: Callable[[str], bool],
) -> Spot:
    row = group[0].row
    best: dict[int, float] = {}
    for match in group:
        best[match.pattern] = max(best.get(match.pattern, 0.0), KIND_WEIGHTS[match.kind])
    score = sum(rarity[pattern] * weight for pattern, weight in best.items())
    score += ELSEWHERE_SHARE * sum(rarity[pattern] for pattern in in_file - best.keys())
    if mentions(row.path):
        score += MENTION_BONUS
    kind = kind_of(row.path)
    if kind.test or kind.example or kind.documentation or kind.configuration or kind.second_hand:
        score *= ASIDE_FACTOR
    first, last = _lines(group, symbol, outline)
    defines = any(match.kind is MatchKind.DEFINITION for match in group)
    return Spot(row.file_id, row.path, first, last, symbol, tuple(sorted(best)), defines, score)


def _lines(group: Sequence[Match], symbol: int, outline: Outline | None) -> tuple[int, int]:
    first, last = group[0].first_line, group[0].last_line
    if outline is None:
        return first, last
    return shown_lines(outline, symbol, first, last, is_beginning=group[0].kind is MatchKind.DEFINITION)
