"""What all tools need of a call: its session, its conversation, progress while it runs, errors in words."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any, cast

from mcp.server.mcpserver import Context, ListRoots, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, ListRootsResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from lurcher_index.errors import LurcherError
from lurcher_index.results import Status
from lurcher_index.text.numbers import counted
from lurcher_index.text.tokens import estimate_tokens
from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.indexing import State
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.reporting import told
from lurcher_server.mcp.session import Session
from lurcher_server.mcp.shapes import Freshness
from lurcher_server.names import Names

if TYPE_CHECKING:
    from lurcher_index import Engine

Ctx = Context[Session, Any]

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False)
"""Every tool only looks, and only at this machine; with a remote code search that the person allowed for the folder,
`search_code` also asks that for places, and for nothing else."""

BEAT_SECONDS = 0.5
"""Time between two notices of progress; a call that is over sooner gives none."""

PATIENCE_SECONDS = 3.0
"""How long a question waits for a first build that is under way, or for files that have just changed: small
workspaces are indexed by then, and of large ones what is there is searched."""

CONVERSATION = "conversationId"
"""How a key in a call's metadata ends that tells conversations apart, as VS Code's does."""

MIN_TOKENS = 200
MAX_TOKENS = 1_000_000
"""Budgets that can be asked for: room for an answer that says nothing but why, and more than any assistant reads."""

TOKEN_BUDGET = 8_000
"""What an answer may cost if nothing is said: a list of 200 definitions of 40 tokens, or a file of 800 lines."""

Budget = Annotated[int, Field(ge=MIN_TOKENS, le=MAX_TOKENS, description="Tokens the answer may cost.")]


def roots_of(ctx: Ctx) -> ListRoots | None:
    """Resolver: ask the client for its folders, if nobody has named any and it knows them."""
    session = ctx.request_context.lifespan_context
    capabilities = ctx.client_capabilities
    if not session.asks_for_roots or capabilities is None or capabilities.roots is None:
        return None
    return ListRoots()


Roots = Annotated[ListRootsResult | None, Resolve(roots_of)]
"""A tool's parameter that holds the client's folders when they had to be asked for."""


def session_of(ctx: Ctx) -> Session:
    """The session a call belongs to."""
    return ctx.request_context.lifespan_context


def conversation_of(ctx: Ctx) -> str:
    """The conversation a call belongs to, if the host says so."""
    meta = cast("Mapping[str, object]", ctx.request_context.meta or {})
    named = (str(value)[:200] for key, value in meta.items() if key.endswith(CONVERSATION))
    return next(named, "")


@asynccontextmanager
async def engine_for(
    ctx: Ctx, roots: ListRootsResult | None, patience: float = PATIENCE_SECONDS, needs_folders: bool = True
) -> "AsyncGenerator[Engine]":
    """The engine for one call, with progress while it runs and what goes wrong as an error of the tool. So is, for
    those who need folders, that none can be opened now: the index would tell of files that nobody can see."""
    session = session_of(ctx)
    session.begin([str(root.uri) for root in roots.roots] if roots is not None else None)
    beat = asyncio.create_task(_beat(ctx, session))
    try:
        async with session.use() as engine:
            await session.settle(patience)
            if needs_folders:
                await asyncio.to_thread(engine.require_folders)
            yield engine
    except (LurcherError, RpcError) as error:
        raise ToolError(str(error)) from error
    except (ToolError, MCPError):
        raise
    except Exception as error:  # noqa: BLE001 - its text may quote code, so that the SDK must not log it
        log_failure("a tool", error)
        raise ToolError(f"something went wrong here ({type(error).__name__}); the server's log says where") from None
    finally:
        beat.cancel()
        await asyncio.gather(beat, return_exceptions=True)


def result(text: str, structured: BaseModel) -> CallToolResult:
    """An answer for those who read and for those who compute."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=structured.model_dump(mode="json")
    )


def head(names: Names, status: Status) -> str:
    """The project header: what was searched, and how much of it could be."""
    pending = f", {status.pending:,} not indexed yet" if status.pending else ""
    unfinished = ", the first build is not done" if status.compared else ", not compared with the files on disk yet"
    unfinished = "" if status.complete else unfinished
    return f"Project {names.project}: {counted(status.indexed, 'file')} indexed{pending or unfinished}"


def freshness(status: Status) -> Freshness:
    """The same, for programs."""
    complete = status.complete and not status.pending
    return Freshness(indexed_files=status.indexed, pending_files=status.pending, complete=complete)


def tokens(text: str, structured: BaseModel) -> int:
    """What an answer costs: hosts hand on the text or the structure, so the larger counts."""
    return max(estimate_tokens(text), estimate_tokens(structured.model_dump_json()))


def within_budget(budget: int, count: int, make: Callable[[int], tuple[str, BaseModel]]) -> CallToolResult:
    """The answer with as many of `count` items as fit; `make` puts one together with the first few."""
    fitting = count
    while True:
        text, structured = make(fitting)
        if not fitting or tokens(text, structured) <= budget:
            return result(text, structured)
        # Dear ones are few; a long list comes closer in large steps first.
        fitting -= max(1, fitting // 8)


async def _beat(ctx: Ctx, session: Session) -> None:
    """Say how far it is, every now and then. What is said must rise, whatever happens."""
    began = time.monotonic()
    said = 0.0
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        if session.indexing.state is State.UPDATING:
            message, percentage = told(session.indexing.progress)
        else:
            message, percentage = f"searching, {time.monotonic() - began:.0f} s", 0
        said = max(float(percentage), said + 0.01)
        await ctx.report_progress(said, 100.0, message)
