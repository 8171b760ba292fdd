"""Arguments as models write them: other spellings are understood, everything else is refused in plain words."""

from pathlib import Path

import pytest
from tests.files.trees import plant
from tests.mcp.host import FILES, MODES, call, hosted, ready, refusal, structure

pytestmark = pytest.mark.asyncio

REFUSED: list[tuple[str, dict[str, object], str]] = [
    (
        "fetch_node",
        {"ids": ["a"], "bogus": 1},
        "fetch_node: there is no parameter 'bogus'. The parameters are ids, token_budget",
    ),
    (
        "fetch_node",
        {"ids": ["a"], "tokenBudgets": 900},
        "fetch_node: there is no parameter 'tokenBudgets'; token_budget is the nearest."
        " The parameters are ids, token_budget",
    ),
    (
        "search_code",
        {"query": "cart", "max_results": 3, "maxResults": 4},
        "search_code: max_results is given twice",
    ),
    ("search_code", {}, "search_code: query is missing"),
    ("search_code", {"query": None}, "search_code: query should be a valid string, not None"),
    ("search_code", {"query": "x" * 8_001}, "search_code: query should have at most 8000 characters, not 8001"),
    (
        "search_code",
        {"query": "cart", "max_results": 0, "mode": "fast"},
        "search_code: max_results should be greater than or equal to 1, not 0;"
        " mode should be 'snippets', 'features' or 'auto', not 'fast'",
    ),
    (
        "search_code",
        {"query": "cart", "maxResults": "three"},
        "search_code: max_results should be a valid integer, not 'three'",
    ),
    (
        "search_code",
        {"query": "cart", "languages": ["go", ""]},
        "search_code: languages[1] should have at least 1 character, not ''",
    ),
    (
        "search_code",
        {"query": "cart", "paths": ["a"] * 51},
        "search_code: paths should have at most 50 items, not 51",
    ),
    ("fetch_node", {"ids": None}, "fetch_node: ids should be a valid list, not None"),
    (
        "fetch_node",
        {"ids": ["a"], "bogus": None},
        "fetch_node: there is no parameter 'bogus'. The parameters are ids, token_budget",
    ),
    ("drop_tables", {"bogus": 1}, "Unknown tool: drop_tables"),
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("shop") / "shop", FILES)


@pytest.mark.parametrize("mode", MODES)
async def test_both_spellings_of_a_parameter_are_understood(shop: Path, tmp_path: Path, mode: str) -> None:
    async with hosted([shop], tmp_path / "store", mode) as client:
        await ready(client)
        for how in (
            {"maxResults": 1, "includeSeen": True},
            {"max_results": 1, "include_seen": True},
            {"max-results": 1, "INCLUDE_SEEN": True},
        ):
            assert len(structure(await call(client, "search_code", query="cart", **how))["results"]) == 1, how
        only = await call(client, "search_code", query="cart", file_pattern="*.ts", includeSeen=True)
        assert {each["path"] for each in structure(only)["results"]} == {"web/cart.ts"}
        assert structure(await call(client, "index_status", waitSeconds=1))["state"] == "ready"


async def test_null_is_nothing_wherever_something_need_not_be_said(shop: Path, tmp_path: Path) -> None:
    async with hosted([shop], tmp_path / "store") as client:
        await ready(client)
        for tool in (await client.list_tools()).tools:
            needed = {name: ["cart"] if name == "ids" else "cart" for name in tool.input_schema.get("required", ())}
            nothing = {name: None for name in tool.input_schema["properties"] if name not in needed}
            await call(client, tool.name, **needed, **nothing)
        only = await call(client, "search_code", query="cart", languages=None, filePattern="*.ts", includeSeen=True)
        assert {each["path"] for each in structure(only)["results"]} == {"web/cart.ts"}


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_wrong_is_said_in_plain_words(shop: Path, tmp_path: Path, mode: str) -> None:
    async with hosted([shop], tmp_path / "store", mode) as client:
        for tool, arguments, message in REFUSED:
            assert await refusal(client, tool, **arguments) == message


async def test_many_mistakes_are_told_in_few_words(shop: Path, tmp_path: Path) -> None:
    async with hosted([shop], tmp_path / "store") as client:
        message = await refusal(client, "search_code", query="cart", languages=[""] * 40)
        assert message.endswith("; and 35 more") and len(message) < 500
