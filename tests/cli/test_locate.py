"""`lurcher locate` as a person or a script uses it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.locate.workspaces import shop

ROOT = Path(__file__).resolve().parents[2]
CODE = "import sys; from lurcher_server.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("locate"))


def environment(tree: Path) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / name) for name in ("index", "server"))
    return os.environ | {"LURCHER_CACHE": str(tree.parent / "cache"), "PYTHONPATH": paths, "COLUMNS": "200"}


def run(tree: Path, *arguments: str, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CODE, "locate", *arguments],
        cwd=tree,
        env=environment(tree) | variables,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_places_and_the_decision_are_printed(tree: Path) -> None:
    done = run(tree, "place_order function crashes")
    assert done.returncode == 0, done.stderr
    assert "semantic-analysis (100%), else pattern-match: names a symbol; names a function" in done.stdout
    assert "1. src/orders.py:4-9  function place_order" in done.stdout
    assert "found with symbol-index via semantic-analysis" in done.stdout
    assert done.stderr == ""


def test_json_is_one_object_with_every_field(tree: Path) -> None:
    done = run(
        tree,
        "SQL injection in getUserData function",
        *("--category", "SQL Injection", "--snippet", "-", "--json", "--debug"),
        given="const query = `SELECT * FROM users WHERE id = ${userId}`;",
    )
    answer = json.loads(done.stdout)
    assert (answer["primary"], answer["fallback"], answer["confidence"]) == ("code-search", "semantic-analysis", 100)
    assert answer["searchPatterns"] == ["SELECT * FROM users", "getUserData", "${userId}"]
    assert answer["toolUsed"] == "ripgrep"
    assert answer["fallbackChain"][0] == {
        "strategy": "code-search",
        "tool": "ripgrep",
        "outcome": "success",
        "detail": "",
    }
    assert answer["locations"][0]["path"] == "src/users.js"
    assert answer["locations"][0]["symbol"]["name"] == "getUserData"
    assert answer["transcript"][-1] == "Found location using ripgrep via code-search"


def test_debug_goes_to_standard_error_and_settings_of_the_environment_hold(tree: Path) -> None:
    done = run(tree, '"order without a user"', DEBUG_SEARCH_STRATEGY="true", PREFERRED_SEARCH_TOOL="built-in")
    assert "Strategy selected: code-search" in done.stderr
    assert "Found location using built-in via code-search" in done.stderr
    assert "Strategy selected" not in done.stdout


def test_wrong_settings_are_reported(tree: Path) -> None:
    done = run(tree, "place_order function", FORCE_SEARCH_STRATEGY="guess")
    assert done.returncode == 0
    assert "FORCE_SEARCH_STRATEGY" in done.stderr


def test_exit_codes(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run(tree, "anything at all", "-w", str(tmp_path / "empty")).returncode == 1
    assert run(tree, "   ").returncode == 2
    assert run(tree, "x", "--snippet", "no/such/file").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_it_cleanly_after_the_tool_that_runs(tree: Path, tmp_path: Path) -> None:
    run(tree, "place_order function crashes")
    program = tmp_path / "grep"
    program.write_text('#!/bin/sh\n[ "$1" = --version ] && echo grep 3 && exit\ntouch "$BEGAN"\nsleep 2\nexit 1\n')
    program.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, "locate", 'it prints "order without a user"'],
        cwd=tree,
        env=environment(tree)
        | {
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "BEGAN": str(tmp_path / "began"),
            "PREFERRED_SEARCH_TOOL": "grep",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not (tmp_path / "began").exists():
        pass
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "locating was stopped" in errors
    assert "Traceback" not in errors
    assert "orders.py" not in output
