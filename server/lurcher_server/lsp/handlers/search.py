"""`workspace/chunkSearch`."""

import asyncio
import secrets
from typing import TYPE_CHECKING

import msgspec

from lurcher_index.errors import BadQuery
from lurcher_server.lsp.convert import answer_of, ask_of
from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.protocol import CHUNK_SEARCH, ChunkSearchAnswer, ChunkSearchParams
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.asking import Ask

SETTLE_SECONDS = 0.1
"""How long any search waits for what was typed before it: longer than nearly every parse, shorter than anybody notices.
An editor sends the last keystrokes right before the question."""

RESERVE, MOST_RESERVED_SECONDS = 0.25, 1.0
"""What of a deadline is kept for searching while documents are waited for: a share of it, and no more than so long."""

LEAST_SECONDS = 0.1
"""What a search has in any case, however long it took to load what answers: words need less."""

LATE_SECONDS = 30.0
"""How long after its deadline a search may come to an end: it may have to load a model first, and it reads what it has
found, on a machine that may be busy. Nobody is told of a dead disk because of that."""

HELD_UP = "the search did not end in time; does the disk answer that holds the workspace, or its index?"

ID_BYTES = 6
"""Random bytes of a correlation id: enough to tell the searches of one day apart."""


def register(handlers: Handlers, session: Session) -> None:
    """Bind the method."""

    async def chunk_search(params: ChunkSearchParams, _call: Call) -> object:
        return await search(session, params)

    handlers.request(CHUNK_SEARCH, ChunkSearchParams, chunk_search)


async def search(session: Session, params: ChunkSearchParams) -> ChunkSearchAnswer:
    """Answer a question; what cannot be asked raises BadQuery before anything is waited for."""
    from lurcher_index.answers import Answer
    from lurcher_index.strategies.apart import at_once
    from lurcher_index.words.filters import Filters

    ask_of(params, Filters(), session.settings.deadline_seconds)
    correlation_id = secrets.token_hex(ID_BYTES)

    def sent(answer: Answer) -> ChunkSearchAnswer:
        return answer_of(answer, session.features.encoding, session.folder_shown, correlation_id)

    home = asyncio.get_running_loop()

    def tell(answer: Answer) -> None:
        session.peer.notify("$/progress", {"token": params.partial_result_token, "value": sent(answer)})

    def partial(answer: Answer) -> None:
        home.call_soon_threadsafe(tell, answer)

    limit: asyncio.Timeout | None = None
    deadline = home.time() + _seconds(session, params)
    try:
        late = [*session.alerts, *await _wait_for_documents(session, params, deadline)]
        async with session.slot.use() as engine:
            await session.look_again(engine)
            left = max(LEAST_SECONDS, deadline - home.time())
            ask = msgspec.structs.replace(asked(session, engine, params), deadline_seconds=left)
            early = partial if params.partial_result_token is not None else None
            limit = asyncio.timeout(ask.deadline_seconds + LATE_SECONDS)
            async with limit:
                answer = await session.lanes.run(lambda: engine.ask(ask, early, at_once))
    except asyncio.CancelledError:
        session.metrics.cancelled += 1
        raise
    except BadQuery:
        raise
    except Exception:
        session.metrics.failed += 1
        if limit is not None and limit.expired():
            raise RpcError(ErrorCode.REQUEST_FAILED, HELD_UP) from None
        raise
    session.metrics.searched(answer, correlation_id)
    final = with_alerts(sent(answer), late)
    if notes := (await session.loaded()).remoting.notes(final.complete):
        # Not a lack of the answer: nobody has allowed what could have helped.
        final = msgspec.structs.replace(final, alerts=(*final.alerts, *notes))
    if params.partial_result_token is not None:
        session.peer.notify("$/progress", {"token": params.partial_result_token, "value": final})
    return final


def asked(session: Session, engine: "Engine", params: ChunkSearchParams) -> "Ask":
    """The question with its filters, in the names the engine knows."""
    include, exclude, paths = (
        [session.path_known(each) for each in given] for given in (params.include, params.exclude, params.paths)
    )
    filters = engine.filters(include, exclude, params.languages, paths, params.content)
    return ask_of(params, filters, session.settings.deadline_seconds, session.path_known)


def with_alerts(answer: ChunkSearchAnswer, alerts: list[str]) -> ChunkSearchAnswer:
    """An answer with more to say; one that missed a version is not complete."""
    if not alerts:
        return answer
    return msgspec.structs.replace(answer, alerts=(*answer.alerts, *alerts), complete=False)


def _seconds(session: Session, params: ChunkSearchParams) -> float:
    return session.settings.deadline_seconds if params.deadline_ms is None else params.deadline_ms / 1000.0


async def _wait_for_documents(session: Session, params: ChunkSearchParams, deadline: float) -> list[str]:
    """The barrier: whoever asks for what was just typed gets it; complaints about what could not be had in time."""
    loaded = await session.loaded()
    clock = asyncio.get_running_loop()
    end = deadline - min(MOST_RESERVED_SECONDS, RESERVE * _seconds(session, params))
    complaints: list[str] = []
    if params.sync:
        if not await loaded.settle(end - clock.time()):
            complaints.append("not everything that changed is searchable yet")
    elif not await loaded.showing.settle(max(0.0, min(SETTLE_SECONDS, end - clock.time()))):
        complaints.append("what was typed a moment ago is not searchable yet")
    if params.min_versions:
        complaints += await loaded.showing.wait_for(params.min_versions, end - clock.time())
    return complaints
