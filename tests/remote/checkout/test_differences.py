"""What differs from a commit, one case each."""

import hashlib
import os
import sys
from pathlib import Path

import pytest
from tests.history.repositories import Repository, git, needs_git
from tests.remote.checkout.checkouts import ask, check, checkout, checkouts, compare, listed

from lurcher_index.checkout import hashing
from lurcher_index.checkout.differences import differences
from lurcher_index.checkout.values import Differences, Unknown
from lurcher_index.errors import Cancelled

pytestmark = needs_git
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="files are not like that there")

FILES = {"a.txt": "a\n", "b.txt": "b\n", "src/c.txt": "c\n", "src/deep/d.txt": "d\n"}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.commit("Begin", FILES)
    return made


@pytest.fixture
def commit(repository: Repository) -> str:
    return repository.git("rev-parse", "HEAD")


def test_nothing_differs_after_a_commit(repository: Repository, commit: str) -> None:
    found = check(repository.folder, commit, total=4)
    assert (found.commit, found.base, found.is_exact, found.possibly_outdated) == (commit, commit, True, "")


def test_modified_added_untracked_and_deleted(repository: Repository, commit: str) -> None:
    folder = repository.folder
    (folder / "a.txt").write_text("A\n")
    (folder / "staged.txt").write_text("new")
    repository.git("add", "staged.txt")
    (folder / "untracked.txt").write_text("new")
    (folder / "b.txt").unlink()
    repository.git("rm", "-q", "src/c.txt")
    changed = ("a.txt", "staged.txt", "untracked.txt")
    check(folder, commit, changed=changed, gone=("b.txt", "src/c.txt"), total=4)


def test_staged_and_then_changed_back(repository: Repository, commit: str) -> None:
    (repository.folder / "a.txt").write_text("A\n")
    repository.git("add", "a.txt")
    (repository.folder / "a.txt").write_text("a\n")
    check(repository.folder, commit)
    repository.git("rm", "-q", "--cached", "b.txt")
    check(repository.folder, commit)


def test_renamed_staged_or_not(repository: Repository, commit: str) -> None:
    repository.git("mv", "a.txt", "moved.txt")
    (repository.folder / "b.txt").rename(repository.folder / "src" / "b.txt")
    check(repository.folder, commit, changed=("moved.txt", "src/b.txt"), gone=("a.txt", "b.txt"))


def test_against_an_earlier_commit(repository: Repository, commit: str) -> None:
    repository.commit("Second", {"a.txt": "A\n", "new.txt": "n", "b.txt": None})
    check(repository.folder, commit, changed=("a.txt", "new.txt"), gone=("b.txt",), total=4)
    check(repository.folder, repository.git("rev-parse", "HEAD"), total=4)
    repository.commit("Third", {"a.txt": "a\n"})
    check(repository.folder, commit, changed=("new.txt",), gone=("b.txt",), total=4)


def test_same_size_and_time_of_writing(repository: Repository, commit: str) -> None:
    place = repository.folder / "a.txt"
    before = place.stat()
    place.write_text("x\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    check(repository.folder, commit, changed=("a.txt",))


def test_an_index_in_which_everything_is_long_ago(repository: Repository, commit: str) -> None:
    """Files are believed by their status here, and by nothing else: what they hold is not readable."""
    folder = repository.folder
    long_ago(repository)
    hashing_nothing = compare_without_reading(folder, commit)
    assert (hashing_nothing.changed, hashing_nothing.gone) == (frozenset(), frozenset())
    (folder / "a.txt").write_text("A\n")
    assert compare_without_reading(folder, commit).changed == {"a.txt"}
    os.utime(folder / "b.txt", ns=(1, 1))
    assert compare_without_reading(folder, commit).changed == {"a.txt", "b.txt"}
    check(folder, commit, changed=("a.txt",))


@pytest.mark.parametrize(("milliseconds", "is_read"), [(-5, True), (0, True), (20, True), (21, False)])
def test_a_file_that_was_written_twice_within_a_tick(
    repository: Repository, commit: str, milliseconds: int, is_read: bool
) -> None:
    """Its status is the one in the index and its content is not. Files as old as the index are read, therefore."""
    place, index = repository.folder / "a.txt", repository.folder / ".git" / "index"
    old, new = repository.git("rev-parse", "HEAD:a.txt"), repository.git("hash-object", "-w", "--stdin", given="x\n")
    place.write_text("x\n")
    repository.git("add", "a.txt")
    entries = index.read_bytes()[:-20].replace(bytes.fromhex(new), bytes.fromhex(old))
    index.write_bytes(entries + hashlib.sha1(entries).digest())
    found = place.stat()
    touched = max(found.st_mtime_ns, found.st_ctime_ns)
    os.utime(index, ns=(touched, touched + milliseconds * 1_000_000))
    assert ("a.txt" in compare(repository.folder, commit).changed) == is_read


def long_ago(repository: Repository) -> None:
    """Make the index an hour younger than the files, so that no file can have been written meanwhile."""
    repository.git("update-index", "--refresh")
    make_younger(repository.folder / ".git" / "index")


def make_younger(path: Path) -> None:
    later = path.stat().st_mtime_ns + 3_600 * 10**9
    os.utime(path, ns=(later, later))


def compare_without_reading(folder: Path, commit: str) -> Differences:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "MAX_HASHED_BYTES", -1)
        return compare(folder, commit)


def test_files_that_are_too_large_to_be_read_count_as_changed(repository: Repository, commit: str) -> None:
    os.utime(repository.folder / "a.txt", ns=(1, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "MAX_HASHED_BYTES", 1)
        assert "a.txt" in compare(repository.folder, commit).changed


def test_an_index_that_is_not_there(repository: Repository, commit: str) -> None:
    (repository.folder / ".git" / "index").unlink()
    (repository.folder / "a.txt").write_text("A\n")
    check(repository.folder, commit, changed=("a.txt",), total=4)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index(repository: Repository, commit: str, version: str) -> None:
    repository.git("update-index", f"--index-version={version}")
    long_ago(repository)
    (repository.folder / "a.txt").write_text("A\n")
    assert compare_without_reading(repository.folder, commit).changed == {"a.txt"}


def test_a_split_index(repository: Repository, commit: str) -> None:
    repository.git("update-index", "--split-index")
    (repository.folder / "a.txt").write_text("A\n")
    repository.git("add", "a.txt")
    check(repository.folder, commit, changed=("a.txt",))


def test_ignored_files_do_not_matter(repository: Repository) -> None:
    rules = {".gitignore": "*.log\n", ".lurcherignore": "b.txt\n", "x.log": "x"}
    repository.commit("Ignore", rules)
    repository.git("add", "-f", "x.log")
    commit = repository.commit("With a log")
    (repository.folder / "x.log").write_text("changed")
    (repository.folder / "b.txt").write_text("changed")
    (repository.folder / "other.log").write_text("new")
    check(repository.folder, commit, total=7)
    (repository.folder / "x.log").unlink()
    check(repository.folder, commit, gone=("x.log",), total=7)


def test_a_folder_inside_the_repository(repository: Repository, commit: str) -> None:
    (repository.folder / "a.txt").write_text("A\n")
    (repository.folder / "src" / "c.txt").write_text("C\n")
    (repository.folder / "src" / "new.txt").write_text("n")
    (repository.folder / "src" / "deep" / "d.txt").unlink()
    changed, gone = ("src/c.txt", "src/new.txt"), ("src/deep/d.txt",)
    check(repository.folder / "src", commit, changed=changed, gone=gone, total=2)


def test_a_worktree(repository: Repository, commit: str, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "side")
    (tmp_path / "other" / "a.txt").write_text("A\n")
    check(tmp_path / "other", commit, changed=("a.txt",), total=4)
    check(repository.folder, commit, total=4)


def test_submodules_have_their_own_differences(repository: Repository, tmp_path: Path) -> None:
    library = Repository(tmp_path / "library")
    old = library.commit("Begin", {"lib.txt": "lib"})
    repository.git("submodule", "add", "-q", str(library.folder), "vendor/lib")
    commit = repository.commit("With a library")
    (repository.folder / "vendor" / "lib" / "lib.txt").write_text("LIB")
    check(repository.folder, commit, total=5)
    lib = checkouts(repository.folder)[1]
    found = differences(lib, old, listed(repository.folder))
    assert isinstance(found, Differences)
    assert (found.changed, found.gone, found.total) == (frozenset({"lib.txt"}), frozenset(), 1)


def test_a_repository_in_place_of_files(repository: Repository, commit: str) -> None:
    """Files of the commit below it are no longer the outer repository's, even where the names are the same."""
    (repository.folder / "src" / "deep" / "d.txt").unlink()
    (repository.folder / "src" / "deep").rmdir()
    inner = Repository(repository.folder / "src" / "deep")
    inner.commit("Begin", {"d.txt": "d\n"})
    check(repository.folder, commit, gone=("src/deep/d.txt",))


def test_a_sparse_checkout(repository: Repository, commit: str) -> None:
    repository.git("sparse-checkout", "set", "--cone", "src/deep")
    check(repository.folder, commit)
    repository.git("sparse-checkout", "set", "--no-cone", "/src/deep/")
    found = check(repository.folder, commit, gone=("a.txt", "b.txt", "src/c.txt"), total=4)
    assert found.left_out == 3
    (repository.folder / "src" / "deep" / "d.txt").unlink()
    found = check(repository.folder, commit, gone=("a.txt", "b.txt", "src/c.txt", "src/deep/d.txt"))
    assert found.left_out == 3
    (repository.folder / "a.txt").write_text("there all the same\n")
    (repository.folder / "b.txt").write_text("b\n")
    gone = ("src/c.txt", "src/deep/d.txt")
    assert check(repository.folder, commit, changed=("a.txt",), gone=gone).left_out == 1


def test_a_sparse_index(repository: Repository, commit: str) -> None:
    repository.commit("More", {"other/e.txt": "e", "other/f.txt": "f"})
    repository.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")
    found = check(repository.folder, repository.git("rev-parse", "HEAD"), gone=("other/e.txt", "other/f.txt"))
    assert found.left_out == 2


def test_flags_that_tell_git_not_to_look_do_not_stop_us(repository: Repository, commit: str) -> None:
    repository.git("update-index", "--assume-unchanged", "a.txt")
    repository.git("update-index", "--skip-worktree", "b.txt")
    (repository.folder / "a.txt").write_text("A\n")
    (repository.folder / "b.txt").write_text("B\n")
    assert check(repository.folder, commit, changed=("a.txt", "b.txt")).left_out == 0


def test_an_intention_to_add(repository: Repository, commit: str) -> None:
    (repository.folder / "new.txt").write_text("new")
    (repository.folder / "empty.txt").write_text("")
    repository.git("add", "-N", "new.txt", "empty.txt")
    check(repository.folder, commit, changed=("new.txt", "empty.txt"))


def test_empty_files(repository: Repository) -> None:
    commit = repository.commit("Empty", {"empty.txt": ""})
    check(repository.folder, commit, total=5)
    (repository.folder / "a.txt").write_text("")
    (repository.folder / "empty.txt").write_text("x")
    check(repository.folder, commit, changed=("a.txt", "empty.txt"))


def test_a_merge_conflict(repository: Repository, commit: str) -> None:
    repository.git("checkout", "-q", "-b", "side")
    repository.commit("Theirs", {"a.txt": "theirs\n", "b.txt": "B\n"})
    repository.git("checkout", "-q", "main")
    ours = repository.commit("Ours", {"a.txt": "ours\n"})
    with pytest.raises(AssertionError):
        repository.git("merge", "side")
    assert repository.git("ls-files", "--unmerged")
    check(repository.folder, ours, changed=("a.txt", "b.txt"))
    (repository.folder / "a.txt").write_text("a\n")
    check(repository.folder, commit, changed=("b.txt",))
    make_younger(repository.folder / ".git" / "index")
    assert compare_without_reading(repository.folder, ours).changed == {"a.txt", "b.txt"}


@on_posix
def test_a_link_is_no_file(repository: Repository) -> None:
    (repository.folder / "link").symlink_to("a.txt")
    commit = repository.commit("With a link")
    check(repository.folder, commit, total=4)
    (repository.folder / "link").unlink()
    (repository.folder / "link").write_text("a.txt")
    (repository.folder / "b.txt").unlink()
    (repository.folder / "b.txt").symlink_to("a.txt")
    check(repository.folder, commit, changed=("link",), gone=("b.txt",), total=4)


@on_posix
def test_a_folder_that_became_a_link(repository: Repository, commit: str, tmp_path: Path) -> None:
    (repository.folder / "src").rename(tmp_path / "src")
    (repository.folder / "src").symlink_to(tmp_path / "src")
    check(repository.folder, commit, gone=("src/c.txt", "src/deep/d.txt"))


def test_files_become_folders_and_folders_files(repository: Repository, commit: str) -> None:
    folder = repository.folder
    (folder / "a.txt").unlink()
    (folder / "a.txt").mkdir()
    (folder / "a.txt" / "inside.txt").write_text("x")
    (folder / "src" / "deep" / "d.txt").unlink()
    (folder / "src" / "deep").rmdir()
    (folder / "src" / "deep").write_text("x")
    check(folder, commit, changed=("a.txt/inside.txt", "src/deep"), gone=("a.txt", "src/deep/d.txt"))


@on_posix
def test_pipes_are_not_waited_for(repository: Repository, commit: str) -> None:
    (repository.folder / "a.txt").unlink()
    os.mkfifo(repository.folder / "a.txt")
    check(repository.folder, commit, gone=("a.txt",))


def test_a_file_that_vanished_since_it_was_listed(repository: Repository, commit: str) -> None:
    paths = listed(repository.folder)
    (repository.folder / "a.txt").unlink()
    (repository.folder / "b.txt").unlink()
    (repository.folder / "b.txt").mkdir()
    found = differences(checkout(repository.folder), commit, paths)
    assert isinstance(found, Differences)
    assert (found.changed, found.gone) == (frozenset(), frozenset({"a.txt", "b.txt"}))


@on_posix
def test_a_name_in_other_case_is_another_file(repository: Repository) -> None:
    """A second name of the same file stands for a disk that does not care about case."""
    commit = repository.commit("Names", {"Readme": "x", "Über/Ä.txt": "y", "Other": "z"})
    folder = repository.folder
    (folder / "README").hardlink_to(folder / "Readme")
    (folder / "über").mkdir()
    (folder / "über" / "a\u0308.txt").hardlink_to(folder / "Über" / "Ä.txt")
    (folder / "other").write_text("not the same file")
    paths = [*FILES, "README", "über/a\u0308.txt", "other"]
    found = differences(checkout(folder), commit, paths)
    assert isinstance(found, Differences)
    assert found.changed == {"README", "über/a\u0308.txt", "other"}
    assert found.gone == {"Readme", "Über/Ä.txt"}


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_names_that_are_no_text_are_counted(repository: Repository) -> None:
    (repository.folder / os.fsdecode(b"odd\xff.txt")).write_text("odd")
    commit = repository.commit("Odd", {'fine \u00fc\n\t".txt': "x"})
    found = check(repository.folder, commit, total=5)
    assert found.unnameable == 1
    os.unlink(os.fsencode(repository.folder) + b"/odd\xff.txt")
    (repository.folder / 'fine \u00fc\n\t".txt').write_text("X")
    found = check(repository.folder, commit, changed=('fine \u00fc\n\t".txt',), total=5)
    assert found.unnameable == 1


def test_names_that_lead_elsewhere_are_not_looked_for(repository: Repository, tmp_path: Path) -> None:
    blob = repository.git("hash-object", "-w", "--stdin", given="x")
    inner = repository.git("mktree", given=f"100644 blob {blob}\tescaped.txt\n")
    outer = repository.git("mktree", given=f"040000 tree {inner}\t..\n100644 blob {blob}\tx.txt\n")
    commit = repository.git("commit-tree", outer, "-m", "Hostile")
    (tmp_path / "escaped.txt").write_text("x")
    found = check(repository.folder, commit, changed=tuple(FILES), gone=("x.txt",), total=1)
    assert found.unnameable == 1


def test_a_repository_with_longer_names(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r", "sha256")
    commit = repository.commit("Begin", FILES)
    assert len(commit) == 64
    (repository.folder / "a.txt").write_text("A\n")
    os.utime(repository.folder / "b.txt", ns=(1, 1))
    check(repository.folder, commit, changed=("a.txt",), total=4)


IDENT = "*.txt ident\n"
"""Git writes the name of the content into the file where it holds `$Id$`."""


def converted(repository: Repository, path: str) -> str:
    """A commit with a file that git writes with other bytes than the commit has."""
    head = repository.commit("Converted", {path: "$Id$\n"})
    (repository.folder / path).unlink()
    repository.git("checkout", path)
    assert (repository.folder / path).read_bytes().startswith(b"$Id: ")
    long_ago(repository)
    return head


@pytest.mark.parametrize("where", [".gitattributes", ".git/info/attributes"])
def test_files_that_git_converted_are_not_the_commits(repository: Repository, where: str) -> None:
    (repository.folder / where).parent.mkdir(exist_ok=True)
    (repository.folder / where).write_text(IDENT)
    head = converted(repository, "id.txt")
    assert repository.git("status", "--porcelain") == ""
    assert check(repository.folder, head, changed=("id.txt",)).is_exact


def test_attributes_above_the_folder_count_and_so_do_the_persons_own(repository: Repository, home: Path) -> None:
    (repository.folder / ".gitattributes").write_text(IDENT)
    head = converted(repository, "src/id.txt")
    check(repository.folder / "src", head, changed=("src/id.txt",))
    (repository.folder / ".gitattributes").unlink()
    (home / ".config" / "git").mkdir(parents=True)
    (home / ".config" / "git" / "attributes").write_text(IDENT)
    check(repository.folder / "src", head, changed=("src/id.txt",))


def test_other_line_ends_are_no_other_text(repository: Repository) -> None:
    """As in nearly every checkout under Windows."""
    # A line's end lies across the border of two pieces that are read.
    long = "x" * ((1 << 20) - 1) + "\n" + "y\n" * 1000
    commit = repository.commit("Long", {"long.txt": long, "mixed.txt": "a\r\nb\n"})
    repository.git("config", "core.autocrlf", "true")
    for path in (*FILES, "long.txt"):
        (repository.folder / path).unlink()
    repository.git("checkout", ".")
    assert (repository.folder / "a.txt").read_bytes() == b"a\r\n"
    assert b"x\r\ny\r\n" in (repository.folder / "long.txt").read_bytes()
    long_ago(repository)
    check(repository.folder, commit)
    (repository.folder / "a.txt").write_bytes(b"b\r\n")
    (repository.folder / "b.txt").write_bytes(b"b\r\n\r\n")
    check(repository.folder, commit, changed=("a.txt", "b.txt"))


def test_an_unborn_branch(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    (repository.folder / "a.txt").write_text("a")
    repository.git("add", "a.txt")
    found = ask(repository.folder, "0" * 40)
    assert isinstance(found, Unknown)
    assert "not in this repository" in found.reason


def clone(repository: Repository, folder: Path, *arguments: str) -> Repository:
    git("clone", "-q", *arguments, repository.folder.as_uri(), str(folder), cwd=folder.parent)
    made = Repository.__new__(Repository)
    made.folder, made._day = folder, 100
    return made


def test_a_commit_that_is_not_here_is_taken_for_what_the_branch_follows(
    repository: Repository, commit: str, tmp_path: Path
) -> None:
    mine = clone(repository, tmp_path / "mine")
    later = repository.commit("Later", {"b.txt": "not fetched"})
    mine.commit("My own", {"a.txt": "A\n"})
    found = check(mine.folder, later, changed=("a.txt",))
    assert (found.commit, found.base, found.is_exact) == (later, commit, False)
    assert "is not in this repository" in found.possibly_outdated
    assert "origin/main" in found.possibly_outdated


def test_a_branch_that_follows_nothing_left_its_namesake_or_the_default(
    repository: Repository, commit: str, tmp_path: Path
) -> None:
    mine = clone(repository, tmp_path / "mine")
    mine.git("checkout", "-q", "--no-track", "-b", "topic")
    mine.commit("My own", {"a.txt": "A\n"})
    assert check(mine.folder, "1" * 40, changed=("a.txt",)).base == commit
    mine.git("checkout", "-q", "--detach")
    assert check(mine.folder, "1" * 40, changed=("a.txt",)).base == commit
    mine.git("remote", "remove", "origin")
    assert isinstance(ask(mine.folder, "1" * 40), Unknown)


def test_a_shallow_clone_says_so(repository: Repository, commit: str, tmp_path: Path) -> None:
    latest = repository.commit("Second", {"b.txt": "B\n"})
    mine = clone(repository, tmp_path / "mine", "--depth=1")
    check(mine.folder, latest, total=4)
    found = check(mine.folder, commit)
    assert "shallow" in found.possibly_outdated
    assert found.base == latest


def test_without_a_common_history_the_followed_branch_itself_is_taken(
    repository: Repository, commit: str, tmp_path: Path
) -> None:
    mine = clone(repository, tmp_path / "mine")
    mine.git("checkout", "-q", "--orphan", "main2")
    mine.commit("Unrelated", {"a.txt": "A\n"})
    found = check(mine.folder, "1" * 40, changed=("a.txt",))
    assert found.base == commit
    assert "as it was fetched last" in found.possibly_outdated


@pytest.mark.parametrize("name", ["HEAD", "main", "--all", "", "abc123", "a" * 41, "A" * 40, "0" * 39 + "\n"])
def test_only_full_names_of_commits_are_asked_for(repository: Repository, name: str) -> None:
    found = ask(repository.folder, name)
    assert isinstance(found, Unknown)


def test_a_tree_or_a_blob_is_no_commit(repository: Repository) -> None:
    assert isinstance(ask(repository.folder, repository.git("rev-parse", "HEAD:a.txt")), Unknown)
    assert isinstance(ask(repository.folder, repository.git("rev-parse", "HEAD^{tree}")), Unknown)


def test_a_partial_clone_fetches_nothing(repository: Repository, commit: str, tmp_path: Path) -> None:
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.commit("Attributes", {".gitattributes": "* text=auto\n", "a.txt": "A\n"})
    mine = clone(repository, tmp_path / "mine", "--filter=blob:none")
    packs = mine.folder / ".git" / "objects" / "pack"
    before = sorted(path.name for path in packs.iterdir())
    check(mine.folder, commit, changed=(".gitattributes", "a.txt"), total=4)
    treeless = clone(repository, tmp_path / "treeless", "--filter=tree:0")
    found = check(treeless.folder, commit)
    assert not found.is_exact
    assert sorted(path.name for path in packs.iterdir()) == before


def test_a_repository_that_is_gone(repository: Repository, commit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one, paths = checkout(repository.folder), listed(repository.folder)
    monkeypatch.setenv("PATH", "")
    assert isinstance(differences(one, commit, paths), Unknown)
    monkeypatch.undo()
    (repository.folder / ".git").rename(repository.folder.parent / "elsewhere")
    assert isinstance(differences(one, commit, paths), Unknown)


def test_it_can_be_stopped(repository: Repository, commit: str) -> None:
    with pytest.raises(Cancelled):
        differences(checkout(repository.folder), commit, listed(repository.folder), cancelled=lambda: True)
