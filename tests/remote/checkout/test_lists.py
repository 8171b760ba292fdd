"""Git is asked for its lists again only when they may have become others."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.history.repositories import Repository, needs_git
from tests.remote.checkout.checkouts import checkout, listed

from lurcher_index.checkout import lists as kept
from lurcher_index.checkout.differences import Lists, differences
from lurcher_index.checkout.values import Differences
from lurcher_index.history.git import Git

pytestmark = needs_git


class Asked:
    """A checkout that is compared again and again, and what git was asked meanwhile."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.now = 0.0
        self.lists = Lists(lambda: self.now)
        self.calls: list[str] = []
        real: Callable[..., bytes] = Git.output

        def output(git: Git, *arguments: str, **limits: int) -> bytes:
            self.calls.append(arguments[0])
            return real(git, *arguments, **limits)

        patch.setattr(Git, "output", output)

    def compare(self, commit: str) -> tuple[set[str], set[str]]:
        found = differences(checkout(self.folder), commit, listed(self.folder), lists=self.lists)
        assert isinstance(found, Differences)
        return set(found.changed), set(found.gone)

    def listed_by(self, commit: str) -> set[str]:
        """Which lists were made for a comparison."""
        self.calls.clear()
        self.compare(commit)
        return {"ls-tree", "ls-files"} & set(self.calls)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "work")
    made.commit("first", {"a.py": "a = 1\n", "b.py": "b = 1\n"})
    made.git("remote", "add", "origin", "https://code.example.org/team/work.git")
    return made


@pytest.fixture
def asked(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(repository.folder, monkeypatch)


BOTH = {"ls-tree", "ls-files"}


def head(repository: Repository) -> str:
    return repository.git("rev-parse", "HEAD").strip()


def test_while_nothing_happens_in_git_files_alone_are_looked_at(repository: Repository, asked: Asked) -> None:
    commit = head(repository)
    assert asked.listed_by(commit) == BOTH
    assert asked.listed_by(commit) == set()
    (repository.folder / "a.py").write_text("a = 2\n")
    (repository.folder / "b.py").unlink()
    (repository.folder / "c.py").write_text("c = 1\n")
    assert asked.compare(commit) == ({"a.py", "c.py"}, {"b.py"})
    assert asked.listed_by(commit) == set()


def test_what_git_does_is_noticed(repository: Repository, asked: Asked) -> None:
    first = head(repository)
    asked.compare(first)
    (repository.folder / "a.py").write_text("a = 3\n")
    repository.git("add", "-A")
    assert asked.listed_by(first) == BOTH
    second = repository.commit("second")
    assert asked.listed_by(second) == BOTH
    assert asked.compare(second) == (set(), set())
    assert asked.listed_by(first) == BOTH
    assert asked.compare(first) == ({"a.py"}, set())


def test_new_attributes_ask_for_sizes(repository: Repository, asked: Asked) -> None:
    commit = head(repository)
    asked.compare(commit)
    (repository.folder / ".gitattributes").write_text("* text eol=crlf\n")
    assert asked.listed_by(commit) == BOTH
    assert asked.listed_by(commit) == set()


def test_lists_are_not_believed_for_ever_nor_kept_however_large(
    repository: Repository, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = head(repository)
    asked.compare(commit)
    asked.now = kept.KEPT_SECONDS
    assert asked.listed_by(commit) == BOTH
    monkeypatch.setattr(kept, "MOST_FILES", 1)
    asked.now *= 2
    assert asked.listed_by(commit) == BOTH
    assert asked.listed_by(commit) == BOTH
