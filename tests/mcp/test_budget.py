"""An answer never costs more than the caller's tokens, however it is read."""

import random
from pathlib import Path

import msgspec
import pytest
from tests.files.trees import plant
from tests.mcp.host import FILES, call, hosted, ready, structure, text_of

from lurcher_index.text.tokens import estimate_tokens

pytestmark = pytest.mark.asyncio


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Functions of all sizes that have the same words in them."""
    chance = random.Random(5)
    files = dict(FILES)
    for number in range(30):
        lines = [
            f'    beast.swim(river={step}, note="mile {chance.random()}")' for step in range(chance.randint(1, 120))
        ]
        files[f"zoo/otter_{number}.py"] = f"def feed_otter_{number}(beast):\n" + "\n".join(lines) + "\n"
    return plant(tmp_path_factory.mktemp("zoo") / "zoo", files)


@pytest.mark.parametrize("budget", [200, 300, 500, 1_000, 3_000, 10_000, 100_000])
async def test_text_and_structure_fit_the_budget(
    zoo: Path, tmp_path_factory: pytest.TempPathFactory, budget: int
) -> None:
    async with hosted([zoo], tmp_path_factory.getbasetemp() / "budgets") as client:
        await ready(client)
        calls: list[tuple[str, dict[str, object]]] = [
            ("search_code", {"query": "feed the otter in the river", "max_results": 30}),
            ("search_code", {"query": "feed_otter_3"}),
            ("find_symbol", {"name": "feed_otter", "max_results": 100}),
            ("who_calls", {"name": "swim", "max_results": 500}),
            ("explore_graph", {"ids": ["zoo"], "depth": 2, "max_nodes": 200}),
            ("fetch_node", {"ids": ["zoo/otter_1.py", "zoo/otter_2.py", "zoo/otter_3.py", "zoo"]}),
            ("locate_issue", {"description": "The feed_otter_3 function forgets the river"}),
        ]
        for tool, arguments in calls:
            answer = await call(client, tool, **arguments, token_budget=budget)
            cost = estimate_tokens(text_of(answer)), estimate_tokens(msgspec.json.encode(structure(answer)))
            assert max(cost) <= budget, (tool, cost)


async def test_rule_b_two_are_whole_and_the_rest_skeletons(zoo: Path, tmp_path: Path) -> None:
    async with hosted([zoo], tmp_path) as client:
        await ready(client)
        answer = structure(await call(client, "search_code", query="feed the otter", token_budget=50_000))
        extents = [each["extent"] for each in answer["results"]]
        assert len(extents) > 4 and extents[:2] == ["whole symbol"] * 2
        assert set(extents[2:]) <= {"skeleton", "full"} and "skeleton" in extents
        for each in answer["results"][:2]:
            assert each["text"] == (zoo / each["path"]).read_text().rstrip()


async def test_what_does_not_fit_is_counted(zoo: Path, tmp_path: Path) -> None:
    async with hosted([zoo], tmp_path) as client:
        await ready(client)
        small = await call(client, "search_code", query="feed the otter", max_results=20, token_budget=400)
        assert structure(small)["did_not_fit"] > 0
        assert f"{structure(small)['did_not_fit']} more results did not fit" in text_of(small)
        code = structure(await call(client, "fetch_node", ids=["zoo/otter_1.py", "zoo/otter_2.py"], token_budget=300))
        assert code["nodes"][0]["cut"] and code["did_not_fit"] == ["zoo/otter_2.py"]
