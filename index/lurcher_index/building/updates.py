"""What a handful of changed paths means for the index."""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from lurcher_index.building.scan import Folder, Task
from lurcher_index.files.listing import printable, problem_with
from lurcher_index.files.rules import IgnoreRules, is_rule_file
from lurcher_index.model import Found
from lurcher_index.store.catalog import Catalog

_NOTHING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL})
"""Errors that say that there is no such file, rather than that nobody may look."""


class Update(msgspec.Struct, frozen=True):
    """Files to read, files to forget, and paths that do not concern the index."""

    tasks: tuple[Task, ...] = ()
    gone: tuple[tuple[Folder, str], ...] = ()
    outside: tuple[str, ...] = ()
    """Paths in none of the workspace's folders."""
    ignored: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Paths of which nobody can tell anything, since a folder above them cannot be opened; what is indexed stays."""
    needs_scan: bool = False
    """Whether only a look at the whole disk can tell: an ignore rule or a folder changed."""


def sort_out(
    paths: Iterable[Path],
    folders: Sequence[Folder],
    rules: Callable[[Path], IgnoreRules],
    catalog: Catalog,
    may_scan: bool = True,
) -> Update:
    """Decide for every path by what is on disk now; the kind of event does not matter. What cannot be looked at is not
    gone.

    Without `may_scan` a changed ignore rule is a file like any other, and a folder in a file's place only means that
    the file is gone.
    """
    tasks: dict[tuple[Folder, str], Task] = {}
    gone: dict[tuple[Folder, str], None] = {}
    outside: list[str] = []
    ignored: list[str] = []
    unknown: list[str] = []
    for given in paths:
        placed = place_in(given, folders)
        if placed is None:
            outside.append(str(given))
            continue
        folder, path = placed
        try:
            status = _status(folder.path, path)
        except _Unknown:
            if may_scan:
                return Update(needs_scan=True)
            unknown.append(path)
            continue
        # A name that is no valid UTF-8 is listed under another one.
        is_folder = status is not None and stat.S_ISDIR(status.st_mode)
        if may_scan and (is_folder or is_rule_file(path) or printable(path)):
            return Update(needs_scan=True)
        # What it replaces goes: everything below it, if it was a folder, and files that are now folders above it.
        stale = {*catalog.paths_below(folder.folder_id, path), *_files_above(folder, path, catalog)}
        if status is not None and stat.S_ISREG(status.st_mode):
            if rules(folder.path).check(path) is not None:
                ignored.append(path)
            else:
                found = Found(path, status.st_size, status.st_mtime_ns)
                tasks[placed] = Task(folder, found, catalog.known_file(folder.folder_id, path))
                stale.discard(path)
        gone.update(dict.fromkeys((folder, each) for each in sorted(stale)))
    return Update(tuple(tasks.values()), tuple(gone), tuple(outside), tuple(ignored), tuple(unknown))


def place_in(path: Path, folders: Sequence[Folder]) -> tuple[Folder, str] | None:
    """The innermost folder that holds a path, and the path inside it."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - normalises "..", follows no links
    for candidate in (absolute, _resolved(absolute)):
        holding = [folder for folder in folders if candidate.is_relative_to(folder.path) and candidate != folder.path]
        if holding:
            innermost = max(holding, key=lambda folder: len(folder.path.parts))
            return innermost, candidate.relative_to(innermost.path).as_posix()
    return None


def _resolved(path: Path) -> Path:
    """The path with links on the way resolved, though not a link at its end."""
    try:
        return path.parent.resolve() / path.name
    except (OSError, RuntimeError, ValueError):
        return path


class _Unknown(Exception):
    """Nobody can tell what is at a path."""


def _status(folder: Path, path: str) -> os.stat_result | None:
    """What is at a path; None if nothing is, or if a link leads there, for links are not followed.

    Where a folder is away or may not be opened there is neither something nor nothing: that is `_Unknown`.
    """
    try:
        if any((folder / above).is_symlink() for above in _above(path)):
            return None
        return (folder / path).lstat()
    except ValueError:
        return None
    except OSError as error:
        if error.errno not in _NOTHING or problem_with(folder):
            raise _Unknown from error
        return None


def _files_above(folder: Folder, path: str, catalog: Catalog) -> list[str]:
    """The folders above a path that the index knows as files."""
    above = _above(path)
    known = [each for each in above if catalog.known_file(folder.folder_id, each) is not None]
    return [each for each in known if (folder.path / each).is_dir()]


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]
