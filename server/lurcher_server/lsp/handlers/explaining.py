"""`workspace/chunkSearch/explain`: why is this file, or its best chunk, (not) in the answer?"""

import asyncio
from pathlib import Path

import msgspec

from lurcher_server.lsp.handlers.search import asked
from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.protocol import ChunkSearchParams, ExplainAnswer, ExplainParams
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.uris import path_of

MORE_RESULTS = 5
"""Chunks of the file itself that are looked at to say why none is in the answer."""


async def explain(session: Session, params: ExplainParams) -> ExplainAnswer:
    """Look at the index, and at the question if there is one."""
    path = path_of(params.uri)
    if path is None:
        raise RpcError(ErrorCode.INVALID_PARAMS, f"{params.uri} is no file on this machine")
    await session.loaded()
    async with session.slot.use() as engine:
        found = await asyncio.to_thread(engine.explain, path)
        shown = engine.workspace.shown_at(path)
        answer = ExplainAnswer(
            uri=params.uri,
            indexed=found.indexed,
            reason=found.reason,
            detail=found.detail,
            hint=found.hint,
            language=found.language,
            chunks=found.chunks,
            symbols=found.symbols,
            masked=found.masked,
            unsaved=shown is not None and shown.shadows,
        )
    if params.search is None:
        return answer
    in_answer, verdict, clues = await _judge(session, params.search, session.path_known(str(path)))
    return msgspec.structs.replace(answer, in_answer=in_answer, verdict=verdict, clues=clues)


async def _judge(session: Session, search: ChunkSearchParams, path: str) -> tuple[bool, str, dict[str, float]]:
    """Whether the file is in the answer, the reason in words, and the clues behind its best chunk's place."""
    async with session.slot.use() as engine:
        ask = msgspec.structs.replace(asked(session, engine, search), explain=True)
        answer = await engine.ask(ask)
        places = [at for at, each in enumerate(answer.chunks, 1) if str(Path(each.folder, each.path)) == path]
        if places:
            told = f"it is in the answer, at place {', '.join(map(str, places))} of {len(answer.chunks)}"
            return True, told, answer.chunks[places[0] - 1].trace.clues
        alone = msgspec.structs.replace(search, max_results=MORE_RESULTS, token_budget=None, paths=(path,))
        of_file = msgspec.structs.replace(asked(session, engine, alone), explain=True)
        own = await engine.ask(of_file)
        if not own.chunks and own.nearby:
            # What is too weak to be shown is what has to be explained.
            own = await engine.ask(msgspec.structs.replace(of_file, unfiltered=True))
    if not own.chunks:
        why = own.empty.value if own.empty else "noMatch"
        return False, f"none of its chunks is found by this question ({why})", {}
    best = own.chunks[0].trace
    last = answer.chunks[-1].trace if answer.chunks else None
    score = f"its best chunk has {best.keyword_score} by words and {best.dense_score} by meaning"
    if any(str(Path(each.folder, each.path)) == path for each in answer.nearby):
        score = f"it is named among the weaker places; {score}"
    if last is None:
        return False, f"{score}; the answer is empty", best.clues
    verdict = (
        f"{score}; the last of the {len(answer.chunks)} chunks in the answer has {last.keyword_score} "
        f"and {last.dense_score}; {answer.dropped.limit} were over the limit, {answer.dropped.spread} too weak, "
        f"{answer.dropped.duplicates} duplicates"
    )
    return False, verdict, best.clues
