"""The engine of a session, which may be exchanged when folders or settings change; never under a search's feet."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.sparing import collect_closed

if TYPE_CHECKING:
    from lurcher_index import Engine

log = logging.getLogger(__name__)

LEAVE_SECONDS = 2.0
"""How long requests may go on with an engine that is to be closed for good."""


class EngineSlot:
    """Holds one engine and counts who uses it."""

    def __init__(self) -> None:
        """Empty, until the first engine is put in."""
        self._engine: Engine | None = None
        self._users = 0
        self._changed = asyncio.Condition()
        self._closed = False

    @property
    def current(self) -> "Engine | None":
        """The engine, if there is one now; for a look that takes no time."""
        return self._engine

    @asynccontextmanager
    async def use(self) -> "AsyncGenerator[Engine]":
        """The engine, waited for if it is just being opened; it stays open until the block ends."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._engine is not None or self._closed)
            if self._engine is None:
                raise RpcError(ErrorCode.SERVER_CANCELLED, "the server is shutting down")
            engine = self._engine
            self._users += 1
        try:
            yield engine
        finally:
            await asyncio.shield(self._leave())

    @asynccontextmanager
    async def alone(self) -> "AsyncGenerator[Engine]":
        """The engine when nobody else uses it; who comes meanwhile waits."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._engine is not None or self._closed)
            engine, self._engine = self._engine, None
            if engine is None:
                raise RpcError(ErrorCode.SERVER_CANCELLED, "the server is shutting down")
            try:
                await self._changed.wait_for(lambda: self._users == 0)
                yield engine
            finally:
                self._engine = engine
                self._changed.notify_all()

    async def replace(self, make: "Callable[[], Engine]") -> None:
        """Close the engine when nobody uses it any more, and put in another one."""
        async with self._changed:
            old, self._engine = self._engine, None
            await self._changed.wait_for(lambda: self._users == 0)
            if old is not None:
                await asyncio.to_thread(old.close)
                old = None
                # Its parts hold each other, and with them files and threads: they must not wait for a chance to go.
                collect_closed()
            self._engine = await asyncio.to_thread(make)
            self._changed.notify_all()

    async def close(self) -> None:
        """Close the engine for good; who uses it has a moment to leave, who waits for it is sent away."""
        async with self._changed:
            old, self._engine = self._engine, None
            self._closed = True
            self._changed.notify_all()
            try:
                async with asyncio.timeout(LEAVE_SECONDS):
                    await self._changed.wait_for(lambda: self._users == 0)
            except TimeoutError:
                log.warning("%d requests still use the engine that is closed now", self._users)
            if old is not None:
                await asyncio.to_thread(old.close)

    async def _leave(self) -> None:
        async with self._changed:
            self._users -= 1
            self._changed.notify_all()
