"""Which files of the workspace somebody means by a path of another machine, as stack traces and people write them."""

import re
from pathlib import PurePosixPath
from typing import NamedTuple

from lurcher_index.nodes import is_text
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View

_VERSION = re.compile(r"[-@]v?[0-9]+(?:\.[0-9A-Za-z]+)*\S*$")
_LIBRARIES = frozenset({"site-packages", "dist-packages", "node_modules", "gems", "rustc"})
_LIBRARY_FOLDERS = (("pkg", "mod"), ("local", "go"), ("lib", "ruby"))
_LIBRARY_PART = re.compile(r"python[0-9](?:\.[0-9]+)?t?|index\.crates\.io-\S+|github\.com-\S+")
"""Folders that others' code is installed in: what lies below is the package's own path."""


MOST_EQUAL = 1_000
"""Files of one name that are compared: a tree with more `index.js` than that needs a longer path."""


class Meant(NamedTuple):
    """The files that a path may mean: those that share the longest end with it."""

    rows: tuple[FileRow, ...]
    is_whole: bool = False
    """Whether all of the path, or all of the files' own, is shared, and not only an end of both."""


def files_meant(view: View, path: str) -> Meant:
    """The files that share the longest end with a path; none if no file has its name."""
    parts = _parts(path)
    if not parts or not is_text(path) or "\0" in path:
        return Meant(())
    installed, is_library = _installed(parts)
    asked = _without_versions(installed)
    alike: list[tuple[int, bool, FileRow]] = []
    for row in _rows_called(view, parts[-1])[:MOST_EQUAL]:
        own = PurePosixPath(row.path).parts
        if own == parts:
            return Meant((row,), is_whole=True)
        shared = _shared(asked, _without_versions((*view.folder_of(row).parts, *own)))
        is_all = shared >= len(asked)
        # One name alone says little of a path with many folders before it.
        is_own = shared >= len(own) and (shared > 1 or len(asked) <= _SHORT)
        if is_library and not is_all and not (is_own and shared > 1):
            continue  # What is installed lies below its package's name, or is another package.
        alike.append((shared, is_all or (is_own and not is_library), row))
    most = max((shared for shared, _, _ in alike), default=0)
    best = [(is_whole, row) for shared, is_whole, row in alike if shared == most]
    rows = sorted((row for _, row in best), key=lambda row: (row.folder_id, row.path))
    return Meant(tuple(rows), any(is_whole for is_whole, _ in best))


_SHORT = 2
"""Parts of a path of which one may be where the workspace lies on the other machine, as in `/app/views.py`."""


def _rows_called(view: View, name: str) -> list[FileRow]:
    """All files of a name, as editors show them, else as they are on disk."""
    shown = view.snapshot.shown
    places = {(file.folder.folder_id, file.path) for file in shown.values()}
    stored = [
        row
        for row in view.workspace.catalog.rows_called(name)
        if row.content_id is not None and view.is_in_workspace(row) and (row.folder_id, row.path) not in places
    ]
    open_ones = view.rows([n for n, file in shown.items() if file.held and PurePosixPath(file.path).name == name])
    return [*stored, *open_ones.values()]


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def _installed(parts: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """What follows the last folder of installed packages, and whether there is one."""
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] in _LIBRARIES or _LIBRARY_PART.fullmatch(parts[at]) or parts[at - 1 : at + 1] in _LIBRARY_FOLDERS:
            return parts[at + 1 :], True
    return parts, False


def _without_versions(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Folders without the version behind their names: `click-8.1` and `gin@v1.9.0` are `click` and `gin`."""
    return (*(_VERSION.sub("", part) or part for part in parts[:-1]), *parts[-1:])


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many parts at the end of both are the same."""
    count = 0
    for this, that in zip(reversed(one), reversed(other), strict=False):
        if this != that:
            break
        count += 1
    return count
