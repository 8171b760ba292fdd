"""Commits as git stores them, newest first."""

from collections.abc import Generator
from contextlib import closing
from datetime import date
from typing import NamedTuple

from lurcher_index.history.git import Git, GitFailed

PAGE_COMMITS = 1_000
"""Commits read at a time: a page is one run of git, and most histories give enough questions on the first."""

MAX_COMMIT_BYTES = 65_536
"""Longest commit that is read, its message and signature included; longer ones hold logs or mail, not a question."""

_ENCODINGS = frozenset(
    "latin1 latin-1 iso-8859-1 iso-8859-2 iso-8859-15 iso8859-1 cp1252 windows-1252 windows-1251 koi8-r shift_jis "
    "shift-jis sjis euc-jp euc-kr gbk gb18030 big5".split()
)
"""Encodings that messages were written in before UTF-8. Python knows stranger ones, which no message needs."""

_NOT_THERE = 1


class RawCommit(NamedTuple):
    """A commit, before anybody asked whether it is of use."""

    name: str
    parents: tuple[str, ...]
    """As git sees them: where a shallow clone ends there is none."""
    author: str
    """Name and address."""
    message: str


def commits(git: Git, since: date | None) -> Generator[RawCommit]:
    """All commits that led to HEAD, newest first, those that were made since a day."""
    start = _head(git)
    limits = [f"--since={since.isoformat()}T00:00:00"] if since else []
    at = 0
    while start:
        page = git.output("rev-list", "--parents", f"--max-count={PAGE_COMMITS}", f"--skip={at}", *limits, start, "--")
        listed = [line.split() for line in page.decode("ascii").splitlines()]
        with closing(git.objects((names[0] for names in listed), MAX_COMMIT_BYTES)) as objects:
            for names, stored in zip(listed, objects, strict=True):
                author, message = _parsed(stored.data or b"")
                yield RawCommit(names[0], tuple(names[1:]), author, message)
        if len(listed) < PAGE_COMMITS:
            return
        at += PAGE_COMMITS


def is_shallow(git: Git) -> bool:
    """Whether the clone holds only the end of the history."""
    return git.output("rev-parse", "--is-shallow-repository").strip() == b"true"


def _head(git: Git) -> str:
    """The commit that is checked out; empty in a repository without commits."""
    try:
        return git.output("rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode("ascii").strip()
    except GitFailed as error:
        if error.code == _NOT_THERE:
            return ""
        raise


def _parsed(data: bytes) -> tuple[str, str]:
    """Author and message; both empty for a commit that was too long to be read."""
    head, _, message = data.partition(b"\n\n")
    author, encoding = b"", "utf-8"
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"author":
            author = value.rpartition(b">")[0]
        elif key == b"encoding" and value.decode("ascii", "replace").lower() in _ENCODINGS:
            encoding = value.decode("ascii")
    return author.decode(encoding, "replace"), message.decode(encoding, "replace")
