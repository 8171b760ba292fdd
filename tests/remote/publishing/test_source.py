"""Which commit is meant, and which files its tree names."""

import os
from pathlib import Path

import pytest
from tests.history.repositories import Repository, git, needs_git

from lurcher_index import Settings
from lurcher_index.errors import BadFolder, BadSetting, HistoryError, UnknownCommit
from lurcher_index.publishing.naming import checked_name, name_of
from lurcher_index.publishing.selecting import select
from lurcher_index.publishing.source import find_commit, tree_of

pytestmark = needs_git


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "made")
    made.commit("One", {"a.py": "a = 1\n", "sub/b.py": "b = 1\n"})
    made.git("tag", "-a", "v1", "-m", "first")
    made.commit("Two", {"a.py": "a = 2\n"})
    return made


def test_a_commit_has_many_names(repository: Repository) -> None:
    first, second = repository.git("rev-parse", "HEAD^"), repository.git("rev-parse", "HEAD")
    assert find_commit(repository.folder)[1:] == (second, "main")
    assert find_commit(repository.folder / "sub", "main")[1:] == (second, "main")
    for name in ("v1", "HEAD^", first, first[:10]):
        assert find_commit(repository.folder, name)[1:] == (first, "")
    assert find_commit(repository.folder, "v1", "release")[1:] == (first, "release")


def test_a_detached_head_is_on_no_branch(repository: Repository) -> None:
    repository.git("checkout", "-q", "--detach")
    assert find_commit(repository.folder).branch == ""


@pytest.mark.parametrize("name", ["nothing", "0" * 40, "--all", "HEAD^{tree}", "a\nb", "a\0b", "", "HEAD:a.py"])
def test_what_is_no_commit_is_told(repository: Repository, name: str) -> None:
    with pytest.raises(UnknownCommit, match="there is no commit"):
        find_commit(repository.folder, name)


def test_a_shallow_clone_publishes_what_it_has(repository: Repository, tmp_path: Path) -> None:
    git("clone", "-q", "--depth", "1", repository.folder.as_uri(), "shallow", cwd=tmp_path)
    source = find_commit(tmp_path / "shallow")
    assert [each.path for each in tree_of(source).files] == ["a.py", "sub/b.py"]
    with pytest.raises(UnknownCommit, match="git fetch --unshallow"):
        find_commit(tmp_path / "shallow", "HEAD^")


def test_a_bare_repository_is_published_too(repository: Repository, tmp_path: Path) -> None:
    git("clone", "-q", "--bare", repository.folder.as_uri(), "bare.git", cwd=tmp_path)
    source = find_commit(tmp_path / "bare.git")
    assert source[1:] == find_commit(repository.folder)[1:]
    assert tree_of(source) == tree_of(find_commit(repository.folder))
    assert [each.path for each in select(source, Settings()).files] == ["a.py", "sub/b.py"]


def test_a_folder_of_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadFolder, match="no git repository"):
        find_commit(tmp_path)


def test_a_repository_without_commits_is_told(tmp_path: Path) -> None:
    made = Repository(tmp_path / "new")
    with pytest.raises(UnknownCommit, match="no commit yet"):
        find_commit(made.folder)


def test_an_empty_commit_has_no_files(tmp_path: Path) -> None:
    made = Repository(tmp_path / "new")
    made.commit("Nothing")
    assert tree_of(find_commit(made.folder)).files == ()


def test_what_is_no_file_is_counted(repository: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.commit("Other", {"x.py": "x = 1\n"})
    repository.git("submodule", "add", "-q", other.folder.as_uri(), "vendor/other")
    (repository.folder / "link.py").symlink_to("a.py")
    (repository.folder / "outside").symlink_to("/etc")
    if os.name == "posix":
        (repository.folder / os.fsdecode(b"caf\xe9.py")).write_text("c = 1\n")
    repository.commit("More")
    tree = tree_of(find_commit(repository.folder))
    assert [each.path for each in tree.files] == [".gitmodules", "a.py", "sub/b.py"]
    assert (tree.links, tree.submodules, tree.unnameable) == (2, 1, 1)
    skipped = select(find_commit(repository.folder), Settings()).skipped
    assert skipped == {"symbolic link": 2, "submodule": 1, "name that cannot be used": 1}


def test_a_path_that_nobody_can_check_out_is_left_out(repository: Repository) -> None:
    blob = repository.git("rev-parse", "HEAD:a.py")
    long = "/".join(["folder"] * 700)
    listed = f"100644 {blob}\t{long}/a.py\n100644 {blob}\t{long}/.gitignore\n100644 {blob}\tb.py\n"
    git("update-index", "--index-info", cwd=repository.folder, given=listed)
    tree = git("write-tree", cwd=repository.folder)
    source = find_commit(repository.folder, git("commit-tree", tree, "-m", "long", cwd=repository.folder))
    assert [each.path for each in select(source, Settings()).files] == ["a.py", "b.py", "sub/b.py"]
    assert tree_of(source).unnameable == 2


def test_a_tree_that_leads_elsewhere_stays_inside(repository: Repository) -> None:
    blob = repository.git("rev-parse", "HEAD:a.py")
    inner = git("mktree", cwd=repository.folder, given=f"100644 blob {blob}\t.gitignore\n")
    top = git("mktree", cwd=repository.folder, given=f"040000 tree {inner}\t..\n040000 tree {inner}\t.git\n")
    commit = git("commit-tree", top, "-m", "hostile", cwd=repository.folder)
    source = find_commit(repository.folder, commit)
    assert (tree_of(source).files, tree_of(source).unnameable) == ((), 2)
    assert select(source, Settings()).files == ()


def test_rules_without_end_are_refused(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit("Rules", {f"{name}/.gitignore": "x" * 100 for name in "abc"})
    monkeypatch.setattr("lurcher_index.publishing.selecting.MAX_RULES_BYTES", 299)
    with pytest.raises(HistoryError, match="ignore files"):
        select(find_commit(repository.folder), Settings())


def test_rules_of_this_machine_are_no_part_of_a_commit(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / ".ignore").write_text("*.py\n")
    (repository.folder / ".git" / "info" / "exclude").write_text("*.py\n")
    (repository.folder / ".gitignore").write_text("*\n")
    assert [each.path for each in select(find_commit(repository.folder), Settings()).files] == ["a.py", "sub/b.py"]


def test_a_repository_is_named_after_its_remote(repository: Repository, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="--repository"):
        name_of(find_commit(repository.folder))
    repository.git("remote", "add", "origin", "git@GitHub.com:Team/App.git")
    assert name_of(find_commit(repository.folder)) == "github.com/team/app"
    git("clone", "-q", "--bare", repository.folder.as_uri(), "bare.git", cwd=tmp_path)
    git("remote", "set-url", "origin", "https://user:word@example.com:8443/team/app.git", cwd=tmp_path / "bare.git")
    assert name_of(find_commit(tmp_path / "bare.git")) == "example.com:8443/team/app"


def test_a_name_that_was_typed_is_checked() -> None:
    assert checked_name("GitHub.com/Team/App.git") == "github.com/team/app"
    assert checked_name("Git.example.com/Team/App") == "git.example.com/Team/App"
    assert checked_name("localhost:8080/app") == "localhost:8080/app"
    for name in ("app", "https://github.com/a/b", "a b/c", "me@host/a", "host/", "/a/b", "host/a\n", "h/" + "a" * 300):
        with pytest.raises(BadSetting, match="host/owner/name"):
            checked_name(name)
