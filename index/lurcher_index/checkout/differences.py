"""What differs between the files of a checkout and a commit. The files are compared here, never by git.

`git status` and `git diff` would run the filters that a repository configures. Git is asked only for lists: the files
of the commit, and the index with the status that each file had when git last saw it. The index is a memory of what
files hold and nothing else; whether a file is staged, assumed unchanged or in conflict does not matter.
"""

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from lurcher_index.checkout.bases import Base, bases
from lurcher_index.checkout.conversion import needs_sizes
from lurcher_index.checkout.hashing import HashMemory
from lurcher_index.checkout.identity import ASK_SECONDS, MAX_CONFIGURATION_BYTES
from lurcher_index.checkout.lists import Listed, Lists
from lurcher_index.checkout.missing import Missing
from lurcher_index.checkout.remotes import Configuration, read_configuration
from lurcher_index.checkout.trees import StagedFiles, Tree, tree_of
from lurcher_index.checkout.values import Checkout, Differences, Unknown
from lurcher_index.errors import BadFolder, Cancelled, HistoryError
from lurcher_index.history.git import Git

__all__ = ["HashMemory", "Lists", "differences"]

_FILES_BETWEEN_LOOKS = 512
"""Files that are compared before somebody is asked whether to go on: some milliseconds' worth."""

_HASHES = {40: "sha1", 64: "sha256"}
"""The hash of a repository, by the length of its names."""


def differences(
    checkout: Checkout,
    commit: str,
    listed: Iterable[str],
    *,
    memory: HashMemory | None = None,
    lists: Lists | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Differences | Unknown:
    """How the files of a checkout differ from a commit; `listed` are the paths of files in the workspace folder.

    Files that are there but not listed are ignored by our rules and count neither as changed nor as gone. If the
    repository does not know the commit, what the branch follows is taken for it, and the answer says so. `memory`
    saves reading files again whose status the index does not know; give the same one for the same checkout. `lists`
    saves asking git again what it has listed, while the repository is as it was.
    """
    ours = (checkout.in_repository(path) for path in listed)
    # In the order of the list: neighbours on disk are looked at one after the other.
    here = dict.fromkeys(path for path in ours if path is not None)
    lists = lists or Lists()
    try:
        held = lists.held(checkout, commit, here)
        if held is None:
            git = Git.around(checkout.root, ASK_SECONDS)
            found = _comparable(git, checkout, commit, here)
            if found is None:
                why = f"the commit {commit[:12]!r} is not in this repository, nor any branch of a remote"
                return Unknown(commit, why)
            if cancelled():
                raise _stopped()
            held = Listed(commit, *found, StagedFiles(git, checkout.prefix))
            lists.keep(held)
        base, tree, staged = held.base, held.tree, held.staged
    except (HistoryError, BadFolder) as error:
        return Unknown(commit, f"the repository cannot be read: {error}")
    memory = memory or HashMemory()
    changed, vanished = _compare(checkout.root, here, tree, staged, memory, cancelled)
    memory.keep_only(here)
    missing = Missing(checkout, staged, here)
    for count, path in enumerate([*(tree.blobs.keys() - here.keys()), *vanished]):
        if count % _FILES_BETWEEN_LOOKS == 0 and cancelled():
            raise _stopped()
        missing.look_for(path)
    return Differences(
        commit=commit,
        base=base.commit,
        changed=frozenset(changed),
        gone=frozenset(missing.gone),
        total=len(tree.blobs) - missing.unnameable,
        left_out=missing.left_out,
        unnameable=missing.unnameable,
        possibly_outdated=base.possibly_outdated,
    )


def _comparable(
    git: Git, checkout: Checkout, commit: str, here: Iterable[str]
) -> tuple[Configuration, Base, Tree] | None:
    """The best commit whose files can be listed: a partial clone may know a commit and lack its files."""
    configuration = read_configuration(git.output("config", "--list", "-z", limit=MAX_CONFIGURATION_BYTES))
    with_sizes = needs_sizes(configuration, checkout, here)
    for base in bases(git, checkout, commit):
        try:
            return configuration, base, tree_of(git, base.commit, checkout.prefix, with_sizes=with_sizes)
        except HistoryError:
            continue
    return None


def _compare(
    root: Path,
    here: Iterable[str],
    tree: Tree,
    staged: StagedFiles,
    memory: HashMemory,
    cancelled: Callable[[], bool],
) -> tuple[list[str], list[str]]:
    """The files that hold something else than the commit has in their place, and those that vanished meanwhile."""
    changed: list[str] = []
    vanished: list[str] = []
    for count, path in enumerate(here):
        if count % _FILES_BETWEEN_LOOKS == 0 and cancelled():
            raise _stopped()
        wanted = tree.blobs.get(path)
        if wanted is None:
            changed.append(path)
            continue
        try:
            found = os.lstat(f"{root}/{path}")
        except OSError:
            vanished.append(path)
            continue
        if not stat.S_ISREG(found.st_mode):
            vanished.append(path)
            continue
        # Git may have converted the file: then it holds other bytes than the commit, though git calls it the same.
        size = tree.sizes.get(path, found.st_size)
        holds = None
        if size == found.st_size:
            holds = staged.blob(path, found) or memory.blob(root, path, found, _HASHES[len(wanted)])
        elif size < found.st_size <= 2 * size:
            # Other line ends are no other text. No line is shorter than its end, so no file more than doubles.
            holds = memory.blob(root, path, found, _HASHES[len(wanted)], size)
        if holds != wanted:
            changed.append(path)
    return changed, vanished


def _stopped() -> Cancelled:
    return Cancelled("comparing the checkout with a commit was stopped")
