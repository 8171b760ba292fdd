"""Which commits of a history can be asked about, and what they ask."""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from lurcher_index.building.progress import Cancelled, never
from lurcher_index.errors import BadFolder
from lurcher_index.history.changes import Change, changes
from lurcher_index.history.commits import RawCommit, commits, is_shallow
from lurcher_index.history.git import Git, TooMuchOutput
from lurcher_index.history.wording import LeftOut, is_telling, question_of, split_message, why_not

COMMITS = 200
"""Commits asked about unless another number is given: they tell NDCG@10 to about ±0.05."""

MAX_FILES = 10
"""A commit that changes more files is seldom about one thing, and its message fits none of them well."""

_COMMIT_LISTING_BYTES = 1 << 20
"""What a commit's list of files may take: some thousand files, far more than any commit that is asked about."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which commits are wanted."""

    commits: int = COMMITS
    since: date | None = None
    max_files: int = MAX_FILES
    with_body: bool = False
    """Whether the whole message is the question, or its first line."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that can be asked about."""

    name: str
    parent: str
    subject: str
    question: str
    targets: tuple[str, ...]
    """Files it changed, moved or deleted, under the names they had before, relative to the folder."""
    added: int
    """Files it added. They cannot be found in the tree before it, and are no targets."""


@dataclass(frozen=True, slots=True)
class Mined:
    """What a history has to ask."""

    git: Git
    inside: str
    """The folder within the repository; empty for its top."""
    commits: tuple[Commit, ...]
    """Newest first."""
    looked_at: int
    left_out: Counter[LeftOut] = field(default_factory=Counter[LeftOut])
    shallow: bool = False


def mine(folder: Path, choice: Choice | None = None, cancelled: Cancelled = never) -> Mined:
    """The newest commits that can be asked about, of the history of the repository that a folder lies in."""
    wish = choice or Choice()
    git, real = _around(folder)
    inside = "" if real == git.root else real.relative_to(git.root).as_posix()
    found: list[Commit] = []
    left_out: Counter[LeftOut] = Counter()
    looked_at = 0
    with closing(commits(git, wish.since)) as history:
        for raw in history:
            looked_at += 1
            judged = _judge(git, raw, inside, wish)
            if isinstance(judged, LeftOut):
                left_out[judged] += 1
            else:
                found.append(judged)
            if len(found) == wish.commits or cancelled():
                break
    return Mined(git, inside, tuple(found), looked_at, left_out, is_shallow(git))


def _around(folder: Path) -> tuple[Git, Path]:
    try:
        real = folder.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise BadFolder(f"the folder {str(folder)!r} cannot be opened: {error}") from None
    if not real.is_dir():
        raise BadFolder(f"{str(folder)!r} is not a folder")
    return Git.around(real), real


def _judge(git: Git, raw: RawCommit, inside: str, wish: Choice) -> Commit | LeftOut:
    """By what is known already first: only what its message does not rule out has its files listed."""
    if len(raw.parents) != 1:
        return LeftOut.MERGE if raw.parents else LeftOut.FIRST
    reason = why_not(raw.author, raw.message)
    if reason is not None:
        return reason
    question = question_of(raw.message, with_body=wish.with_body)
    if not is_telling(question):
        return LeftOut.FEW_WORDS
    (parent,) = raw.parents
    try:
        changed = changes(git, parent, raw.name, inside, renames=True, limit=_COMMIT_LISTING_BYTES)
    except TooMuchOutput:
        return LeftOut.MANY_FILES
    if not changed:
        return LeftOut.NO_FILES
    if len(changed) > wish.max_files:
        return LeftOut.MANY_FILES
    targets = _targets(changed)
    if not targets:
        return LeftOut.ONLY_NEW
    added = sum(change.before is None and change.after is not None for change in changed)
    return Commit(raw.name, parent, split_message(raw.message)[0], question, targets, added)


def _targets(changed: list[Change]) -> tuple[str, ...]:
    return tuple(sorted(change.before for change in changed if change.before is not None))
