"""What git has listed of a repository, kept while the repository is as it was: to list it again takes longer than to
look at all files."""

import time
from collections.abc import Callable, Collection

import msgspec

from lurcher_index.checkout.bases import Base
from lurcher_index.checkout.conversion import needs_sizes
from lurcher_index.checkout.remotes import Configuration
from lurcher_index.checkout.stamps import Stamp, stamp
from lurcher_index.checkout.trees import StagedFiles, Tree
from lurcher_index.checkout.values import Checkout

KEPT_SECONDS = 600.0
"""How long lists are believed at most. Stamps do not notice what the person's own configuration of git says."""

MOST_FILES = 200_000
"""Files of a commit up to which its lists are kept, about 100 MB; of larger ones they are made anew each time."""


class Listed(msgspec.Struct, frozen=True):
    """What git says of a commit, and of the files that it last saw."""

    commit: str
    """The one that was asked for."""
    configuration: Configuration
    base: Base
    tree: Tree
    staged: StagedFiles


class Lists:
    """The lists of one checkout, for one thread at a time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is listed yet."""
        self._clock = clock
        self._known: tuple[Stamp, float, Listed] | None = None
        self._asked: tuple[Stamp, float] = ((), 0.0)

    def held(self, checkout: Checkout, commit: str, here: Collection[str]) -> Listed | None:
        """What was listed, if it would be listed so again; `here` are the paths of the files that are there."""
        # Taken before git is asked: what git does meanwhile makes another stamp.
        self._asked = now = (stamp(checkout), self._clock())
        if self._known is None:
            return None
        mark, since, listed = self._known
        if not mark or mark != now[0] or now[1] - since >= KEPT_SECONDS or listed.commit != commit:
            return None
        # Without sizes there are none in it, unless the commit has no files.
        if bool(listed.tree.sizes) != needs_sizes(listed.configuration, checkout, here):
            return None
        return listed

    def keep(self, listed: Listed) -> None:
        """Remember what git said since `held` was asked, in place of what it said before."""
        self._known = (*self._asked, listed) if len(listed.tree.blobs) <= MOST_FILES else None
