"""Status, build, rebuild, clear, explain and metrics: one command at a time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from lurcher_server.lsp.handlers.explaining import explain
from lurcher_server.lsp.protocol import BUILD, CLEAR, EXPLAIN, METRICS, REBUILD, STATUS, DoneAnswer, ExplainParams
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session

if TYPE_CHECKING:
    from lurcher_server.lsp.loaded import Loaded


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods."""
    turn = asyncio.Lock()

    async def status(_params: None, _call: Call) -> object:
        return await (await session.loaded()).status()

    async def command(work: "Callable[[Loaded], Coroutine[Any, Any, None]]", message: str) -> DoneAnswer:
        """One command at a time; a request that is cancelled does not leave it half done."""
        if turn.locked():
            return DoneAnswer(done=False, message="Another command is still at work; try again when it is done.")
        async with turn:
            await asyncio.shield(session.soon(work(await session.loaded())))
        return DoneAnswer(done=True, message=message)

    async def empty(loaded: "Loaded") -> None:
        await loaded.indexing.stop()
        async with session.slot.alone() as engine:
            await asyncio.to_thread(engine.clear)
        loaded.showing.touch_all()

    async def built(loaded: "Loaded") -> None:
        settings = session.settings
        loaded.indexing.embed_up_to = settings.embeddings_manual_max_files if settings.embeddings else 0
        loaded.indexing.request()

    async def emptied_and_built(loaded: "Loaded") -> None:
        try:
            await empty(loaded)
        finally:
            await built(loaded)

    async def emptied(loaded: "Loaded") -> None:
        try:
            await empty(loaded)
        finally:
            loaded.indexing.cleared()

    async def build(_params: None, _call: Call) -> object:
        return await command(built, "The index is being brought up to date.")

    async def rebuild(_params: None, _call: Call) -> object:
        return await command(emptied_and_built, "The index is being built anew.")

    async def clear(_params: None, _call: Call) -> object:
        return await command(emptied, "The index was deleted; rebuild it to search by more than open documents.")

    async def explained(params: ExplainParams, _call: Call) -> object:
        return await explain(session, params)

    async def metrics(_params: None, _call: Call) -> object:
        return session.metrics.as_answer()

    handlers.request(STATUS, None, status)
    handlers.request(BUILD, None, build)
    handlers.request(REBUILD, None, rebuild)
    handlers.request(CLEAR, None, clear)
    handlers.request(EXPLAIN, ExplainParams, explained)
    handlers.request(METRICS, None, metrics)
