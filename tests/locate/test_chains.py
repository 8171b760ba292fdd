"""Chains of tools: order, preference, health, time, retries, fallback, base finder, last resort."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.locate.workspaces import Clock, Scripted, located, opened, shop, sight_of

from lurcher_index import Engine
from lurcher_index.errors import Cancelled
from lurcher_index.locate import running
from lurcher_index.locate.chains import Toolbox
from lurcher_index.locate.health import HEALTH_SECONDS, Health
from lurcher_index.locate.issue import Goal, Issue
from lurcher_index.locate.located import NOTHING_FOUND, NOTHING_SEARCHED
from lurcher_index.locate.locating import Locator
from lurcher_index.locate.matches import Match, Wanted
from lurcher_index.locate.running import PROBE_SECONDS, RETRIES, RUN_SECONDS, TOTAL_SECONDS, Attempt, Chains, Outcome
from lurcher_index.locate.scoring import Strategy
from lurcher_index.locate.settings import LocateSettings, McpTool
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.view import View

CODE, SEMANTIC, PATTERN = Strategy
NOTHING: tuple[str, ...] = ()
FOUND = ("src/users.py",)
BROKEN = ToolFailed("it is broken")

TEXT = Issue(description='prints "order without a user", "second text" and "third text"')
"""Goes to code-search, then to pattern-match."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(shop(tmp_path)) as engine:
        yield engine


def ids(toolbox: Toolbox, strategy: Strategy, preferred: str = "", references: bool = False) -> list[str]:
    return [tool.id for tool in toolbox.chain(strategy, preferred, references)]


def test_the_chain_of_each_strategy() -> None:
    own = Toolbox.of(LocateSettings())
    assert ids(own, CODE) == ["ripgrep", "grep", "built-in"]
    assert ids(own, SEMANTIC) == ["symbol-index", "call-graph", "ast-grep"]
    assert ids(own, PATTERN) == ["ast-grep", "tree-sitter", "ripgrep"]
    assert [tool.id for tool in own.base_finder()] == ["ripgrep", "grep", "built-in"]


def test_tools_of_others_are_in_a_chain_only_if_they_are_configured() -> None:
    serena = McpTool(name="serena", command=("serena",), tool="search_for_pattern")
    toolbox = Toolbox.of(LocateSettings(mcp_tools=(serena,), language_server=("pyls",)))
    assert ids(toolbox, CODE) == ["serena", "ripgrep", "grep", "built-in"]
    assert ids(toolbox, SEMANTIC) == ["symbol-index", "call-graph", "language-server", "ast-grep", "serena"]


def test_a_preferred_tool_moves_to_the_front() -> None:
    own = Toolbox.of(LocateSettings())
    assert ids(own, CODE, "grep") == ["grep", "ripgrep", "built-in"]
    assert ids(own, SEMANTIC, "ast-grep") == ["ast-grep", "symbol-index", "call-graph"]
    assert own.complaint(CODE, "grep") == ""


def test_a_preferred_tool_that_is_none_is_complained_of(engine: Engine) -> None:
    settings = LocateSettings(preferred_search_tool="serena-mcp", fuse_chunks=False)
    answer = located(engine, TEXT, Scripted("ripgrep", FOUND), settings=settings)
    assert any("serena-mcp" in alert for alert in answer.alerts)
    assert answer.tool_used == "ripgrep"


def test_who_needs_all_references_asks_the_call_graph_first() -> None:
    assert ids(Toolbox.of(LocateSettings()), SEMANTIC, references=True)[0] == "call-graph"


def test_the_first_tool_that_finds_something_is_the_last_that_is_asked(engine: Engine) -> None:
    first, second, third = Scripted("ripgrep", NOTHING), Scripted("grep", FOUND), Scripted("built-in", FOUND)
    answer = located(engine, TEXT, first, second, third)
    assert (answer.tool_used, answer.strategy_used) == ("grep", "code-search")
    assert [(each.tool, each.outcome) for each in answer.fallback_chain] == [
        ("ripgrep", Outcome.NOTHING),
        ("grep", Outcome.SUCCESS),
    ]
    assert [location.path for location in answer.locations] == ["src/users.py"]
    assert third.runs == []


def test_the_primary_tries_all_patterns_the_fallback_two_the_base_finder_all(engine: Engine) -> None:
    ripgrep, grep, ast_grep = Scripted("ripgrep", NOTHING), Scripted("grep", NOTHING), Scripted("ast-grep", NOTHING)
    answer = located(engine, TEXT, ripgrep, grep, ast_grep)
    assert (answer.primary, answer.fallback) == (CODE, PATTERN)
    # What it did not find among three texts it need not look for among two of them.
    assert [len(wanted.patterns) for wanted, _ in ripgrep.runs] == [3]
    assert [len(wanted.patterns) for wanted, _ in ast_grep.runs] == [2]
    assert [attempt.strategy for attempt in answer.fallback_chain] == [
        *["code-search"] * 2,
        *["pattern-match"] * 2,
        *["base-finder"] * 2,
        "last-resort",
    ]


def test_chunk_search_is_the_last_resort_and_says_so(engine: Engine) -> None:
    answer = located(engine, TEXT, Scripted("ripgrep", NOTHING))
    assert (answer.tool_used, answer.strategy_used) == ("chunkSearch", "last-resort")
    assert answer.fallback_chain[-1].tool == "chunkSearch"
    assert answer.locations
    assert answer.transcript[-1] == "Found location using chunkSearch via last-resort"


def test_nothing_at_all_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with opened(tmp_path / "empty") as engine:
        answer = located(engine, TEXT, Scripted("ripgrep", NOTHING))
    assert (answer.tool_used, answer.locations) == ("", ())
    assert answer.transcript[-1] == "Found no location"


def test_a_failure_is_retried_once(engine: Engine) -> None:
    shaky = Scripted("ripgrep", BROKEN, FOUND)
    assert located(engine, TEXT, shaky).tool_used == "ripgrep"
    assert len(shaky.runs) == 1 + RETRIES == 2


def test_after_two_failures_the_next_tool_has_its_turn(engine: Engine) -> None:
    broken = Scripted("ripgrep", BROKEN)
    answer = located(engine, TEXT, broken, Scripted("grep", FOUND))
    assert len(broken.runs) == 2
    assert answer.tool_used == "grep"
    assert answer.fallback_chain[0].detail == "it is broken"


def test_probes_and_runs_are_given_their_time(engine: Engine) -> None:
    tool = Scripted("ripgrep", FOUND)
    located(engine, TEXT, tool)
    assert tool.probes == [PROBE_SECONDS] == [1.0]
    assert [seconds for _, seconds in tool.runs] == [RUN_SECONDS] == [10.0]


def test_an_unhealthy_tool_is_skipped_with_the_reason(engine: Engine) -> None:
    absent = Scripted("ripgrep", FOUND, probe="it is not installed")
    answer = located(engine, TEXT, absent, Scripted("grep", FOUND))
    assert absent.runs == []
    assert (answer.fallback_chain[0].outcome, answer.fallback_chain[0].detail) == (
        Outcome.SKIPPED,
        "it is not installed",
    )
    assert "Skipping ripgrep (it is not installed)" in answer.transcript


def test_health_is_remembered_for_five_minutes(engine: Engine) -> None:
    clock = Clock()
    healthy, broken = Scripted("grep", FOUND), Scripted("ripgrep", BROKEN)
    locator = Locator(lambda _: Toolbox([broken, healthy]), clock)
    for _ in range(3):
        assert located(engine, TEXT, locator=locator).tool_used == "grep"
    # The broken one ran in the first search alone, and neither was probed again.
    assert (len(broken.runs), len(broken.probes), len(healthy.probes)) == (2, 1, 1)
    clock.now += HEALTH_SECONDS - 1
    located(engine, TEXT, locator=locator)
    assert len(broken.probes) == 1
    clock.now += 1
    located(engine, TEXT, locator=locator)
    assert (len(broken.probes), len(broken.runs)) == (2, 4)
    assert HEALTH_SECONDS == 300


def test_after_a_minute_no_further_tool_is_started(engine: Engine) -> None:
    clock = Clock()
    slow = Scripted("ripgrep", NOTHING)
    chains = Chains(sight_of(engine), Health(clock), clock)
    chains.run("code-search", [slow], Wanted(patterns=("x",)))
    clock.now += TOTAL_SECONDS
    chains.run("pattern-match", [slow], Wanted(patterns=("x",)))
    assert [attempt.outcome for attempt in chains.attempts] == [Outcome.NOTHING, Outcome.SKIPPED]
    assert len(slow.runs) == 1


def test_the_transcript_has_the_order_of_the_rule(engine: Engine) -> None:
    answer = located(engine, TEXT, Scripted("ripgrep", BROKEN), Scripted("grep", FOUND))
    assert answer.transcript == (
        "Strategy selected: code-search (95% confidence)",
        "Reasoning: has literal text to search for; has literal values",
        'Search patterns: ["order without a user","second text","third text"]',
        "Tool chain: ripgrep → grep",
        "Attempting with ripgrep... failed (it is broken)",
        "Attempting with grep... success",
        "Found location using grep via code-search",
    )


def test_without_debug_there_is_no_transcript(engine: Engine) -> None:
    answer = located(engine, TEXT, Scripted("grep", FOUND), settings=LocateSettings(fuse_chunks=False))
    assert answer.transcript == ()


def test_structures_go_to_pattern_match_alone(engine: Engine) -> None:
    issue = Issue(description="duplicate code", code_snippet="if (a == 1) { run(a); }", goal=Goal.FIND_DUPLICATES)
    ast_grep, ripgrep = Scripted("ast-grep", NOTHING), Scripted("ripgrep", NOTHING)
    answer = located(engine, issue, ast_grep, ripgrep)
    assert answer.primary is PATTERN
    assert answer.search_patterns[0] == "if ($A == $B) { $C($A); }"
    assert ast_grep.runs[0][0].structure == "if ($A == $B) { $C($A); }"
    assert all("$A" not in pattern for wanted, _ in ripgrep.runs for pattern in wanted.patterns)


def test_a_failing_index_is_not_a_failing_tool(engine: Engine) -> None:
    from lurcher_index.errors import StoreDamaged

    with pytest.raises(StoreDamaged):
        located(engine, TEXT, Scripted("ripgrep", StoreDamaged("x")), Scripted("grep", FOUND))
    assert running.RETRIES == 1


def test_who_stops_waiting_starts_no_further_tool(engine: Engine) -> None:
    first, second = Scripted("ripgrep", NOTHING), Scripted("grep", FOUND)
    asked = Locator(lambda _: Toolbox((first, second)))
    with pytest.raises(Cancelled):
        asked.locate(View(engine.workspace), TEXT, LocateSettings(), engine.ask, is_stopped=lambda: len(first.runs) > 0)
    assert (len(first.runs), len(second.runs)) == (1, 0)


def test_an_empty_answer_says_whether_anything_could_search(engine: Engine) -> None:
    issue = Issue(description='prints "qqqq zzzz"')
    nothing = located(engine, issue, Scripted("ripgrep", NOTHING))
    assert (nothing.locations, nothing.why_empty) == ((), NOTHING_FOUND)
    found = located(engine, TEXT, Scripted("ripgrep", FOUND))
    assert found.locations and found.why_empty == ""
    failed = msgspec.structs.replace(
        nothing, fallback_chain=(Attempt(CODE, "ripgrep", Outcome.FAILED), Attempt(CODE, "grep", Outcome.SKIPPED))
    )
    assert (failed.could_search, failed.why_empty) == (False, NOTHING_SEARCHED)


def test_files_that_go_while_tools_run_are_no_places(engine: Engine) -> None:
    gone = engine.workspace.folders[0].path / "src/orders.py"

    class Slow(Scripted):
        def run(self, sight: Sight, wanted: Wanted, seconds: float, /) -> list[Match]:
            found = super().run(sight, wanted, seconds)
            gone.unlink()
            engine.update([gone])
            return found

    answer = located(engine, TEXT, Slow("ripgrep", ["src/orders.py", "src/users.py"]))
    assert [each.path for each in answer.locations] == ["src/users.py"]
    assert answer.left_out == 0
