"""Trees of the past: exactly what git says was there, and nothing outside of their folder."""

import random
import sys
from pathlib import Path

import pytest
from tests.history.repositories import Repository, git, needs_git

from lurcher_index.errors import HistoryError
from lurcher_index.history import trees
from lurcher_index.history.changes import usable_path
from lurcher_index.history.git import Git
from lurcher_index.history.mining import mine
from lurcher_index.history.replay import replay
from lurcher_index.history.trees import PastTree

pytestmark = needs_git


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, without `.git`."""
    files = (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    inside = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    return {path: data for path, data in inside.items() if not path.startswith(".git/")}


def test_every_question_is_asked_of_the_tree_before_its_commit(tmp_path: Path) -> None:
    """A random history with a branch: files come, change, move, go, and folders take the place of files."""
    draw = random.Random(11)
    repository = Repository(tmp_path / "r")
    files: dict[str, str | None] = {f"d{n % 3}/f{n}.txt": f"{n}\n" for n in range(9)}
    trees_of = {repository.commit("Begin with nine files", files): contents(repository.folder)}
    for number in range(25):
        if number == 8:
            repository.git("checkout", "-q", "-b", "side")
        if number == 16:
            repository.git("checkout", "-q", "main")
        present = sorted(contents(repository.folder))
        victim, moved, changed = draw.sample(present, 3)
        change: dict[str, str | None] = {changed: f"changed {number}\n", f"d{number % 3}/new{number}.txt": "new\n"}
        if number % 4 == 0:
            change[victim] = None
        name = repository.commit(f"Random change with number{number}", change)
        trees_of[name] = contents(repository.folder)
        if number % 5 == 0:
            (repository.folder / moved).rename(repository.folder / f"moved{number}.txt")
            (repository.folder / moved).mkdir()
            name = repository.commit(f"Random folder with number{number}", {f"{moved}/inner.txt": "inner\n"})
            trees_of[name] = contents(repository.folder)
    repository.git("merge", "-q", "-X", "ours", "--no-edit", "-s", "ours", "side")
    mined = mine(repository.folder)
    (tmp_path / "past").mkdir()
    seen: dict[str, bytes] = {}
    cases = 0
    for case in replay(mined, tmp_path / "past"):
        now = contents(case.folder)
        assert now == trees_of[case.commit.parent]
        assert set(case.targets) <= now.keys()
        different = {path for path in now.keys() | seen.keys() if now.get(path) != seen.get(path)}
        assert {path.relative_to(case.folder).as_posix() for path in case.moved} == different
        seen, cases = now, cases + 1
    assert cases == len(mined.commits) > 25


def test_repositories_with_longer_hashes_are_read(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r", "sha256")
    repository.commit("Begin", {"a.txt": "a\n"})
    name = repository.commit("Change the single file now", {"a.txt": "b\n"})
    (tmp_path / "past").mkdir()
    (case,) = replay(mine(repository.folder), tmp_path / "past")
    assert (case.commit.name, len(name), contents(case.folder)) == (name, 64, {"a.txt": b"a\n"})


def test_files_that_are_too_large_are_not_written(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    repository.commit("Begin", {"large.txt": "x" * 101, "small.txt": "x" * 100})
    repository.commit("Change both of the files", {"large.txt": "y", "small.txt": "y" * 200})
    repository.commit("Change both of them again", {"large.txt": "z", "small.txt": "z"})
    (tmp_path / "past").mkdir()
    found = [contents(case.folder) for case in replay(mine(repository.folder), tmp_path / "past", largest=100)]
    assert found == [{"small.txt": b"x" * 100}, {"large.txt": b"y"}]


def test_links_and_submodules_are_left_out(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    (repository.folder / "link").symlink_to("/etc/passwd")
    (repository.folder / "folder").symlink_to("/etc")
    head = repository.commit("Begin", {"a.txt": "a\n"})
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    repository.git("commit", "-q", "-m", "Add a submodule", "--author", "A <a@b.c>")
    past = tmp_path / "past"
    past.mkdir()
    PastTree(Git.around(repository.folder), "", past, 1000).move_to("HEAD")
    assert contents(past) == {"a.txt": b"a\n"}


def test_a_file_may_become_a_link_and_a_file_again(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    repository.commit("Begin", {"a.txt": "a\n", "b.txt": "b\n"})
    (repository.folder / "a.txt").unlink()
    (repository.folder / "a.txt").symlink_to("b.txt")
    repository.commit("Link")
    (repository.folder / "a.txt").unlink()
    repository.commit("File", {"a.txt": "again\n"})
    past = tmp_path / "past"
    past.mkdir()
    tree = PastTree(Git.around(repository.folder), "", past, 1000)
    found = []
    for revision in ("HEAD~2", "HEAD~1", "HEAD"):
        tree.move_to(revision)
        found.append(contents(past).get("a.txt"))
    assert found == [b"a\n", None, b"again\n"]


@pytest.mark.parametrize("name", ["../escaped.txt", "..", "/tmp/escaped.txt", ".git", ".GIT", "."])
def test_names_that_lead_out_of_the_folder_are_not_written(tmp_path: Path, name: str) -> None:
    """Git refuses to make such trees, but not to list them: this one is written by hand."""
    repository = Repository(tmp_path / "r")
    repository.commit("Begin", {"a.txt": "a\n"})
    blob = repository.git("hash-object", "-w", "--stdin", given="escaped\n")
    entries = sorted([(b"fine.txt", blob), (name.encode(), blob)])
    raw = b"".join(b"100644 " + path + b"\0" + bytes.fromhex(oid) for path, oid in entries)
    tree = git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", cwd=repository.folder, given=raw)
    past = tmp_path / "deep" / "past"
    past.mkdir(parents=True)
    moved = PastTree(Git.around(repository.folder), "", past, 1000).move_to(tree)
    assert contents(past) == {"fine.txt": b"escaped\n"}
    assert moved == (past / "fine.txt",)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["past"]
    assert list((past / ".git").iterdir()) == []


def test_a_tree_that_names_a_file_and_a_folder_alike_is_no_failure(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    repository.commit("Begin", {"a.txt": "a\n"})
    blob = repository.git("hash-object", "-w", "--stdin", given="b\n")
    inner = repository.git("mktree", given=f"100644 blob {blob}\tin.txt\n")
    entries = ((b"100644 x", blob), (b"40000 x", inner), (b"100644 " + b"n" * 300, blob))
    raw = b"".join(head + b"\0" + bytes.fromhex(oid) for head, oid in entries)
    tree = git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", cwd=repository.folder, given=raw)
    past = tmp_path / "past"
    past.mkdir()
    PastTree(Git.around(repository.folder), "", past, 1000).move_to(tree)
    assert len(contents(past)) == 1


def test_a_tree_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One content under a thousand names takes no room in the repository, and much outside of it."""
    monkeypatch.setattr(trees, "MAX_TREE_BYTES", 1 << 20)
    repository = Repository(tmp_path / "r")
    repository.commit("Begin", {f"{n}.txt": "x" * 2_000 for n in range(1_000)})
    past = tmp_path / "past"
    past.mkdir()
    with pytest.raises(HistoryError, match="takes more than"):
        PastTree(Git.around(repository.folder), "", past, 10_000).move_to("HEAD")


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"src/app.py", "src/app.py"),
        ("größe.py".encode(), "größe.py"),
        (b"..py", "..py"),
        (b"a/../b", None),
        (b"/a", None),
        (b"a//b", None),
        (b"a/.Git/config", None),
        (b"git~1/config", None),
        (b"\xff.py", None),
    ],
)
def test_paths_are_looked_at(raw: bytes, path: str | None) -> None:
    assert usable_path(raw) == path


@pytest.mark.skipif(sys.platform != "win32", reason="names that only Windows gives a meaning")
@pytest.mark.parametrize("raw", [b"a\\..\\b", b"C:x", b"nul", b"a/con.txt", b"what?"])
def test_names_with_a_meaning_on_windows_are_refused_there(raw: bytes) -> None:
    assert usable_path(raw) is None
