"""Which repositories a workspace folder holds: the one around it, and those inside it that have files."""

from collections.abc import Callable, Iterable
from pathlib import Path

from lurcher_index.checkout.names import repository_name
from lurcher_index.checkout.remotes import Configuration, addresses, read_configuration
from lurcher_index.checkout.ssh_hosts import SshHosts
from lurcher_index.checkout.values import Checkout, Repositories, Unnamed, Why
from lurcher_index.errors import Cancelled, HistoryError
from lurcher_index.files.repository import has_git, repository_root
from lurcher_index.history.git import Git, GitFailed, GitMissing

ASK_SECONDS = 20.0
"""Longest time for one run of git that asks about a checkout. Listing a hundred thousand files takes half a second; a
pipe in place of a configuration file would hold git for ever."""

MAX_CONFIGURATION_BYTES = 4 << 20
"""No configuration is larger; one that includes a log file might be."""


def repositories_of(folder: Path, listed: Iterable[str], cancelled: Callable[[], bool] = lambda: False) -> Repositories:
    """The repositories of a workspace folder, which must be absolute; `listed` are the paths of its files in it.

    Submodules, other worktrees and plain nested repositories are all found by their `.git`. One without listed files
    holds nothing that is searched and is not looked at.
    """
    around = repository_root(folder)
    below = [path for path in _folders(listed) if has_git(folder / path)]
    if around is None and not below:
        detail = f"{str(folder)!r} is in no git repository; nobody else can know it"
        return Repositories((), (Unnamed(folder, Why.NO_REPOSITORY, detail),))
    prefix = _with_slash(folder.relative_to(around).as_posix()) if around else ""
    places = [] if around is None else [_Place(around, prefix, "", tuple(f"{prefix}{path}/" for path in below))]
    for path in below:
        nested = tuple(f"{other[len(path) + 1 :]}/" for other in below if other.startswith(f"{path}/"))
        places.append(_Place(folder / path, "", f"{path}/", nested))
    hosts = SshHosts(_home())
    checkouts: list[Checkout] = []
    unnamed: list[Unnamed] = []
    for place in places:
        if cancelled():
            raise Cancelled("looking for repositories was stopped")
        found = _look(place, hosts)
        if isinstance(found, Checkout):
            checkouts.append(found)
            if found.names:
                continue
            detail = f"{str(found.root)!r} has no remote on another machine; add one with `git remote add`"
            found = Unnamed(found.root, Why.NO_NAME, detail)
        unnamed.append(found)
    return Repositories(tuple(checkouts), tuple(unnamed))


class _Place:
    """Where a repository is; the fields are those of `Checkout`."""

    def __init__(self, root: Path, prefix: str, inside: str, nested: tuple[str, ...]) -> None:
        self.root = root
        self.prefix = prefix
        self.inside = inside
        self.nested = nested


def _look(place: _Place, hosts: SshHosts) -> Checkout | Unnamed:
    try:
        git = Git.around(place.root, ASK_SECONDS)
        answers = git.output("rev-parse", "--is-inside-work-tree", "--is-shallow-repository").split()
        if answers[0] != b"true":
            detail = f"the repository {str(place.root)!r} is bare, or its files are checked out elsewhere"
            return Unnamed(place.root, Why.NOT_CHECKED_OUT, detail)
        configuration = read_configuration(git.output("config", "--list", "-z", limit=MAX_CONFIGURATION_BYTES))
        branch = _branch(git)
        return Checkout(
            root=place.root,
            prefix=place.prefix,
            inside=place.inside,
            nested=place.nested,
            names=_names(configuration, branch, hosts),
            head=commit_of(git, "HEAD"),
            branch=branch,
            upstream=_upstream(git, branch),
            is_shallow=answers[1:] == [b"true"],
        )
    except GitMissing as error:
        return Unnamed(place.root, Why.NO_GIT, str(error))
    except HistoryError as error:
        return Unnamed(place.root, Why.REFUSED, f"the repository {str(place.root)!r} cannot be read: {error}")


def commit_of(git: Git, revision: str) -> str | None:
    """The full name of the commit that a revision is; None if the repository has no such commit."""
    try:
        found = git.output("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    except GitFailed:
        return None
    return found.decode("ascii", "replace").strip() or None


def _branch(git: Git) -> str | None:
    try:
        found = git.output("symbolic-ref", "--quiet", "HEAD").decode("utf-8", "replace").strip()
    except GitFailed:
        return None
    return found.removeprefix("refs/heads/") if found.startswith("refs/heads/") else None


def _upstream(git: Git, branch: str | None) -> str | None:
    if branch is None:
        return None
    found = git.output("for-each-ref", "--format=%(upstream)", f"refs/heads/{branch}")
    return found.decode("utf-8", "replace").strip() or None


def _names(configuration: Configuration, branch: str | None, hosts: SshHosts) -> tuple[str, ...]:
    named = (repository_name(address, hosts.real_host) for address in addresses(configuration, branch))
    return tuple(dict.fromkeys(name for name in named if name is not None))


def _folders(paths: Iterable[str]) -> list[str]:
    """Every folder that some path leads through, in order, without the workspace folder itself."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(found)


def _with_slash(path: str) -> str:
    return "" if path == "." else f"{path}/"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        # Nobody's account: there is no ssh configuration either.
        return Path("/")
