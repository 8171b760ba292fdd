"""The commit that files are compared with: the one that was asked about, or the nearest that this repository knows."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lurcher_index.checkout.identity import commit_of
from lurcher_index.checkout.values import Checkout
from lurcher_index.errors import HistoryError
from lurcher_index.history.git import Git

_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Base(NamedTuple):
    """A commit of this repository."""

    commit: str
    possibly_outdated: str
    """Why it is another one than was asked about; empty if it is the same."""


def is_commit_name(text: str) -> bool:
    """Whether a text is the full name of a commit. Anything else could mean something to git."""
    return _NAME.fullmatch(text) is not None


def bases(git: Git, checkout: Checkout, commit: str) -> Iterator[Base]:
    """Commits that files can be compared with, best first; none is made up, so there may be none."""
    if is_commit_name(commit) and (known := commit_of(git, commit)) is not None:
        yield Base(known, "")
    why = f"the indexed commit {commit[:12] or '(no name)'!s} is not in this repository"
    if checkout.is_shallow:
        why += ", which is a shallow clone"
    tried: set[str] = set()
    for ref in _tracked(git, checkout):
        tip = commit_of(git, ref)
        if tip is None or tip in tried:
            continue
        tried.add(tip)
        short = ref.removeprefix("refs/remotes/")
        base = _merge_base(git, checkout.head, tip)
        if base is not None:
            yield Base(base, f"{why}; compared with where the checkout left {short}")
        else:
            yield Base(tip, f"{why}; compared with {short} as it was fetched last")


def _tracked(git: Git, checkout: Checkout) -> list[str]:
    """Remote-tracking branches that may hold the indexed commit: what the branch follows, its namesakes, defaults."""
    found = [checkout.upstream] if checkout.upstream else []
    raw = git.output("for-each-ref", "--format=%(refname)", "refs/remotes")
    refs = raw.decode("utf-8", "replace").splitlines()
    for ending in ([checkout.branch] if checkout.branch else []) + ["HEAD", "main", "master"]:
        # `origin` first, then the others as git sorts them.
        alike = [ref for ref in refs if ref.removeprefix("refs/remotes/").partition("/")[2] == ending]
        found += sorted(alike, key=lambda ref: not ref.startswith("refs/remotes/origin/"))
    return list(dict.fromkeys(found))


def _merge_base(git: Git, head: str | None, tip: str) -> str | None:
    if head is None:
        return None
    try:
        return git.output("merge-base", head, tip).decode("ascii", "replace").strip() or None
    except HistoryError:
        # Nothing in common, or the history that they have in common is not here.
        return None
