"""Chunks as resources: `lurcher://chunk/<id>`, for those that a search has shown."""

import asyncio
import re

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from lurcher_index.errors import LurcherError
from lurcher_server.lsp.messages import RpcError
from lurcher_server.mcp.calls import Ctx, session_of
from lurcher_server.mcp.session import Session
from lurcher_server.mcp.wording import CHUNK

TEMPLATE = "lurcher://chunk/{chunk_id}"

_ID = re.compile(r"[0-9a-f]{20}")


def register(server: MCPServer[Session]) -> None:
    """Offer the template."""
    server.resource(TEMPLATE, name="chunk", title="Code chunk", description=CHUNK, mime_type="text/markdown")(chunk)


async def chunk(chunk_id: str, ctx: Ctx) -> str:
    """A chunk's text with its place."""
    session = session_of(ctx)
    file = session.memory.file_of(chunk_id) if _ID.fullmatch(chunk_id) else None
    if file is None:
        raise ResourceNotFoundError(
            f"no search has shown a chunk {chunk_id[:40]!r}; take an id from search_code's answer"
        )
    try:
        async with session.use() as engine:
            await session.updating.settle()
            found = await asyncio.to_thread(engine.chunk, file, chunk_id)
    except (LurcherError, RpcError) as error:
        raise ResourceError(str(error)) from error
    if found is None:
        raise ResourceNotFoundError(
            f"the chunk {chunk_id} is no longer in {file.name}: its text has changed; search again"
        )
    from lurcher_index.rendering import dedented, with_source

    where = session.names.shown(found.folder, found.path)
    return with_source(where, (found.first_line, found.last_line), None, found.language, dedented(found.text))
