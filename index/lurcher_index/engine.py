"""The engine: index some folders, keep the index fresh, search it."""

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType

from lurcher_index.auditing import Audit, audit
from lurcher_index.building.progress import Cancelled, Report, never, unheard
from lurcher_index.building.updates import Update
from lurcher_index.config import Settings
from lurcher_index.errors import BadFolder, BadQuery, StoreDamaged, StoreError
from lurcher_index.explaining import Explanation, explain
from lurcher_index.files.listing import printable
from lurcher_index.following import Followed, follow
from lurcher_index.results import SearchResult, Status
from lurcher_index.search import search
from lurcher_index.store.places import Place, place_for
from lurcher_index.words.filters import Filters, Within
from lurcher_index.workspace import Workspace

MEMORY = ":memory:"
"""Value of `store` for an index that leaves nothing on disk."""


class Engine:
    """Search over some folders; a context manager that stops its worker processes at the end.

    >>> with Engine.open(["path/to/project"]) as engine:
    ...     engine.build()
    ...     for hit in engine.search("where are settings read").hits:
    ...         print(hit.path, hit.first_line, hit.score)
    """

    def __init__(self, folders: Sequence[Path], settings: Settings, place: Place | None) -> None:
        """Use `Engine.open`."""
        self._folders = folders
        self._settings = settings
        self._place = place
        self._alerts: list[str] = []
        self._workspace = self._open()

    @classmethod
    def open(
        cls,
        folders: Iterable[str | Path],
        *,
        settings: Settings | None = None,
        store: str | Path | None = None,
    ) -> "Engine":
        """Open the index of some folders. `store` is the directory for indexes, by default the user's cache;
        `MEMORY` keeps the index in memory. If the directory cannot be used the index is kept in memory, with an alert.
        """
        chosen = settings or Settings()
        real = _real_folders(folders)
        if store == MEMORY:
            return cls(real, chosen, None)
        return cls(real, chosen, place_for(real, chosen.shape(), Path(store) if store else None))

    def build(self, progress: Report = unheard, cancelled: Cancelled = never) -> bool:
        """Bring the index up to date with the disk; False if it was cancelled, with what was done until then kept."""
        try:
            return self._workspace.build(progress, cancelled)
        except StoreDamaged as error:
            self._start_anew(str(error))
        except StoreError as error:
            self._move_to_memory(error)
        return self._workspace.build(progress, cancelled)

    def update(self, paths: Iterable[str | Path]) -> Update:
        """Follow changes at some paths (files or folders, created, changed or deleted); searchable on return."""
        changed = [Path(path) for path in paths]
        try:
            return self._workspace.update(changed)
        except StoreDamaged as error:
            self._start_anew(str(error))
        except StoreError as error:
            self._move_to_memory(error)
        self._workspace.build()
        return self._workspace.update(changed)

    def search(
        self,
        query: str,
        *,
        max_results: int = 10,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        languages: Sequence[str] = (),
        paths: Sequence[str] = (),
    ) -> SearchResult:
        """The best chunks for a question or some words. Filters act inside the search, `exclude` wins."""
        if max_results < 1:
            raise BadQuery(f"max_results must be at least 1, not {max_results}")
        filters = Filters(
            tuple(self._relative(glob) for glob in include),
            tuple(self._relative(glob) for glob in exclude),
            tuple(language.lower() for language in languages),
            tuple(self._relative(path) for path in paths),
        )
        try:
            return search(self._workspace, query, max_results, filters, self._alerts)
        except StoreDamaged as error:
            self._start_anew(str(error))
            return search(self._workspace, query, max_results, filters, self._alerts)

    def status(self) -> Status:
        """What is in the index, what is not, and where it is kept."""
        counts = self._workspace.catalog.counts()
        pending = self._workspace.catalog.unfolded_count()
        place = self._workspace.place
        return Status(
            folders=tuple(str(folder) for folder in self._folders),
            store=str(place.directory) if place else "memory",
            indexed=counts.files - pending,
            pending=pending,
            skipped=counts.skipped,
            chunks=counts.chunks,
            complete=self._workspace.catalog.is_complete(),
            bytes_on_disk=_disk_use(place.directory) if place else 0,
            alerts=tuple(self._alerts),
        )

    def explain(self, path: str | Path) -> Explanation:
        """Why a file is, or is not, in the index."""
        return explain(self._workspace, Path(path))

    def audit(self) -> Audit:
        """What was kept out of the index, and which secrets were masked, by rule."""
        return audit(self._workspace)

    def follow(
        self, stop: threading.Event, heard: Callable[[Followed], object], ready: threading.Event | None = None
    ) -> None:
        """Keep the index fresh by watching the disk until `stop` is set; `ready` is set when nothing can be missed."""
        follow(self, self._folders, self._settings, stop, heard, ready)

    def clear(self) -> None:
        """Delete the index and start an empty one."""
        self._workspace.clear()
        self._workspace = self._open()

    @property
    def is_complete(self) -> bool:
        """Whether a build ever ran to its end."""
        return self._workspace.catalog.is_complete()

    @property
    def workspace(self) -> Workspace:
        """The workspace behind the engine, for those who look closer: audits, explanations, servers."""
        return self._workspace

    def close(self) -> None:
        """Stop the worker processes and close the index."""
        self._workspace.close()

    def __enter__(self) -> "Engine":
        """The engine itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _open(self) -> Workspace:
        try:
            workspace = self._open_place()
        except StoreError as error:
            if self._place is None:
                raise
            self._say_memory(error)
            workspace = Workspace(self._folders, self._settings, None)
        if workspace.reset_reason:
            self._alerts.append(f"{workspace.reset_reason}; it is built anew")
        return workspace

    def _open_place(self) -> Workspace:
        try:
            return Workspace(self._folders, self._settings, self._place)
        except StoreDamaged as error:
            if self._place is None:
                raise
            self._place.delete()
            self._alerts.append(f"{error}; it was deleted and is built anew")
            return Workspace(self._folders, self._settings, self._place)

    def _start_anew(self, reason: str) -> None:
        """Drop an index that is damaged and open an empty one."""
        self._workspace.abandon()
        self._alerts.append(f"{reason}; it was deleted and is built anew")
        self._workspace = self._open()

    def _move_to_memory(self, error: StoreError) -> None:
        """Go on without the disk."""
        if self._workspace.place is None:
            raise error
        self._workspace.close()
        self._place = None
        self._say_memory(error)
        self._workspace = self._open()

    def _say_memory(self, error: StoreError) -> None:
        self._alerts.append(f"{error}. The index is kept in memory and will be lost; free or choose another place")

    def _relative(self, pattern: str) -> str | Within:
        """A glob or path that is written absolute, as one of its folder."""
        # The innermost folder first: what lies in a nested one belongs to that one.
        for folder in sorted(self._workspace.folders, key=lambda folder: -len(folder.path.parts)):
            base = folder.path.as_posix()
            if pattern == base or pattern.startswith(base + "/"):
                return Within(folder.folder_id, pattern[len(base) :].rstrip("/") or "/**")
        return pattern


def _real_folders(folders: Iterable[str | Path]) -> list[Path]:
    real: dict[Path, None] = {}
    for folder in folders:
        try:
            path = Path(folder).expanduser().resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise BadFolder(f"the folder {str(folder)!r} cannot be opened: {error}") from None
        if not path.is_dir():
            raise BadFolder(f"{str(folder)!r} is not a folder")
        if printable(str(path)) is not None:
            raise BadFolder(f"the folder {str(folder)!r} cannot be indexed: its name is not valid UTF-8")
        real[path] = None
    if not real:
        raise BadFolder("name at least one folder")
    return list(real)


def _disk_use(directory: Path) -> int:
    total = 0
    for path in directory.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue  # Merged away between listing and looking.
    return total
