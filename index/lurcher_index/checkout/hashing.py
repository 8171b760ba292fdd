"""What a file holds, as the name that git would give it; a file whose status is the same is not read again."""

import hashlib
import os
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from lurcher_index.building.scan import COARSE_CLOCK_NS, FINE_CLOCK_NS

MAX_HASHED_BYTES = 64 << 20
"""Larger files are not read: they count as changed, and are too large to be searched anyway (1.5 MiB, `config`)."""

_SECOND = 1_000_000_000
_PIECE_BYTES = 1 << 20
# O_NONBLOCK: a pipe that took the file's place would be waited for. O_NOFOLLOW: a link would lead elsewhere.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)

_Status = tuple[int, int, int, int]


class HashMemory:
    """The names of contents that were read before, by path; for one working tree and one thread at a time."""

    def __init__(self) -> None:
        """Nothing is known at first, and nothing is kept on disk."""
        self._known: dict[str, tuple[_Status, int, str]] = {}

    def blob(self, root: Path, path: str, found: os.stat_result, algorithm: str, size: int | None = None) -> str | None:
        """The name of what a file holds now; `found` is its status. None if that cannot be told: it is too large,
        cannot be read, or changes meanwhile.

        With a `size` other than the file's, what it would hold if its lines ended as git stores them; None if that has
        not this size.
        """
        status = _status(found)
        stored = found.st_size if size is None else size
        known = self._known.get(path)
        if known is not None and known[:2] == (status, stored):
            return known[2]
        started = time.time_ns()
        name = _hashed(f"{root}/{path}", status, algorithm, stored)
        touched = max(found.st_mtime_ns, found.st_ctime_ns)
        # A file that is written twice within a tick of the clock looks the same both times.
        if name is not None and started - touched > (FINE_CLOCK_NS if touched % _SECOND else COARSE_CLOCK_NS):
            self._known[path] = (status, stored, name)
        return name

    def keep_only(self, paths: Collection[str]) -> None:
        """Forget all other files, so that the memory does not grow with every file that ever was."""
        if len(self._known) > len(paths):
            self._known = {path: known for path, known in self._known.items() if path in paths}


def _hashed(path: str, status: _Status, algorithm: str, stored: int) -> str | None:
    """`stored` are the bytes that the content has: fewer than the file's if its line ends were converted."""
    size = status[2]
    if size > MAX_HASHED_BYTES:
        return None
    digest = hashlib.new(algorithm, b"blob %d\0" % stored, usedforsecurity=False)
    left = stored
    try:
        number = os.open(path, _FLAGS)
        try:
            if _status(os.fstat(number)) != status:
                return None
            pieces = _pieces(number, size)
            for piece in pieces if stored == size else _with_plain_ends(pieces):
                left -= len(piece)
                digest.update(piece)
        finally:
            os.close(number)
    except OSError:
        return None
    return None if left else digest.hexdigest()


def _pieces(number: int, size: int) -> Iterator[bytes]:
    """What a file holds, and at most a byte more than it should: then it has grown."""
    left = size
    while left >= 0 and (piece := os.read(number, min(left, _PIECE_BYTES - 1) + 1)):
        left -= len(piece)
        yield piece


def _with_plain_ends(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same with a line feed alone at the ends of lines."""
    held = b""
    for piece in pieces:
        # What ends a piece may be half of a line's end.
        whole = held + piece
        held = whole[-1:] if whole.endswith(b"\r") else b""
        yield whole[: len(whole) - len(held)].replace(b"\r\n", b"\n")
    yield held


def _status(found: os.stat_result) -> _Status:
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
