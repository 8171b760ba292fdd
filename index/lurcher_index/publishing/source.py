"""The commit that is published, and the files that its tree names. The working tree is never looked at."""

from pathlib import Path
from typing import NamedTuple

import msgspec

from lurcher_index.errors import HistoryError, UnknownCommit
from lurcher_index.history.changes import usable_path
from lurcher_index.history.commits import is_shallow
from lurcher_index.history.git import Git, GitFailed

MAX_TREE_BYTES = 256 << 20
"""Most bytes of a tree's listing: two million files. A small repository can be made to list a tree without end."""

MAX_PATH_BYTES = 4095
"""Longest path that Linux takes. A tree can be made to hold longer ones; nobody can check them out."""

_REGULAR = frozenset({"100644", "100755"})
_LINK = "120000"
_NOT_THERE = frozenset({1, 128})


class Source(NamedTuple):
    """A commit of a repository on this machine."""

    git: Git
    commit: str
    """Full name in hex."""
    branch: str
    """Empty if it is not known."""


class Entry(NamedTuple):
    """A regular file of a commit."""

    path: str
    """In the repository, checked: it stays inside."""
    blob: str
    """Name of the object that holds its bytes."""
    size: int


class Tree(msgspec.Struct, frozen=True):
    """What a commit names."""

    files: tuple[Entry, ...]
    links: int
    submodules: int
    """Repositories of their own, which are published on their own."""
    unnameable: int
    """Files whose names are no text, or would lead elsewhere."""


def find_commit(folder: Path, revision: str = "HEAD", branch: str = "") -> Source:
    """A commit by any of its names, in the repository around a folder or in a bare one.

    Without a `branch` it is the one that is checked out, if the commit is its newest.
    """
    git = Git.named(folder)
    # A name that begins with a dash would be an option, and no name of a commit holds a line end.
    known = not revision.startswith("-") and revision.isprintable() and _resolved(git, f"{revision}^{{commit}}")
    if not known:
        raise UnknownCommit(_advice(git, revision))
    if not branch and known == _resolved(git, "HEAD^{commit}"):
        branch = _head_branch(git)
    return Source(git, known, branch)


def tree_of(source: Source) -> Tree:
    """Every file of the commit; links are not followed and submodules not entered."""
    raw = source.git.output("ls-tree", "-r", "-z", "-l", "--full-tree", source.commit, limit=MAX_TREE_BYTES)
    files: list[Entry] = []
    links = submodules = unnameable = 0
    for line in raw.split(b"\0")[:-1]:
        head, tab, name = line.partition(b"\t")
        fields = head.decode("ascii", "replace").split()
        if not tab or len(fields) != 4:
            raise HistoryError("git listed a tree in a form that is not understood")
        mode, kind, blob, size = fields
        if mode == _LINK:
            links += 1
        elif kind != "blob" or mode not in _REGULAR:
            submodules += 1
        elif (path := usable_path(name)) is None or len(name) > MAX_PATH_BYTES:
            unnameable += 1
        else:
            files.append(Entry(path, blob, int(size)))
    return Tree(tuple(files), links, submodules, unnameable)


def _resolved(git: Git, name: str) -> str:
    """The full name of an object; empty if there is none."""
    try:
        return git.output("rev-parse", "--verify", "--quiet", "--end-of-options", name).decode("ascii").strip()
    except GitFailed as error:
        # 128: the name is no name at all, or means several objects.
        if error.code in _NOT_THERE:
            return ""
        raise


def _head_branch(git: Git) -> str:
    """The branch that is checked out; empty if HEAD is detached."""
    try:
        return git.output("symbolic-ref", "--quiet", "--short", "HEAD").decode("utf-8", "replace").strip()
    except GitFailed:
        return ""


def _advice(git: Git, revision: str) -> str:
    if revision == "HEAD":
        return f"the repository at {str(git.root)!r} has no commit yet; commit something, or name a commit"
    more = "; this is a shallow clone, `git fetch --unshallow` gets the rest" if is_shallow(git) else ""
    return f"there is no commit {revision!r} in {str(git.root)!r}; check its name, or fetch it{more}"
