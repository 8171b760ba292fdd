"""What has to be done: the files on disk against the files the index remembers. Pure, apart from what it is given."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import msgspec

from lurcher_index.building.order import usefulness
from lurcher_index.files.listing import BAD_NAME, Listing
from lurcher_index.model import Found, Skip
from lurcher_index.store.catalog import Known

COARSE_CLOCK_NS = 2_000_000_000
"""Steps of the coarsest file-system clocks (FAT)."""

FINE_CLOCK_NS = 20_000_000
"""Steps of the others, with a margin: Linux stamps files with the time of its last tick, up to 10 ms old."""


NO_STAMP = (0, 0, 0)
"""Stamp of what was never read."""


class Folder(NamedTuple):
    """A workspace folder and its number in the index."""

    folder_id: int
    path: Path


class Task(NamedTuple):
    """A file to read, with what the index remembers of it."""

    folder: Folder
    found: Found
    known: Known | None


class Lost(NamedTuple):
    """A file that is remembered and was not listed."""

    folder: Folder
    path: str
    read_ns: int
    """When it had been read: another number says that somebody has read it since."""


class Unseen(NamedTuple):
    """What discovery itself could not look at."""

    folder: Folder
    path: str
    skip: Skip
    read_ns: int | None
    """When it had been read, if it is remembered."""


class Plan(msgspec.Struct, frozen=True):
    """What brings the index up to date."""

    tasks: tuple[Task, ...]
    gone: tuple[Lost, ...]
    unreadable: tuple[Unseen, ...]
    unchanged: int
    kept: int = 0
    """Indexed files that nobody can tell anything of, since a folder above them cannot be opened: they stay."""

    @property
    def is_empty(self) -> bool:
        """Whether the index is up to date already."""
        return not (self.tasks or self.gone or self.unreadable)


def make_plan(folders: Iterable[tuple[Folder, Mapping[str, Known], Listing | None]]) -> Plan:
    """Compare what is remembered with what was listed. A file below a nested folder belongs to that one only.

    Without a listing, as of a folder that cannot be opened now, everything remembered stays. So does what lies below
    a folder that could not be listed: it may be there.
    """
    given = list(folders)
    tasks: list[list[Task]] = []
    gone: list[Lost] = []
    unreadable: list[Unseen] = []
    unchanged = kept = 0
    for folder, known, listing in given:
        if listing is None:
            kept += _indexed(known.values())
            continue
        inner = _nested_prefixes(folder.path, [other.path for other, _, _ in given])
        seen: set[str] = set()
        here: list[Task] = []
        tasks.append(here)
        for found in listing.files:
            if inner and found.path.startswith(inner):
                continue
            seen.add(found.path)
            remembered = known.get(found.path)
            if remembered is not None and is_unchanged(remembered, found):
                unchanged += 1
            else:
                here.append(Task(folder, found, remembered))
        skipped = {path: skip for path, skip in listing.skipped.items() if not (inner and path.startswith(inner))}
        seen.update(skipped)
        unreadable += [
            Unseen(folder, path, skip, remembered.read_ns if remembered is not None else None)
            for path, skip in skipped.items()
            if not _is_noted(remembered := known.get(path))
        ]
        closed = tuple(f"{path}/" for path, skip in skipped.items() if skip is not BAD_NAME)
        for path in known.keys() - seen:
            if closed and path.startswith(closed):
                kept += _indexed([known[path]])
            else:
                gone.append(Lost(folder, path, known[path].read_ns))
    return Plan(tuple(_in_turn(tasks)), tuple(sorted(gone)), tuple(unreadable), unchanged, kept)


def _indexed(files: Iterable[Known]) -> int:
    """How many of some files the index counts and the postings hold."""
    return sum(bool(known.hash) and known.folded for known in files)


def _in_turn(tasks: Iterable[list[Task]]) -> Iterator[Task]:
    """The most useful files first, one of each folder in turn: a small folder does not wait for a large one."""
    sorted_tasks = [sorted(each, key=lambda task: usefulness(task.found.path)) for each in tasks]
    return (task for turn in zip_longest(*sorted_tasks) for task in turn if task is not None)


def is_unchanged(known: Known, found: Found) -> bool:
    """Whether the stamps prove that a file is as it was when it was read, and the postings hold it."""
    same = known.folded and known.size == found.size and known.mtime_ns == found.mtime_ns
    return same and not _is_racy(known)


def _is_noted(known: Known | None) -> bool:
    """Whether a path that discovery could not look at is remembered as such, rather than as the file it once was."""
    return known is not None and (known.size, known.mtime_ns, known.read_ns) == NO_STAMP


def _is_racy(known: Known) -> bool:
    """Whether the file could have changed after it was read without its stamp showing it."""
    step = FINE_CLOCK_NS if known.mtime_ns % 1_000_000_000 else COARSE_CLOCK_NS
    return known.mtime_ns + step > known.read_ns


def _nested_prefixes(folder: Path, others: Iterable[Path]) -> tuple[str, ...]:
    return tuple(
        other.relative_to(folder).as_posix() + "/"
        for other in others
        if other != folder and other.is_relative_to(folder)
    )
