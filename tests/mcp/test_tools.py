"""What the tools offer and answer, in both ways to speak the protocol."""

from pathlib import Path
from typing import get_args

import pytest
from tests.files.trees import plant
from tests.mcp.host import FILES, MODES, call, hosted, ready, refusal, structure, text_of

from lurcher_index.answers import Empty
from lurcher_index.model import SymbolKind
from lurcher_server.mcp.tools.symbols import MAX_DEFINITIONS, Kind
from lurcher_server.mcp.wording import EMPTY

pytestmark = pytest.mark.asyncio

TOOLS = ["search_code", "find_symbol", "who_calls", "explore_graph", "fetch_node", "locate_issue", "index_status"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("shop") / "shop", FILES)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.mark.parametrize("mode", MODES)
async def test_every_tool_has_schemas_and_says_that_it_only_reads(shop: Path, store: Path, mode: str) -> None:
    async with hosted([shop], store, mode) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS
        for tool in tools:
            assert tool.description and tool.output_schema and tool.annotations is not None
            assert tool.annotations.read_only_hint and tool.annotations.idempotent_hint
            assert tool.annotations.open_world_hint is False
            assert "roots" not in tool.input_schema["properties"]
            assert all("description" in each for each in tool.input_schema["properties"].values()), tool.name
        for name in TOOLS:
            assert name in (client.instructions or "")


async def test_rule_d_the_schema_has_what_the_seed_names(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        properties = tools["search_code"].input_schema["properties"]
        assert {
            "query",
            "mode",
            "featureTerms",
            "filePattern",
            "searchScopes",
            "max_results",
            "token_budget",
        } <= properties.keys()
        assert properties["mode"]["enum"] == ["snippets", "features", "auto"]
        assert "snippets run only when features are insufficient" in str(tools["search_code"].description)
        assert (properties["max_results"]["minimum"], properties["max_results"]["maximum"]) == (1, 100)
        assert properties["max_results"]["default"] == 10


@pytest.mark.parametrize("mode", MODES)
async def test_rule_b_an_answer_has_a_header_and_numbered_results(shop: Path, store: Path, mode: str) -> None:
    async with hosted([shop], store, mode) as client:
        await ready(client)
        answer = await call(client, "search_code", query="add up the prices of the cart")
        lines = text_of(answer).splitlines()
        assert lines[0] == "Project shop: 5 files indexed"
        assert lines[1] == f"{len(structure(answer)['results'])} results for: 'add up the prices of the cart'"
        first = structure(answer)["results"][0]
        assert first["path"] == "src/shop/cart.py" and "meaning" in first["match"] and 0 < first["score"] <= 1
        head = next(line for line in lines if line.startswith("1. "))
        assert head.startswith(f"1. src/shop/cart.py:{first['first_line']}-{first['last_line']} · ")
        assert f"match: {first['match']}" in head and f"score {first['score']:.2f}" in head


async def test_filters_and_feature_terms_shape_the_answer(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        for how in ({"filePattern": "*.ts"}, {"languages": ["typescript"]}, {"paths": ["web"]}):
            answer = await call(client, "search_code", query="shopping cart", include_seen=True, **how)
            assert {each["path"] for each in structure(answer)["results"]} == {"web/cart.ts"}, how
        docs = await call(client, "search_code", query="shopping cart", content="docs", include_seen=True)
        assert {each["path"] for each in structure(docs)["results"]} == {"README.md"}
        absolute = await call(client, "search_code", query="cart", paths=[str(shop / "web")], include_seen=True)
        assert {each["path"] for each in structure(absolute)["results"]} == {"web/cart.ts"}
        terms = await call(client, "search_code", query="money", featureTerms=["discount"], include_seen=True)
        assert structure(terms)["results"][0]["path"] == "src/shop/prices.py"


async def test_a_file_pattern_with_an_exclamation_mark_leaves_files_out(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        for pattern in ("!src/**", "!*.py", f"!{shop}/src/**"):
            answer = await call(client, "search_code", query="shopping cart", filePattern=pattern, include_seen=True)
            assert {each["path"] for each in structure(answer)["results"]} == {"web/cart.ts", "README.md"}, pattern
            assert structure(answer)["notes"] == []
        assert "leaves the workspace" in await refusal(client, "search_code", query="cart", filePattern="!../**")


async def test_what_is_too_weak_is_named_and_returned_on_demand(shop: Path, store: Path) -> None:
    question = "zookeeper ingress of all kubernetes brokers"
    async with hosted([shop], store) as client:
        await ready(client)
        named = await call(client, "search_code", query=question)
        assert structure(named)["results"] == [] and structure(named)["nearby"]
        shown = await call(client, "search_code", query=question, include_weak=True)
        assert {each["path"] for each in structure(shown)["results"]} >= {
            each["path"] for each in structure(named)["nearby"]
        }
        assert "nothing here seems to answer" in text_of(shown)


async def test_rule_d_a_staged_search_says_which_stage_answered(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        features = await call(client, "search_code", query="add item to cart", mode="auto", include_seen=True)
        assert structure(features)["stage"] == "features" and "Answered by stage: features" in text_of(features)
        weak = await call(client, "search_code", query="pear and plum", mode="auto", include_seen=True)
        assert structure(weak)["stage"] == "snippets"
        assert structure(weak)["results"][0]["path"] == "src/shop/prices.py"
        at_once = await call(client, "search_code", query="pear and plum", include_seen=True)
        assert structure(at_once)["stage"] == ""


async def test_rule_d_scopes_keep_a_search_inside_and_unknown_ones_are_reported(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)

        async def paths(*scopes: str) -> set[str]:
            answer = await call(client, "search_code", query="cart", searchScopes=list(scopes), include_seen=True)
            return {each["path"] for each in structure(answer)["results"]}

        assert await paths("web") == {"web/cart.ts"}
        assert await paths("web", "src/shop/checkout.py:check_out") == {"web/cart.ts", "src/shop/checkout.py"}
        both = await call(client, "search_code", query="cart", searchScopes=["web", "nowhere"], include_seen=True)
        assert "nowhere" in text_of(both) and structure(both)["outcome"] == "found"
        unknown = await call(client, "search_code", query="cart", searchScopes=["nowhere"])
        assert structure(unknown)["outcome"] == "unknown" and "nowhere" in text_of(unknown)


async def test_empties_read_differently(shop: Path, store: Path, tmp_path: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        nothing = await call(client, "search_code", query="zygomorphic")
        excluded = await call(client, "search_code", query="cart", languages=["cobol"])
        await call(client, "search_code", query="price_of", paths=["src/shop/prices.py"])
        seen = await call(client, "search_code", query="price_of", paths=["src/shop/prices.py"])
    (tmp_path / "bare").mkdir()
    async with hosted([tmp_path / "bare"], store) as client:
        await ready(client)
        bare = await call(client, "search_code", query="cart")
    found = [nothing, excluded, seen, bare]
    assert [structure(each)["outcome"] for each in found] == [
        "no match",
        "everything excluded",
        "already shown",
        "no files",
    ]
    assert len({structure(each)["message"] for each in found}) == len(found)
    for each in found:
        assert f"{structure(each)['outcome']}: {structure(each)['message']}" in text_of(each)


async def test_every_kind_of_empty_answer_has_words() -> None:
    assert set(EMPTY) == set(Empty)


async def test_a_question_about_uses_is_answered_from_the_graph(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        used = await call(client, "search_code", query="who calls price_of")
        assert structure(used)["results"][0]["node"] == "src/shop/cart.py:Cart.total"
        assert "1 caller of price_of by the call graph" in text_of(used)
        unused = await call(client, "search_code", query="who calls empty_cart")
        assert structure(unused)["outcome"] == "no match" and "empty_cart" in structure(unused)["message"]


async def test_symbols_are_found_whole_in_part_and_qualified(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        for name, best in {
            "price_of": "src/shop/prices.py:price_of",
            "Cart.total": "src/shop/cart.py:Cart.total",
            "shop/cart.py:Cart": "src/shop/cart.py:Cart",
            "render": "web/cart.ts:renderCart",
        }.items():
            answer = await call(client, "find_symbol", name=name)
            assert structure(answer)["definitions"][0]["id"] == best, text_of(answer)
        only = await call(client, "find_symbol", name="cart", kind="class")
        assert {each["kind"] for each in structure(only)["definitions"]} == {"class"}
        nothing = await call(client, "find_symbol", name="zygomorphic")
        assert structure(nothing)["outcome"] == "no match"


async def test_who_calls_answers_in_three_directions_and_honestly_when_there_is_nothing(
    shop: Path, store: Path
) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        callers = await call(client, "who_calls", name="price_of")
        assert [each["source"]["id"] for each in structure(callers)["uses"]] == ["src/shop/cart.py:Cart.total"]
        assert structure(callers)["definitions"][0]["id"] == "src/shop/prices.py:price_of"
        callees = await call(client, "who_calls", name="src/shop/prices.py:price_of", direction="callees")
        assert "src/shop/prices.py:_listed" in [each["target"] for each in structure(callees)["uses"]]
        uses = await call(client, "who_calls", name="price_of", direction="references")
        assert {each["kind"] for each in structure(uses)["uses"]} >= {"call"}
        unused = await call(client, "who_calls", name="empty_cart")
        unknown = await call(client, "who_calls", name="zygomorphic")
        assert structure(unused)["outcome"] == "no match" and structure(unknown)["outcome"] == "unknown"
        assert structure(unused)["message"] != structure(unknown)["message"]
        case = await call(client, "who_calls", name="PRICE_OF")
        assert not structure(case)["uses"]


async def test_nodes_are_fetched_and_explored_and_unknown_ones_reported(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        fetched = await call(client, "fetch_node", ids=["src/shop/cart.py:Cart", "src/nowhere.py", "src/shop"])
        answer = structure(fetched)
        assert [each["node"]["id"] for each in answer["nodes"]] == ["src/shop/cart.py:Cart", "src/shop"]
        assert answer["unknown"] == ["src/nowhere.py"] and "'src/nowhere.py'" in text_of(fetched)
        assert "Add up the prices of all lines." in answer["nodes"][0]["code"]
        assert "src/shop/cart.py:Cart.total" in answer["nodes"][0]["members"]
        assert "src/shop/prices.py" in answer["nodes"][1]["members"]
        method = structure(await call(client, "fetch_node", ids=["src/shop/cart.py:Cart.add_item"]))["nodes"][0]
        assert method["code"].splitlines()[:2] == [
            "def add_item(self, article, amount=1):",
            '    """Put an article into the cart."""',
        ]
        around = await call(client, "explore_graph", ids=["src/shop/cart.py:Cart.total"], depth=1, kinds=["invokes"])
        links = {(each["source"], each["target"]) for each in structure(around)["links"]}
        assert ("src/shop/cart.py:Cart.total", "src/shop/prices.py:price_of") in links
        assert ("src/shop/checkout.py:check_out", "src/shop/cart.py:Cart.total") in links
        unknown = await call(client, "explore_graph", ids=["nowhere"])
        assert structure(unknown)["outcome"] == "unknown" and structure(unknown)["unknown"] == ["nowhere"]


async def test_an_issue_is_located_and_says_how(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        answer = await call(
            client,
            "locate_issue",
            title="Wrong total",
            description="The price_of function takes the discount off twice.",
        )
        found = structure(answer)
        assert found["outcome"] == "found" and found["locations"][0]["path"] == "src/shop/prices.py"
        assert found["locations"][0]["node"] == "src/shop/prices.py:price_of"
        assert found["primary"] == "semantic-analysis" and "price_of" in found["search_patterns"]
        assert found["tool_used"] and found["fallback_chain"] and found["tool_used"] in text_of(answer)
        literal = await call(client, "locate_issue", description='It says "an empty cart cannot be paid" to everybody.')
        assert structure(literal)["locations"][0]["path"] == "src/shop/checkout.py"


async def test_several_folders_have_their_names_before_their_paths(tmp_path: Path, store: Path) -> None:
    one = plant(tmp_path / "one", {"a.py": "def heron():\n    pass\n"})
    two = plant(tmp_path / "two", {"a.py": "def heron_too():\n    return heron()\n"})
    async with hosted([one, two], store) as client:
        await ready(client)
        answer = await call(client, "search_code", query="heron")
        assert {each["path"] for each in structure(answer)["results"]} == {"one/a.py", "two/a.py"}
        only = await call(client, "search_code", query="heron", paths=["two"], include_seen=True)
        assert {each["path"] for each in structure(only)["results"]} == {"two/a.py"}
        found = await call(client, "find_symbol", name="heron_too")
        assert structure(found)["definitions"][0]["id"] == "two/a.py:heron_too"
        node = structure(answer)["results"][0]["node"]
        fetched = await call(client, "fetch_node", ids=[node])
        assert structure(fetched)["nodes"][0]["node"]["id"] == node


async def test_the_status_tells_what_is_indexed(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        answer = await call(client, "index_status", wait_seconds=120)
        status = structure(answer)
        assert status["state"] == "ready" and status["index"] == {
            "indexed_files": 5,
            "pending_files": 0,
            "complete": True,
        }
        assert status["folders"] == [str(shop)] and status["vectors_ready"] == 1.0
        assert "ready: Ready" in text_of(answer)


async def test_a_kind_that_is_wrong_is_told_from_a_name_that_is(shop: Path, store: Path) -> None:
    async with hosted([shop], store) as client:
        await ready(client)
        message = await refusal(client, "find_symbol", name="price_of", kind="klass")
        assert message.startswith("find_symbol: kind should be 'module', ") and message.endswith(", not 'klass'")
        other = await call(client, "find_symbol", name="price_of", kind="class")
        assert structure(other)["outcome"] == "no match"
        assert "is of another kind: function." in text_of(other)
        assert structure(await call(client, "find_symbol", name="price_of", kind="function"))["definitions"]
        assert "No definition has this name" in text_of(await call(client, "find_symbol", name="qqqq", kind="class"))


async def test_one_class_is_found_among_hundreds_of_functions_of_its_name(tmp_path: Path) -> None:
    many = MAX_DEFINITIONS + 50
    functions = {f"src/step_{number:03}.py": "def process():\n    pass\n" for number in range(many)}
    folder = plant(tmp_path / "mill", {**functions, "src/zz.py": "class process:\n    pass\n"})
    async with hosted([folder], tmp_path / "store") as client:
        await ready(client)
        only = await call(client, "find_symbol", name="process", kind="class")
        assert [each["id"] for each in structure(only)["definitions"]] == ["src/zz.py:process"]
        assert structure(only)["did_not_fit"] == 0
        functions_alone = await call(client, "find_symbol", name="process", kind="function", max_results=2)
        assert structure(functions_alone)["did_not_fit"] == many - 2
        assert f"{many - 2} more did not fit" in text_of(functions_alone)
        every = await call(client, "find_symbol", name="process", max_results=2)
        assert structure(every)["did_not_fit"] == many + 1 - 2


async def test_every_kind_of_symbol_can_be_asked_for() -> None:
    assert set(get_args(Kind)) == {*SymbolKind, "file", "folder"}


async def test_one_of_something_is_no_plural(tmp_path: Path) -> None:
    one = plant(tmp_path / "one", {"heron.py": "def heron():\n    return 1\n\n\ndef nest():\n    return heron()\n"})
    async with hosted([one], tmp_path / "store") as client:
        await ready(client)
        calls: list[tuple[str, dict[str, object], str]] = [
            ("search_code", {"query": "heron"}, "Project one: 1 file indexed\n1 result for: 'heron'"),
            ("find_symbol", {"name": "heron", "kind": "function"}, "1 file indexed\n1 definition for 'heron'"),
            ("who_calls", {"name": "heron"}, "1 file indexed\n1 caller of 'heron'"),
            ("who_calls", {"name": "nest", "direction": "callees"}, "1 callee of 'nest'"),
            ("who_calls", {"name": "heron", "direction": "references"}, "1 reference of 'heron'"),
            ("index_status", {}, "Project one: 1 file indexed, "),
        ]
        for tool, arguments, said in calls:
            assert said in text_of(await call(client, tool, **arguments)), tool
