"""The lister written in Python: slower than ripgrep, gives the same list, needs nothing."""

import os
from collections.abc import Iterator
from pathlib import Path

from lurcher_index.config import Settings
from lurcher_index.files.listing import BAD_NAME, Listing, printable, require_folder, unreadable
from lurcher_index.files.rules import IgnoreRules
from lurcher_index.model import Found, Skip

# Folders are opened relative to the workspace folder where the system can do that: then the length that a path may
# have counts from there, as it does for ripgrep.
_RELATIVE = os.scandir in os.supports_fd and os.open in os.supports_dir_fd


def walk(folder: Path, settings: Settings) -> Listing:
    """List every file of `folder` that is not ignored. Links, sockets and pipes are not listed and not followed."""
    require_folder(folder)
    rules = IgnoreRules(folder, settings)
    files: list[Found] = []
    skipped: dict[str, Skip] = {}
    waiting = [""]
    with _Opener(folder) as opener:
        while waiting:
            path = waiting.pop()
            try:
                entries = list(opener.entries(path))
            except OSError as error:
                # What vanished since its folder was read needs no report.
                if not path:
                    require_folder(folder)
                if not isinstance(error, FileNotFoundError):
                    skipped[printable(path) or path] = unreadable(error.errno)
                continue
            rules.enter(path, {entry.name for entry, _ in entries})
            for entry, found in entries:
                _sort_entry(f"{path}/{entry.name}" if path else entry.name, found, rules, files, waiting, skipped)
    files.sort()
    return Listing(files, skipped, "walker")


def _sort_entry(
    path: str,
    found: os.stat_result | None,
    rules: IgnoreRules,
    files: list[Found],
    waiting: list[str],
    skipped: dict[str, Skip],
) -> None:
    if rules.check_entry(path, found is None) is not None:
        return
    if found is None:
        waiting.append(path)
    elif shown := printable(path):
        skipped[shown] = BAD_NAME
    else:
        files.append(Found(path, found.st_size, found.st_mtime_ns))


class _Opener:
    """Reads folders by their path relative to the workspace folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._top = -1

    def __enter__(self) -> "_Opener":
        if _RELATIVE:
            self._top = os.open(self._folder, os.O_RDONLY)
        return self

    def __exit__(self, *_: object) -> None:
        if self._top >= 0:
            os.close(self._top)

    def entries(self, path: str) -> Iterator[tuple[os.DirEntry[str], os.stat_result | None]]:
        """Sub-folders (without a stat) and regular files (with one)."""
        if self._top < 0:
            yield from _scan(self._folder / path)
            return
        # O_NOFOLLOW: a folder that was swapped for a link must not lead out of the workspace.
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
        number = os.open(path or ".", flags, dir_fd=self._top)
        try:
            yield from _scan(number)
        finally:
            os.close(number)


def _scan(where: Path | int) -> Iterator[tuple[os.DirEntry[str], os.stat_result | None]]:
    with os.scandir(where) as entries:
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    yield entry, None
                elif entry.is_file(follow_symlinks=False):
                    yield entry, entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
