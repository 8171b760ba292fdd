"""Finds a text in texts, literally: nothing in a pattern has a meaning, so that no pattern can be slow."""

from collections.abc import Iterable, Iterator

from lurcher_index.locate.matches import MAX_MATCHES, MAX_MATCHES_PER_FILE, Match, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.store.catalog import FileRow
from lurcher_index.text.lines import line_at, line_starts


def ignores_case(pattern: str) -> bool:
    """Whether capitals do not matter: people who write one mean it."""
    return pattern == pattern.lower()


def lines_with(data: bytes, pattern: str, most: int = MAX_MATCHES_PER_FILE) -> list[int]:
    """The lines, from 1, in which a pattern begins; each once."""
    wanted = pattern.encode("utf-8", "replace")
    if ignores_case(pattern):
        data, wanted = data.lower(), wanted.lower()
    at = data.find(wanted)
    if at < 0 or not wanted:
        return []
    starts = line_starts(data)
    found: dict[int, None] = {}
    while at >= 0 and len(found) < most:
        line = line_at(starts, at)
        found[line] = None
        after = starts[line] if line < len(starts) else len(data)
        at = data.find(wanted, max(after, at + 1))
    return list(found)


def search_texts(sight: Sight, rows: Iterable[FileRow], wanted: Wanted) -> Iterator[Match | None]:
    """The matches in some files; None after each file, so that whoever asks can look at the clock."""
    counts = [0] * len(wanted.patterns)
    for row in rows:
        data = sight.text(row)
        for number, pattern in enumerate(wanted.patterns):
            if data is not None and counts[number] < MAX_MATCHES:
                for line in lines_with(data, pattern):
                    counts[number] += 1
                    yield Match(row, line, line, number)
        yield None


def in_shown(sight: Sight, wanted: Wanted) -> list[Match]:
    """The matches in unsaved documents, which no other program can read."""
    return [match for match in search_texts(sight, sight.shown, wanted) if match is not None]
