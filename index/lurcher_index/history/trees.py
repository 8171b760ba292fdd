"""A folder that holds a tree of the past and moves from one commit to the next, writing only what differs."""

import errno
from pathlib import Path

from lurcher_index.errors import HistoryError
from lurcher_index.history.changes import Change, changes, empty_tree
from lurcher_index.history.git import Git

MAX_TREE_BYTES = 8 << 30
"""Most bytes a tree may take on disk. The Linux kernel takes a fifth of it; a small repository can be made to hold a
tree without end, by naming the same content again and again."""

_CANNOT_BE_NAMED = frozenset(
    {errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ENOTDIR, errno.EEXIST, errno.EISDIR}
)
"""The system refuses the name, or the tree names a file and a folder alike."""


class PastTree:
    """One folder, filled from a repository. Links and submodules are left out, and so are files that are too large."""

    def __init__(self, git: Git, inside: str, folder: Path, largest: int) -> None:
        """`folder` must be empty and nobody else's: paths are checked, but links in it would be followed."""
        self.folder = folder
        self._git = git
        self._inside = inside
        self._largest = largest
        self._at = empty_tree(git)
        self._sizes: dict[str, int] = {}
        self._bytes = 0
        # The ignore rules of whatever the folder lies in end here.
        (folder / ".git").mkdir()

    def move_to(self, commit: str) -> tuple[Path, ...]:
        """Make the folder hold the tree of a commit; the paths that were written or removed."""
        moved = changes(self._git, self._at, commit, self._inside, renames=False)
        touched: dict[Path, None] = {}
        for change in moved:
            # Removed first: a folder may take the place of a file, or a link's name be taken by one.
            if change.before is not None:
                self._remove(change.before)
                touched[self.folder / change.before] = None
        written = [change for change in moved if change.after is not None]
        for path in self._write(written):
            touched[path] = None
        self._at = commit
        return tuple(touched)

    def _write(self, wanted: list[Change]) -> list[Path]:
        written: list[Path] = []
        contents = self._git.objects((change.blob for change in wanted), self._largest)
        for change, content in zip(wanted, contents, strict=True):
            if change.after is not None and content.data is not None and self._put(change.after, content.data):
                written.append(self.folder / change.after)
        return written

    def _put(self, path: str, data: bytes) -> bool:
        self._bytes += len(data) - self._sizes.pop(path, 0)
        if self._bytes > MAX_TREE_BYTES:
            raise HistoryError(f"the tree of a commit takes more than {MAX_TREE_BYTES >> 30} GiB; it is not written")
        place = self.folder / path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        except OSError as error:
            self._bytes -= len(data)
            if error.errno in _CANNOT_BE_NAMED:
                return False
            raise HistoryError(f"a tree of the past cannot be written to {place.parent}: {error.strerror}") from None
        self._sizes[path] = len(data)
        return True

    def _remove(self, path: str) -> None:
        if path not in self._sizes:
            return
        self._bytes -= self._sizes.pop(path)
        place = self.folder / path
        place.unlink(missing_ok=True)
        # A folder without files is in no tree; a file may get its name.
        for above in place.parents:
            if above == self.folder or any(above.iterdir()):
                break
            above.rmdir()
