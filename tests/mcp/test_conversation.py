"""Nothing is shown twice in a conversation, and what was shown can be read again."""

from pathlib import Path
from typing import Any, cast

import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, RequestParamsMeta, TextResourceContents
from tests.files.trees import plant
from tests.mcp.host import FILES, MODES, call, hosted, ids, ready, structure, text_of

from lurcher_server.mcp.memory import FORGET_SECONDS, MAX_CHUNKS, MAX_CONVERSATIONS, Memory

QUESTION: dict[str, Any] = {"query": "shopping cart", "max_results": 2}


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", MODES)
async def test_a_chunk_is_shown_once_unless_asked_for_again(tmp_path: Path, mode: str) -> None:
    folder = plant(tmp_path / "shop", FILES)
    async with hosted([folder], tmp_path / "store", mode) as client:
        await ready(client)
        first = await call(client, "search_code", **QUESTION)
        second = await call(client, "search_code", **QUESTION)
        assert ids(first) and ids(second) and not set(ids(first)) & set(ids(second))
        assert structure(first)["already_shown"] == 0
        assert structure(second)["already_shown"] >= len(ids(first))
        assert "were shown to you before" in text_of(second)
        again = await call(client, "search_code", **QUESTION, include_seen=True)
        assert ids(again) == ids(first)
    async with hosted([folder], tmp_path / "store", mode) as another:
        fresh = await call(another, "search_code", **QUESTION)
        assert ids(fresh) == ids(first)


@pytest.mark.asyncio
async def test_what_is_part_of_a_whole_symbol_counts_as_shown(tmp_path: Path) -> None:
    long = (
        "def walrus(sea):\n"
        + "".join(f"    sea.walrus_{n}('tusk {n}', depth={n})\n" for n in range(90))
        + "    return sea\n"
    )
    folder = plant(tmp_path / "zoo", {"walrus.py": long})
    async with hosted([folder], tmp_path / "store") as client:
        await ready(client)
        first = await call(client, "search_code", query="walrus tusk", token_budget=20_000)
        (only,) = structure(first)["results"]
        assert (only["extent"], only["first_line"], only["last_line"]) == ("whole symbol", 1, 92)
        assert only["text"] == long.rstrip()
        second = await call(client, "search_code", query="walrus tusk", token_budget=20_000)
        assert structure(second)["outcome"] == "already shown" and not ids(second)


@pytest.mark.asyncio
async def test_a_chunk_that_changed_is_shown_again(tmp_path: Path) -> None:
    folder = plant(tmp_path / "shop", FILES)
    async with hosted([folder], tmp_path / "store") as client:
        await ready(client)
        question = {"query": "price_of discount", "paths": ["src/shop/prices.py"]}
        first = await call(client, "search_code", **question)
        assert structure(first)["outcome"] == "found"
        assert structure(await call(client, "search_code", **question))["outcome"] == "already shown"
        prices = folder / "src/shop/prices.py"
        prices.write_text(prices.read_text().replace("take the discount off", "take the discount off twice"))
        await ready(client)
        changed = await call(client, "search_code", **question)
        assert "discount off twice" in text_of(changed) and not set(ids(first)) & set(ids(changed))


@pytest.mark.asyncio
async def test_conversations_that_the_host_names_are_kept_apart(tmp_path: Path) -> None:
    folder = plant(tmp_path / "shop", FILES)

    async with hosted([folder], tmp_path / "store") as client:
        await ready(client)

        async def ask(conversation: str) -> list[str]:
            meta = cast(RequestParamsMeta, {"vscode.conversationId": conversation})
            answer = await client.call_tool("search_code", QUESTION, meta=meta)
            assert isinstance(answer, CallToolResult)
            return ids(answer)

        first = await ask("a")
        assert await ask("b") == first
        assert not set(await ask("a")) & set(first)


def test_a_memory_is_bounded_and_fades() -> None:
    now = 0.0
    memory = Memory(lambda: now)
    memory.show("", ["a"], Path("a.py"))
    now = FORGET_SECONDS
    assert memory.seen("") == ("a",)
    memory.show("", ["b"], Path("b.py"))
    now = 2 * FORGET_SECONDS
    assert memory.seen("") == ("a", "b")
    now = 3 * FORGET_SECONDS + 1
    assert memory.seen("") == ()
    assert memory.file_of("a") == Path("a.py")
    memory.show("", (str(number) for number in range(MAX_CHUNKS + 1)), Path("c.py"))
    assert len(memory.seen("")) == MAX_CHUNKS and memory.file_of("a") is None
    for number in range(MAX_CONVERSATIONS + 1):
        memory.show(f"talk {number}", ["x"], Path("x.py"))
    assert memory.seen("talk 0") == () and memory.seen("talk 1") == ("x",)


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", MODES)
async def test_chunks_are_resources_and_stale_or_unknown_ones_are_reported(tmp_path: Path, mode: str) -> None:
    folder = plant(tmp_path / "shop", FILES)
    async with hosted([folder], tmp_path / "store", mode) as client:
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "lurcher://chunk/{chunk_id}"
        await ready(client)
        answer = await call(client, "search_code", query="look up the price of one article")
        first = structure(answer)["results"][0]
        uri = f"lurcher://chunk/{first['chunk_id']}"
        (content,) = (await client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        assert "def price_of" in content.text and content.text.startswith("src/shop/prices.py:")
        for bad in ("0" * 20, "nonsense", "..%2F..%2Fetc%2Fpasswd", "x" * 3_000):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(f"lurcher://chunk/{bad}")
            assert "etc/passwd:" not in str(refused.value)
        prices = folder / "src/shop/prices.py"
        prices.write_text(prices.read_text().replace("Look up", "Find"))
        with pytest.raises(MCPError, match="its text has changed; search again"):
            await client.read_resource(uri, cache_mode="bypass")
