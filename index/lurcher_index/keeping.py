"""Which index an engine works on: opened, replaced when it fails, kept in memory when no place can hold it."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import filelock

from lurcher_index.config import Settings
from lurcher_index.errors import StoreBusy, StoreClosed, StoreDamaged, StoreError, StoreReplaced
from lurcher_index.store.places import Place
from lurcher_index.workspace import Workspace

R = TypeVar("R")

UNUSABLE = (StoreDamaged, StoreReplaced)
"""What a reader may meet that another index cures."""


def delete_index(place: Place) -> bool:
    """Delete the index at a place that no engine has open, as one whose folder is gone; False if there is none."""
    if not place.database.exists():
        return False
    try:
        with filelock.FileLock(place.lock, timeout=0):
            place.delete()
    except filelock.Timeout:
        raise StoreBusy("another process is writing this index; try again when it is done") from None
    except OSError as error:
        raise StoreError(f"the index cannot be locked for writing: {error}") from error
    return True


class Keeper:
    """The workspace of an engine, and another one in its place when it fails. Thread-safe."""

    def __init__(self, folders: Sequence[Path], settings: Settings, place: Place | None) -> None:
        """Open the index at a place, or in memory if there is none or it cannot be used."""
        self._folders = folders
        self._settings = settings
        self._place = place
        self._turn = threading.Lock()
        self.alerts: list[str] = []
        """What went wrong so far, for every answer to say."""
        self.on_reset: Callable[[], object] = lambda: None
        """Called, in any thread, after an index that failed was replaced by an empty or another one."""
        self.workspace = self._open()

    def attempt(self, work: Callable[[Workspace], R], failures: tuple[type[StoreError], ...] = UNUSABLE) -> R:
        """Do something with the index; if that fails in one of these ways, once more with what takes its place."""
        workspace = self.workspace
        try:
            return work(workspace)
        except failures as error:
            self.recover(workspace, error)
        return work(self.workspace)

    def recover(self, failed: Workspace, error: StoreError) -> None:
        """Open another index in place of one that failed, once, however many threads met the failure."""
        if isinstance(error, StoreClosed | StoreBusy):
            raise error
        with self._turn:
            if self.workspace is not failed:
                return
            if isinstance(error, StoreDamaged):
                failed.abandon()
                self.alerts.append(f"{error}; it was deleted and is built anew")
            elif isinstance(error, StoreReplaced):
                failed.close()
            elif failed.place is None:
                raise error
            else:
                failed.close()
                self._place = None
                self._say_memory(error)
            self.workspace = self._open()
        self.on_reset()

    def clear(self) -> None:
        """Delete the index and start an empty one."""
        self.workspace.clear()
        self.workspace = self._open()

    def _open(self) -> Workspace:
        try:
            workspace = self._open_place()
        except StoreError as error:
            if self._place is None:
                raise
            self._say_memory(error)
            workspace = Workspace(self._folders, self._settings, None)
        if workspace.reset_reason:
            self.alerts.append(f"{workspace.reset_reason}; it is built anew")
        return workspace

    def _open_place(self) -> Workspace:
        try:
            return Workspace(self._folders, self._settings, self._place)
        except StoreDamaged as error:
            if self._place is None:
                raise
            self._place.delete()
            self.alerts.append(f"{error}; it was deleted and is built anew")
            return Workspace(self._folders, self._settings, self._place)

    def _say_memory(self, error: StoreError) -> None:
        self.alerts.append(f"{error}. The index is kept in memory and will be lost; free or choose another place")
