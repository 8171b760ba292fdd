"""Which repositories a workspace folder holds, and what they are called."""

import shutil
import sys
from pathlib import Path

import pytest
from tests.history.repositories import Repository, git, needs_git
from tests.remote.checkout.checkouts import checkout, checkouts, listed

from lurcher_index.checkout.identity import repositories_of
from lurcher_index.checkout.values import Repositories, Why
from lurcher_index.errors import Cancelled

pytestmark = needs_git


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.commit("Begin", {"a.txt": "a\n", "src/b.txt": "b\n"})
    made.git("remote", "add", "origin", "git@github.com:owner/name.git")
    return made


def look(folder: Path) -> Repositories:
    return repositories_of(folder, listed(folder))


def whys(folder: Path) -> list[Why]:
    return [each.why for each in look(folder).unnamed]


def test_a_plain_clone(repository: Repository) -> None:
    found = look(repository.folder)
    assert found.unnamed == ()
    assert found.named == found.checkouts
    (one,) = found.checkouts
    assert (one.root, one.prefix, one.inside, one.nested) == (repository.folder, "", "", ())
    assert one.names == ("github.com/owner/name",)
    assert one.head == repository.git("rev-parse", "HEAD")
    assert (one.branch, one.upstream, one.is_shallow) == ("main", None, False)


def test_a_folder_inside_a_repository(repository: Repository) -> None:
    one = checkout(repository.folder / "src")
    assert (one.root, one.prefix) == (repository.folder, "src/")
    assert one.in_repository("b.txt") == "src/b.txt"
    assert one.in_workspace("src/b.txt") == "b.txt"
    assert one.in_workspace("a.txt") is None


def test_no_repository_no_git_and_no_remote_are_told_apart(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").mkdir()
    assert whys(tmp_path / "plain") == [Why.NO_REPOSITORY]
    repository.git("remote", "remove", "origin")
    assert whys(repository.folder) == [Why.NO_NAME]
    repository.git("remote", "add", "origin", str(tmp_path / "elsewhere"))
    assert whys(repository.folder) == [Why.NO_NAME]
    found = look(repository.folder)
    assert (len(found.checkouts), found.named) == (1, ())
    monkeypatch.setenv("PATH", str(tmp_path / "plain"))
    assert whys(repository.folder) == [Why.NO_GIT]
    assert look(repository.folder).checkouts == ()


def test_a_repository_that_git_does_not_open(repository: Repository, tmp_path: Path) -> None:
    (repository.folder / ".git" / "config").write_text("[core\n")
    assert whys(repository.folder) == [Why.REFUSED]
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / ".git").write_text("gitdir: /nowhere/at/all\n")
    assert whys(tmp_path / "odd") == [Why.REFUSED]


def test_bare_repositories_and_files_elsewhere(repository: Repository, tmp_path: Path) -> None:
    git("clone", "-q", "--bare", str(repository.folder), "bare", cwd=tmp_path)
    assert whys(tmp_path / "bare") == [Why.NO_REPOSITORY]
    repository.git("worktree", "add", "-q", str(repository.folder / "tree"), "-b", "side")
    repository.git("config", "core.bare", "true")
    found = look(repository.folder)
    assert [each.why for each in found.unnamed] == [Why.NOT_CHECKED_OUT]
    assert [(each.inside, each.branch) for each in found.checkouts] == [("tree/", "side")]
    repository.git("config", "core.bare", "false")
    repository.git("config", "core.worktree", str(tmp_path))
    assert Why.NOT_CHECKED_OUT in whys(repository.folder / "src")


def test_an_unborn_branch(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    (repository.folder / "a.txt").write_text("a")
    one = checkout(repository.folder)
    assert (one.head, one.branch) == (None, "main")


def test_a_detached_head(repository: Repository) -> None:
    repository.git("checkout", "-q", "--detach")
    one = checkout(repository.folder)
    assert (one.head, one.branch) == (repository.git("rev-parse", "HEAD"), None)


def test_several_remotes(repository: Repository) -> None:
    repository.git("remote", "add", "upstream", "https://github.com/upstream/name")
    repository.git("remote", "add", "again", "ssh://git@github.com/owner/name")
    repository.git("remote", "add", "zoo", "https://example.com/zoo/name.git")
    assert checkout(repository.folder).names == (
        "github.com/owner/name",
        "github.com/upstream/name",
        "example.com/zoo/name",
    )
    repository.git("config", "branch.main.remote", "zoo")
    repository.git("config", "branch.main.merge", "refs/heads/main")
    one = checkout(repository.folder)
    assert one.names[0] == "example.com/zoo/name"
    assert one.upstream == "refs/remotes/zoo/main"


def test_the_persons_own_configuration_counts(repository: Repository, home: Path) -> None:
    (home / ".gitconfig").write_text('[url "ssh://git@work/"]\n\tinsteadOf = w:\n')
    (home / ".ssh").mkdir()
    (home / ".ssh" / "config").write_text("Host work\n  HostName git.example.com\n")
    repository.git("remote", "set-url", "origin", "w:team/x.git")
    assert checkout(repository.folder).names == ("git.example.com/team/x",)


def test_a_worktree(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "side")
    one = checkout(tmp_path / "other")
    assert (one.root, one.branch, one.names) == (tmp_path / "other", "side", ("github.com/owner/name",))


def test_submodules_and_nested_repositories(repository: Repository, tmp_path: Path) -> None:
    library = Repository(tmp_path / "library")
    library.commit("Begin", {"lib.txt": "lib"})
    repository.git("submodule", "add", "-q", str(library.folder), "vendor/lib")
    repository.git("-C", "vendor/lib", "remote", "set-url", "origin", "https://example.com/x/lib")
    repository.commit("With a library")
    nested = Repository(repository.folder / "vendor" / "lib" / "deep" / "own")
    nested.commit("Begin", {"own.txt": "own"})
    Repository(repository.folder / "empty")
    outer, lib, own = checkouts(repository.folder)
    assert outer.nested == ("vendor/lib/", "vendor/lib/deep/own/")
    assert (lib.inside, lib.nested, lib.names) == ("vendor/lib/", ("deep/own/",), ("example.com/x/lib",))
    assert (own.inside, own.nested, own.names) == ("vendor/lib/deep/own/", (), ())
    assert outer.in_repository("vendor/lib/lib.txt") is None
    assert lib.in_repository("vendor/lib/lib.txt") == "lib.txt"
    assert lib.in_repository("vendor/lib/deep/own/own.txt") is None
    assert lib.in_workspace("lib.txt") == "vendor/lib/lib.txt"
    assert own.in_repository("a.txt") is None
    below_vendor = checkouts(repository.folder / "vendor")
    assert [(each.prefix, each.inside) for each in below_vendor] == [
        ("vendor/", ""),
        ("", "lib/"),
        ("", "lib/deep/own/"),
    ]
    assert below_vendor[0].nested == ("vendor/lib/", "vendor/lib/deep/own/")


def test_repositories_below_a_plain_folder(repository: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    shutil.copytree(repository.folder, folder / "one")
    shutil.copytree(repository.folder, folder / "two")
    found = look(folder)
    assert [each.inside for each in found.checkouts] == ["one/", "two/"]
    assert found.unnamed == ()


def test_a_shallow_clone(repository: Repository, tmp_path: Path) -> None:
    repository.commit("Second", {"a.txt": "b"})
    git("clone", "-q", "--depth=1", repository.folder.as_uri(), "shallow", cwd=tmp_path)
    one = checkout(tmp_path / "shallow")
    assert one.is_shallow
    assert one.upstream == "refs/remotes/origin/main"


def test_it_can_be_stopped(repository: Repository) -> None:
    with pytest.raises(Cancelled):
        repositories_of(repository.folder, ["a.txt"], lambda: True)


@pytest.mark.skipif(sys.platform == "win32", reason="names are text there")
def test_a_branch_with_an_odd_name(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "feature/ü-x.y")
    assert checkout(repository.folder).branch == "feature/ü-x.y"
