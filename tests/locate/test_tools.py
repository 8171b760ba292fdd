"""The real tools, on a real workspace: what each finds, what none may show, and unsaved text."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.locate.workspaces import opened, shop, sight_of

from lurcher_index import Engine
from lurcher_index.locate.issue import Goal, Issue
from lurcher_index.locate.locating import Locator
from lurcher_index.locate.matches import MAX_MATCHES_PER_FILE, MatchKind, Wanted
from lurcher_index.locate.running import Outcome
from lurcher_index.locate.scoring import Strategy
from lurcher_index.locate.settings import LocateSettings
from lurcher_index.locate.tools.ast_grep import AstGrep
from lurcher_index.locate.tools.built_in import BuiltIn
from lurcher_index.locate.tools.call_graph import CallGraph
from lurcher_index.locate.tools.grep import Grep
from lurcher_index.locate.tools.interface import Tool, ToolFailed
from lurcher_index.locate.tools.ripgrep import Ripgrep
from lurcher_index.locate.tools.symbol_index import SymbolIndex
from lurcher_index.locate.tools.syntax import SyntaxTool
from lurcher_index.view import View

SECONDS = 60.0
"""More than any of this takes; no test passes or fails by being quick."""

TEXT_TOOLS: list[Tool] = [Ripgrep(), Grep(), BuiltIn()]
Place = tuple[str, int, int]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("tools"))


@pytest.fixture(scope="module")
def engine(folder: Path) -> Iterator[Engine]:
    with opened(folder) as engine:
        yield engine


def found(engine: Engine, tool: Tool, *patterns: str, structure: str = "", snippet: str = "") -> set[Place]:
    tool.probe(SECONDS)
    wanted = Wanted(patterns=patterns, structure=structure, snippet=snippet)
    matches = tool.run(sight_of(engine), wanted, SECONDS)
    return {(match.row.path, match.first_line, match.last_line) for match in matches}


@pytest.mark.parametrize("tool", TEXT_TOOLS, ids=lambda tool: tool.id)
def test_text_is_found_in_files_of_the_index_alone(engine: Engine, tool: Tool) -> None:
    """Not in what is ignored, and not in files that hold secrets."""
    if tool.id == "grep" and shutil.which("grep") is None:
        pytest.skip("there is no grep")
    assert found(engine, tool, "order without a user") == {
        ("src/orders.py", 8, 8),
        ("tests/test_orders.py", 2, 2),
        ("README.md", 3, 3),
    }


@pytest.mark.parametrize("tool", TEXT_TOOLS, ids=lambda tool: tool.id)
def test_capitals_matter_if_there_are_any(engine: Engine, tool: Tool) -> None:
    if tool.id == "grep" and shutil.which("grep") is None:
        pytest.skip("there is no grep")
    assert ("src/users.js", 3, 3) in found(engine, tool, "select * from users")
    assert found(engine, tool, "Select * from users") == set()
    assert found(engine, tool, "${userId}") == {("src/users.js", 3, 3)}


@pytest.mark.parametrize("tool", TEXT_TOOLS, ids=lambda tool: tool.id)
def test_matches_of_one_file_are_bounded(tmp_path: Path, tool: Tool) -> None:
    if tool.id == "grep" and shutil.which("grep") is None:
        pytest.skip("there is no grep")
    (tmp_path / "many.txt").write_text("needle here\n" * (MAX_MATCHES_PER_FILE * 5))
    with opened(tmp_path) as engine:
        assert len(found(engine, tool, "needle")) == MAX_MATCHES_PER_FILE


@pytest.mark.parametrize("tool", [*TEXT_TOOLS, SymbolIndex(), CallGraph(), SyntaxTool()], ids=lambda tool: tool.id)
def test_unsaved_documents_are_seen_in_place_of_their_files(tmp_path: Path, tool: Tool) -> None:
    if tool.id == "grep" and shutil.which("grep") is None:
        pytest.skip("there is no grep")
    folder = shop(tmp_path)
    with opened(folder) as engine:
        assert engine.show(folder / "src/mail.py", "\n\ndef post_letter(user_id):\n    pass\n", 1)
        assert {place[0] for place in found(engine, tool, "post_letter")} == {"src/mail.py"}
        assert found(engine, tool, "send_mail") == set()


def test_symbols_are_found_by_name(engine: Engine) -> None:
    assert found(engine, SymbolIndex(), "place_order") == {("src/orders.py", 4, 9)}
    assert found(engine, SymbolIndex(), "getUserData") == {("src/users.js", 1, 5)}
    assert found(engine, SymbolIndex(), "Store.load_user") == {("src/users.py", 6, 7)}
    assert found(engine, SymbolIndex(), "order without a user") == set()


def test_the_call_graph_finds_definitions_and_uses(engine: Engine) -> None:
    wanted = Wanted(patterns=("load_user",), all_references=True)
    matches = CallGraph().run(sight_of(engine), wanted, SECONDS)
    uses = {(match.row.path, match.first_line) for match in matches if match.kind is MatchKind.REFERENCE}
    assert uses >= {("src/orders.py", 6), ("src/mail.py", 5)}
    assert any(match.kind is MatchKind.DEFINITION and match.row.path == "src/users.py" for match in matches)


def test_who_analyzes_the_impact_is_told_all_uses(engine: Engine) -> None:
    issue = Issue(description="`load_user` gets another argument", goal=Goal.ANALYZE_IMPACT)
    answer = engine.locate(issue, LocateSettings(fuse_chunks=False))
    assert answer.tool_used == "call-graph"
    assert {location.path for location in answer.locations} >= {"src/orders.py", "src/mail.py", "src/users.py"}


STRUCTURE = "if $A is None:\n    raise $B($C)"
SNIPPET = 'if shop is None:\n    raise KeyError("no shop")'


def test_ast_grep_finds_structures_and_names(engine: Engine) -> None:
    tool = AstGrep()
    assert found(engine, tool, structure=STRUCTURE) == {("src/orders.py", 7, 8)}
    assert {place[0] for place in found(engine, tool, "load_user")} == {"src/orders.py", "src/users.py", "src/mail.py"}


def test_our_own_queries_find_structures_and_names(engine: Engine) -> None:
    tool = SyntaxTool()
    assert found(engine, tool, structure=STRUCTURE, snippet=SNIPPET) == {("src/orders.py", 7, 8)}
    # A name in a string or a comment is no code.
    assert {place[0] for place in found(engine, tool, "load_user")} == {"src/orders.py", "src/users.py", "src/mail.py"}
    assert found(engine, tool, "order") == set()


def test_an_absent_ast_grep_is_unhealthy_and_skipped(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_args, **_named: None)
    with pytest.raises(ToolFailed, match="not installed"):
        AstGrep().probe(SECONDS)
    settings = LocateSettings(force_strategy=Strategy.PATTERN_MATCH, fuse_chunks=False)
    answer = Locator().locate(View(engine.workspace), Issue(description="`load_user` is odd"), settings, engine.ask)
    first = answer.fallback_chain[0]
    assert (first.tool, first.outcome) == ("ast-grep", Outcome.SKIPPED)
    assert "not installed" in first.detail
    assert answer.tool_used == "tree-sitter"


def test_a_finding_of_an_issue_is_a_symbol_with_a_reason(engine: Engine) -> None:
    answer = engine.locate(Issue(description="place_order function crashes"), LocateSettings())
    first = answer.locations[0]
    assert (first.path, first.first_line, first.last_line) == ("src/orders.py", 4, 9)
    assert first.symbol is not None
    assert first.symbol.name == "place_order"
    assert first.reason.startswith("defines place_order")
    assert first.score == 1.0


def test_locations_are_bounded_and_in_order(engine: Engine) -> None:
    answer = engine.locate(Issue(description="user order load return value"), LocateSettings())
    scores = [location.score for location in answer.locations]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert len(scores) <= 20
