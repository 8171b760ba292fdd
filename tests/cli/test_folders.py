"""Several folders on the command line: each file is named with its folder, and can be asked for by that name."""

import json
from pathlib import Path

import pytest
from tests.cli.test_cli import run
from tests.files.trees import plant

CODE = "def save_items(items):\n    return list(items)\n"


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("zoo")
    for name in ("one/a", "one/b", "two/b"):
        plant(place / name, {"storage.py": CODE + f"\n\nPLACE = {name!r}\n", "lib/notes.md": f"# Notes of {name}\n"})
    return place


def search(zoo: Path, *arguments: str, folders: tuple[str, ...] = ("one/a", "one/b")) -> str:
    chosen = [each for folder in folders for each in ("-w", folder)]
    done = run("search", "save_items", *chosen, "--words", *arguments, store=zoo / "store", cwd=zoo)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def test_twins_are_told_apart(zoo: Path) -> None:
    said = search(zoo)
    assert "a/storage.py:1-" in said and "b/storage.py:1-" in said
    assert " storage.py:1-" in search(zoo, folders=("one/a",))


def test_folders_of_one_name_get_a_number(zoo: Path) -> None:
    said = search(zoo, "--path", "b-2", folders=("one/b", "two/b"))
    assert "b-2/storage.py:1-" in said and " b/storage.py" not in said


@pytest.mark.parametrize(
    "filters",
    [
        ("--path", "b"),
        ("--path", "./b/"),
        ("--path", "b/storage.py"),
        ("--glob", "b/**"),
        ("--glob", "b/*.py"),
        ("--glob", "!a/**"),
        ("--glob", "!a/*.py", "--path", "storage.py"),
        ("--scope", "b"),
    ],
)
def test_a_filter_may_begin_with_the_folder(zoo: Path, filters: tuple[str, ...]) -> None:
    said = search(zoo, *filters)
    assert "b/storage.py:1-" in said and "a/storage.py" not in said, said


def test_a_filter_without_a_folder_holds_in_all(zoo: Path) -> None:
    for filters in (("--path", "storage.py"), ("--glob", "/storage.py"), ("--glob", "*.py")):
        said = search(zoo, *filters)
        assert "a/storage.py:1-" in said and "b/storage.py:1-" in said, filters


def test_a_path_that_no_file_lies_below_is_named(zoo: Path) -> None:
    assert "no indexed file is, or lies below, " in search(zoo, "--path", "b/nope", "--path", "a")


def test_places_of_an_issue_are_named_alike(zoo: Path) -> None:
    folders = ("-w", "one/a", "-w", "one/b")
    done = run("locate", "save_items is not defined", *folders, store=zoo / "store", cwd=zoo)
    assert "a/storage.py:1-" in done.stdout and "b/storage.py:1-" in done.stdout, done.stdout + done.stderr


def test_the_audit_tells_folders_of_one_name_apart(tmp_path: Path) -> None:
    for name in ("one/b", "two/b"):
        plant(tmp_path / name, {".env": "KEY=abc\n", "x.py": "x = 1\n"})
    done = run("audit", "--json", "-w", "one/b", "-w", "two/b", store=tmp_path / "s", cwd=tmp_path)
    assert [each["path"] for each in json.loads(done.stdout)["left_out"]] == ["b/.env", "b-2/.env"]


def test_a_folder_behind_a_link_is_named_as_the_person_sees_it(tmp_path: Path) -> None:
    plant(tmp_path / "real", {"src/storage.py": CODE, "lib/storage.py": CODE})
    (tmp_path / "link").symlink_to("real")
    below = str(tmp_path / "link/src")
    asked = ("search", "save_items", "--words", "--path", below)
    for done in (
        run(*asked, "-w", "link", store=tmp_path / "s", cwd=tmp_path),
        run(*asked, store=tmp_path / "s", cwd=tmp_path / "link", PWD=str(tmp_path / "link")),
        run(*asked[:3], "--glob", f"{below}/*.py", "-w", "link", store=tmp_path / "s", cwd=tmp_path),
    ):
        assert "src/storage.py:1-" in done.stdout and "lib/storage.py" not in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("folders", "cwd", "asked", "said"),
    [
        (("one/a", "one/b"), ".", "b/storage.py", "b/storage.py: indexed"),
        (("one/b", "two/b"), ".", "b-2/storage.py", "b-2/storage.py: indexed"),
        (("one/a", "one/b"), ".", "one/b/storage.py", "b/storage.py: indexed"),
        (("one/a", "one/b"), ".", "b/nope.py", "b/nope.py: missing"),
        (("one/a", "one/b"), ".", "c/storage.py", "c/storage.py: outside"),
        (("one/a",), ".", "storage.py", "storage.py: indexed"),
        (("..",), "one/a/lib", "lib/notes.md", "lib/notes.md: indexed"),
        (("..", "../../b"), "one/a/lib", "notes.md", "a/lib/notes.md: indexed"),
    ],
)
def test_a_file_is_explained_by_the_name_that_a_search_shows(
    zoo: Path, folders: tuple[str, ...], cwd: str, asked: str, said: str
) -> None:
    chosen = [each for folder in folders for each in ("-w", folder)]
    run("index", *folders, store=zoo / "store", cwd=zoo / cwd)
    done = run("explain", asked, *chosen, store=zoo / "store", cwd=zoo / cwd)
    assert done.stdout.startswith(said), done.stdout + done.stderr


def test_an_explanation_names_its_folder_to_programs_too(zoo: Path) -> None:
    done = run("explain", "b/storage.py", "--json", "-w", "one/a", "-w", "one/b", store=zoo / "store", cwd=zoo)
    told = json.loads(done.stdout)
    assert (told["folder"], told["path"]) == (str(zoo / "one/b"), "storage.py")
