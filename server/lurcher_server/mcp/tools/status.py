"""`index_status`."""

import asyncio
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from lurcher_index.results import Status
from lurcher_index.text.numbers import counted
from lurcher_server.lsp.indexing import Indexing, State
from lurcher_server.lsp.reporting import told
from lurcher_server.mcp.calls import READS, Ctx, Roots, engine_for, result, session_of
from lurcher_server.mcp.session import Session
from lurcher_server.mcp.shapes import Freshness, StatusAnswer
from lurcher_server.mcp.wording import INDEX_STATUS

MAX_WAIT_SECONDS = 600
"""Longest that a call may be made to wait; most hosts give up sooner."""


def register(server: MCPServer[Session]) -> None:
    """Offer the tool."""
    server.add_tool(index_status, title="Index status", description=INDEX_STATUS, annotations=READS)


async def index_status(
    ctx: Ctx,
    roots: Roots,
    wait_seconds: Annotated[
        float, Field(ge=0, le=MAX_WAIT_SECONDS, description="How long to wait for a build that is under way.")
    ] = 0,
) -> Annotated[CallToolResult, StatusAnswer]:
    """Say what is indexed."""
    session = session_of(ctx)
    async with engine_for(ctx, roots, patience=0, needs_folders=False) as engine:
        try:
            async with asyncio.timeout(wait_seconds):
                await session.updating.settle()
                await session.indexing.settle()
        except TimeoutError:
            pass
        status = await asyncio.to_thread(engine.status, False)
        remote = await asyncio.to_thread(session.remote_notes, engine)
    answer = _structured(session, status, remote)
    return result(_written(answer), answer)


def _structured(session: Session, status: Status, remote: list[str]) -> StatusAnswer:
    return StatusAnswer(
        project=session.names.project,
        folders=list(status.folders),
        state=session.indexing.state.value,
        message=_message(session.indexing, status),
        index=Freshness(
            indexed_files=status.indexed,
            pending_files=status.pending,
            complete=status.complete and not status.pending and session.indexing.state is State.READY,
        ),
        chunks=status.chunks,
        skipped=status.skipped,
        vectors_ready=round(status.vectors_ready, 4),
        model=status.model,
        store=status.store,
        notes=[*status.alerts, *remote],
    )


def _message(indexing: Indexing, status: Status) -> str:
    match indexing.state:
        case State.UPDATING if status.complete:
            return f"Bringing the index up to date ({told(indexing.progress)[0]}); everything older is searchable."
        case State.UPDATING:
            return f"Building the index ({told(indexing.progress)[0]}); what is done is searchable."
        case State.READY if not status.complete:
            return "Not everything is searchable now: files are pending, or a folder cannot be opened; we look again."
        case State.READY:
            return "Ready: everything is searchable, and changes are followed."
        case State.FAILED:
            return f"The last build failed: {indexing.last_error}. It is tried again by itself."
        case _:
            return "Starting."


def _written(answer: StatusAnswer) -> str:
    pending = f", {answer.index.pending_files:,} not indexed yet" if answer.index.pending_files else ""
    lines = [
        f"Project {answer.project}: {counted(answer.index.indexed_files, 'file')} indexed{pending},"
        f" {counted(answer.chunks, 'chunk')}",
        f"{answer.state}: {answer.message}",
        f"Found by meaning: {answer.vectors_ready:.0%} of the code" + (f" ({answer.model})" if answer.model else ""),
        "Folders: " + ", ".join(answer.folders),
    ]
    if answer.skipped:
        lines.append("Left out: " + ", ".join(f"{count:,} {why}" for why, count in sorted(answer.skipped.items())))
    return "\n".join([*lines, *(f"Note: {note}" for note in answer.notes)])
