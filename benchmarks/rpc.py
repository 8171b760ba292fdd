"""What a request costs on its way in and out: our connection, pygls and bare asyncio, each in a process behind pipes.

    python benchmarks/rpc.py [--rounds 3]

The handler echoes a short text, or answers 200 KB of text in 20 chunks; the rest is the protocol. One request after
the other gives the median time; many sent at once give requests per second. The client is the same for all: plain
blocking writes and reads, which count too. The best of some rounds is shown, because the machine has other things
to do. Only ratios within one run mean anything.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "index")]

CHUNKS = [{"uri": f"file:///tree/module_{n}.py", "text": "def f(x):\n    return x\n" * 430} for n in range(20)]
"""About 200 KB of answer, in the shape of a search's."""

SINGLE, PIPELINED = 2000, 5000
"""Requests one after the other, and sent at once, for the short answer."""

LARGE_SINGLE, LARGE_PIPELINED = 200, 300
"""The same for the large one."""


def serve_ours() -> int:
    """The echo over `Connection`."""
    import msgspec

    from lurcher_server.lsp.connection import Connection
    from lurcher_server.lsp.registry import Call, Handlers
    from lurcher_server.lsp.transports import stdio_streams

    class Chunk(msgspec.Struct):
        uri: str
        text: str

    class Params(msgspec.Struct):
        text: str

    chunks = [Chunk(**chunk) for chunk in CHUNKS]

    async def initialize(_params: None, _call: Call) -> dict[str, object]:
        return {"capabilities": {}}

    async def echo(params: Params, _call: Call) -> Params:
        return params

    async def large(_params: Params, _call: Call) -> list[Chunk]:
        return chunks

    async def run() -> int:
        handlers = Handlers().request("initialize", None, initialize)
        handlers.request("bench/echo", Params, echo).request("bench/large", Params, large)
        return await Connection(*await stdio_streams(), handlers).serve()

    return asyncio.run(run())


def serve_pygls() -> int:
    """The echo as custom features of an unchanged pygls server."""
    from pygls.lsp.server import LanguageServer

    server = LanguageServer("bench", "1")

    async def echo(params: Any) -> dict[str, str]:
        return {"text": params.text}

    async def large(_params: Any) -> list[dict[str, str]]:
        return CHUNKS

    server.feature("bench/echo")(echo)
    server.feature("bench/large")(large)
    server.start_io()
    return 0


def serve_bare() -> int:
    """The least asyncio and json can do: no checks, no tasks, no lifecycle."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
        writing = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        transport, _ = await loop.connect_write_pipe(lambda: writing, sys.stdout.buffer)
        while True:
            header = await reader.readuntil(b"\r\n\r\n")
            message = json.loads(await reader.readexactly(int(header[16:])))
            if "id" not in message:
                return
            result = CHUNKS if message["method"] == "bench/large" else message["params"]
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            transport.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    asyncio.run(run())
    return 0


SERVERS: dict[str, Callable[[], int]] = {"ours": serve_ours, "pygls": serve_pygls, "bare": serve_bare}


class Client:
    """A blocking client of one server process."""

    def __init__(self, name: str) -> None:
        """Start the process and wait until it answers."""
        command = [sys.executable, __file__, "--serve", name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        self.single("initialize", 1, {"processId": None, "rootUri": None, "capabilities": {}})

    def single(self, method: str, count: int, params: dict[str, Any] | None = None) -> float:
        """Median milliseconds of a request, one after the other."""
        times: list[float] = []
        for id in range(count):
            begin = time.perf_counter()
            self._write(_framed(method, id, params))
            self._read()
            times.append((time.perf_counter() - begin) * 1000)
        return statistics.median(times)

    def pipelined(self, method: str, count: int) -> float:
        """Requests per second when all are sent at once."""
        data = b"".join(_framed(method, id, None) for id in range(count))
        begin = time.perf_counter()
        sending = threading.Thread(target=self._write, args=(data,))
        sending.start()
        for _ in range(count):
            self._read()
        sending.join()
        return count / (time.perf_counter() - begin)

    def close(self) -> None:
        """Let the process end."""
        self.single("shutdown", 1)
        self._write(_framed("exit", None, None))
        self._in.close()
        self._process.wait(30)
        self._out.close()

    def _write(self, data: bytes) -> None:
        self._in.write(data)
        self._in.flush()

    def _read(self) -> None:
        length = 0
        while line := self._out.readline().strip():
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        body = self._out.read(length)
        if b'"error":' in body[:60]:
            raise RuntimeError(body.decode())


def _framed(method: str, id: int | None, params: dict[str, Any] | None) -> bytes:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params or {"text": "where is it"}}
    if id is not None:
        message["id"] = id
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def measure(name: str) -> dict[str, float]:
    """One round with one server."""
    client = Client(name)
    client.single("bench/echo", SINGLE // 10)
    figures = {
        "echo ms": client.single("bench/echo", SINGLE),
        "echo /s": client.pipelined("bench/echo", PIPELINED),
        "200 KB ms": client.single("bench/large", LARGE_SINGLE),
        "200 KB /s": client.pipelined("bench/large", LARGE_PIPELINED),
    }
    client.close()
    return figures


def best(name: str, rounds: list[dict[str, dict[str, float]]], figure: str) -> float:
    """The smallest time or the largest rate."""
    values = [one[name][figure] for one in rounds]
    return min(values) if figure.endswith("ms") else max(values)


def main() -> int:
    """Measure all servers in turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", choices=SERVERS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        return SERVERS[chosen.serve]()
    rounds = [{name: measure(name) for name in SERVERS} for _ in range(chosen.rounds)]
    print(f"{'':10}" + "".join(f"{name:>12}" for name in SERVERS) + f"{'pygls/ours':>12}{'bare/ours':>12}")
    for figure in rounds[0]["ours"]:
        values = {name: best(name, rounds, figure) for name in SERVERS}
        ratios = [values[other] / values["ours"] for other in ("pygls", "bare")]
        digits = 3 if figure.endswith("ms") else 0
        shown = "".join(f"{value:12,.{digits}f}" for value in values.values())
        print(f"{figure:10}{shown}" + "".join(f"{ratio:12.2f}" for ratio in ratios))
    return 0


if __name__ == "__main__":
    sys.exit(main())
