"""A history replayed: every question beside the tree as it was when the answer was still to be found."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lurcher_index.config import MAX_FILE_BYTES
from lurcher_index.history.mining import Commit, Mined
from lurcher_index.history.trees import PastTree


@dataclass(frozen=True, slots=True)
class Case:
    """One question, its answer, and the folder it is asked of."""

    commit: Commit
    folder: Path
    """Holds the tree of the commit's parent until the next case is asked for."""
    moved: tuple[Path, ...]
    """What changed in the folder since the case before, for an index that follows."""

    @property
    def question(self) -> str:
        """The commit's message, cleaned."""
        return self.commit.question

    @property
    def targets(self) -> tuple[str, ...]:
        """The files that the commit changed, relative to the folder."""
        return self.commit.targets


def replay(mined: Mined, folder: Path, largest: int = MAX_FILE_BYTES) -> Iterator[Case]:
    """The cases of a history, oldest first; `folder` must be empty, and is moved on with every case.

    Files of more than `largest` bytes are not written.

    >>> with TemporaryDirectory() as temporary:
    ...     for case in replay(mine(Path("path/to/checkout")), Path(temporary)):
    ...         print(case.question, case.targets, case.folder)
    """
    tree = PastTree(mined.git, mined.inside, folder, largest)
    for commit in reversed(mined.commits):
        moved = tree.move_to(commit.parent)
        yield Case(commit, folder, moved)
