"""Which indexed commit is searched."""

from pathlib import Path

import pytest
from tests.history.repositories import Repository, needs_git
from tests.remote.checkout.checkouts import checkout

from lurcher_index.checkout import choosing
from lurcher_index.checkout.choosing import Chosen, Relation, choose

pytestmark = needs_git
ABSENT = "1" * 40


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.commit("First", {"a.txt": "1", "src/b.txt": "1"})
    for number in "2345":
        made.commit(number, {"a.txt": number})
    return made


def name(repository: Repository, revision: str) -> str:
    return repository.git("rev-parse", revision)


def check(repository: Repository, commits: list[str], commit: str, relation: Relation, inside: str = "") -> None:
    assert choose(checkout(repository.folder / inside), commits) == Chosen(commit, relation)


def test_what_is_checked_out_is_best(repository: Repository) -> None:
    head, before = name(repository, "HEAD"), name(repository, "HEAD~1")
    check(repository, [before, ABSENT, head], head, Relation.HEAD)


def test_else_the_nearest_ancestor(repository: Repository) -> None:
    near, far = name(repository, "HEAD~1"), name(repository, "HEAD~3")
    check(repository, [ABSENT, far, near], near, Relation.ANCESTOR)


def test_else_the_one_with_the_fewest_differing_files(repository: Repository) -> None:
    later_small = repository.commit("Later", {"a.txt": "6"})
    later_large = repository.commit("Much later", {f"new/{number}.txt": "x" for number in range(5)})
    repository.git("checkout", "-q", "HEAD~2")
    check(repository, [ABSENT, later_large, later_small], later_small, Relation.RELATED)
    # In the folder that is open, they are all the same: then the newest.
    check(repository, [ABSENT, later_large, later_small], later_large, Relation.RELATED, inside="src")


def test_else_the_newest_of_which_nothing_is_known(repository: Repository) -> None:
    check(repository, [ABSENT, "2" * 40], ABSENT, Relation.UNKNOWN)
    check(repository, ["", "HEAD", "--all"], "", Relation.UNKNOWN)


def test_nothing_is_indexed(repository: Repository) -> None:
    assert choose(checkout(repository.folder), []) is None


def test_an_unborn_branch_takes_the_newest_that_is_here(repository: Repository) -> None:
    old = name(repository, "HEAD~1")
    repository.git("checkout", "-q", "--orphan", "fresh")
    check(repository, [ABSENT, old], old, Relation.RELATED)


def test_ancestors_too_far_back_are_found_among_the_others(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "MAX_ANCESTORS", 2)
    far = name(repository, "HEAD~3")
    check(repository, [far], far, Relation.RELATED)


def test_a_repository_that_cannot_be_read(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    one, near = checkout(repository.folder), name(repository, "HEAD~1")
    monkeypatch.setenv("PATH", "")
    assert choose(one, [near]) == Chosen(near, Relation.UNKNOWN)


def test_a_merge_leads_to_the_newer_side(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "side", "HEAD~2")
    side = repository.commit("Side", {"side.txt": "x"})
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-edit", "side")
    check(repository, [name(repository, "HEAD~3"), side], side, Relation.ANCESTOR)
