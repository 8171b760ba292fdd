"""The files of a commit, and what git's index remembers of the files on disk. Git lists both and reads no file."""

import os
import re
from pathlib import Path
from typing import NamedTuple

from lurcher_index.building.scan import COARSE_CLOCK_NS, FINE_CLOCK_NS
from lurcher_index.files.repository import git_dir
from lurcher_index.history.git import Git

MAX_LIST_BYTES = 512 << 20
"""Most bytes of a list of files: two million of them. A tree can be made to list without end."""

_SECOND = 1_000_000_000
_LOW_BITS = 0xFFFF_FFFF
"""The index has 32 bits for every number."""

_SKIP_WORKTREE = 1 << 30


class Tree(NamedTuple):
    """Regular files of a commit. Names that are not UTF-8 have surrogates in place of the bytes that are not."""

    blobs: dict[str, str]
    sizes: dict[str, int]
    """Bytes of the contents, where they were asked for."""


def tree_of(git: Git, commit: str, prefix: str, *, with_sizes: bool) -> Tree:
    """The files of a commit below the folder `prefix`, which ends with a slash or is empty."""
    raw = git.output(
        "ls-tree",
        "-r",
        "-z",
        "--full-tree",
        *(("--long",) if with_sizes else ()),
        commit,
        *(("--", prefix) if prefix else ()),
        limit=MAX_LIST_BYTES,
    )
    blobs: dict[str, str] = {}
    sizes: dict[str, int] = {}
    for entry in raw.decode("utf-8", "surrogateescape").split("\0"):
        about, _, path = entry.partition("\t")
        # `100644 blob NAME`, then the size if it was asked for. Links are 120000 and submodules 160000.
        if about.startswith("100"):
            if with_sizes:
                about, _, size = about.rpartition(" ")
                about = about.rstrip()
                if size.isdecimal():
                    sizes[path] = int(size)
            blobs[path] = about[12:]
    return Tree(blobs, sizes)


class StagedFiles:
    """The index of a checkout, used for one thing only: to know what a file holds without reading it."""

    def __init__(self, git: Git, prefix: str) -> None:
        """Of the files below the folder `prefix`, which ends with a slash or is empty."""
        # The index file's time comes first: if another index is there when git reads it, it is believed less.
        self._written = _time_of(git_dir(git.root))
        self._files = _read_index(git, prefix)

    def blob(self, path: str, found: os.stat_result) -> str | None:
        """The blob that a file holds, by its status alone; None if that cannot be told.

        The file must have the status that it had when it was added, and must have been written clearly earlier than
        the index: one that is written twice within a tick of the clock looks the same both times.
        """
        known = self._files.get(path)
        # Times of writing can be set back, which sets the time of the last change.
        touched = max(found.st_mtime_ns, found.st_ctime_ns)
        if known is None or self._written - touched <= (FINE_CLOCK_NS if touched % _SECOND else COARSE_CLOCK_NS):
            return None
        return known[0] if known[2] == _printed(found) or _is_same(known[2], found) else None

    def is_left_out(self, path: str) -> bool:
        """Whether a sparse checkout leaves the file out, or somebody asked git not to look for it."""
        known = self._files.get(path)
        return known is not None and bool(int(known[3], 16) & _SKIP_WORKTREE)


_Entry = tuple[str, str, str, str]
"""Blob, path, status as git prints it, and flags."""

_ENTRY = re.compile(
    r"\d+ ([0-9a-f]+) 0\t([^\0]*)\0"
    r"  (ctime: \d+:\d+\n  mtime: \d+:\d+\n  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n  size: \d+)"
    r"\tflags: ([0-9a-f]+)\n"
)
_CONFLICT = re.compile(rb"\d+ [0-9a-f]+ [123]\t[^\0]*\0")


def _read_index(git: Git, prefix: str) -> dict[str, _Entry]:
    """Entries of files that are not in conflict. If git prints them in another way than we know, there are none."""
    raw = git.output(
        "ls-files",
        "--stage",
        "--debug",
        "--full-name",
        "-z",
        *(("--", prefix) if prefix else ()),
        limit=MAX_LIST_BYTES,
    )
    entries: list[_Entry] = _ENTRY.findall(raw.decode("utf-8", "surrogateescape"))
    files = {entry[1]: entry for entry in entries}
    unread = raw.count(b"\0") - len(entries)
    return {} if unread and unread != len(_CONFLICT.findall(raw)) else files


def _time_of(folder: Path | None) -> int:
    try:
        return 0 if folder is None else (folder / "index").stat().st_mtime_ns
    except OSError:
        return 0


def _printed(found: os.stat_result) -> str:
    """A status as git prints the one it remembers."""
    changed, modified = found.st_ctime_ns, found.st_mtime_ns
    return (
        f"ctime: {changed // _SECOND & _LOW_BITS}:{changed % _SECOND}\n"
        f"  mtime: {modified // _SECOND & _LOW_BITS}:{modified % _SECOND}\n"
        f"  dev: {found.st_dev & _LOW_BITS}\tino: {found.st_ino & _LOW_BITS}\n"
        f"  uid: {found.st_uid}\tgid: {found.st_gid}\n"
        f"  size: {found.st_size & _LOW_BITS}"
    )


def _is_same(known: str, found: os.stat_result) -> bool:
    """Whether a status is the remembered one in what tells contents apart.

    The number of the disk may be another one after a restart, and Git for Windows has no numbers of files.
    """
    ctime, ctime_part, mtime, mtime_part, _, inode, _, _, size = map(int, _NUMBER.findall(known))
    return (
        ctime * _SECOND + ctime_part == found.st_ctime_ns
        and mtime * _SECOND + mtime_part == found.st_mtime_ns
        and inode in (0, found.st_ino & _LOW_BITS)
        and size == found.st_size & _LOW_BITS
    )


_NUMBER = re.compile(r"\d+")
