"""A real server process: greeting, sharing an index with an editor's server, leaving, and a missing extra."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import Client
from tests.files.trees import plant
from tests.mcp.host import FILES, MODES, ROOT, call, process, ready, structure
from tests.server.client import Client as Editor

PATIENCE = 60.0
"""Seconds after which a test that waits has failed; nothing passes or fails by being faster than that."""


def until(what: Callable[[], bool], told: str) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, told
        time.sleep(0.05)


async def until_found(client: Client, name: str, wanted: bool = True) -> None:
    async with asyncio.timeout(PATIENCE):
        while bool(structure(await call(client, "find_symbol", name=name))["definitions"]) is not wanted:
            await asyncio.sleep(0.05)


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", [*MODES, "2026-07-28"])
async def test_a_real_process_answers_and_follows_edits(tmp_path: Path, mode: str) -> None:
    folder = plant(tmp_path / "shop", FILES)
    server = process("-w", str(folder), "--store", str(tmp_path / "store"))
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
        await ready(client)
        answer = await call(client, "search_code", query="charge the customer's card")
        assert structure(answer)["results"][0]["node"] == "src/shop/checkout.py:check_out"
        plant(folder, {"src/shop/refund.py": "def pay_back(card, amount):\n    card.refund(amount)\n"})
        await until_found(client, "pay_back")
        (folder / "src/shop/refund.py").unlink()
        await until_found(client, "pay_back", wanted=False)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks into the process, which only Linux shows")
def test_the_greeting_is_answered_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    server = process("-w", str(plant(tmp_path / "shop", FILES)), "--store", str(tmp_path / "store"))
    with subprocess.Popen(
        [server.command, *server.args], env=server.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        assert started.stdin is not None and started.stdout is not None
        client = b'"capabilities":{},"clientInfo":{"name":"test","version":"1"}'
        hello = (
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
            + client
            + b"}}\n"
        )
        started.stdin.write(hello)
        started.stdin.flush()
        assert b'"serverInfo"' in started.stdout.readline()
        loaded = Path(f"/proc/{started.pid}/maps").read_text()
        assert not [name for name in ("tantivy", "faiss", "numpy", "tree_sitter") if name in loaded]
        # After the greeting the engine is loaded without any question.
        started.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        started.stdin.flush()
        until(lambda: "tantivy" in Path(f"/proc/{started.pid}/maps").read_text(), "the engine is not loaded")
        started.stdin.close()
        assert started.wait(PATIENCE) == 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes, which only Linux shows")
def test_no_process_is_left_when_the_host_leaves(tmp_path: Path) -> None:
    mark = str(tmp_path / "store")
    server = process("-w", str(plant(tmp_path / "shop", FILES)), "--store", mark)

    async def talk() -> None:
        async with Client(server) as client:
            await ready(client)

    before = _descendants(os.getpid())
    asyncio.run(talk())
    until(lambda: _descendants(os.getpid()) <= before, "a process is left")


@pytest.mark.asyncio
async def test_two_servers_share_one_index_and_see_each_others_changes(tmp_path: Path) -> None:
    """The editor's server and the assistant's on one folder: one index on disk, edits are seen by both."""
    folder, store = plant(tmp_path / "shop", FILES), tmp_path / "store"
    with Editor(store) as editor:
        editor.initialize([folder])
        editor.ready()
        async with Client(process("-w", str(folder), "--store", str(store))) as client:
            await ready(client)
            status = structure(await call(client, "index_status"))
            assert status["store"] == editor.ask("workspace/chunkSearch/status")["store"]
            assert len(list(store.rglob("write.lock"))) == 1
            for number in range(3):
                name = f"gadwall_{number}"
                plant(folder, {f"src/{name}.py": f"def {name}():\n    return {number}\n"})
                editor.changed_on_disk(folder / f"src/{name}.py")
                await until_found(client, name)
                assert name in editor.search(name, sync=True)["chunks"][0]["rawText"]
            imported = "from gadwall_0 import gadwall_0\n\n\n"
            (folder / "src/shop/prices.py").write_text(imported + "def price_of(article):\n    return gadwall_0()\n")
            editor.changed_on_disk(folder / "src/shop/prices.py")
            await until_found(client, "DISCOUNT", wanted=False)
            answer = await call(client, "who_calls", name="gadwall_0")
            assert [each["source"]["id"] for each in structure(answer)["uses"]] == ["src/shop/prices.py:price_of"]
        assert "gadwall_2" in editor.search("gadwall_2")["chunks"][0]["rawText"]


def test_without_the_extra_a_message_says_how_to_get_it(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "from lurcher_server.cli import main\n"
        f"sys.exit(main(['mcp', '-w', {str(tmp_path)!r}]))"
    )
    done = _python("-c", code)
    assert done.returncode == 3 and done.stdout == ""
    assert "pip install 'lurcher[mcp]'" in done.stderr and "Traceback" not in done.stderr


def test_a_folder_or_model_that_cannot_be_used_is_said_at_once(tmp_path: Path) -> None:
    for arguments, said in [
        (["-w", str(tmp_path / "nowhere")], "is not a folder"),
        (["-w", str(tmp_path), "--model", "endpoint:http://localhost:1"], "code would leave the machine"),
        (["-w", str(tmp_path), "--model", "gpt"], "a model is one of"),
    ]:
        done = _python("-m", "lurcher_server", "mcp", *arguments)
        assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_other_commands_do_not_load_the_extra() -> None:
    code = "import sys; from lurcher_server.cli import main; import lurcher_server.cli.app; print('mcp' in sys.modules)"
    assert _python("-c", code).stdout.strip() == "False"


def test_importing_the_server_loads_nothing_of_the_engine() -> None:
    heavy = ("lurcher_index.workspace", "tantivy", "numpy", "faiss", "tree_sitter", "sqlite3")
    code = f"import sys; import lurcher_server.mcp.app; print([name for name in {heavy!r} if name in sys.modules])"
    assert _python("-c", code).stdout.strip() == "[]"


def _python(*arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("index", "server"))}
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _descendants(pid: int) -> set[int]:
    """The processes that a process has started, directly or not, and that are still there."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It ended between listing and looking.
        if fields[0] != "Z":
            parents[int(stat.parent.name)] = int(fields[1])
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        above = waiting.pop()
        below = {child for child, parent in parents.items() if parent == above} - found
        found |= below
        waiting += below
    return found
