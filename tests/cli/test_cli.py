"""The command line as a person or a script uses it: real processes, real output, exit codes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lurcher_index import Engine, Settings
from lurcher_index.building.progress import never, unheard
from lurcher_index.files.discovery import discover
from lurcher_index.files.listing import Listing
from lurcher_index.model import Reason, Skip
from lurcher_server.cli import main

ROOT = Path(__file__).resolve().parents[2]
CODE = "import sys; from lurcher_server.cli import main; sys.exit(main())"


def run(*arguments: str, store: Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CODE, *arguments],
        cwd=cwd,
        env=environment(store) | more,
        capture_output=True,
        text=True,
        timeout=120,
    )


def environment(store: Path) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / name) for name in ("index", "server"))
    return os.environ | {"LURCHER_CACHE": str(store), "PYTHONPATH": paths, "COLUMNS": "200"}


def test_numpy_starts_no_threads_in_the_command_either_unless_somebody_wants_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for given, expected in (("", "1"), ("4", "4")):
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)
        if not given:
            monkeypatch.delenv("OPENBLAS_NUM_THREADS")
        assert main(["explain", "--store", str(tmp_path), "-w", str(tmp_path / "nowhere"), "a.py"]) == 2
        assert os.environ["OPENBLAS_NUM_THREADS"] == expected
    assert "nowhere" in capsys.readouterr().err


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "session.py").write_text(
        'def expire_sessions(now):\n    """Drop every session that is too old."""\n    return [s for s in now]\n'
    )
    (folder / "src" / "app.go").write_text("package app\n\nfunc StartServer(port int) {\n\tlisten(port)\n}\n")
    (folder / ".env").write_text("KEY=abc\n")
    (folder / ".gitignore").write_text("*.log\n")
    (folder / "run.log").write_text("noise\n")
    return folder


def test_search_builds_the_index_first_and_prints_the_place(tree: Path, tmp_path: Path) -> None:
    done = run("search", "how are old sessions expired", store=tmp_path / "s", cwd=tree)
    assert done.returncode == 0, done.stderr
    assert "src/session.py:1-3" in done.stdout
    assert "expire_sessions" in done.stdout


def test_status_says_whether_files_are_read_by_compiled_code(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s"
    told = json.loads(run("status", "--json", store=store, cwd=tree).stdout)["compiled"]
    assert ("C compiler" in run("status", store=store, cwd=tree).stdout) is not told
    monkeypatch.setenv("LURCHER_PURE", "1")
    assert json.loads(run("status", "--json", store=store, cwd=tree).stdout)["compiled"] is False
    assert "C compiler" in run("status", store=store, cwd=tree).stdout


def test_status_beside_a_server_calls_no_built_index_unfinished(tree: Path, tmp_path: Path) -> None:
    store = tmp_path / "s"
    assert "never completed; run `lurcher index`" in run("status", store=store, cwd=tree).stdout
    with Engine.open([tree], store=store) as server:
        assert server.build()
        (tree / "new.py").write_text("def unicorn(): pass\n")
        server.update([tree / "new.py"])
        assert "\ncomplete" in run("status", store=store, cwd=tree).stdout
        with server.workspace._writing(unheard, never):
            told = run("status", store=store, cwd=tree).stdout
            assert "not searchable yet: 1 file;" in told and "\nnot complete; run `lurcher index`" in told


def test_files_below_a_closed_folder_are_no_work_for_an_index(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`lurcher index` can do nothing about it, so it is not what a person is sent to do first."""

    def listed(folder: Path, settings: Settings) -> Listing:
        found = discover(folder, settings)
        open_files = [file for file in found.files if not file.path.startswith("src/")]
        return Listing(open_files, {"src": Skip(Reason.UNREADABLE, "permission denied")}, found.lister)

    def said(*command: str) -> str:
        main([*command, "--store", str(tmp_path / "s")])
        return capsys.readouterr().out

    monkeypatch.chdir(tree)
    assert "indexed 3 files" in said("index")
    with monkeypatch.context() as patch:
        patch.setattr("lurcher_index.workspace.discover", listed)
        for told in (said("index"), said("status")):
            assert "not searchable: 2 files in folders that cannot be opened; mend their permissions" in told
            assert "not searchable yet" not in told
        assert "\nnot complete: folders cannot be opened\n" in told
        assert "src  (permission denied)" in said("audit")
        assert "folders that cannot be opened: mend" in said("search", "xylophone")
    said("index")
    assert "\ncomplete\n" in said("status")


def test_json_is_one_object_on_standard_output(tree: Path, tmp_path: Path) -> None:
    done = run("search", "StartServer", "--json", "-n", "1", store=tmp_path / "s", cwd=tree)
    answer = json.loads(done.stdout)
    (hit,) = answer["chunks"]
    assert (hit["path"], hit["language"], hit["first_line"]) == ("src/app.go", "go", 1)
    assert hit["symbol"]["name"] == "StartServer"
    assert answer["empty"] is None
    assert answer["complete"] is True


def test_filters_reach_the_search(tree: Path, tmp_path: Path) -> None:
    def paths(*filters: str) -> list[str]:
        done = run("search", "session port", "--json", *filters, store=tmp_path / "s", cwd=tree)
        return [hit["path"] for hit in json.loads(done.stdout)["chunks"]]

    assert sorted(paths()) == ["src/app.go", "src/session.py"]
    assert paths("--lang", "go") == ["src/app.go"]
    assert paths("--glob", "*.py") == ["src/session.py"]
    assert paths("--glob", "!*.py") == ["src/app.go"]
    assert paths("--path", "lib") == []


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("search", "zzzz"), 1, "no match"),
        (("search", "session", "--lang", "cobol"), 1, "leave no file"),
        (("search", "  "), 2, "query cannot be empty"),
        (("search", "x", "-w", "no/such/folder"), 2, "no/such/folder"),
        (("search", "x", "-n", "0"), 2, "at least 1"),
        (("frobnicate",), 2, "invalid choice"),
        ((), 2, "COMMAND"),
        (("explain", "src/session.py"), 0, "1 symbol,"),
        (("explain", "run.log"), 1, ".gitignore:1: *.log"),
        (("explain", ".env"), 1, "secret"),
        (("explain", "nowhere.py"), 1, "no such file"),
        (("explain", ""), 2, "an empty name is none"),
        (("search", "session", "--lang", "pyhton"), 1, "there is no language 'pyhton'; 'python' is the nearest"),
        (("search", "session", "--path", "nope"), 1, "no indexed file is, or lies below, 'nope'"),
        (("search", "zzzz", "--words", "--path", "src"), 1, "Try other words, or fewer filters."),
        (("search", "zzzz", "--words"), 1, "Try other words.\n"),
        (("audit",), 0, ".env"),
        (("status",), 0, "complete"),
        (("--help",), 0, "examples:"),
        (("search", "--help"), 0, "examples:"),
        (("--version",), 0, "lurcher"),
    ],
)
def test_every_outcome_has_its_words_and_its_code(
    tree: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    if arguments[:1] in (("explain",), ("status",)):
        run("index", store=tmp_path / "s", cwd=tree)
    done = run(*arguments, store=tmp_path / "s", cwd=tree)
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_too_weak_is_named_and_shown_on_demand(tmp_path: Path) -> None:
    folder = tmp_path / "boxes"
    folder.mkdir()
    for name in ("lid", "hinge", "corner", "side", "bottom"):
        (folder / f"{name}.py").write_text(f"def paint_{name}(config):\n    return config.{name}\n")
    question = "zookeeper ingress of all kubernetes brokers"
    named, shown = (run("search", question, *how, store=tmp_path / "s", cwd=folder) for how in ((), ("--weak",)))
    assert (named.returncode, shown.returncode) == (1, 0)
    assert "weaker, not shown (--weak shows them):" in named.stdout
    assert "return config" not in named.stdout
    assert "5 hits" in shown.stdout and "return config" in shown.stdout
    assert "nothing here seems to answer" in shown.stdout + shown.stderr


def test_json_tells_what_was_understood(tree: Path, tmp_path: Path) -> None:
    done = run("search", "where is StartServer in golang", "--json", store=tmp_path / "s", cwd=tree)
    parsed = json.loads(done.stdout)["parsed_query"]
    assert parsed["original"] == "where is StartServer in golang"
    assert (parsed["text"], parsed["languages"]) == ("StartServer", ["go"])
    assert (parsed["intent"], parsed["task"]) == ("navigational", "implementation")
    assert parsed["code_terms"] == ["StartServer"]


def test_errors_are_json_too_when_asked(tree: Path, tmp_path: Path) -> None:
    done = run("search", " ", "--json", store=tmp_path / "s", cwd=tree)
    assert json.loads(done.stdout) == {"error": "query cannot be empty"}


def test_clear_deletes_the_index(tree: Path, tmp_path: Path) -> None:
    run("index", store=tmp_path / "s", cwd=tree)
    assert "deleted" in run("clear", store=tmp_path / "s", cwd=tree).stdout
    status = json.loads(run("status", "--json", store=tmp_path / "s", cwd=tree).stdout)
    assert (status["indexed"], status["complete"]) == (0, False)


def test_a_current_folder_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    # The interpreter would not find its own modules where it cannot tell where it is: the folder goes after the start.
    code = f"import os, sys; os.rmdir(os.getcwd()); {CODE}"
    for command in ("clear", "status", "remote status", "remote forbid", "audit --remote"):
        gone.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", code, *command.split()],
            cwd=gone,
            env=environment(tmp_path / "s"),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 2, done.stderr
        assert "is no longer there" in done.stderr and "Traceback" not in done.stderr


def test_an_empty_name_is_no_folder(tree: Path, tmp_path: Path) -> None:
    """As a path it would be the current folder: `-w "$UNSET"` cleared what nobody had named."""
    run("index", store=tmp_path / "s", cwd=tree)
    for command in (
        *("clear -w", "search x -w", "status -w . -w", "evaluate -w", "remote forbid -w", "mcp -w"),
        *("index", "watch", "publish --to postgresql://me@localhost/code"),
    ):
        done = run(*command.split(), "", store=tmp_path / "s", cwd=tree)
        assert done.returncode == 2 and "an empty name is no folder" in done.stderr, done.stderr
    assert json.loads(run("status", "--json", store=tmp_path / "s", cwd=tree).stdout)["indexed"] > 0


def test_a_file_size_beyond_all_files_is_refused_before_anything_is_built(tree: Path, tmp_path: Path) -> None:
    done = run("index", "--max-file-bytes", "9" * 23, store=tmp_path / "s", cwd=tree)
    assert done.returncode == 2 and "'max_file_bytes' must be at most 1073741824" in done.stderr, done.stderr
    assert run("index", "--max-file-bytes", "1073741824", store=tmp_path / "s", cwd=tree).returncode == 0


def test_the_index_of_a_folder_that_is_gone_can_be_cleared(tree: Path, tmp_path: Path) -> None:
    store = tmp_path / "s"
    run("index", "tree", store=store, cwd=tmp_path)
    tree.rename(tmp_path / "moved")
    done = run("clear", "-w", "tree", store=store, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "deleted the index of a folder that is no longer there" in done.stdout
    assert not list(store.rglob("index.sqlite"))
    again = run("clear", "-w", "tree", store=store, cwd=tmp_path)
    assert again.returncode == 2 and "cannot be opened" in again.stderr
    assert not (tmp_path / "tree").exists()


def test_an_index_without_files_is_not_taken_for_a_folder_without_files(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    folder.mkdir()
    assert "There are no files to search here" in run("search", "lid", store=tmp_path / "s", cwd=folder).stdout
    (folder / "lid.py").write_text("def lid():\n    return 1\n")
    done = run("search", "lid", "--no-update", store=tmp_path / "s", cwd=folder)
    assert "The index has no files. Without --no-update it is brought up to date first." in done.stdout
    assert run("search", "lid", store=tmp_path / "s", cwd=folder).returncode == 0


def test_names_cannot_command_the_terminal(tree: Path, tmp_path: Path) -> None:
    (tree / "evil\x1b[2Jname.py").write_text("def unicorn(): pass\n")
    done = run("search", "unicorn", store=tmp_path / "s", cwd=tree)
    assert "\x1b[2J" not in done.stdout
    assert "evil\\x1b[2Jname.py" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error(tree: Path, tmp_path: Path) -> None:
    run("index", store=tmp_path / "s", cwd=tree)
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, "search", "session port"],
        cwd=tree,
        env=environment(tmp_path / "s"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    process.wait(60)
    assert "Traceback" not in errors, errors


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_done_and_the_next_run_is_clean(tmp_path: Path) -> None:
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(1500):
        (folder / f"f{number}.py").write_text(f"def f{number}(x):\n    return x + {number}\n" * 30)
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, "index", "--json"],
        cwd=folder,
        env=environment(tmp_path / "s"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # The database appears when the engine opens; a moment later the build is under way.
    while process.poll() is None and not list((tmp_path / "s").rglob("index.sqlite")):
        pass
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors.decode()
    assert b"Traceback" not in errors
    assert json.loads(output)["complete"] is False
    again = json.loads(run("index", "--json", store=tmp_path / "s", cwd=folder).stdout)
    assert (again["indexed"], again["complete"], again["pending"]) == (1500, True, 0)


def test_code_cannot_command_the_terminal(tree: Path, tmp_path: Path) -> None:
    (tree / "evil.py").write_text("def unicorn():\n    return '\x1b]0;pwned\x07\x1b[31m'\n")
    done = run("search", "unicorn", store=tmp_path / "s", cwd=tree)
    assert "def unicorn" in done.stdout
    assert "\x1b" not in done.stdout
