"""A small client for the tests, and servers for it to talk to."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from lurcher_server.lsp.connection import Connection
from lurcher_server.lsp.framing import FrameSplitter, write_frame
from lurcher_server.lsp.registry import Call, Handlers

PATIENCE = 60.0
"""Seconds after which a test that waits has failed; never waited for when all is well."""

ECHO_SERVER = Path(__file__).with_name("echo_server.py")


class Text(msgspec.Struct, frozen=True):
    text: str
    times: int = 1


async def echo(params: Text, call: Call) -> dict[str, str]:
    return {"text": params.text * params.times}


async def initialize(params: None, call: Call) -> dict[str, dict[str, str]]:
    return {"capabilities": {}}


def echoing() -> Handlers:
    """A server that knows `echo`."""
    return Handlers().request("initialize", None, initialize).request("echo", Text, echo)


def framed(body: object) -> bytes:
    return write_frame(body if isinstance(body, bytes) else json.dumps(body).encode())


def ask(id: object, method: str = "echo", **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def tell(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


class Client:
    """The other end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._splitter = FrameSplitter()
        self._messages: list[dict[str, Any]] = []

    def send(self, *bodies: object) -> None:
        self.writer.write(b"".join(framed(body) for body in bodies))

    async def next(self) -> dict[str, Any]:
        """The next message; fails at the end of the stream."""
        message = await self.next_or_end()
        assert message is not None, "the server has left"
        return message

    async def next_or_end(self) -> dict[str, Any] | None:
        async with asyncio.timeout(PATIENCE):
            while not self._messages:
                data = await self.reader.read(1 << 20)
                if not data:
                    return None
                for frame in self._splitter.feed(data):
                    assert isinstance(frame, bytes)
                    self._messages.append(json.loads(frame))
        return self._messages.pop(0)

    async def rest(self) -> list[dict[str, Any]]:
        """Everything until the end of the stream."""
        messages = []
        while (message := await self.next_or_end()) is not None:
            messages.append(message)
        return messages

    async def call(self, id: object, method: str = "echo", **params: object) -> dict[str, Any]:
        """Send a request and return the next message, which has to be its answer."""
        self.send(ask(id, method, **params))
        message = await self.next()
        assert message["id"] == id
        return message

    async def error(self, body: object) -> tuple[object, int]:
        """Send something bad; the id and the code of the error that comes back."""
        self.send(body)
        message = await self.next()
        return message["id"], message["error"]["code"]

    async def close(self) -> None:
        self.writer.close()
        try:
            await self.writer.wait_closed()
        except OSError:
            pass


class Served(Client):
    """A client together with the server it talks to."""

    def __init__(self, streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], connection: Connection) -> None:
        super().__init__(*streams)
        self.connection = connection
        self.serving = asyncio.create_task(connection.serve())

    async def exit_code(self) -> int:
        async with asyncio.timeout(PATIENCE):
            return await self.serving


@asynccontextmanager
async def served(handlers: Handlers | None = None, *, fresh: bool = False, **limits: int) -> AsyncIterator[Served]:
    """A server in this process, at the other end of a socket pair; `fresh` leaves `initialize` to the test."""
    here, there = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=there)
    connection = Connection(reader, writer, handlers or echoing(), **limits)
    client = Served(await asyncio.open_connection(sock=here), connection)
    try:
        if not fresh:
            await client.call("initialize", "initialize")
        yield client
    finally:
        await client.close()
        await client.exit_code()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, f"tasks are left behind: {left}"


async def start_echo_server(*arguments: str, **options: Any) -> asyncio.subprocess.Process:
    """The echo server as a process of its own."""
    pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    return await asyncio.create_subprocess_exec(sys.executable, str(ECHO_SERVER), *arguments, **(pipes | options))
