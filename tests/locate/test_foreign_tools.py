"""Tools that a person configures: a real MCP server and a real language server, each in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.locate.workspaces import opened, shop, sight_of

from lurcher_index import Engine
from lurcher_index.locate.issue import Issue
from lurcher_index.locate.matches import Wanted
from lurcher_index.locate.settings import LocateSettings, McpTool
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.locate.tools.language_server import LanguageServer
from lurcher_index.locate.tools.mcp_tool import McpSearch

SECONDS = 100.0
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("foreign"))


@pytest.fixture(scope="module")
def engine(folder: Path) -> Iterator[Engine]:
    with opened(folder) as engine:
        yield engine


def mcp(folder: Path, tool: str = "search", *more: str) -> McpTool:
    command = (sys.executable, str(HERE / "mcp_server.py"), str(folder), *more)
    return McpTool(name="searcher", command=command, tool=tool)


def places(engine: Engine, tool: McpSearch | LanguageServer, *patterns: str, seconds: float = SECONDS) -> set[object]:
    matches = tool.run(sight_of(engine), Wanted(patterns=patterns), seconds)
    return {(match.row.path, match.first_line, match.pattern) for match in matches}


def test_an_mcp_tool_is_asked_for_every_pattern_in_one_session(engine: Engine, folder: Path) -> None:
    tool = McpSearch(mcp(folder))
    tool.probe(1.0)
    assert places(engine, tool, "order without a user", "def load_user") == {
        ("src/orders.py", 8, 0),
        ("tests/test_orders.py", 2, 0),
        ("src/users.py", 1, 1),
        ("src/users.py", 6, 1),
    }


def test_an_mcp_tool_gets_its_fixed_arguments(engine: Engine, folder: Path) -> None:
    configured = McpTool(
        name="searcher", command=mcp(folder).command, tool="search", argument="pattern", fixed={"folder": "src"}
    )
    assert places(engine, McpSearch(configured), "def test_order") == set()
    assert places(engine, McpSearch(mcp(folder)), "def test_order") == {("tests/test_orders.py", 1, 0)}


def test_what_an_mcp_tool_says_of_other_files_is_passed_over(engine: Engine, folder: Path) -> None:
    assert places(engine, McpSearch(mcp(folder, "elsewhere")), "x") == set()


@pytest.mark.parametrize(
    ("tool", "more", "seconds"),
    [("slow", (), 5.0), ("broken", (), SECONDS), ("unknown", (), SECONDS), ("search", ("end at once",), SECONDS)],
    ids=["too slow", "fails", "no such tool", "ends at once"],
)
def test_an_mcp_server_that_misbehaves_is_a_failed_tool(
    engine: Engine, folder: Path, tool: str, more: tuple[str, ...], seconds: float
) -> None:
    with pytest.raises(ToolFailed):
        places(engine, McpSearch(mcp(folder, tool, *more)), "x", seconds=seconds)


def test_a_program_that_is_not_there_is_told_by_the_probe(folder: Path) -> None:
    tool = McpSearch(McpTool(name="x", command=("no-such-program-anywhere",), tool="search"))
    with pytest.raises(ToolFailed, match="no program"):
        tool.probe(1.0)
    with pytest.raises(ToolFailed, match="no program"):
        LanguageServer(("no-such-program-anywhere",)).probe(1.0)


def test_a_configured_mcp_tool_is_the_first_of_its_chain(engine: Engine, folder: Path) -> None:
    settings = LocateSettings(mcp_tools=(mcp(folder),), fuse_chunks=False, debug=True)
    answer = engine.locate(Issue(description='"order without a user" is printed'), settings)
    assert answer.transcript[3].startswith("Tool chain: searcher → ripgrep")
    assert answer.tool_used == "searcher"
    assert answer.locations[0].path == "src/orders.py"


def test_the_engine_does_not_load_the_sdk() -> None:
    code = (
        "import sys\n"
        "import lurcher_index.engine, lurcher_index.locate.locating\n"
        "sys.exit(any(name in sys.modules for name in ('mcp', 'pydantic')))"
    )
    root = HERE.parents[1]
    environment = {"PYTHONPATH": f"{root / 'index'}"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, timeout=120).returncode == 0


def test_a_language_server_is_asked_for_symbols(engine: Engine) -> None:
    server = LanguageServer((sys.executable, str(HERE / "symbol_server.py")))
    server.probe(1.0)
    assert places(engine, server, "place_order", "no name at all", "load_user") == {
        ("src/orders.py", 4, 0),
        ("src/users.py", 1, 2),
    }


@pytest.mark.parametrize("mood", ["silent", "gone", "noise", "huge", "refuses"])
def test_a_language_server_that_misbehaves_is_a_failed_tool(engine: Engine, mood: str) -> None:
    server = LanguageServer((sys.executable, str(HERE / "symbol_server.py"), mood))
    with pytest.raises(ToolFailed):
        places(engine, server, "place_order", seconds=5.0 if mood == "silent" else SECONDS)
