"""A small language client over pipes, for benchmarks: it counts every answer, so that a lost or doubled one shows."""

import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[1]

SERVE = (sys.executable, "-m", "lurcher_server", "serve")
"""What starts the server; the same as `lurcher serve`."""

STREAM_BYTES = 64 * 1024 * 1024
"""Largest header or answer that is waited for in one piece."""

POLL_SECONDS = 0.05
"""How often the status is asked for while an index is built."""

SECTION = "lurcher"

Params = dict[str, Any]


def as_installed() -> dict[str, str]:
    """The environment, but modules are compiled once and not at every start, as those that people install are."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, code: int, message: str) -> None:
        """As JSON-RPC says it."""
        super().__init__(f"{code}: {message}")
        self.code = code


class Client:
    """A server process and everything that was said to it and by it."""

    def __init__(self, process: asyncio.subprocess.Process, settings: Params) -> None:
        """Use `Client.start`."""
        assert process.stdin is not None and process.stdout is not None
        self.process = process
        self.settings = settings
        self.began = time.perf_counter()
        self.sent: set[int] = set()
        self.answers: Counter[int | str | None] = Counter()
        """How many answers came to each id; more or less than one is an error of the server."""
        self.said: Counter[str] = Counter()
        """Notifications and requests of the server, by method."""
        self._in, self._out = process.stdin, process.stdout
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._has_left = False
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(
        cls, command: Sequence[str] = SERVE, settings: Params | None = None, errors: Path | None = None
    ) -> "Client":
        """Start a server. Its standard error goes to the end of a file, or nowhere."""
        path = os.pathsep.join([str(ROOT / "server"), str(ROOT / "index")])
        with (errors or Path(os.devnull)).open("ab") as log:
            began = time.perf_counter()
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=STREAM_BYTES,
                env={**as_installed(), "PYTHONPATH": path},
            )
        client = cls(process, settings or {})
        client.began = began
        return client

    async def initialize(self, folders: Sequence[Path], capabilities: Params | None = None) -> float:
        """Say hello; answers the milliseconds from the start of the process to the server's answer."""
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        asked = {"workspace": {"configuration": True, "workspaceFolders": True}, "general": {}}
        params = {"processId": os.getpid(), "rootUri": None, "workspaceFolders": named}
        await self.request("initialize", {**params, "capabilities": capabilities or asked})
        took = (time.perf_counter() - self.began) * 1000
        self.notify("initialized", {})
        return took

    def begin(self, method: str, params: object = None) -> tuple[int, "asyncio.Future[Any]"]:
        """Send a request; its id, and where the answer will be."""
        number = len(self.sent) + 1
        self.sent.add(number)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        if self._has_left:
            future.set_exception(ConnectionError("the server has left"))
        else:
            self._send({"id": number, "method": method, "params": params})
        return number, future

    async def request(self, method: str, params: object = None) -> Any:
        """The answer to a request; raises Refused if it is an error."""
        return await self.begin(method, params)[1]

    def notify(self, method: str, params: object = None) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    async def ready(self, seconds: float = 900.0) -> Params:
        """Wait until the index is built; answers the status."""
        async with asyncio.timeout(seconds):
            while True:
                status: Params = await self.request("workspace/chunkSearch/status")
                if status["state"] in ("ready", "failed"):
                    return status
                await asyncio.sleep(POLL_SECONDS)

    async def stop(self, seconds: float = 30.0) -> int:
        """Shut the server down; answers its exit code. One that does not leave in time is killed and raises."""
        try:
            async with asyncio.timeout(seconds):
                await self.request("shutdown")
                self.notify("exit")
                code = await self.process.wait()
                await self._reading
        except TimeoutError:
            self.process.kill()
            raise
        return code

    @property
    def unanswered(self) -> list[int]:
        """Requests that have no answer yet."""
        return sorted(self.sent - set(self.answers))

    @property
    def doubled(self) -> list[object]:
        """Ids that were answered more than once, or never asked."""
        return [number for number, count in self.answers.items() if count > 1 or number not in self.sent]

    def _send(self, message: Params) -> None:
        body = msgspec.json.encode({"jsonrpc": "2.0", **message})
        self._in.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def _read(self) -> None:
        try:
            while True:
                header = await self._out.readuntil(b"\r\n\r\n")
                self._take(msgspec.json.decode(await self._out.readexactly(_length(header))))
        except asyncio.IncompleteReadError:
            self._has_left = True
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionError("the server has left"))

    def _take(self, message: Params) -> None:
        method = message.get("method")
        if method is None:
            self._settle(message)
            return
        self.said[method] += 1
        if "id" in message:
            answer = [self.settings] if method == "workspace/configuration" else None
            self._send({"id": message["id"], "result": answer})

    def _settle(self, message: Params) -> None:
        number = message.get("id")
        self.answers[number] += 1
        future = self._waiting.pop(number, None) if isinstance(number, int) else None
        if future is None or future.done():
            return
        if (error := message.get("error")) is not None:
            future.set_exception(Refused(error["code"], error["message"]))
        else:
            future.set_result(message.get("result"))


def position(line: int, character: int = 0) -> Params:
    """A place in a document, counted from 0."""
    return {"line": line, "character": character}


def span(line: int, start: int, end: int) -> Params:
    """A part of one line."""
    return {"start": position(line, start), "end": position(line, end)}


def opened(path: Path, text: str, version: int = 1) -> Params:
    """The params of `textDocument/didOpen`."""
    return {"textDocument": {"uri": path.as_uri(), "languageId": "", "version": version, "text": text}}


def changed(path: Path, version: int, changes: Sequence[Params]) -> Params:
    """The params of `textDocument/didChange`."""
    return {"textDocument": {"uri": path.as_uri(), "version": version}, "contentChanges": list(changes)}


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def _length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise ValueError("a header without a length")
