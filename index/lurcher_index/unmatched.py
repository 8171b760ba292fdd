"""Filters that leave nothing, each by itself: a misspelt language, a folder that is not there."""

from collections.abc import Iterator

from lurcher_index.chunking.language_names import languages_named, nearest_language
from lurcher_index.snapshot import Snapshot
from lurcher_index.words.filters import Filters, Within


def unmatched(snapshot: Snapshot, filters: Filters, is_elsewhere: bool = False) -> Iterator[str]:
    """What to say of each filter that no file passes, also where others let some through.

    If it was searched `is_elsewhere`, files need not be in the index here, and only a name that nobody knows is wrong.
    """
    for name in dict.fromkeys(filters.named):
        languages = languages_named(name)
        if not languages:
            near = nearest_language(name)
            yield f"there is no language {name!r}" + (f"; {near!r} is the nearest" if near else "")
        elif not is_elsewhere and not snapshot.any_file_passes(Filters(languages=languages)):
            yield f"no indexed file is written in {name!r}"
    if is_elsewhere:
        return
    for glob in filters.include:
        if not snapshot.any_file_passes(Filters(include=(glob,))):
            yield f"no indexed file matches {_given(glob)!r}"
    for path in filters.paths:
        if not snapshot.any_file_passes(Filters(paths=(path,))):
            yield f"no indexed file is, or lies below, {_given(path)!r}"


def _given(pattern: str | Within) -> str:
    return (pattern.written or pattern.glob) if isinstance(pattern, Within) else pattern
