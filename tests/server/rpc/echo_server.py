"""A server that echoes, prints where it should not, and starts a child that reads what it should not.

python echo_server.py stdio | tcp
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "server"), str(ROOT / "index")]

from tests.server.rpc.wire import echoing  # noqa: E402

from lurcher_server.lsp.connection import Connection  # noqa: E402
from lurcher_server.lsp.registry import Call  # noqa: E402
from lurcher_server.lsp.transports import serve_tcp, stdio_streams  # noqa: E402


async def disturb(params: None, call: Call) -> str:
    print("printed", flush=True)
    os.write(1, b"written\n")
    code = "import sys; print('child read', repr(sys.stdin.read()), flush=True)"
    await asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], check=True)
    return "done"


async def forever(params: None, call: Call) -> None:
    call.connection.notify("started")
    await asyncio.Event().wait()


async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    handlers = echoing().request("disturb", None, disturb).request("forever", None, forever)
    return await Connection(reader, writer, handlers).serve()


async def main(way: str) -> int:
    if way == "tcp":
        await serve_tcp(session)
    return await session(*await stdio_streams())


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
