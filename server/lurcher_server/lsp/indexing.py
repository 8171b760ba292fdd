"""Keeps the index built: one build at a time, in a process of its own, with progress and a cancel button."""

import asyncio
import logging
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from lurcher_index.building.progress import Phase, Progress
from lurcher_index.errors import BadFolder, Cancelled, EmbedderError, LurcherError
from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.metrics import Metrics

if TYPE_CHECKING:
    from lurcher_index import Engine

log = logging.getLogger(__name__)

FIRST_RETRY_SECONDS = 5.0
"""How long after a failed build the next one is tried; each time twice as long …"""

LAST_RETRY_SECONDS = 300.0
"""… up to this."""


class State(StrEnum):
    """What the index is good for, as clients are told."""

    STARTING = "starting"
    UPDATING = "updating"
    READY = "ready"
    REQUIRES_INDEXING = "requiresIndexing"
    FAILED = "failed"


class Reporting(Protocol):
    """Who shows a build to a person."""

    def begin(self, cancel: Callable[[], None]) -> None:
        """A build begins; `cancel` stops it."""
        ...

    def report(self, progress: Progress) -> None:
        """So far it is."""
        ...

    def end(self) -> None:
        """It is over."""
        ...


class Indexing:
    """Runs builds when they are asked for. A caller's own cancel never stops a build; only `cancel` and `stop` do."""

    def __init__(
        self,
        slot: EngineSlot,
        metrics: Metrics,
        reporting: Reporting,
        changed: Callable[[], None],
        built: Callable[[], None] = lambda: None,
    ) -> None:
        """`changed` is told whenever the state or the progress is another one, `built` when a build is complete."""
        self._built = built
        self.is_paused = False
        """Whether builds are put off because the engine is being exchanged."""
        self._slot = slot
        self._metrics = metrics
        self._reporting = reporting
        self._tell = changed
        self.state = State.STARTING
        self.progress = Progress(Phase.SCANNING)
        self.last_error: str | None = None
        self.embed_up_to: int | None = None
        self._wanted = False
        self._quietly = False
        """Whether the next build only makes sure: it is told of if it finds something to do."""
        self._stop = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._patience = FIRST_RETRY_SECONDS
        self._lacks_folders = False

    @property
    def is_running(self) -> bool:
        """Whether a build is under way."""
        return self._task is not None and not self._task.done()

    def request(self) -> None:
        """Have the index brought up to date; while that is being done, once more afterwards."""
        self._quietly = False
        self._want()
        if self._wanted and self.state is State.READY:
            self._become(State.UPDATING)  # Also while a quiet one is under way, which may have to wait for others.

    def _want(self) -> None:
        if self.is_paused:
            return
        self._wanted = True
        if not self.is_running:
            self._begin()

    def scan(self) -> None:
        """More has changed than can be told by paths: until a build that begins from now on has looked at everything,
        no answer is whole."""
        if self._slot.current is not None:
            self._slot.current.await_scan()
        self.request()

    def look_once_more(self) -> None:
        """The disk is watched from now on. Of what changed after a build had looked nobody has heard, so another one
        looks, unless a person wants none. What was ready stays so meanwhile: most often nothing is found."""
        is_stopped = self.is_running and self._stop.is_set()
        if not is_stopped and (self.is_running or self.state is State.READY):
            self._quietly = self._quietly or not self._wanted
            self._want()

    async def look_again(self, engine: "Engine") -> None:
        """Somebody asks: if files were not looked at since a folder could not be opened, and now it can, that is done
        at once rather than when its turn comes."""
        may_look = engine.awaits_scan and (self.state is State.READY or self._lacks_folders) and not self.is_running
        if may_look and not await asyncio.to_thread(engine.lacks_folders):
            self.request()

    def cancel(self) -> None:
        """Stop the build, on a person's wish; what is done until then is kept, and nothing is tried again by itself."""
        self._wanted = False
        self._stop.set()

    async def stop(self) -> None:
        """Stop the build and wait until its process is gone."""
        self._wanted = False
        if self._retry is not None:
            self._retry.cancel()
        self._stop.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def settle(self) -> None:
        """Wait until no build is under way."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    def restarting(self) -> None:
        """The engine is about to be exchanged: what was ready no longer is, and another build will follow."""
        self.is_paused = True
        self._stop.set()
        self._become(State.STARTING)

    def cleared(self) -> None:
        """The index is empty, by a person's wish."""
        self._become(State.REQUIRES_INDEXING)

    def _begin(self) -> None:
        self._stop = threading.Event()
        self._task = asyncio.create_task(self._work(self._stop))

    async def _work(self, stop: threading.Event) -> None:
        while self._wanted and not stop.is_set():
            is_quiet = self._quietly and self.state is State.READY
            self._wanted = self._quietly = False
            if not is_quiet:
                self._become(State.UPDATING)
            await self._build(stop)
        if self._wanted:
            # Somebody asked for another build while this one was being stopped.
            self._begin()

    async def _build(self, stop: threading.Event) -> None:
        loop = asyncio.get_running_loop()

        def heard(progress: Progress) -> None:
            try:
                loop.call_soon_threadsafe(self._heard, progress)
            except RuntimeError:
                stop.set()  # The loop is closed.

        self._reporting.begin(self.cancel)
        try:
            async with self._slot.use() as engine:
                complete = await asyncio.to_thread(engine.build_in_background, heard, stop.is_set, self.embed_up_to)
                has_unseen = complete and await asyncio.to_thread(engine.has_unseen)
            self._metrics.builds += 1
            self.last_error = None
            self._lacks_folders = has_unseen
            self._become(State.READY if complete else State.REQUIRES_INDEXING)
            if complete:
                self._built()
            if has_unseen:
                self._try_again()
            else:
                self._patience = FIRST_RETRY_SECONDS
        except EmbedderError as error:
            self._metrics.builds += 1
            self._become(State.READY)
            self._built()
            self.vectors_failed(error)
        except Cancelled:
            self._become(State.REQUIRES_INDEXING)
        except (LurcherError, RpcError) as error:
            self._lacks_folders = isinstance(error, BadFolder)
            self._failed(str(error))
        except Exception as error:  # noqa: BLE001 - whatever ends a build, the state must not stay "updating"
            log_failure("a build", error)
            self._failed(type(error).__name__)
        finally:
            self._reporting.end()

    def vectors_failed(self, error: EmbedderError) -> None:
        """The words are up to date and the vectors are not: said in the status, and tried again by itself."""
        log.warning("vectors could not be made: %s", error)
        self.last_error = str(error)
        self._tell()
        self._try_again()

    def _failed(self, reason: str) -> None:
        log.error("the index could not be built: %s", reason)
        self.last_error = reason
        self._become(State.FAILED)
        self._try_again()

    def _try_again(self) -> None:
        if self.is_paused:
            return
        if self._retry is not None:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(self._patience, self.request)
        self._patience = min(2 * self._patience, LAST_RETRY_SECONDS)

    def _heard(self, progress: Progress) -> None:
        self.progress = progress
        if self.state is State.READY and progress.phase in (Phase.INDEXING, Phase.EMBEDDING) and progress.total:
            self.state = State.UPDATING
        self._reporting.report(progress)
        self._tell()

    def _become(self, state: State) -> None:
        self.state = state
        self._tell()
