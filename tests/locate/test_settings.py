"""Settings are really read, out of the environment too, and a wrong value is reported."""

from pathlib import Path

import pytest
from tests.locate.workspaces import opened, shop

from lurcher_index.errors import BadSetting
from lurcher_index.locate.issue import Issue
from lurcher_index.locate.scoring import Strategy
from lurcher_index.locate.settings import VARIABLES, LocateSettings, McpTool, settings_from_environment

GOOD = {
    "PREFERRED_SEARCH_TOOL": "grep",
    "PREFERRED_SEMANTIC_TOOL": "ast-grep",
    "PREFERRED_PATTERN_TOOL": "ripgrep",
    "FORCE_SEARCH_STRATEGY": "semantic-analysis",
    "LITERAL_STRING_WEIGHT": "40",
    "SYMBOL_NAME_WEIGHT": "50",
    "DEBUG_SEARCH_STRATEGY": "true",
    "LURCHER_LOCATE_FUSE_CHUNKS": "off",
    "LURCHER_MCP_TOOLS": '[{"name": "serena", "command": ["serena", "start"], "tool": "search_for_pattern"}]',
    "LURCHER_LANGUAGE_SERVER": '["pyls", "--stdio"]',
}


def test_every_variable_is_read() -> None:
    assert GOOD.keys() == VARIABLES.keys()
    settings, complaints = settings_from_environment(GOOD)
    assert complaints == ()
    assert settings == LocateSettings(
        preferred_search_tool="grep",
        preferred_semantic_tool="ast-grep",
        preferred_pattern_tool="ripgrep",
        force_strategy=Strategy.SEMANTIC_ANALYSIS,
        literal_string_weight=40,
        symbol_name_weight=50,
        debug=True,
        fuse_chunks=False,
        mcp_tools=(McpTool(name="serena", command=("serena", "start"), tool="search_for_pattern"),),
        language_server=("pyls", "--stdio"),
    )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("FORCE_SEARCH_STRATEGY", "guess"),
        ("LITERAL_STRING_WEIGHT", "heavy"),
        ("LITERAL_STRING_WEIGHT", "1000"),
        ("SYMBOL_NAME_WEIGHT", "4.5"),
        ("DEBUG_SEARCH_STRATEGY", "maybe"),
        ("LURCHER_MCP_TOOLS", "serena"),
        ("LURCHER_MCP_TOOLS", '[{"name": "", "command": [], "tool": "x"}]'),
        ("LURCHER_LANGUAGE_SERVER", '"pyls"'),
    ],
)
def test_a_wrong_value_is_reported_and_the_default_holds(variable: str, value: str) -> None:
    settings, complaints = settings_from_environment({variable: value})
    assert settings == LocateSettings()
    assert len(complaints) == 1
    assert variable in complaints[0]


def test_settings_of_a_client_are_checked() -> None:
    assert LocateSettings.from_dict({"forceStrategy": "code-search"}).force_strategy is Strategy.CODE_SEARCH
    bad: list[dict[str, object]] = [{"forceStrategy": "x"}, {"literalStringWeight": 1000}, {"unknown": 1}]
    for values in bad:
        with pytest.raises(BadSetting):
            LocateSettings.from_dict(values)


def test_the_engine_reads_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old trap: settings that are documented and that no code reads."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    issue = Issue(description='prints "order without a user"')
    with opened(shop(tmp_path)) as engine:
        plain = engine.locate(issue)
        assert (plain.primary, plain.tool_used, plain.transcript) == (Strategy.CODE_SEARCH, "ripgrep", ())
        monkeypatch.setenv("PREFERRED_SEARCH_TOOL", "built-in")
        monkeypatch.setenv("DEBUG_SEARCH_STRATEGY", "1")
        monkeypatch.setenv("LITERAL_STRING_WEIGHT", "0")
        changed = engine.locate(issue)
        assert (changed.tool_used, changed.confidence) == ("built-in", plain.confidence - 30)
        assert changed.transcript[3] == "Tool chain: built-in → ripgrep → grep"
        monkeypatch.setenv("FORCE_SEARCH_STRATEGY", "pattern-match")
        monkeypatch.setenv("PREFERRED_PATTERN_TOOL", "ripgrep")
        forced = engine.locate(issue)
        assert (forced.primary, forced.tool_used) == (Strategy.PATTERN_MATCH, "ripgrep")
        monkeypatch.setenv("FORCE_SEARCH_STRATEGY", "semantic-analysis")
        monkeypatch.setenv("PREFERRED_SEMANTIC_TOOL", "call-graph")
        monkeypatch.setenv("SYMBOL_NAME_WEIGHT", "-40")
        named = engine.locate(Issue(description="`place_order` function is odd"))
        assert (named.tool_used, named.confidence) == ("call-graph", 40 - 40 + 30 + 25)
        monkeypatch.setenv("SYMBOL_NAME_WEIGHT", "many")
        assert any("SYMBOL_NAME_WEIGHT" in alert for alert in engine.locate(issue).alerts)


def test_a_command_that_cannot_be_used_is_not_repeated() -> None:
    written = '[{"name": "s", "command": ["srv", "--api-key", "sk-SECRET123"], "tol": "x"}]'
    _, complaints = settings_from_environment({"LURCHER_MCP_TOOLS": written})
    assert any("LURCHER_MCP_TOOLS" in each for each in complaints)
    assert not any("SECRET" in each for each in complaints)
