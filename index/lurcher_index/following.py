"""Keeps an index fresh by watching the disk, for use without an editor."""

import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from lurcher_index.files.watching import watch
from lurcher_index.workspace import Workspace


class Followed(msgspec.Struct, frozen=True):
    """A batch of changes that is now searchable."""

    paths: tuple[str, ...]
    """The changed paths; empty after a rescan."""
    rescanned: bool
    note: str


def follow(
    workspace: Workspace,
    stop: threading.Event,
    heard: Callable[[Followed], object],
    ready: threading.Event | None = None,
) -> None:
    """Follow the disk until `stop` is set. Storms and anything doubtful end in a scan, never in a wrong index."""
    folders = [folder.path for folder in workspace.folders]
    for changes in watch(folders, workspace.settings, stop, ready=ready):
        if changes.rescan:
            if any(folder.is_dir() for folder in folders):
                workspace.build(cancelled=stop.is_set)
            heard(Followed((), True, changes.note))
            continue
        paths: list[Path] = [folder / path for folder, inside in changes.paths.items() for path in inside]
        workspace.update(paths)
        heard(Followed(tuple(str(path) for path in paths), False, changes.note))
