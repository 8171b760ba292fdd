"""`lurcher serve --tcp`: sessions come and go, and the process keeps nothing of them."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from tests.server.rpc.wire import PATIENCE, Client, ask, tell

pytestmark = pytest.mark.asyncio

GOODBYE = (ask("bye", "shutdown"), tell("exit"))


async def session(port: int, tree: Path, store: Path) -> None:
    """Ask one question about a folder, and leave."""
    client = Client(*await asyncio.open_connection("127.0.0.1", port))
    options = {"store": str(store), "watch": "off"}
    folders = [{"uri": tree.as_uri(), "name": tree.name}]
    client.send(ask(0, "initialize", capabilities={}, workspaceFolders=folders, initializationOptions=options))
    client.send(tell("initialized"), ask(1, "workspace/chunkSearch", query="parcel", maxResults=1, sync=True))
    found = None
    while found is None:
        message = await client.next()
        found = message.get("result") if message.get("id") == 1 else None
    assert [chunk["rawText"] for chunk in found["chunks"]] == ["def weigh_parcel(): ..."]
    client.send(*GOODBYE)
    await client.rest()
    await client.close()


def held(pid: int) -> int:
    """Files of an index that a process has open or has mapped into its memory."""
    links = [os.readlink(each) for each in Path(f"/proc/{pid}/fd").iterdir() if each.is_symlink()]
    maps = Path(f"/proc/{pid}/maps").read_text()
    return sum("store" in link for link in links) + maps.count("/store/")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="nothing tells here what a process has open")
async def test_a_session_that_left_holds_no_files(tmp_path: Path) -> None:
    """The first one too, parts of which were put aside with what was imported for it."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "parcel.py").write_text("def weigh_parcel(): ...\n")
    command = (sys.executable, "-m", "lurcher_server", "serve", "--tcp", "0")
    server = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert server.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            announced = re.search(rb":(\d+)\s*$", await server.stderr.readline())
            assert announced is not None
            for _ in range(2):
                await session(int(announced[1]), tree, tmp_path / "store")
                while held(server.pid):
                    await asyncio.sleep(0.05)
    finally:
        server.kill()
        await server.wait()
