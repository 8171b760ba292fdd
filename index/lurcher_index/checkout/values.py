"""What is known of a checkout: its repository and commit, and how its files differ from a commit."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Why(StrEnum):
    """Why a folder has no repository that somebody else could know."""

    NO_REPOSITORY = "no repository"
    """No folder at or above it holds `.git`, and nor does one below it that has files."""
    NO_GIT = "no git"
    """Git is not installed."""
    REFUSED = "refused"
    """Git does not open the repository: it is damaged, belongs to somebody else, or is too slow to read."""
    NOT_CHECKED_OUT = "not checked out"
    """The repository is bare, or its files are checked out elsewhere."""
    NO_NAME = "no name"
    """It has no remote, or only remotes that are folders of this machine."""


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A folder or repository that has no name, and why."""

    root: Path
    why: Why
    detail: str
    """What a person should know or do."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A repository's working tree, as far as it is in a workspace folder."""

    root: Path
    """Top folder of the working tree."""
    prefix: str
    """Path of the workspace folder in the repository, `src/` for example; empty if the repository lies inside it."""
    inside: str
    """Path of the repository in the workspace folder, `vendor/lib/` for example; empty if it is around it."""
    nested: tuple[str, ...]
    """Folders of the working tree, as `vendor/lib/`, that are repositories of their own. Their files are not its."""
    names: tuple[str, ...]
    """`host/owner/name` of its remotes, distinct, the likeliest first. The repository itself says so, and may lie;
    there may be very many."""
    head: str | None
    """Full name of the commit that is checked out; None before the first one."""
    branch: str | None
    """Short name of the branch, even of one without a commit; None if HEAD is detached."""
    upstream: str | None
    """Full name of the ref that the branch follows, `refs/remotes/origin/main`; None if there is none."""
    is_shallow: bool

    def in_repository(self, path: str) -> str | None:
        """The path in the repository of a path in the workspace folder; None if another repository has it, or none."""
        if not path.startswith(self.inside):
            return None
        found = f"{self.prefix}{path[len(self.inside) :]}"
        return None if self.nested and found.startswith(self.nested) else found

    def in_workspace(self, path: str) -> str | None:
        """The path in the workspace folder of a path in the repository; None if it is not in there."""
        if not path.startswith(self.prefix) or (self.nested and path.startswith(self.nested)):
            return None
        return f"{self.inside}{path[len(self.prefix) :]}"


@dataclass(frozen=True, slots=True)
class Repositories:
    """The repositories of a workspace folder."""

    checkouts: tuple[Checkout, ...]
    """The one around the folder first, then those inside it by path; also those without a name."""
    unnamed: tuple[Unnamed, ...]
    """What cannot be asked for elsewhere. A checkout without names is here too."""

    @property
    def named(self) -> tuple[Checkout, ...]:
        """Those that somebody else may know."""
        return tuple(each for each in self.checkouts if each.names)


@dataclass(frozen=True, slots=True)
class Differences:
    """How the files of a checkout differ from those of a commit, as far as they are in the workspace folder.

    Paths are those in the repository. Only regular files count: links and submodules are not searched.
    """

    commit: str
    """The commit that was asked about."""
    base: str
    """The commit that the files were compared with."""
    changed: frozenset[str]
    """Files that are listed and are not the commit's: modified, added, untracked, renamed to."""
    gone: frozenset[str]
    """Files of the commit that are not there: deleted, renamed away, replaced by something else, not checked out."""
    total: int
    """Files of the commit."""
    left_out: int
    """Of those that are gone, how many a sparse checkout leaves out: nobody deleted them."""
    unnameable: int
    """Files of the commit whose names are no text or lead elsewhere; they count nowhere else."""
    possibly_outdated: str
    """Why `base` is not the commit that was asked about, in words; empty if it is."""

    @property
    def is_exact(self) -> bool:
        """Whether a file that is in neither set is the commit's.

        Byte for byte, but for the ends of lines, for files that a filter of git wrote with other bytes of the same
        number, and in a partial clone for all that git converts.
        """
        return not self.possibly_outdated


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing can be said about how the files differ; all of them may."""

    commit: str
    reason: str
