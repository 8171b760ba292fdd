"""Status, rebuild, clear, explain and metrics: one command at a time."""

import asyncio

from lurcher_server.lsp.handlers.explaining import explain
from lurcher_server.lsp.protocol import CLEAR, EXPLAIN, METRICS, REBUILD, STATUS, DoneAnswer, ExplainParams
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods."""
    turn = asyncio.Lock()

    async def status(_params: None, _call: Call) -> object:
        return await (await session.loaded()).status()

    async def rebuild(_params: None, _call: Call) -> object:
        if turn.locked():
            return DoneAnswer(done=False, message="Another command is still at work; try again when it is done.")
        async with turn:
            loaded = await session.loaded()
            settings = session.settings
            await loaded.indexing.stop()
            async with session.slot.alone() as engine:
                await asyncio.to_thread(engine.clear)
            loaded.showing.touch_all()
            loaded.indexing.embed_up_to = settings.embeddings_manual_max_files if settings.embeddings else 0
            loaded.indexing.request()
        return DoneAnswer(done=True, message="The index is being built anew.")

    async def clear(_params: None, _call: Call) -> object:
        if turn.locked():
            return DoneAnswer(done=False, message="Another command is still at work; try again when it is done.")
        async with turn:
            loaded = await session.loaded()
            await loaded.indexing.stop()
            async with session.slot.alone() as engine:
                await asyncio.to_thread(engine.clear)
            loaded.showing.touch_all()
            loaded.indexing.cleared()
        return DoneAnswer(done=True, message="The index was deleted; rebuild it to search by more than open documents.")

    async def explained(params: ExplainParams, _call: Call) -> object:
        return await explain(session, params)

    async def metrics(_params: None, _call: Call) -> object:
        return session.metrics.as_answer()

    handlers.request(STATUS, None, status)
    handlers.request(REBUILD, None, rebuild)
    handlers.request(CLEAR, None, clear)
    handlers.request(EXPLAIN, ExplainParams, explained)
    handlers.request(METRICS, None, metrics)
