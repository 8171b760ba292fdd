"""The ways to a client: standard input and output, or TCP."""

import asyncio
import ipaddress
import os
import socket
import stat
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from lurcher_index.errors import BadSetting
from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.threads import read_in_thread, write_in_thread

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Session = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, object]]
"""Talks to one client until it leaves, and closes the writer."""

LOOPBACK = "127.0.0.1"

STREAM_BYTES = 256 * 1024
"""Bytes a stream keeps before it stops reading, twice over; what asyncio reads from a pipe at once."""


async def stdio_streams() -> Streams:
    """The client at standard input and output, which from now on nothing else can reach.

    What is printed goes to standard error, and child processes read nothing: neither can disturb the protocol.
    """
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)  # Standard error is closed.
    os.close(nothing)
    return await fd_streams(source, sink)


async def fd_streams(source: int, sink: int) -> Streams:
    """Streams over two file descriptors: pipes, sockets, files or terminals. Closing the writer closes both."""
    if _same_socket(source, sink):
        os.close(sink)
        return await asyncio.open_connection(sock=socket.socket(fileno=source), limit=STREAM_BYTES)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=STREAM_BYTES)
    reading: asyncio.ReadTransport
    if _is_pollable(source):
        protocol = asyncio.StreamReaderProtocol(reader)
        reading, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(source, "rb", buffering=0))
    else:
        reading = read_in_thread(source, reader)
    output = _Output(reading)
    writing: asyncio.WriteTransport
    if _is_pollable(sink):
        writing, _ = await loop.connect_write_pipe(lambda: output, os.fdopen(sink, "wb", buffering=0))
    else:
        writing = write_in_thread(sink, output)
    return reader, asyncio.StreamWriter(writing, output, None, loop)


async def serve_tcp(
    session: Session,
    host: str = LOOPBACK,
    port: int = 0,
    *,
    beyond_loopback: bool = False,
    announce: Callable[[str, int], None] | None = None,
) -> None:
    """Serve TCP clients, each with a session of its own, until cancelled; port 0 lets the system choose.

    There is no login, so an address that other machines reach needs `beyond_loopback`. `announce` is told the
    address that was chosen; by default it is printed on standard error.
    """
    host = LOOPBACK if host == "localhost" else host
    if not beyond_loopback and not _is_loopback(host):
        raise BadSetting(f"{host} can be reached from other machines; use {LOOPBACK}, or allow it on purpose")
    sessions: set[asyncio.Task[object]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(session(reader, writer))
        sessions.add(task)
        task.add_done_callback(left)

    def left(task: asyncio.Task[object]) -> None:
        sessions.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log_failure("a session", error)

    server = await asyncio.start_server(connected, host, port, limit=STREAM_BYTES)
    (announce or _print_address)(*server.sockets[0].getsockname()[:2])
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        # Sessions go first: the server's own end waits for its connections.
        server.close()
        for task in sessions:
            task.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)
        await server.wait_closed()


class _Output(asyncio.StreamReaderProtocol):
    """Hears of the end of the output, and then closes the input."""

    def __init__(self, reading: asyncio.ReadTransport) -> None:
        super().__init__(asyncio.StreamReader())
        self._reading = reading

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._reading.close()


def _print_address(host: str, port: int) -> None:
    print(f"lurcher: listening on {host}:{port}", file=sys.stderr, flush=True)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_pollable(fd: int) -> bool:
    """Whether the event loop can wait for it. Files and devices are always "ready" and would block the loop."""
    mode = os.fstat(fd).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def _same_socket(source: int, sink: int) -> bool:
    """Whether input and output are one socket; as two pipes, asyncio would take its input for the output's end."""
    first, second = os.fstat(source), os.fstat(sink)
    return sys.platform != "win32" and stat.S_ISSOCK(first.st_mode) and os.path.samestat(first, second)
