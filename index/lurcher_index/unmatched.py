"""Filters that leave nothing, each by itself: a misspelt language, a folder that is not there."""

from collections.abc import Iterator

from lurcher_index.chunking.language_names import languages_named, nearest_language
from lurcher_index.snapshot import Snapshot
from lurcher_index.words.filters import Filters, Within


def unmatched(snapshot: Snapshot, filters: Filters, *, has_found: bool, is_elsewhere: bool = False) -> Iterator[str]:
    """What to say of each filter that no file passes, also where others let some through.

    What was found has passed one filter of each kind, so that only where there are several one may leave nothing. If it
    was searched `is_elsewhere`, files need not be in the index here, and only a name that nobody knows is wrong.
    """
    for name in dict.fromkeys(filters.named):
        languages = languages_named(name)
        if not languages:
            near = nearest_language(name)
            yield f"there is no language {name!r}" + (f"; {near!r} is the nearest" if near else "")
        elif is_elsewhere or (has_found and len(filters.named) == 1):
            continue
        elif not snapshot.any_file_passes(Filters(languages=languages)):
            yield f"no indexed file is written in {name!r}"
    if is_elsewhere:
        return
    for glob in _doubtful(filters.include, has_found):
        if not snapshot.any_file_passes(Filters(include=(glob,))):
            yield f"no indexed file matches {_given(glob)!r}"
    for path in _doubtful(filters.paths, has_found):
        if not snapshot.any_file_passes(Filters(paths=(path,))):
            yield f"no indexed file is, or lies below, {_given(path)!r}"


def _doubtful(given: tuple[str | Within, ...], has_found: bool) -> tuple[str | Within, ...]:
    """Those that may leave nothing; to ask the postings takes milliseconds for each where there are many files."""
    return () if has_found and len(given) == 1 else given


def _given(pattern: str | Within) -> str:
    return (pattern.written or pattern.glob) if isinstance(pattern, Within) else pattern
