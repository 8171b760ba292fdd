"""Keeps an index fresh by watching the disk, for use without an editor."""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from lurcher_index.building.progress import Cancelled, Report
from lurcher_index.config import Settings
from lurcher_index.errors import BadFolder, EmbedderError
from lurcher_index.files.watching import watch

log = logging.getLogger(__name__)


class Followed(msgspec.Struct, frozen=True):
    """A batch of changes that is now searchable."""

    paths: tuple[str, ...]
    """The changed paths; empty after a rescan."""
    rescanned: bool
    note: str
    """Why everything was looked at; without paths and a rescan, why nothing could be."""


class Index(Protocol):
    """What follows the changes: the engine, which knows what to do when its store fails."""

    def build(self, progress: Report = ..., cancelled: Cancelled = ...) -> bool:
        """Bring everything up to date."""
        ...

    def update(self, paths: Iterable[str | Path]) -> object:
        """Bring some paths up to date."""
        ...

    def embed(self, progress: Report = ..., cancelled: Cancelled = ...) -> bool:
        """Make the vectors that are missing."""
        ...


def follow(
    index: Index,
    folders: Sequence[Path],
    settings: Settings,
    stop: threading.Event,
    heard: Callable[[Followed], object],
    ready: threading.Event | None = None,
) -> None:
    """Follow the disk until `stop` is set. Storms and anything doubtful end in a scan, never in a wrong index.

    It begins with a scan: what changes while whoever calls builds, and until the watch stands, is told by nobody.
    """
    told = ""
    for changes in watch(folders, settings, stop, ready=ready, begun="the watch has begun"):
        paths: list[Path] = [folder / path for folder, inside in changes.paths.items() for path in inside]
        try:
            if changes.rescan:
                index.build(cancelled=stop.is_set)
            else:
                index.update(paths)
        except BadFolder as error:
            # The watch goes on, and says so when a folder can be opened again.
            if str(error) != told:
                heard(Followed((), False, told := str(error)))
            continue
        told = ""
        if changes.rescan:
            heard(Followed((), True, changes.note))
            _embed(index, stop)
            continue
        heard(Followed(tuple(str(path) for path in paths), False, changes.note))
        _embed(index, stop)


def _embed(index: Index, stop: threading.Event) -> None:
    """What can be found by its words is found by its meaning a moment later. A model that fails is asked again with the
    next change."""
    try:
        index.embed(cancelled=stop.is_set)
    except EmbedderError as error:
        log.warning("vectors could not be made: %s", error)
