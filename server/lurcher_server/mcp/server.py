"""The server: tools and resources put together, and a session for each connection."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, InputRequiredResult, ListRootsRequest, ListRootsResult
from pydantic import ValidationError

from lurcher_server import __version__
from lurcher_server.mcp import resources, tools
from lurcher_server.mcp.arguments import BadArguments, in_words, understood
from lurcher_server.mcp.session import Session, Wishes
from lurcher_server.mcp.wording import INSTRUCTIONS

ROOTS_SECONDS = 10.0
"""How long a client may take to name its folders before it is taken to have none."""

_ROOTS_CHANGED = "notifications/roots/list_changed"
_READY = "notifications/initialized"


def make_server(wishes: Wishes) -> MCPServer[Session]:
    """A server that answers for the folders that were wished for."""

    @asynccontextmanager
    async def lifespan(_: MCPServer[Session]) -> AsyncGenerator[Session]:
        session = Session(wishes)
        try:
            yield session
        finally:
            # A host that is gone, or Ctrl-C, cancels everything; our processes are ended all the same.
            with anyio.CancelScope(shield=True):
                await session.close()

    server = _Server(
        "lurcher",
        title="Lurcher code search",
        description="Finds the right code in the workspace that is open in front of you: offline, fresh, fast.",
        instructions=INSTRUCTIONS,
        version=__version__,
        lifespan=lifespan,
        log_level="WARNING",
        middleware=[_wake],
    )
    tools.register(server)
    resources.register(server)
    return server


class _Server(MCPServer[Session]):
    """The SDK's server, but for arguments: it drops those it does not know, and refuses others in pydantic's words."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Session, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool with the arguments that are meant."""
        schema = {tool.name: tool.input_schema for tool in await self.list_tools()}.get(name)
        try:
            meant = arguments
            if schema is not None:
                meant = understood(arguments, schema.get("properties", {}), schema.get("required", ()))
            return await super().call_tool(name, meant, context)
        except BadArguments as error:
            raise ToolError(f"{name}: {error}") from None
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                # With its cause, so that the SDK logs the names of the parameters and no more.
                raise ToolError(f"{name}: {in_words(error.__cause__)}") from error.__cause__
            raise


async def _wake(ctx: ServerRequestContext[Session, Any], call_next: CallNext) -> HandlerResult:
    """Middleware: the greeting is answered first; what comes after it begins the loading and, if need be, asks the
    client for its folders."""
    answer = await call_next(ctx)
    session = ctx.lifespan_context
    if ctx.method == _ROOTS_CHANGED or (ctx.method == _READY and session.asks_for_roots):
        if _has_roots(ctx):
            session.soon(_ask_for_roots(ctx, session))
    elif ctx.method not in ("initialize", "server/discover") and session.wishes.folders:
        session.begin()
    return answer


def _has_roots(ctx: ServerRequestContext[Session, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    return capabilities is not None and capabilities.roots is not None


async def _ask_for_roots(ctx: ServerRequestContext[Session, Any], session: Session) -> None:
    """Those who do not answer are asked again with their first question, or have no folders."""
    try:
        told = await ctx.session.send_request(ListRootsRequest(), ListRootsResult, ROOTS_SECONDS)
    except (MCPError, ValidationError):
        return
    session.roots_changed([str(root.uri) for root in told.roots])
