"""`lurcher serve`: a language server at standard input and output, or at a TCP port with a session per connection."""

import asyncio
from typing import TYPE_CHECKING

from lurcher_server.lsp.connection import Connection
from lurcher_server.lsp.handlers import bind
from lurcher_server.lsp.logs import set_up_logs
from lurcher_server.lsp.registry import Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.sparing import collect_left, spare_imports, spare_the_loop
from lurcher_server.lsp.transports import LOOPBACK, serve_tcp, stdio_streams

if TYPE_CHECKING:
    from lurcher_server.lsp.loaded import Loaded


def serve(tcp_port: int | None = None, host: str = LOOPBACK) -> int:
    """Run until the client leaves (or, with a port, until interrupted); answers the exit code."""
    spare_the_loop()
    set_up_logs("warning", None)
    try:
        if tcp_port is None:
            return asyncio.run(_serve_stdio())
        asyncio.run(serve_tcp(_tcp_session, host, tcp_port))
    except KeyboardInterrupt:
        pass
    return 0


def _load() -> "type[Loaded]":
    """In a thread: the imports take most of a second."""
    with spare_imports("server"):
        from lurcher_server.lsp.loaded import Loaded
        from lurcher_server.lsp.memory import give_back_large_pieces

        give_back_large_pieces()
    return Loaded


async def _serve_stdio() -> int:
    return await _session(*await stdio_streams())


async def _tcp_session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    """One session of several: what it leaves behind must go, for the process stays."""
    try:
        return await _session(reader, writer)
    finally:
        collect_left()


async def _session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    handlers = Handlers()
    connection = Connection(reader, writer, handlers)
    session = Session(connection, connection.stop, _load)
    bind(handlers, session)
    try:
        return await connection.serve()
    finally:
        await session.close()
