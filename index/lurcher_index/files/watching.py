"""What changes on disk, in batches: single paths when they can be trusted, a call to rescan when they cannot."""

import logging
import os
import stat
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import watchfiles

from lurcher_index.config import Settings
from lurcher_index.files.listing import problem_with
from lurcher_index.files.repository import head, repository_root
from lurcher_index.files.rules import IgnoreRules, is_rule_file

STORM_PATHS = 1_000
"""More paths than this in one batch come out as one rescan: listing the folder is quicker than asking path by path."""

STORM_EVENTS = 2_000
"""Raw events, ignored ones included, after which some are likely lost (6 to 11 % of a burst of 20,000 were)."""

BATCH_MS = 400
"""Longest time that events are gathered before they come out."""

STEP_MS = 25
"""Silence that ends a batch earlier."""

TICK_MS = 250
"""How often folders are looked after while nothing happens; two silent ticks after a storm bring its last rescan."""

RESCAN_SECONDS = 5.0
"""Least time between two rescans of one storm, and the pace of rescans when the system gives no events at all."""

_REPLACED = "a folder was removed or replaced"

_log = logging.getLogger(__name__)

Event = tuple[watchfiles.Change, str]


class Changes(NamedTuple):
    """One batch. `rescan` means: list every folder again, the paths are not all."""

    paths: Mapping[Path, tuple[str, ...]]
    """Per folder the paths that were created, changed or removed, sorted. A path that is gone may have been a folder:
    then everything below it is gone as well."""
    rescan: bool
    note: str = ""
    """Why a rescan is needed, for the log."""


def watch(
    folders: Sequence[Path],
    settings: Settings,
    stop: threading.Event,
    *,
    ready: threading.Event | None = None,
    begun: str = "",
    storm_paths: int = STORM_PATHS,
) -> Iterator[Changes]:
    """Changes below `folders` until `stop` is set. `ready` is set once nothing can be missed; a note `begun` asks for a
    rescan then, for who has looked before.

    A folder that vanishes or cannot be opened any more is a rescan; so is one that comes back, and it is watched again.
    """
    note = begun
    while not stop.is_set():
        # Before it is known which can be watched: a folder that comes back in between is then another one than before.
        identity = _identities(folders)
        present = [folder for folder in folders if not problem_with(folder)]
        if not present:
            yield _rescan("no folder can be opened")
            if ready:
                ready.set()
            while all(map(problem_with, folders)) and not stop.wait(TICK_MS / 1000):
                pass
            note = "a folder can be opened again"
            continue
        watched = _Watched(present, folders, identity, settings, storm_paths)
        try:
            note = yield from _follow(watched, stop, ready, note)
        except OSError as error:
            # Most often the system's limit of watched folders. Looking now and then is slower and still right.
            _log.warning("file events are not available, folders are listed every few seconds: %s", error)
            if ready:
                ready.set()
            yield _rescan(f"file events are not available: {error}")
            stop.wait(RESCAN_SECONDS)
            continue
        if not stop.is_set():
            yield _rescan(note)


def _follow(
    watched: "_Watched", stop: threading.Event, ready: threading.Event | None, note: str
) -> Generator[Changes, None, str]:
    """Until the stop or until the watch has to begin anew, and why. A `note` asks for a rescan as soon as nothing can
    be missed: nobody watched before."""
    batches = watchfiles.watch(
        *watched.folders,
        watch_filter=None,
        debounce=BATCH_MS,
        step=STEP_MS,
        stop_event=stop,
        rust_timeout=TICK_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
        ignore_permission_denied=True,
    )
    for batch in batches:
        if ready:
            ready.set()
        if note:
            yield _rescan(note)
            note = ""
        changes = watched.sort(batch) if batch else watched.tick()
        if changes is not None:
            yield changes
        if why := watched.is_behind():
            return why
    return _REPLACED


class _Watched:
    """The folders of one watch, their rules, and whether a storm is on."""

    def __init__(
        self,
        folders: Sequence[Path],
        wanted: Sequence[Path],
        identity: list["_Identity"],
        settings: Settings,
        storm_paths: int,
    ) -> None:
        self.folders = folders
        self._wanted = wanted
        self._settings = settings
        self._storm_paths = storm_paths
        self._identity = identity
        self._rules = self._fresh_rules()
        self._repositories = {root for folder in folders if (root := repository_root(folder.resolve()))}
        self._heads = self._read_heads()
        # Before the system is asked to watch: what is opened in between is then watched anew in vain, and never missed.
        self._unwatched = {f"{folder}/{path}" for folder in folders for path in _closed_below(folder, settings)}
        self._shut = set(self._unwatched)
        self._lacks_opened = False
        self._owed = False
        self._silent_ticks = 0
        self._last_rescan = -RESCAN_SECONDS

    def is_behind(self) -> str:
        """Why the system does not watch all that it should: a folder is gone, came back or cannot be opened any more,
        another one stands in its place, or one inside was closed when the watch began. Empty if it does."""
        if _identities(self._wanted) != self._identity:
            return _REPLACED
        return "a folder that nobody could watch was opened" if self._lacks_opened else ""

    def tick(self) -> Changes | None:
        """Nothing happened for a while: the moment for the rescan that a storm owes."""
        self._silent_ticks += 1
        if not self._owed or self._silent_ticks < 2:
            return None
        self._owed = False
        return _rescan("it is quiet after many changes")

    def sort(self, batch: set[Event]) -> Changes | None:
        """A batch of events as changes; None if nothing of it matters."""
        self._silent_ticks = 0
        note = self._branch_switch()
        found: dict[Path, tuple[str, ...]] = {}
        for folder in self.folders:
            paths, reason = self._of_folder(folder, batch)
            note = note or reason
            if paths:
                found[folder] = paths
        if len(batch) > STORM_EVENTS or sum(map(len, found.values())) > self._storm_paths:
            note = note or ("many changes at once" if found else "")
            self._owed = True
            if note and time.monotonic() - self._last_rescan < RESCAN_SECONDS:
                return None
        if note:
            self._last_rescan = time.monotonic()
            return _rescan(note)
        return Changes(MappingProxyType(found), False) if found else None

    def _of_folder(self, folder: Path, batch: set[Event]) -> tuple[tuple[str, ...], str]:
        """The paths of one folder that are not ignored, and why a rescan is needed, if it is."""
        events = [(change, path) for change, name in batch if (path := _relative(name, folder))]
        note = ""
        for _, path in events:
            if is_rule_file(path) and self._holds(folder, path):
                note = f"the ignore rules in {path} changed"
                self._rules = self._fresh_rules()
        paths: list[str] = []
        links: dict[str, bool] = {"": False}
        for change, path in events:
            # The type of what is gone is unknown; most rules that care name folders.
            is_dir = _is_dir(f"{folder}/{path}", change)
            if self._rules[folder].check(path, is_dir) is not None or _behind_link(folder, path, links):
                continue
            if not is_dir or change is watchfiles.Change.deleted:
                paths.append(path)
            elif change is watchfiles.Change.added:
                # What was put into it before the system watched it gave no event.
                note = note or f"the folder {path} is new or was renamed"
            elif self._has_turned(f"{folder}/{path}"):
                note = note or f"the folder {path} can be opened again, or no longer"
        return tuple(sorted(set(paths))), note

    def _has_turned(self, path: str) -> bool:
        """Whether a folder was shut or opened; other changes of a folder itself say nothing about its files."""
        if _is_open(path):
            was_shut = path in self._shut
            self._lacks_opened |= was_shut and path in self._unwatched
            self._shut.discard(path)
            return was_shut
        is_news = path not in self._shut
        self._shut.add(path)
        return is_news

    def _holds(self, folder: Path, path: str) -> bool:
        """Whether a rule file has a say: one inside an ignored folder has none."""
        return path.endswith("/info/exclude") or self._rules[folder].check(path.rpartition("/")[0], True) is None

    def _fresh_rules(self) -> dict[Path, IgnoreRules]:
        return {folder: IgnoreRules(folder, self._settings) for folder in self.folders}

    def _read_heads(self) -> dict[Path, str]:
        return {root: head(root) for root in self._repositories}

    def _branch_switch(self) -> str:
        """Whether another branch was checked out since the last batch. Git's own files are ignored like any other."""
        before, self._heads = self._heads, self._read_heads()
        return "" if before == self._heads else "another branch was checked out"


def _closed_below(folder: Path, settings: Settings) -> Iterator[str]:
    """The folders below one that cannot be opened, so that the system does not watch them; ignored ones left out."""
    rules = IgnoreRules(folder, settings)
    waiting = [""]
    while waiting:
        path = waiting.pop()
        if path and not _is_open(f"{folder}/{path}"):
            yield path
            continue
        try:
            with os.scandir(f"{folder}/{path}") as entries:
                found = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        except OSError:
            continue  # Gone since its name was read.
        rules.enter(path, found.keys())
        inside = [f"{path}/{name}" if path else name for name, is_dir in found.items() if is_dir]
        waiting += [each for each in inside if rules.check_entry(each, True) is None]


def _is_open(path: str) -> bool:
    return os.access(path, os.R_OK | os.X_OK)


def _rescan(note: str) -> Changes:
    return Changes(MappingProxyType({}), True, note)


_Identity = tuple[int, int] | None
"""Device and number of a folder; None if it cannot be watched."""


def _identities(folders: Sequence[Path]) -> list[_Identity]:
    found: list[_Identity] = []
    for folder in folders:
        try:
            status = folder.stat()
        except OSError:
            found.append(None)
            continue
        found.append(None if problem_with(folder) else (status.st_dev, status.st_ino))
    return found


def _relative(name: str, folder: Path) -> str:
    """The path below `folder` with forward slashes; empty if it is not below it."""
    top = f"{str(folder).rstrip(os.sep)}{os.sep}"
    return name[len(top) :].replace(os.sep, "/") if name.startswith(top) else ""


def _is_dir(path: str, change: watchfiles.Change) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return change is watchfiles.Change.deleted


def _behind_link(folder: Path, path: str, known: dict[str, bool]) -> bool:
    """Whether a link leads to the path: the watcher follows links, the index does not."""
    slash = path.find("/")
    while slash >= 0:
        parent = path[:slash]
        if parent not in known:
            known[parent] = os.path.islink(f"{folder}/{parent}")  # noqa: PTH114 - once per folder of every event
        if known[parent]:
            return True
        slash = path.find("/", slash + 1)
    return False
