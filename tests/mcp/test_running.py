"""Progress, cancellation, folders of the client, and input that is not what it should be."""

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import filelock
import pytest
from mcp.client import ClientRequestContext
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.types import ListRootsResult, Root
from pydantic import FileUrl
from tests.files.trees import plant
from tests.mcp.host import FILES, MODES, call, hosted, ready, refusal, structure, text_of

from lurcher_index import Engine, Settings
from lurcher_index.errors import BadQuery, Cancelled
from lurcher_index.locate.issue import Issue
from lurcher_index.locate.located import Located
from lurcher_index.locate.settings import LocateSettings
from lurcher_index.lookout import Sighting
from lurcher_index.store.places import place_for
from lurcher_index.strategies import registry
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Cannot, Retrieved
from lurcher_server.lsp.uris import uri_of
from lurcher_server.mcp import calls
from lurcher_server.names import Names

pytestmark = pytest.mark.asyncio


class NeverDone:
    """A strategy that searches until it is stopped, and notes when that was."""

    id = "tfidf"
    timeout = None

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.stopped = asyncio.Event()

    async def prepare(self, context: Context) -> None:
        """Nothing to ask."""

    async def search(self, context: Context) -> Retrieved | Cannot:  # noqa: ARG002 - a strategy's signature
        """Search for ever."""
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped.set()
        return Retrieved()


@pytest.mark.parametrize("mode", MODES)
async def test_a_cancel_stops_locating(tmp_path: Path, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    began, stopped = threading.Event(), threading.Event()

    def locate(
        _engine: Engine, _issue: Issue, _settings: LocateSettings | None = None, *, is_stopped: Callable[[], bool]
    ) -> Located:
        began.set()
        while not is_stopped():
            time.sleep(0.01)
        stopped.set()
        raise Cancelled("locating was stopped")

    monkeypatch.setattr(Engine, "locate", locate)
    async with hosted([plant(tmp_path / "shop", FILES)], tmp_path / "store", mode) as client:
        await ready(client)
        asked = asyncio.create_task(client.call_tool("locate_issue", {"description": "the cart is empty"}))
        async with asyncio.timeout(60):
            await asyncio.to_thread(began.wait)
            asked.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asked
            await asyncio.to_thread(stopped.wait)
        assert structure(await call(client, "find_symbol", name="Cart"))["definitions"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_cancel_stops_the_search_and_its_progress_was_told(
    tmp_path: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = NeverDone()
    monkeypatch.setattr(registry, "default_strategies", lambda *_asked: (endless,))
    said: list[tuple[float, str | None]] = []
    told = asyncio.Event()

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        said.append((progress, message))
        if endless.began.is_set():
            told.set()

    async with hosted([plant(tmp_path / "shop", FILES)], tmp_path / "store", mode) as client:
        await ready(client)
        asked = asyncio.create_task(client.call_tool("search_code", {"query": "cart"}, progress_callback=heard))
        async with asyncio.timeout(60):
            await endless.began.wait()
            await told.wait()
            asked.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asked
            await endless.stopped.wait()
        monkeypatch.undo()
        assert "searching" in str(said[-1][1])
        assert all(one[0] < other[0] for one, other in pairwise(said))
        # The server goes on, and nothing was remembered as shown.
        assert structure(await call(client, "find_symbol", name="Cart"))["definitions"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_build_is_reported_and_searched_while_it_runs(
    tmp_path: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Machines that are quick enough have built it before the second notice.
    monkeypatch.setattr(calls, "BEAT_SECONDS", 0.02)
    chance = random.Random(3)
    words = [f"word{number}" for number in range(400)]
    files: dict[str, str | bytes] = dict(FILES)
    for number in range(700):
        body = "".join(f"    {chance.choice(words)} = {chance.choice(words)}({step})\n" for step in range(60))
        files[f"many/part{number}.py"] = f"def walk_{number}():\n{body}"
    said: list[tuple[float, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        assert total == 100.0
        said.append((progress, message))

    async with hosted([plant(tmp_path / "large", files)], tmp_path / "store", mode) as client:
        early = await call(client, "index_status")
        assert structure(early)["state"] in ("starting", "updating") and not structure(early)["index"]["complete"]
        status = await client.call_tool("index_status", {"wait_seconds": 200}, progress_callback=heard)
        assert structure(status)["state"] == "ready" and structure(status)["index"]["indexed_files"] == 705
        assert all(one[0] < other[0] for one, other in pairwise(said))
        assert any("files" in str(message) for _, message in said), said
        found = await call(client, "search_code", query="walk_699")
        assert structure(found)["index"]["complete"]


async def test_not_indexed_yet_is_no_match_in_disguise(tmp_path: Path) -> None:
    """Another process holds the lock for writing: what is there is searched, and every tool says that it is not all."""
    folder, store = plant(tmp_path / "shop", FILES), tmp_path / "store"
    with Engine.open([folder], store=store) as engine:
        place = engine.workspace.place
        assert place is not None
    with filelock.FileLock(place.directory / "write.lock"):
        async with hosted([folder], store) as client:
            asked: list[tuple[str, dict[str, object]]] = [
                ("search_code", {"query": "cart"}),
                ("find_symbol", {"name": "Cart"}),
                ("who_calls", {"name": "price_of"}),
                ("fetch_node", {"ids": ["src/shop/cart.py"]}),
            ]
            for tool, arguments in asked:
                answer = await call(client, tool, **arguments)
                assert structure(answer)["outcome"] == "not indexed yet", tool
                assert not structure(answer)["index"]["complete"]
            status = await call(client, "index_status")
            assert structure(status)["state"] == "updating" and "another process" in text_of(status)
    async with hosted([folder], store) as client:
        await ready(client)
        assert structure(await call(client, "search_code", query="cart"))["outcome"] == "found"


@pytest.mark.parametrize("mode", MODES)
async def test_what_changed_while_nobody_looked_is_searched_or_said_to_be_missing(tmp_path: Path, mode: str) -> None:
    folder, store = plant(tmp_path / "shop", FILES), tmp_path / "store"
    with Engine.open([folder], store=store) as engine:
        assert engine.build()
        place = engine.workspace.place
        assert place is not None
    plant(folder, {"src/shop/refund.py": "def pay_back(card, amount):\n    card.refund(amount)\n"})
    with filelock.FileLock(place.directory / "write.lock"):
        async with hosted([folder], store, mode) as client:
            missed = await call(client, "search_code", query="pay_back")
            paths = [each["path"] for each in structure(missed)["results"]]
            assert "src/shop/refund.py" not in paths and not structure(missed)["index"]["complete"]
            assert any("not been compared with the files" in note for note in structure(missed)["notes"])
            defined = await call(client, "find_symbol", name="Cart")
            assert structure(defined)["definitions"] and not structure(defined)["index"]["complete"]
            assert "5 files indexed, not compared with the files on disk yet" in text_of(defined)
    async with hosted([folder], store, mode) as client:
        # The very first call: nobody has waited for anything.
        found = await call(client, "search_code", query="pay_back")
        assert structure(found)["results"][0]["path"] == "src/shop/refund.py"
        assert structure(found)["index"]["complete"]


async def test_what_changed_before_the_watch_began_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first build has looked, and nobody watches yet."""
    begins = threading.Event()

    def late(_folders: object, _settings: object, stop: threading.Event) -> Iterator[Sighting]:
        begins.wait()
        yield Sighting(ready=True)
        stop.wait()

    monkeypatch.setattr("lurcher_index.lookout.look_out", late)
    folder = plant(tmp_path / "shop", FILES)
    async with hosted([folder], tmp_path / "store") as client:
        await ready(client)
        plant(folder, {"src/shop/refund.py": "def pay_back(card):\n    card.refund()\n"})
        begins.set()
        async with asyncio.timeout(60):
            while structure(await call(client, "find_symbol", name="pay_back"))["outcome"] != "found":
                await asyncio.sleep(0.05)


async def test_after_a_branch_switch_nothing_is_called_complete_before_a_scan(tmp_path: Path) -> None:
    folder = plant(tmp_path / "shop", {**FILES, ".git/HEAD": "ref: refs/heads/main\n"})
    place = place_for([folder.resolve()], Settings().shape(), tmp_path / "store")
    async with hosted([folder], tmp_path / "store") as client:
        await ready(client)
        with filelock.FileLock(place.lock):
            plant(folder, {"src/shop/refund.py": "def pay_back(card):\n    card.refund()\n"})
            while structure(status := await call(client, "index_status"))["state"] != "updating":
                # Until the watch has begun nobody hears of it, and the last one is heard of.
                plant(folder, {".git/HEAD": f"ref: refs/heads/{time.monotonic_ns()}\n"})
                await asyncio.sleep(0.1)
            assert not structure(status)["index"]["complete"]
            missed = await call(client, "search_code", query="put an article into the cart")
            assert not structure(missed)["index"]["complete"]
            assert any("not been compared with the files" in note for note in structure(missed)["notes"])
        while not structure(found := await call(client, "search_code", query="pay_back"))["index"]["complete"]:
            await asyncio.sleep(0.1)
        assert structure(found)["results"][0]["path"] == "src/shop/refund.py"


async def test_a_folder_that_is_away_for_a_while_is_no_empty_one(tmp_path: Path) -> None:
    folder = plant(tmp_path / "shop", FILES)
    async with hosted([folder], tmp_path / "store") as client:
        await ready(client)
        folder.rename(tmp_path / "elsewhere")
        for _ in range(3):
            for query in ("put an article into the cart", "nothing is called so"):
                assert "cannot list the workspace folder" in await refusal(client, "search_code", query=query)
            assert "cannot list the workspace folder" in await refusal(client, "find_symbol", name="Cart")
            status = await call(client, "index_status")
            assert "cannot list the workspace folder" in text_of(status)
            assert not structure(status)["index"]["complete"] and structure(status)["index"]["indexed_files"] == 5
            await asyncio.sleep(0.3)
        plant(tmp_path / "elsewhere", {"src/shop/refund.py": "def pay_back(card):\n    card.refund()\n"})
        (tmp_path / "elsewhere").rename(folder)
        # The very first call afterwards: nobody has waited for anything.
        found = await call(client, "search_code", query="pay_back")
        assert structure(found)["results"][0]["path"] == "src/shop/refund.py"
        assert structure(found)["index"]["complete"]


@pytest.mark.parametrize("mode", MODES)
async def test_the_folders_are_those_of_the_client(tmp_path: Path, mode: str) -> None:
    here = plant(tmp_path / "here", {"a.py": "def heron():\n    pass\n"})
    there = plant(tmp_path / "there", {"b.py": "def bittern():\n    pass\n"})
    named = [here]

    async def roots(_context: ClientRequestContext) -> ListRootsResult:
        every = [Root.model_validate({"uri": uri_of(folder)}) for folder in [*named, tmp_path / "nowhere"]]
        return ListRootsResult(roots=[*every, Root.model_validate({"uri": "file:///proc/version"})])

    async with hosted([], tmp_path / "store", mode, list_roots_callback=roots) as client:
        await ready(client)
        assert structure(await call(client, "index_status"))["folders"] == [str(here)]
        assert structure(await call(client, "find_symbol", name="heron"))["definitions"]
        if mode == "legacy":
            named[:] = [there]
            with pytest.warns(
                MCPDeprecationWarning
            ):  # The SDK's newest protocol has no such notice; older hosts send it.
                await client.send_roots_list_changed()
            async with asyncio.timeout(60):
                while structure(await call(client, "index_status", wait_seconds=60))["folders"] != [str(there)]:
                    await asyncio.sleep(0.05)
            assert structure(await call(client, "find_symbol", name="bittern"))["definitions"]


async def test_without_folders_the_current_one_is_searched_but_never_a_whole_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = plant(tmp_path / "shop", FILES)
    monkeypatch.chdir(folder)
    async with hosted([], tmp_path / "store") as client:
        await ready(client)
        assert structure(await call(client, "index_status"))["folders"] == [str(folder)]
    for place in ("/", str(Path.home())):
        monkeypatch.chdir(place)
        async with hosted([], tmp_path / "store") as client:
            assert "lurcher mcp -w" in await refusal(client, "search_code", query="cart")
            assert "lurcher mcp -w" in await refusal(client, "index_status")


async def test_a_folder_of_its_own_that_is_gone_is_said_and_is_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    async with hosted([], tmp_path / "store") as client:
        for _ in range(2):
            assert "is no longer there" in await refusal(client, "search_code", query="cart")
        assert "Traceback" not in caplog.text
        monkeypatch.chdir(plant(tmp_path / "shop", FILES))
        await ready(client)


async def test_an_engine_that_could_not_be_opened_for_any_reason_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async with hosted([plant(tmp_path / "shop", FILES)], tmp_path / "store") as client:
        monkeypatch.setattr(Engine, "open", broken)
        assert "ZeroDivisionError" in await refusal(client, "index_status")
        monkeypatch.undo()
        await ready(client)


async def test_bad_input_is_refused_in_words(tmp_path: Path) -> None:
    async with hosted([plant(tmp_path / "shop", FILES)], tmp_path / "store") as client:
        await ready(client)
        searches: list[tuple[dict[str, object], str]] = [
            ({}, "query"),
            ({"query": ""}, "query"),
            ({"query": "  \n"}, "query cannot be empty"),
            ({"query": "x" * 8_001}, "query"),
            ({"query": "cart", "max_results": 0}, "max_results"),
            ({"query": "cart", "max_results": 101}, "max_results"),
            ({"query": "cart", "token_budget": 1}, "token_budget"),
            ({"query": "cart", "content": "secrets"}, "content"),
            ({"query": "cart", "paths": ["../other"]}, "leaves the workspace"),
            ({"query": "cart", "paths": ["..\\other"]}, "leaves the workspace"),
            ({"query": "cart", "paths": ["/etc"]}, "outside the workspace"),
            ({"query": "cart", "filePattern": "../**"}, "leaves the workspace"),
            ({"query": "cart", "filePattern": "*" * 400}, "too long or has too many wildcards"),
            ({"query": "cart", "paths": ["a"] * 51}, "paths"),
            ({"query": "cart", "languages": "x\0y"}, "languages"),
        ]
        for arguments, said in searches:
            message = await refusal(client, "search_code", **arguments)
            assert said in message and "Traceback" not in message and 'File "' not in message, arguments
        others: list[tuple[str, dict[str, object], str]] = [
            ("find_symbol", {"name": ""}, "name"),
            ("who_calls", {"name": "x", "direction": "sideways"}, "direction"),
            ("explore_graph", {"ids": []}, "ids"),
            ("explore_graph", {"ids": ["a"], "depth": 99}, "depth"),
            ("fetch_node", {"ids": ["x" * 1_001]}, "ids"),
            ("index_status", {"wait_seconds": -1}, "wait_seconds"),
            ("drop_tables", {}, "Unknown tool"),
        ]
        for tool, arguments, said in others:
            assert said in await refusal(client, tool, **arguments), (tool, arguments)
        escaped = await call(client, "fetch_node", ids=["../../etc/passwd", "/etc/passwd", "src/../../x", "\0"])
        assert structure(escaped)["outcome"] == "unknown" and "root:" not in text_of(escaped)
        odd = await call(client, "search_code", query="cart \0 \u202e ' \" ;")
        assert structure(odd)["outcome"] == "found"


async def test_what_nobody_foresaw_is_an_error_without_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    text = "hunter" + str(2)  # Not as it stands here: a traceback shows this line.

    def broken(*_: object) -> None:
        raise ZeroDivisionError(text)

    async with hosted([plant(tmp_path / "shop", FILES)], tmp_path / "store") as client:
        await ready(client)
        monkeypatch.setattr(Engine, "symbols", broken)
        message = await refusal(client, "find_symbol", name="Cart")
        assert "ZeroDivisionError" in message and text not in message + caplog.text
        monkeypatch.undo()
        assert structure(await call(client, "find_symbol", name="Cart"))["definitions"]


async def test_names_of_folders_lead_only_into_the_workspace(tmp_path: Path) -> None:
    names = Names([str(tmp_path / "a/app"), str(tmp_path / "b/app")])
    assert names.shown(str(tmp_path / "b/app"), "x.py") == "app-2/x.py"
    assert names.known("app-2/x.py") == str(tmp_path / "b/app/x.py")
    assert names.known("src") == "src"
    assert Names([str(tmp_path)]).known("app/x") == "app/x"


async def test_names_below_a_link_mean_what_it_leads_to(tmp_path: Path) -> None:
    folder = plant(tmp_path / "shop", {"src/x.py": "x = 1\n"})
    for number, leads_to in enumerate((folder, tmp_path / "elsewhere")):
        (tmp_path / f"link-{number}").symlink_to(leads_to)
    names = Names([str(folder)], [tmp_path / "link-0", tmp_path / "link-1", "", tmp_path / "nowhere"])
    assert names.known(str(tmp_path / "link-0")) == str(folder)
    assert names.known(str(tmp_path / "link-0/src/*.py")) == str(folder / "src/*.py")
    assert names.known(str(folder / "src")) == str(folder / "src")
    for other in ("link-1/src", "link-0-b", "nowhere"):
        with pytest.raises(BadQuery, match="outside the workspace"):
            names.known(str(tmp_path / other))


async def test_a_workspace_that_is_a_link_knows_its_own_paths(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(plant(tmp_path / "shop", FILES))

    async def roots(_: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(uri_of(link)))])

    for folders in ([link], []):
        async with hosted(folders, tmp_path / "store", list_roots_callback=roots) as client:
            await ready(client)
            for below in (link / "web", tmp_path / "shop/web"):
                for filters in ({"paths": [str(below)]}, {"filePattern": f"{below}/*"}, {"searchScopes": [str(below)]}):
                    found = await call(client, "search_code", query="cart", include_seen=True, **filters)
                    assert {each["path"] for each in structure(found)["results"]} == {"web/cart.ts"}, filters
            whole = await call(client, "search_code", query="cart", include_seen=True, searchScopes=[str(link)])
            assert structure(whole)["outcome"] == "found"
