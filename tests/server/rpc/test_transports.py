"""Real processes over real pipes, files and sockets."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.server.rpc.wire import PATIENCE, Client, ask, echoing, framed, start_echo_server, tell

from lurcher_index.errors import BadSetting
from lurcher_server.lsp.connection import Connection
from lurcher_server.lsp.liveness import is_alive, watch_parent
from lurcher_server.lsp.transports import fd_streams, serve_tcp

pytestmark = pytest.mark.asyncio

GOODBYE = (ask("bye", "shutdown"), tell("exit"))


def piped(process: asyncio.subprocess.Process) -> Client:
    assert process.stdin is not None and process.stdout is not None
    return Client(process.stdout, process.stdin)


async def finished(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """Exit code and standard error."""
    async with asyncio.timeout(PATIENCE):
        _, errors = await process.communicate()
    return process.returncode, errors.decode()


async def test_pipes() -> None:
    process = await start_echo_server("stdio")
    client = piped(process)
    client.send(ask(0, "initialize"), *(ask(n, text="ä" * 50_000) for n in range(1, 20)))
    assert [(await client.next())["id"] for _ in range(20)] == list(range(20))
    client.send(*GOODBYE)
    assert [message["id"] for message in await client.rest()] == ["bye"]
    assert await finished(process) == (0, "")


async def test_nothing_can_print_into_the_protocol_or_read_from_it() -> None:
    process = await start_echo_server("stdio")
    client = piped(process)
    await client.call(0, "initialize")
    assert (await client.call(1, "disturb"))["result"] == "done"
    client.send(*GOODBYE)
    await client.rest()
    code, errors = await finished(process)
    assert code == 0
    assert [line.strip() for line in errors.splitlines()] == ["printed", "written", "child read ''"]


async def test_the_end_of_input_ends_the_process_while_requests_run() -> None:
    process = await start_echo_server("stdio")
    client = piped(process)
    client.send(ask(0, "initialize"), ask(1, "forever"))
    assert [(await client.next()).get("method") for _ in range(2)] == [None, "started"]
    await client.close()
    assert await finished(process) == (1, "")


async def test_a_closed_output_ends_the_process() -> None:
    ours, theirs = os.pipe()
    process = await start_echo_server("stdio", stdout=theirs)
    os.close(theirs)
    os.close(ours)
    assert process.stdin is not None
    try:
        while process.returncode is None:
            process.stdin.write(framed(ask(0, "initialize")))
            await process.stdin.drain()
            await asyncio.sleep(0)
    except OSError:
        pass
    code, _ = await finished(process)
    assert code == 1


async def test_files_as_input_and_output() -> None:
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink:
        source.write(b"".join(map(framed, (ask(0, "initialize"), ask("x", text="from a file" * 20_000), *GOODBYE))))
        source.seek(0)
        process = await start_echo_server("stdio", stdin=source, stdout=sink)
        assert await finished(process) == (0, "")
        sink.seek(0)
        written = sink.read()
    assert written.count(b"Content-Length") == 3
    assert b"from a file" in written


async def test_no_input_at_all() -> None:
    process = await start_echo_server("stdio", stdin=asyncio.subprocess.DEVNULL)
    assert await finished(process) == (1, "")


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no files there")
async def test_one_socket_for_both_directions() -> None:
    here, there = socket.socketpair()
    process = await start_echo_server("stdio", stdin=there, stdout=there)
    there.close()
    client = Client(*await asyncio.open_connection(sock=here))
    await client.call(0, "initialize")
    assert (await client.call(1, text="both"))["result"] == {"text": "both"}
    client.send(*GOODBYE)
    await client.rest()
    await client.close()
    assert await finished(process) == (0, "")


async def test_streams_close_both_descriptors(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    sink = os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT)
    _reader, writer = await fd_streams(read_end, sink)
    writer.write(b"a" * 500_000)
    writer.close()
    await writer.wait_closed()
    assert (tmp_path / "out").stat().st_size == 500_000
    os.close(write_end)
    await asyncio.sleep(0)
    for fd in (read_end, sink):
        with pytest.raises(OSError):
            os.fstat(fd)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that refuses to be written")
async def test_an_output_that_fails_in_its_thread_ends_the_input() -> None:
    terminal, source = os.openpty()
    reader, writer = await fd_streams(source, os.open("/dev/full", os.O_WRONLY))
    writer.write(b"a")
    async with asyncio.timeout(PATIENCE):
        assert await reader.read() == b""
    assert writer.is_closing()
    os.close(terminal)


async def test_the_tcp_server_prints_its_port_and_keeps_clients_apart() -> None:
    process = await start_echo_server("tcp")
    assert process.stderr is not None
    line = (await process.stderr.readline()).decode()
    found = re.fullmatch(r"lurcher: listening on 127\.0\.0\.1:(\d+)\s*", line)
    assert found is not None
    clients = [Client(*await asyncio.open_connection("127.0.0.1", int(found[1]))) for _ in range(2)]
    for client in clients:
        await client.call(0, "initialize")
    for n in range(1, 50):
        for name, client in enumerate(clients):
            client.send(ask(n, text=f"{name}-{n}"))
    for name, client in enumerate(clients):
        for n in range(1, 50):
            assert await client.next() == {"jsonrpc": "2.0", "id": n, "result": {"text": f"{name}-{n}"}}
    await clients[0].close()
    assert (await clients[1].call(1, text="still here"))["result"] == {"text": "still here"}
    await clients[1].close()
    process.kill()
    await finished(process)


@asynccontextmanager
async def tcp() -> AsyncIterator[tuple[str, int]]:
    """A TCP server in this process."""
    address: asyncio.Future[tuple[str, int]] = asyncio.get_running_loop().create_future()

    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        return await Connection(reader, writer, echoing()).serve()

    server = asyncio.create_task(serve_tcp(session, "localhost", announce=lambda *where: address.set_result(where)))
    yield await address
    server.cancel()
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait({server})


async def test_stopping_the_tcp_server_ends_its_sessions() -> None:
    async with tcp() as (host, port):
        client = Client(*await asyncio.open_connection(host, port))
        await client.call(0, "initialize")
    assert await client.rest() == []
    await client.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "example.org"])
async def test_addresses_others_can_reach_need_a_word(host: str) -> None:
    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise AssertionError

    with pytest.raises(BadSetting, match="other machines"):
        await serve_tcp(session, host)


async def test_the_clients_process_is_watched() -> None:
    gone: list[str] = []
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    watch = asyncio.create_task(watch_parent(process.pid, lambda: gone.append("gone"), every=0.0))
    for _ in range(10):
        await asyncio.sleep(0)
    assert gone == []
    process.communicate(b"\n")
    async with asyncio.timeout(PATIENCE):
        await watch
    assert gone == ["gone"]


async def test_without_a_process_there_is_nothing_to_watch() -> None:
    def gone() -> None:
        raise AssertionError

    for pid in (None, 0, -1):
        await watch_parent(pid, gone)


async def test_a_process_of_somebody_else_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert is_alive(1)
