"""Brings what the editor shows into the engine: the newest text of each document, one after the other."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.metrics import Metrics
from lurcher_server.lsp.uris import path_of

if TYPE_CHECKING:
    from lurcher_server.lsp.documents import Documents

log = logging.getLogger(__name__)

BARRIER_SECONDS = 5.0
"""How long a search waits for a document to become searchable in the version it was asked for."""


class Showing:
    """Keeps the engine's open documents in step. While one text is parsed, newer ones of the same document replace each
    other: typing quickly costs no more than typing slowly."""

    def __init__(self, slot: EngineSlot, metrics: Metrics, changed: Callable[[], None]) -> None:
        """`changed` is told whenever something became searchable."""
        self._slot = slot
        self._metrics = metrics
        self._tell = changed
        self.documents: Documents | None = None
        self._dirty: dict[str, None] = {}
        self._searchable: dict[str, int | None] = {}
        self._task: asyncio.Task[None] | None = None
        self._progress = asyncio.Condition()

    def touch(self, uri: str) -> None:
        """A document was opened, changed or closed, or its file has changed on disk."""
        self._dirty[uri] = None
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    def touch_all(self) -> None:
        """The engine is another one: everything has to be shown to it again."""
        self._searchable.clear()
        for uri in self.documents.uris() if self.documents else ():
            self.touch(uri)

    async def settle(self, seconds: float | None = None) -> bool:
        """Wait until everything that was touched is searchable, or for some seconds; whether it is."""
        if self._task is not None and not self._task.done():
            await asyncio.wait([self._task], timeout=seconds)
        return self._task is None or self._task.done()

    async def wait_for(self, versions: Mapping[str, int], seconds: float = BARRIER_SECONDS) -> list[str]:
        """Wait until documents are searchable in some version or a later one; complaints about those that are not."""
        # Messages come in order: a document that is not open now is nothing to wait for.
        coming = {uri: version for uri, version in versions.items() if self.documents and self.documents.get(uri)}
        try:
            async with asyncio.timeout(min(seconds, BARRIER_SECONDS)), self._progress:
                await self._progress.wait_for(lambda: not self._behind(coming))
        except TimeoutError:
            pass
        return [f"{uri} was not searchable in version {versions[uri]}" for uri in self._behind(versions)]

    async def stop(self) -> None:
        """Stop working."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _behind(self, versions: Mapping[str, int]) -> list[str]:
        return [uri for uri, version in versions.items() if _number(self._searchable.get(uri)) < version]

    async def _work(self) -> None:
        while self._dirty:
            uri = next(iter(self._dirty))
            del self._dirty[uri]
            try:
                await self._show(uri)
            except Exception as error:  # noqa: BLE001 - one document must not keep the others from being searched
                log_failure("showing a document", error)
            async with self._progress:
                self._progress.notify_all()
        self._tell()

    async def _show(self, uri: str) -> None:
        path = path_of(uri)
        if path is None or self.documents is None:
            return
        async with self._slot.use() as engine:
            shown = self.documents.get(uri)
            if shown is None:
                await asyncio.to_thread(engine.hide, path)
                self._searchable.pop(uri, None)
                return
            text, version = shown
            if await asyncio.to_thread(engine.show, path, text, version):
                self._metrics.documents_shown += 1
                self._searchable[uri] = version


def _number(version: int | None) -> int:
    """A version to compare with; a document without one is older than every other."""
    return -1 if version is None else version
