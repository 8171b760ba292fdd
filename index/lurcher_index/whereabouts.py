"""Which files of the workspace somebody means by a path of another machine, as stack traces and people write them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import eq
from pathlib import PurePosixPath
from typing import NamedTuple

from lurcher_index.nodes import folder_labels, is_text, labelled
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View

_VERSION = re.compile(r"[-@]v?[0-9]+(?:\.[0-9A-Za-z]+)*\S*$")
_LIBRARIES = frozenset({"site-packages", "dist-packages", "node_modules", "gems", "rustc"})
_LIBRARY_FOLDERS = (("pkg", "mod"), ("local", "go"), ("lib", "ruby"))
_LIBRARY_PART = re.compile(r"python[0-9](?:\.[0-9]+)?t?|index\.crates\.io-\S+|github\.com-\S+")
"""Folders that others' code is installed in: what lies below is the package's own path."""


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
    called = _rows_called(view, parts[-1])
    if same := _written_so(view, called, "/".join(parts)):
        return Meant(_in_order(same), is_whole=True)
    installed, is_library = _installed(parts)
    alike = [each for row in called if (each := _alike(view, row, installed, is_library)) is not None]
    # Versions differ between machines. But where folders beside each other differ by nothing else, they tell which.
    most = max(((each.shared, each.exactly) for each in alike), default=(0, 0))
    best = [each for each in alike if (each.shared, each.exactly) == most]
    return Meant(_in_order([each.row for each in best]), any(each.is_whole for each in best))


def _written_so(view: View, rows: Sequence[FileRow], path: str) -> list[FileRow]:
    """The files of exactly that path in their folder, or as answers write it where there are several folders."""
    folders = view.workspace.folders
    names = folder_labels([folder.path.name for folder in folders])
    labels = {folder.folder_id: label for folder, label in zip(folders, names, strict=True)}
    return [row for row in rows if path in (row.path, labelled(labels.get(row.folder_id, ""), row.path))]


class _Alike(NamedTuple):
    """A file whose path ends like the one that is asked for."""

    row: FileRow
    shared: int
    """Parts that are the same but for versions, from the end."""
    exactly: int
    """Those among them that are quite the same."""
    is_whole: bool


def _alike(view: View, row: FileRow, asked: Sequence[str], is_library: bool) -> _Alike | None:
    """How a file of the same name is like a path; None if it is another one."""
    own = row.path.split("/")
    whole = (*view.folder_of(row).parts, *own)
    shared = _shared(asked, whole)
    is_all = shared >= len(asked)
    # One name alone says little of a path with many folders before it.
    is_own = shared >= len(own) and (shared > 1 or len(asked) <= _SHORT)
    if is_library and not is_all and not (is_own and shared > 1):
        return None  # What is installed lies below its package's name, or is another package.
    exactly = sum(map(eq, asked[-shared:], whole[-shared:]))
    return _Alike(row, shared, exactly, is_all or (is_own and not is_library))


def _in_order(rows: Sequence[FileRow]) -> tuple[FileRow, ...]:
    return tuple(sorted(rows, key=lambda row: (row.folder_id, row.path)))


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


@lru_cache(maxsize=1_024)
def _without_version(part: str) -> str:
    """A folder without the version behind its name: `click-8.1` and `gin@v1.9.0` are `click` and `gin`."""
    return _VERSION.sub("", part) or part


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts at the end of both are the same but for versions."""
    count = 0
    for this, that in zip(reversed(one), reversed(other), strict=False):
        if this != that and _without_version(this) != _without_version(that):
            break
        count += 1
    return count
