"""A stamp tells whether git did something to a checkout."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.history.repositories import Repository, git, needs_git
from tests.remote.checkout.checkouts import checkout

from lurcher_index.checkout.stamps import stamp

pytestmark = needs_git


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.commit("First", {"a.txt": "1"})
    made.commit("Second", {"a.txt": "2"})
    return made


def add(repository: Repository) -> None:
    (repository.folder / "a.txt").write_text("staged")
    repository.git("add", "a.txt")


NOTICED: dict[str, Callable[[Repository], object]] = {
    "commit": lambda it: it.commit("Third", {"a.txt": "3"}),
    "empty commit": lambda it: it.commit("Third"),
    "checkout": lambda it: it.git("checkout", "-q", "HEAD~1"),
    "branch": lambda it: it.git("checkout", "-q", "-b", "other"),
    "soft reset": lambda it: it.git("reset", "-q", "--soft", "HEAD~1"),
    "add": add,
    "remote": lambda it: it.git("remote", "add", "origin", "https://example.com/x/y"),
    "packed": lambda it: it.git("pack-refs", "--all"),
}


@pytest.mark.parametrize("what", NOTICED)
def test_what_git_does_is_noticed(repository: Repository, what: str) -> None:
    one = checkout(repository.folder)
    before = stamp(one)
    assert stamp(one) == before
    hash(before)
    NOTICED[what](repository)
    assert stamp(one) != before


def test_a_fetch_is_noticed(repository: Repository, tmp_path: Path) -> None:
    git("clone", "-q", repository.folder.as_uri(), "mine", cwd=tmp_path)
    one = checkout(tmp_path / "mine")
    before = stamp(one)
    repository.commit("Third", {"a.txt": "3"})
    git("fetch", "-q", cwd=tmp_path / "mine")
    assert stamp(one) != before


def test_in_a_worktree(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "side")
    one = checkout(tmp_path / "other")
    before = stamp(one)
    git("commit", "-q", "--allow-empty", "-m", "Third", cwd=tmp_path / "other")
    assert stamp(one) != before


def test_files_are_not_looked_at(repository: Repository) -> None:
    one = checkout(repository.folder)
    before = stamp(one)
    (repository.folder / "a.txt").write_text("edited")
    assert stamp(one) == before


def test_a_repository_that_is_gone_has_another_stamp(repository: Repository) -> None:
    one = checkout(repository.folder)
    before = stamp(one)
    (repository.folder / ".git").rename(repository.folder.parent / "elsewhere")
    assert stamp(one) != before
