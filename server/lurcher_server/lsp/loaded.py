"""What a session needs once it is running: engine, documents, indexing. Importing this costs most of a second."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lurcher_index import Engine, Settings
from lurcher_index.building.progress import unheard
from lurcher_index.errors import EmbedderError, LurcherError
from lurcher_server.lsp.documents import Documents
from lurcher_server.lsp.indexing import Indexing, State
from lurcher_server.lsp.protocol import StatusAnswer
from lurcher_server.lsp.remoting import Remoting, Wishes
from lurcher_server.lsp.reporting import Reporting
from lurcher_server.lsp.settings import ServerSettings, wished_connection
from lurcher_server.lsp.showing import Showing
from lurcher_server.lsp.sparing import spare_imports
from lurcher_server.lsp.status import status_answer
from lurcher_server.lsp.updating import Updating
from lurcher_server.lsp.uris import path_of
from lurcher_server.lsp.watcher import Watcher

if TYPE_CHECKING:
    from lurcher_server.lsp.session import Session


class Loaded:
    """The parts that work on the engine, wired to each other."""

    def __init__(self, session: "Session") -> None:
        """Make the parts; nothing runs yet."""
        self._session = session
        slot, metrics = session.slot, session.metrics
        self.documents = Documents(session.features.encoding)
        self.reporting = Reporting(session.peer)
        self.reporting.enabled = session.features.progress
        self.indexing = Indexing(slot, metrics, self.reporting, session.status_changed, self._built)
        self.showing = Showing(slot, metrics, session.status_changed)
        self.showing.documents = self.documents
        self.updating = Updating(slot, metrics, self.indexing.scan, self._followed)
        self.watcher = Watcher(self.updating.changed, self.indexing.scan, self.indexing.look_once_more)
        self.remoting = Remoting(session.peer, slot, session.soon, self._wishes)
        self._embedding: asyncio.Task[None] | None = None
        self._stop_embedding = threading.Event()

    async def pause(self) -> None:
        """Let the engine go: it is about to be exchanged."""
        self._stop_embedding.set()
        self.indexing.restarting()
        await self.watcher.stop()
        await self.updating.stop()
        await self.indexing.stop()
        await self.showing.stop()

    async def resume(self) -> None:
        """Work on the new engine."""
        session = self._session
        settings = session.settings
        self._stop_embedding = threading.Event()
        self.indexing.is_paused = False
        self.indexing.embed_up_to = settings.embeddings_automatic_max_files if settings.embeddings else 0
        self.showing.touch_all()
        session.soon(self._warm())
        if session.folders and self._watches_itself():
            self.watcher.start(list(session.folders), engine_settings(settings))
        if settings.index_on_start:
            self.indexing.request()
        else:
            self.indexing.cleared()

    async def settle(self, seconds: float) -> bool:
        """Wait until everything the server was told of is searchable; False if that takes longer."""
        try:
            async with asyncio.timeout(seconds):
                await self.updating.settle()
                await self.indexing.settle()
                await self.showing.settle()
        except TimeoutError:
            return False
        return True

    async def status(self) -> StatusAnswer:
        """The state of the index now."""
        slot = self._session.slot
        if slot.current is None:
            return status_answer(self._session, self.indexing, None)
        async with slot.use() as engine:
            state = await asyncio.to_thread(engine.status, False)
            await asyncio.to_thread(self.remoting.follow, engine)
            remote = await asyncio.to_thread(engine.remote_status)
        return status_answer(self._session, self.indexing, state, remote, self.remoting.alerts)

    def make_engine(
        self, folders: Sequence[Path], settings: ServerSettings, asyncio_loop: asyncio.AbstractEventLoop
    ) -> tuple[Engine, list[str], dict[str, str]]:
        """In a thread: an engine for those folders that can be opened, with what is wrong with the others."""
        usable: list[Path] = []
        alerts: list[str] = []
        for folder in folders:
            if _is_folder(folder):
                usable.append(folder)
            else:
                alerts.append(f"the folder {folder} cannot be opened; open it again when it is there")
        shown = {str(folder.resolve()): str(folder) for folder in usable}
        if usable:
            try:
                engine = Engine.open(
                    usable, settings=engine_settings(settings), store=settings.store, embeddings=settings.embeddings
                )
                engine.await_scan()
                engine.on_reset = self._reset_from_thread(asyncio_loop)
                self._connect(engine, asyncio_loop)
                return engine, alerts, shown
            except (LurcherError, OSError, ValueError) as error:
                alerts.append(str(error))
        engine = Engine.without_folders(engine_settings(settings), settings.embeddings)
        self._connect(engine, asyncio_loop)
        return engine, alerts, shown

    def _connect(self, engine: Engine, loop: asyncio.AbstractEventLoop) -> None:
        """Have an engine search elsewhere, too, as far as that is allowed."""
        engine.on_remote_changed = lambda: loop.call_soon_threadsafe(self._session.status_changed)
        self.remoting.adopt(engine, loop)

    def _wishes(self) -> Wishes:
        """What the settings and the client say about remote code search."""
        session = self._session
        return Wishes(
            connection=wished_connection(session.settings),
            use=session.settings.remote_use,
            folders=tuple(str(folder) for folder in session.folders),
            trusted=session.trusted,
            can_ask=session.features.asks,
        )

    def _watches_itself(self) -> bool:
        chosen = self._session.settings.watch
        return chosen == "server" or (chosen == "auto" and not self._session.features.registers_watchers)

    def _followed(self, paths: list[Path]) -> None:
        """Files changed on disk: those that are open may differ from what they were compared with."""
        open_now = {path_of(uri): uri for uri in self.documents.uris()}
        for path in paths:
            if path in open_now:
                self.showing.touch(open_now[path])
        if self._may_embed() and (self._embedding is None or self._embedding.done()):
            self._embedding = self._session.soon(self._embed())
        self._session.status_changed()

    def _may_embed(self) -> bool:
        """Whether vectors are wanted and all but those of a few changed files are made; else a build makes them."""
        return (
            self.indexing.state is State.READY
            and not self.indexing.is_running
            and self._session.settings.embeddings
            and self.indexing.embed_up_to is None
        )

    def _built(self) -> None:
        """The index is up to date: documents that were opened before may be what it has."""
        for uri in self.documents.uris():
            self.showing.touch(uri)

    def _reset_from_thread(self, loop: asyncio.AbstractEventLoop) -> Callable[[], object]:
        """What an engine calls when its index had to be replaced: everything is shown and built anew."""

        def reset() -> None:
            self.showing.touch_all()
            self.indexing.request()

        return lambda: loop.call_soon_threadsafe(reset)

    async def _warm(self) -> None:
        """Load what the first question needs, before it is asked."""
        async with self._session.slot.use() as engine:
            with spare_imports("answers"):
                await asyncio.to_thread(engine.warm)

    async def _embed(self) -> None:
        """Make the vectors of the few files that have just changed."""
        async with self._session.slot.use() as engine:
            try:
                await asyncio.to_thread(engine.embed, unheard, self._stop_embedding.is_set)
            except EmbedderError as error:
                self.indexing.vectors_failed(error)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False  # Its name is too long, or what is above it may not be looked into.


def engine_settings(settings: ServerSettings) -> Settings:
    """The part of the settings that the engine takes."""
    return Settings(
        max_file_bytes=settings.max_file_bytes,
        workers=settings.workers,
        exclude=settings.exclude,
        include_ignored=settings.include_ignored,
        model=settings.model,
        endpoint_model=settings.endpoint_model,
        endpoint_key_variable=settings.endpoint_key_variable,
        endpoint_dimensions=settings.endpoint_dimensions,
        vector_cache_bytes=settings.vector_cache_bytes,
    )
