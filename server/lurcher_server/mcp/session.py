"""One host's session: its folders, their engine, and the work that keeps the index built and fresh."""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lurcher_index.building.progress import Progress, unheard
from lurcher_index.config import Settings
from lurcher_index.errors import BadFolder, EmbedderError, LurcherError
from lurcher_index.remote.agreement import Consent
from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.indexing import Indexing, State
from lurcher_server.lsp.metrics import Metrics
from lurcher_server.lsp.remoting import Remoting
from lurcher_server.lsp.remoting import Wishes as RemoteWishes
from lurcher_server.lsp.updating import Updating
from lurcher_server.lsp.watcher import Watcher
from lurcher_server.mcp.folders import folders_of_roots, implied_folder
from lurcher_server.mcp.memory import Memory
from lurcher_server.names import Names

if TYPE_CHECKING:
    from lurcher_index import Engine

log = logging.getLogger(__name__)

END_SECONDS = 5.0
"""How long work in a thread may take to end when the session does; opening an engine is the longest."""


class Wishes(msgspec.Struct, frozen=True):
    """What the command line says."""

    folders: tuple[str, ...] = ()
    """Empty: those of the client, else the current one."""
    store: str | None = None
    settings: Settings = Settings()


class Session:
    """The one mutable thing of a connection. The engine and its imports come when the first question needs them, or
    right after the greeting if the folders are known."""

    def __init__(self, wishes: Wishes) -> None:
        """Nothing is opened yet."""
        self.wishes = wishes
        self.memory = Memory()
        self.names = Names(())
        self.metrics = Metrics()
        self.slot = EngineSlot()
        self._news = asyncio.Event()
        self.indexing = Indexing(self.slot, self.metrics, _Unseen(), self._news.set)
        self.updating = Updating(self.slot, self.metrics, self.indexing.scan, self._followed)
        self._watcher = Watcher(self.updating.changed, self.indexing.scan, self.indexing.look_once_more)
        # An assistant wishes for nothing and is asked nothing: what the person has allowed holds, as everywhere.
        self.remoting = Remoting(None, self.slot, self.soon, lambda: RemoteWishes(folders=self._engine_folders))
        self._engine_folders: tuple[str, ...] = ()
        self._folders: list[Path] | None = None
        self._opening: asyncio.Task[None] | None = None
        self._stop_embedding = threading.Event()
        self._embedding: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._turn = asyncio.Lock()

    # -- life

    @property
    def is_open(self) -> bool:
        """Whether somebody has said, or we have decided, which folders are searched."""
        return self._opening is not None

    @property
    def asks_for_roots(self) -> bool:
        """Whether the client has to be asked for its folders."""
        return not self.wishes.folders and not self.is_open

    def begin(self, roots: Sequence[str] | None = None) -> None:
        """Open the engine, once: with the folders of the command line, those of the client, or the current one."""
        if self._opening is None:
            self._opening = self.soon(self._open(roots))

    def roots_changed(self, roots: Sequence[str]) -> None:
        """The client has other folders now; the command line's are the last word."""
        if not self.wishes.folders:
            self._opening = self.soon(self._open(roots))

    @asynccontextmanager
    async def use(self) -> "AsyncGenerator[Engine]":
        """The engine, waited for if it is just being opened; raises what kept it from being opened."""
        self.begin()
        opening = self._opening
        assert opening is not None
        try:
            await asyncio.shield(opening)
        except Exception:
            # The next question tries again, unless somebody does already: a folder may have come into being.
            if self._opening is opening:
                self._opening = None
            raise
        async with self.slot.use() as engine:
            yield engine

    def remote_notes(self, engine: "Engine") -> list[str]:
        """In a thread: how it stands with remote code search, if anything was ever answered for these folders. No
        command that would allow it: that is for people, and these notes are read by models."""
        self.remoting.follow(engine)
        agreement = self.remoting.agreement
        if agreement.consent is Consent.NONE and not agreement.complaint:
            return []
        return [agreement.detail, *(self.remoting.alerts if agreement.allowed is not None else ())]

    async def settle(self, seconds: float) -> None:
        """Wait, not for long, until a first build is done, and until what changed is searchable: files that we heard
        of, and those that changed while nobody looked."""
        if self.slot.current:
            await self.indexing.look_again(self.slot.current)
        try:
            async with asyncio.timeout(seconds):
                await self.updating.settle()
                if not self.slot.current or not await asyncio.to_thread(_is_complete, self.slot.current):
                    await self.indexing.settle()
                while self.slot.current and self.slot.current.awaits_scan and self.indexing.is_running:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            pass

    async def close(self) -> None:
        """Stop all work and close the engine; no process is left behind."""
        self._stop_embedding.set()
        # A thread cannot be stopped, and an engine must not be closed under its feet.
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=END_SECONDS)
        for task in list(self._tasks):
            task.cancel()
            await asyncio.wait([task])
        await self._pause()
        await self.slot.close()

    def soon(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run a coroutine beside everything else; it is stopped with the session."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    # -- parts

    async def _open(self, roots: Sequence[str] | None) -> None:
        async with self._turn:
            folders = await asyncio.to_thread(self._chosen, roots)
            if folders == self._folders:
                return
            await self._pause()
            loop = asyncio.get_running_loop()
            await self.slot.replace(lambda: self._make_engine(folders, loop))
            self._folders = folders
            self._stop_embedding = threading.Event()
            self.indexing.is_paused = False
            self._watcher.start(folders, self.wishes.settings)
            self.indexing.request()
            self.soon(self._warm())

    def _chosen(self, roots: Sequence[str] | None) -> list[Path]:
        """In a thread: the folders that are searched."""
        if self.wishes.folders:
            return [Path(folder) for folder in self.wishes.folders]
        return folders_of_roots(roots or ()) or [implied_folder()]

    def _make_engine(self, folders: list[Path], loop: asyncio.AbstractEventLoop) -> "Engine":
        """In a thread: importing the engine takes most of a second."""
        from lurcher_index.engine import Engine

        try:
            engine = Engine.open(folders, settings=self.wishes.settings, store=self.wishes.store)
        except (OSError, ValueError) as error:
            raise BadFolder(f"the index of {', '.join(map(str, folders))} cannot be opened: {error}") from error
        engine.await_scan()
        engine.on_reset = lambda: loop.call_soon_threadsafe(self.indexing.request)
        self._engine_folders = tuple(str(folder.path) for folder in engine.workspace.folders)
        self.names = Names(self._engine_folders, folders)
        self.remoting.adopt(engine, loop)
        return engine

    async def _pause(self) -> None:
        self._stop_embedding.set()
        self.indexing.restarting()
        await self._watcher.stop()
        await self.updating.stop()
        await self.indexing.stop()

    async def _warm(self) -> None:
        async with self.slot.use() as engine:
            await asyncio.to_thread(engine.warm)

    def _followed(self, _paths: list[Path]) -> None:
        """A few files changed: their vectors are made at once, unless a build makes them anyway."""
        is_idle = self._embedding is None or self._embedding.done()
        if is_idle and self.indexing.state is State.READY and not self.indexing.is_running:
            self._embedding = self.soon(self._embed())

    async def _embed(self) -> None:
        async with self.slot.use() as engine:
            try:
                await asyncio.to_thread(engine.embed, unheard, self._stop_embedding.is_set)
            except EmbedderError as error:
                self.indexing.vectors_failed(error)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, LurcherError):
            log.warning("%s", error)
        else:
            log_failure("work in the background", error)


class _Unseen:
    """Builds are not shown by themselves: MCP has progress only for what somebody asked for."""

    def begin(self, cancel: Callable[[], None]) -> None:
        """Nothing to show."""

    def report(self, progress: Progress) -> None:
        """Nothing to show."""

    def end(self) -> None:
        """Nothing to show."""


def _is_complete(engine: "Engine") -> bool:
    return engine.is_complete
