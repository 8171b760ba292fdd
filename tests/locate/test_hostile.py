"""Hostile patterns, files and answers do no harm: nothing of theirs is run, nothing else is read, and it all ends."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.locate.workspaces import opened, shop, sight_of

from lurcher_index import Engine
from lurcher_index.locate import processes
from lurcher_index.locate.foreign import places_in
from lurcher_index.locate.issue import Issue
from lurcher_index.locate.literal_search import lines_with
from lurcher_index.locate.matches import Wanted
from lurcher_index.locate.processes import ARGUMENT_BYTES, MAX_OUTPUT_BYTES, batches, output_of
from lurcher_index.locate.scoring import Strategy
from lurcher_index.locate.settings import LocateSettings
from lurcher_index.locate.tools.ast_grep import AstGrep
from lurcher_index.locate.tools.built_in import BuiltIn
from lurcher_index.locate.tools.grep import Grep
from lurcher_index.locate.tools.interface import Tool, ToolFailed
from lurcher_index.locate.tools.ripgrep import Ripgrep
from lurcher_index.locate.tools.symbol_index import SymbolIndex
from lurcher_index.locate.tools.syntax import SyntaxTool

SECONDS = 60.0
TOOLS: list[Tool] = [Ripgrep(), Grep(), BuiltIn(), AstGrep(), SyntaxTool(), SymbolIndex()]

HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned #",
    "' && touch pwned && '",
    "--pre=touch pwned",
    "--pre=./evil.sh",
    "-f/etc/passwd",
    "--file=/etc/passwd",
    "-e",
    "--",
    "-",
    "../../../../etc/passwd",
    "(a+)+$",
    "(a|a)*b",
    "[",
    "\\",
    "*",
    "$A",
    "$$$",
    "\u202e\u0000x".replace("\0", ""),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shop(tmp_path_factory.mktemp("hostile"))
    (folder / "evil.sh").write_text("#!/bin/sh\ntouch pwned\n")
    (folder / "evil.sh").chmod(0o755)
    # A name that is an option, and a text in which a bad expression would not end.
    (folder / "--pre=evil.sh").write_text("a name like an option\n")
    (folder / "-f").write_text("another one\n")
    (folder / "as.txt").write_text("a" * 5_000 + "!\n")
    # It would make ast-grep load a library.
    (folder / "sgconfig.yml").write_text(
        "ruleDirs: []\ncustomLanguages:\n  evil:\n    libraryPath: ./evil.so\n    extensions: [py]\n"
    )
    return folder


@pytest.fixture(scope="module")
def engine(folder: Path) -> Iterator[Engine]:
    with opened(folder) as engine:
        yield engine


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.id)
@pytest.mark.parametrize("pattern", HOSTILE)
def test_a_pattern_is_text_and_nothing_else(engine: Engine, folder: Path, tool: Tool, pattern: str) -> None:
    """The old trap: patterns that were pasted into a shell's line."""
    if tool.id == "grep" and shutil.which("grep") is None:
        pytest.skip("there is no grep")
    wanted = Wanted(patterns=(pattern,), structure=pattern if tool.id == "ast-grep" else "", snippet=pattern)
    for match in tool.run(sight_of(engine), wanted, SECONDS):
        assert (folder / match.row.path).is_file()
        if tool.id in ("ripgrep", "grep", "built-in"):
            lines = (folder / match.row.path).read_text("utf-8").splitlines()
            assert pattern.lower() in lines[match.first_line - 1].lower()
    assert not (folder / "pwned").exists()
    assert not Path("pwned").exists()


@pytest.mark.parametrize("tool", [Ripgrep(), Grep(), BuiltIn()], ids=lambda tool: tool.id)
def test_files_whose_names_are_options_are_searched_as_files(engine: Engine, tool: Tool) -> None:
    if tool.id == "grep" and shutil.which("grep") is None:
        pytest.skip("there is no grep")
    matches = tool.run(sight_of(engine), Wanted(patterns=("name like an option", "another one")), SECONDS)
    assert {match.row.path for match in matches} == {"--pre=evil.sh", "-f"}


@pytest.mark.skipif(sys.platform == "win32", reason="names cannot hold line ends there")
@pytest.mark.parametrize("tool", [Ripgrep(), Grep(), BuiltIn()], ids=lambda tool: tool.id)
def test_a_name_with_a_line_end_is_not_taken_for_another_file(tmp_path: Path, tool: Tool) -> None:
    if tool.id == "grep" and shutil.which("grep") is None:
        pytest.skip("there is no grep")
    (tmp_path / "a\nb.py").write_text("x = 1\nneedle = 2\nneedle = 3\n")
    (tmp_path / "b.py").write_text("nothing = 0\n")
    with opened(tmp_path) as engine:
        matches = tool.run(sight_of(engine), Wanted(patterns=("needle",)), SECONDS)
        assert {(match.row.path, match.first_line) for match in matches} <= {("a\nb.py", 2), ("a\nb.py", 3)}


def test_a_whole_hostile_issue_goes_through(engine: Engine, folder: Path) -> None:
    for strategy in Strategy:
        issue = Issue(
            title="\0 $(touch pwned) `touch pwned`",
            description='"--pre=touch pwned" "-f/etc/passwd" "\n\n" function `rm -rf`() ' + "(a+)+$ " * 2_000,
            code_snippet="'; touch pwned; '\0\n" * 5_000,
        )
        answer = engine.locate(issue, LocateSettings(force_strategy=strategy))
        assert len(answer.search_patterns) <= 5
        assert all((folder / location.path).is_file() for location in answer.locations)
    assert not (folder / "pwned").exists()


def test_no_expression_is_matched_in_python() -> None:
    assert lines_with(b"a" * 100_000 + b"!", "(a+)+$") == []
    assert lines_with(b"x\nthe (a+)+$ here\n", "(a+)+$") == [2]
    assert lines_with(b"anything", "") == []


# -- processes


def run(*code: str, seconds: float = 20.0) -> bytes:
    return output_of([sys.executable, "-I", "-c", "\n".join(code)], Path.cwd(), seconds)


def test_a_program_that_does_not_end_is_killed() -> None:
    with pytest.raises(ToolFailed, match="longer than"):
        run("import time", "time.sleep(600)", seconds=0.5)


def test_a_program_that_prints_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "MAX_OUTPUT_BYTES", 10_000)
    printed = run("while True: print('x' * 99)", seconds=60.0)
    assert len(printed) <= 10_000 < MAX_OUTPUT_BYTES
    assert printed.endswith(b"\n")


def test_a_program_that_fails_is_no_empty_answer() -> None:
    with pytest.raises(ToolFailed, match="ended with 7"):
        run("raise SystemExit(7)")
    with pytest.raises(ToolFailed, match="cannot be run"):
        output_of(["no-such-program-anywhere"], Path.cwd(), 5.0)
    with pytest.raises(ToolFailed, match="cannot be run"):
        output_of([sys.executable, "-c", "a\0b"], Path.cwd(), 5.0)


def test_options_do_not_come_in_through_the_environment(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "ripgreprc"
    config.write_text("--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(config))
    monkeypatch.setenv("GREP_OPTIONS", "-v")
    matches = Ripgrep().run(sight_of(engine), Wanted(patterns=("name like an option",)), SECONDS)
    assert [match.row.path for match in matches] == ["--pre=evil.sh"]


def test_paths_are_handed_over_in_pieces_that_fit() -> None:
    paths = [f"{'d' * 50}/{number}.py" for number in range(10_000)]
    made = list(batches(paths))
    assert [path.removeprefix("./") for batch in made for path in batch] == paths
    assert all(sum(len(path) + 1 for path in batch) <= ARGUMENT_BYTES for batch in made)
    assert all(not path.startswith("-") for batch in batches(["-f", "--pre=x"]) for path in batch)


# -- answers of others


@pytest.mark.parametrize(
    "answer",
    [
        "/etc/passwd:1:root",
        "../../etc/passwd:1:root",
        "src/../../etc/passwd:1",
        ".env:1:MESSAGE",
        "build/out.py:1:raise",
        '{"path": "/etc/passwd", "line": 1}',
        '{"file": "../x", "line": 3}',
        '{"src/nowhere.py": ["  > 3:x"]}',
        "[" * 100_000,
        "\0",
        "",
    ],
)
def test_places_outside_of_the_index_are_passed_over(engine: Engine, answer: str) -> None:
    assert places_in(sight_of(engine), answer) == []


@pytest.mark.parametrize(
    "answer",
    [
        "src/orders.py:8:    raise ValueError",
        "./src/orders.py:8",
        '[{"path": "src/orders.py", "line": 8}]',
        '{"result": {"matches": [{"relative_path": "src/orders.py", "start_line": 8}]}}',
        '{"src/orders.py": ["  >   8:        raise ValueError"]}',
        '{"text": "src/orders.py:8:x"}',
    ],
)
def test_places_in_answers_of_many_forms(engine: Engine, answer: str) -> None:
    assert [(row.path, line) for row, line in places_in(sight_of(engine), answer)] == [("src/orders.py", 8)]


def test_an_absolute_path_of_the_workspace_is_understood(engine: Engine, folder: Path) -> None:
    (found,) = places_in(sight_of(engine), f"{folder.resolve()}/src/orders.py:8:x")
    assert found[0].path == "src/orders.py"
