"""What a session needs once it is running: engine, documents, indexing. Importing this costs most of a second."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lurcher_index import Engine, Settings
from lurcher_index.errors import LurcherError
from lurcher_server.lsp.documents import Documents
from lurcher_server.lsp.indexing import Indexing, State
from lurcher_server.lsp.protocol import StatusAnswer
from lurcher_server.lsp.reporting import Reporting
from lurcher_server.lsp.settings import ServerSettings
from lurcher_server.lsp.showing import Showing
from lurcher_server.lsp.status import status_answer
from lurcher_server.lsp.updating import Updating
from lurcher_server.lsp.uris import uri_of
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
        self.indexing = Indexing(slot, metrics, self.reporting, session.status_changed)
        self.showing = Showing(slot, metrics, session.status_changed)
        self.showing.documents = self.documents
        self.updating = Updating(slot, metrics, self.indexing.request, self._followed)
        self.watcher = Watcher(self.updating.changed, self.indexing.request)

    async def pause(self) -> None:
        """Let the engine go: it is about to be exchanged."""
        self.indexing.restarting()
        await self.watcher.stop()
        await self.indexing.stop()
        await self.updating.stop()
        await self.showing.stop()

    async def resume(self) -> None:
        """Work on the new engine."""
        session = self._session
        settings = session.settings
        self.indexing.embed_up_to = settings.embeddings_automatic_max_files if settings.embeddings else 0
        self.showing.touch_all()
        session.soon(self._warm())
        if session.folders and self._watches_itself():
            self.watcher.start(list(session.folders), engine_settings(settings))
        if settings.index_on_start:
            self.indexing.request()
        else:
            self.indexing.cleared()

    async def stop(self) -> None:
        """Stop everything."""
        await self.pause()

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
        return status_answer(self._session, self.indexing, state)

    def make_engine(
        self, folders: Sequence[Path], settings: ServerSettings
    ) -> tuple[Engine, list[str], dict[str, str]]:
        """In a thread: an engine for those folders that can be opened, with what is wrong with the others."""
        usable: list[Path] = []
        alerts: list[str] = []
        for folder in folders:
            if folder.is_dir():
                usable.append(folder)
            else:
                alerts.append(f"the folder {folder} cannot be opened; open it again when it is there")
        shown = {str(folder.resolve()): str(folder) for folder in usable}
        if usable:
            try:
                engine = Engine.open(
                    usable, settings=engine_settings(settings), store=settings.store, embeddings=settings.embeddings
                )
                return engine, alerts, shown
            except LurcherError as error:
                alerts.append(str(error))
        return Engine.without_folders(engine_settings(settings)), alerts, shown

    def _watches_itself(self) -> bool:
        chosen = self._session.settings.watch
        return chosen == "server" or (chosen == "auto" and not self._session.features.registers_watchers)

    def _followed(self, paths: list[Path]) -> None:
        """Files changed on disk: those that are open may differ from what they were compared with."""
        open_now = set(self.documents.uris())
        for path in paths:
            uri = uri_of(path)
            if uri in open_now:
                self.showing.touch(uri)
        if self.indexing.state is State.READY and self._session.settings.embeddings and not self.indexing.is_running:
            self._session.soon(self._embed())
        self._session.status_changed()

    async def _warm(self) -> None:
        """Load what the first question needs, before it is asked."""
        async with self._session.slot.use() as engine:
            await asyncio.to_thread(engine.warm)

    async def _embed(self) -> None:
        """Make the vectors of the few files that have just changed."""
        async with self._session.slot.use() as engine:
            await asyncio.to_thread(engine.embed)


def engine_settings(settings: ServerSettings) -> Settings:
    """The part of the settings that the engine takes."""
    return Settings(
        max_file_bytes=settings.max_file_bytes,
        workers=settings.workers,
        exclude=settings.exclude,
        include_ignored=settings.include_ignored,
    )
