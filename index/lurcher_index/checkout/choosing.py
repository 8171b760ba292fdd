"""Which of the commits that somebody indexed is nearest to what is checked out."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from lurcher_index.checkout.bases import is_commit_name
from lurcher_index.checkout.identity import ASK_SECONDS, commit_of
from lurcher_index.checkout.values import Checkout
from lurcher_index.errors import BadFolder, HistoryError
from lurcher_index.history.git import Git

MAX_ANCESTORS = 20_000
"""How far back an indexed ancestor is looked for. Whatever is indexed further back differs in most files by then, and
listing that many commits takes a tenth of a second."""

MAX_TRIES = 8
"""Commits beside the line of HEAD whose trees are compared with it: some milliseconds each."""


class Relation(StrEnum):
    """What a commit is to the one that is checked out."""

    HEAD = "head"
    ANCESTOR = "ancestor"
    RELATED = "related"
    """It is in this repository, and not behind HEAD: a commit of another branch, or a later one."""
    UNKNOWN = "unknown"
    """This repository does not have it, so nobody can say how it differs."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The commit to search."""

    commit: str
    relation: Relation


def choose(checkout: Checkout, commits: Sequence[str]) -> Chosen | None:
    """The best of the commits that somebody indexed, which are given newest first; None if there are none."""
    if not commits:
        return None
    if checkout.head is not None and checkout.head in commits:
        return Chosen(checkout.head, Relation.HEAD)
    try:
        found = _known(Git.around(checkout.root, ASK_SECONDS), checkout, commits)
    except (HistoryError, BadFolder):
        found = None
    return found or Chosen(commits[0], Relation.UNKNOWN)


def _known(git: Git, checkout: Checkout, commits: Sequence[str]) -> Chosen | None:
    if checkout.head is not None:
        indexed = set(commits)
        walked = git.output("rev-list", f"--max-count={MAX_ANCESTORS}", checkout.head, "--").decode("ascii", "replace")
        # Newest first: the first that is met has the fewest commits after it, give or take side branches.
        nearest = next((commit for commit in walked.splitlines() if commit in indexed), None)
        if nearest is not None:
            return Chosen(nearest, Relation.ANCESTOR)
    # Only names in hex are asked for; those that are not here cost one run of git each.
    named = (commit for commit in commits if is_commit_name(commit))
    known = [commit for commit in list(named)[: MAX_TRIES * 4] if commit_of(git, commit) is not None][:MAX_TRIES]
    if not known:
        return None
    if checkout.head is None:
        return Chosen(known[0], Relation.RELATED)
    # The newest wins among equals: `min` takes the first.
    return Chosen(min(known, key=lambda commit: _distance(git, checkout, commit)), Relation.RELATED)


def _distance(git: Git, checkout: Checkout, commit: str) -> float:
    """Files of the workspace folder in which a commit differs from HEAD."""
    inside = ("--", checkout.prefix) if checkout.prefix else ("--",)
    try:
        raw = git.output("diff-tree", "-r", "-z", "--raw", "--no-renames", str(checkout.head), commit, *inside)
    except HistoryError:
        # Its files are not here (a partial clone), or there are too many to count.
        return float("inf")
    # Every file is two fields: what became of it, and its name.
    return raw.count(b"\0") / 2
