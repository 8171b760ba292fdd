"""What differs between two trees, as git lists it, with paths that were looked at before anybody uses them."""

import os
from collections.abc import Iterator
from pathlib import PureWindowsPath
from typing import NamedTuple

from lurcher_index.errors import HistoryError
from lurcher_index.history.git import MAX_OUTPUT_BYTES, Git

RENAME_FILES = 200
"""Files among which renames are looked for; a commit with more is none that is asked about."""

_REGULAR = frozenset({"100644", "100755"})
_VERSION_CONTROL = frozenset({".git", "git~1"})


class Change(NamedTuple):
    """One file that differs. A path is None where there is no regular file: on that side it is absent, a link, a
    submodule, or has a name that cannot be used here."""

    before: str | None
    after: str | None
    blob: str
    """The object with the content afterwards."""


def changes(git: Git, old: str, new: str, inside: str, *, renames: bool, limit: int = MAX_OUTPUT_BYTES) -> list[Change]:
    """The files below the folder `inside` (of the repository; empty for all) that differ between two trees or commits.

    Paths are relative to that folder. Git lists them without looking at any content, except for renames.
    """
    raw = git.output(
        "diff-tree",
        "-r",
        "-z",
        "--raw",
        "--no-abbrev",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=all",
        *(("--find-renames", f"-l{RENAME_FILES}") if renames else ("--no-renames",)),
        *((f"--relative={inside}/",) if inside else ()),
        old,
        new,
        "--",
        limit=limit,
    )
    return list(_parsed(raw))


def empty_tree(git: Git) -> str:
    """The name of the tree without files, which every repository knows; it depends on the repository's hash."""
    return git.output("hash-object", "-t", "tree", "--stdin").decode().strip()


def usable_path(raw: bytes) -> str | None:
    """A path of a tree, if it stays inside the folder it is put into and can be written down; else None."""
    try:
        path = raw.decode()
    except UnicodeDecodeError:
        return None
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") or part.lower() in _VERSION_CONTROL for part in parts):
        return None
    if os.name == "nt" and any(_is_special_on_windows(part) for part in parts):
        return None
    return path


def _is_special_on_windows(part: str) -> bool:
    return any(char in '\\:<>"|?*' or char < " " for char in part) or PureWindowsPath(part).is_reserved()


def _parsed(raw: bytes) -> Iterator[Change]:
    """`:mode mode blob blob status NUL path NUL`, with a second path for a rename."""
    fields = iter(raw.split(b"\0"))
    for head in fields:
        if not head:
            return
        try:
            old_mode, new_mode, _, blob, status = head.decode("ascii").removeprefix(":").split(" ")
            old_path = new_path = usable_path(next(fields))
            if status[0] in "RC":
                new_path = usable_path(next(fields))
        except (ValueError, StopIteration):
            raise HistoryError("git listed changes in a form that is not understood") from None
        yield Change(
            old_path if old_mode in _REGULAR else None,
            new_path if new_mode in _REGULAR else None,
            blob,
        )
