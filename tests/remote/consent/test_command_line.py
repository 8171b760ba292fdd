"""`lurcher remote`, `lurcher audit --remote` and `lurcher search --remote` as a person or a script uses them."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cli.test_cli import CODE, environment
from tests.history.repositories import git

from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import Consents
from lurcher_index.remote.sending import described, what_is_never_sent, what_is_published
from lurcher_server.cli import main
from lurcher_server.cli.printing import Printer

URL = "https://zoekt.example.com"
POSTGRES = "postgresql://me@db.example.com/code?sslmode=verify-full"


@pytest.fixture
def consents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Consents:
    monkeypatch.setenv("LURCHER_CONFIG", str(tmp_path / "config"))
    return Consents()


@pytest.fixture
def tree(tmp_path: Path, consents: Consents) -> Path:
    assert consents.all() == {}
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "anvil.py").write_text("def anvil():\n    pass\n")
    return folder


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def lurcher(*arguments: str, cwd: Path) -> Done:
    """The command in this process, which is quicker than one of its own; standard input is no terminal."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(cwd)
        patch.setenv("LURCHER_CACHE", str(cwd.parent / "store"))
        patch.setenv("COLUMNS", "200")
        patch.setattr(sys, "stdin", StringIO())
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(stopped.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def test_a_script_has_to_say_yes(tree: Path, consents: Consents) -> None:
    for more in ((), ("--json",)):
        done = lurcher("remote", "allow", "zoekt", URL, *more, cwd=tree)
        assert done.returncode == 2 and "--yes" in done.stdout + done.stderr
        assert ("Sent there with every search:" in done.stdout) == (not more), "who reads it learns what is sent"
    assert consents.all() == {}
    done = lurcher("remote", "allow", "zoekt", URL, "--yes", cwd=tree)
    assert done.returncode == 0, done.stderr
    assert consents.allowed(tree) == Connection(kind=Kind.ZOEKT, url=URL)
    for line in described(Connection(kind=Kind.ZOEKT, url=URL)):
        assert line in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("\n", 1)])
def test_a_person_is_told_what_is_sent_and_asked(tree: Path, consents: Consents, typed: str, code: int) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", CODE, "remote", "allow", "postgres", POSTGRES, "--token-variable", "CODE_PW"]
    process = subprocess.Popen(
        command, cwd=tree, env=environment(tree.parent), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    os.write(ours, typed.encode())
    shown, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    text = shown.decode()
    assert process.returncode == code, text
    wanted = Connection(kind=Kind.POSTGRES, url=POSTGRES, token_variable="CODE_PW")
    assert (consents.allowed(tree) == wanted) == (code == 0)
    told = (*described(wanted), *what_is_published(Kind.POSTGRES), *what_is_never_sent(Kind.POSTGRES))
    for line in (*told, POSTGRES, str(tree), "Allow this? [y/N]"):
        assert line in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ftp", URL), "no such kind of remote code search; there are postgres"),
        (("zoekt", "http://zoekt.example.com"), "https://"),
        (("zoekt", "https://me:hunter2@zoekt.example.com"), "must not hold a password"),
        (("postgres", "postgresql://me@db.example.com/code"), "?sslmode=verify-full"),
        (("zoekt", URL, "--token-variable", "ghp-hunter2"), "name of an environment variable"),
        (("zoekt", URL, "-w", "no/such/folder"), "is not a folder"),
    ],
)
def test_what_cannot_be_allowed_is_refused(
    tree: Path, consents: Consents, arguments: tuple[str, ...], said: str
) -> None:
    done = lurcher("remote", "allow", *arguments, "--yes", cwd=tree)
    assert done.returncode == 2
    assert said in done.stderr and "hunter2" not in done.stdout + done.stderr
    assert consents.all() == {}


def test_status_forbid_and_list(tree: Path, consents: Consents) -> None:
    assert ": off;" in lurcher("remote", "status", cwd=tree).stdout
    assert "allowed for no folder" in lurcher("remote", "list", cwd=tree).stdout
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url=URL))
    assert ": on since 20" in (shown := lurcher("remote", "status", cwd=tree).stdout) and URL in shown
    listed = json.loads(lurcher("remote", "list", "--json", cwd=tree.parent).stdout)
    assert listed["folders"][str(tree)]["connection"]["url"] == URL and listed["file"] == str(consents.path)
    assert lurcher("remote", "forbid", "-w", str(tree), cwd=tree.parent).returncode == 0
    assert consents.all() == {}
    lurcher("remote", "forbid", "--never", cwd=tree)
    assert json.loads(lurcher("remote", "status", "--json", cwd=tree).stdout)["folders"][0]["answer"] == "never"
    assert "nobody asks" in lurcher("remote", "status", cwd=tree).stdout


def test_folders_are_named_as_everywhere_else(tree: Path, consents: Consents) -> None:
    other = tree.parent / "other"
    other.mkdir()
    both = ("-w", str(tree), "--workspace", str(other))
    assert lurcher("remote", "allow", "zoekt", "http://127.0.0.1:9", "--yes", *both, cwd=tree.parent).returncode == 0
    assert set(consents.all()) == {str(tree), str(other)}
    assert lurcher("remote", "status", *both, cwd=tree.parent).stdout.count(": on since 20") == 2
    assert lurcher("remote", "forbid", "-w", str(other), cwd=tree.parent).returncode == 0
    asked = lurcher("remote", "status", "--check", *both, cwd=tree.parent)
    assert (
        asked.returncode == 0 and "nobody was asked: remote code search (zoekt at 127.0.0.1:9) is not" in asked.stderr
    )
    done = lurcher("remote", "forbid", *both, "--json", cwd=tree.parent)
    assert json.loads(done.stdout) == {"folders": [str(tree), str(other)], "was_on": [str(tree)], "never": False}


def test_a_folder_that_is_gone_can_be_forbidden(tree: Path, consents: Consents) -> None:
    consents.allow(tree.parent / "gone", Connection(kind=Kind.ZOEKT, url=URL))
    assert lurcher("remote", "forbid", "-w", "../gone", cwd=tree).returncode == 0
    assert consents.all() == {}


def test_the_audit_says_for_every_folder_what_is_sent_where_and_what_never_is(tree: Path, consents: Consents) -> None:
    other = tree.parent / "other"
    other.mkdir()
    wanted = Connection(kind=Kind.POSTGRES, url=POSTGRES, token_variable="CODE_PW")
    consents.allow(tree, wanted)
    arguments = ("audit", "--remote", "-w", str(tree), "-w", str(other))
    shown = lurcher(*arguments, cwd=tree).stdout
    told = (*described(wanted), *what_is_published(Kind.POSTGRES), *what_is_never_sent(Kind.POSTGRES))
    for line in (*told, POSTGRES, "CODE_PW", "on since 20", f"{other}: off", "nothing: remote code search is off here"):
        assert line in shown
    assert str(consents.path) in shown
    on, off = json.loads(lurcher(*arguments, "--json", cwd=tree).stdout)["folders"]
    assert (on["on"], on["sends"], on["connection"]["url"]) == (True, list(described(wanted)), POSTGRES)
    assert (off["on"], off["sends"], off["publishes"]) == (False, [], [])
    assert not (tree.parent / "store").exists(), "no index is needed for that"


def test_the_audit_names_the_repositories_under_every_name(tree: Path, consents: Consents) -> None:
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url=URL))
    git("init", "-q", cwd=tree)
    git("remote", "add", "origin", "git@GitHub.com:me/shop.git", cwd=tree)
    git("remote", "add", "upstream", "https://github.com/team/shop", cwd=tree)
    (row,) = json.loads(lurcher("audit", "--remote", "--json", cwd=tree).stdout)["folders"]
    assert sorted(row["repositories"]) == ["github.com/me/shop", "github.com/team/shop"]
    assert "- github.com/me/shop" in lurcher("audit", "--remote", cwd=tree).stdout


def test_a_search_insists_only_on_what_is_allowed(tree: Path, consents: Consents) -> None:
    done = lurcher("search", "anvil", "--remote", cwd=tree)
    assert done.returncode == 2 and "`lurcher remote allow`" in done.stderr
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url="http://127.0.0.1:9", token_variable="NO_SUCH_TOKEN"))
    done = lurcher("search", "anvil", "--no-remote", cwd=tree)
    assert done.returncode == 0 and "NO_SUCH_TOKEN" not in done.stderr
    done = lurcher("search", "anvil", cwd=tree)
    assert done.returncode == 0 and "'NO_SUCH_TOKEN'" in done.stderr
    assert lurcher("search", "anvil", "--remote", "--no-remote", cwd=tree).returncode == 2
    # Another folder that does not allow it keeps the whole workspace from being searched elsewhere.
    other = tree.parent / "other"
    other.mkdir()
    done = lurcher("search", "anvil", "-w", str(tree), "-w", str(other), cwd=tree)
    assert done.returncode == 0 and f"not allowed for {other}" in done.stderr


def commit(tree: Path) -> None:
    git("init", "-q", cwd=tree)
    git("remote", "add", "origin", "https://code.example.org/team/forge.git", cwd=tree)
    git("add", ".", cwd=tree)
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first", cwd=tree)


def test_a_search_that_insists_says_why_it_was_answered_here(tree: Path, consents: Consents) -> None:
    commit(tree)
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url="http://127.0.0.1:9"))
    for text in ("anvil", "hammer"):
        # The second time there is an index, and a file that it does not have yet.
        (tree / "hammer.py").write_text("def hammer():\n    pass\n")
        done = lurcher("search", text, "--remote", cwd=tree)
        assert done.returncode == 0, done.stderr
        assert "searched on this machine alone: code.example.org/team/forge is not to be reached" in done.stderr
        assert f"{text}.py" in done.stdout


def test_a_driver_that_is_missing_is_told_with_what_to_install(
    tree: Path, consents: Consents, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(tree)
    url = "postgresql://me@127.0.0.1:9/code"
    consents.allow(tree, Connection(kind=Kind.POSTGRES, url=url))
    monkeypatch.setitem(sys.modules, "lurcher_index.remote.engines.postgres.index", None)
    for arguments, code in (
        (("publish", "--to", url), 3),
        (("remote", "status", "--check"), 3),
        (("search", "anvil", "--remote"), 3),
        (("search", "anvil"), 0),
    ):
        done = lurcher(*arguments, cwd=tree)
        assert (done.returncode, "pip install 'lurcher[postgres]'" in done.stderr) == (code, True), arguments


def test_an_index_that_is_there_is_brought_up_to_date_whoever_is_asked_first(tree: Path, consents: Consents) -> None:
    """Otherwise files that nobody else knows would be missing, and nothing would say so."""
    assert lurcher("index", cwd=tree).returncode == 0
    (tree / "tongs.py").write_text("def tongs():\n    pass\n")
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url="http://127.0.0.1:9"))
    assert "tongs.py" in lurcher("search", "tongs", "--remote", cwd=tree).stdout


def test_a_damaged_record_is_said_and_nothing_is_allowed(tree: Path, consents: Consents) -> None:
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url=URL))
    consents.path.write_text("{")
    for arguments in (("remote", "status"), ("remote", "list"), ("audit", "--remote"), ("search", "anvil")):
        done = lurcher(*arguments, cwd=tree)
        assert done.returncode == 0 and "not believed" in done.stderr, arguments
    done = lurcher("remote", "allow", "zoekt", URL, "--yes", cwd=tree)
    assert done.returncode == 3 and "not believed" in done.stderr


def test_help_teaches(tree: Path) -> None:
    whole = lurcher("remote", "--help", cwd=tree).stdout
    assert "it is off by default" in whole and all(word in whole for word in ("status", "allow", "forbid", "list"))
    allow = lurcher("remote", "allow", "--help", cwd=tree).stdout
    for words in ("LURCHER_CONFIG", "named here, never typed", "https://zoekt.example.com", "--token-variable VAR"):
        assert words in allow
    assert lurcher("remote", cwd=tree).returncode == 2


@pytest.mark.parametrize(
    ("typed", "agreed"), [("y", True), (" Yes ", True), ("", False), ("n", False), ("yep", False), (EOFError(), False)]
)
def test_only_a_clear_yes_is_one(monkeypatch: pytest.MonkeyPatch, typed: str | EOFError, agreed: bool) -> None:
    def answer(*_prompt: object) -> str:
        if isinstance(typed, EOFError):
            raise typed
        return typed

    monkeypatch.setattr("builtins.input", answer)
    assert Printer(as_json=False).agrees("Allow this?") is agreed
