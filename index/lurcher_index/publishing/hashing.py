"""The hashes of a commit's contents, as an index knows them. Git's own names of contents are of no use for that."""

from collections.abc import Callable, Iterable
from hashlib import blake2b

from lurcher_index.errors import Cancelled
from lurcher_index.history.git import Git
from lurcher_index.publishing.source import Entry
from lurcher_index.remote.engines.marks import HASH_BYTES

SLICE_BYTES = 256 << 20
"""Read in one run of git, whose time is limited: some seconds."""


class Hashes:
    """Remembers the hash of every object that was read, so that a publish that is repeated reads none twice."""

    def __init__(self, git: Git) -> None:
        """Nothing is read yet."""
        self._git = git
        self._known: dict[str, bytes] = {}

    def of(self, entries: Iterable[Entry], cancelled: Callable[[], bool]) -> dict[str, bytes]:
        """`Document.content_hash` of each path."""
        wanted = list(entries)
        unread = {each.blob: each for each in wanted if each.blob not in self._known}
        for some in slices(unread.values(), SLICE_BYTES):
            largest = max(each.size for each in some)
            for entry, stored in zip(some, self._git.objects((each.blob for each in some), largest), strict=True):
                if cancelled():
                    raise Cancelled("stopped before anything was sent")
                self._known[entry.blob] = blake2b(stored.data or b"", digest_size=HASH_BYTES).digest()
        return {each.path: self._known[each.blob] for each in wanted}


def slices(entries: Iterable[Entry], most_bytes: int) -> Iterable[list[Entry]]:
    """Entries in their order, in lists that hold no more than so many bytes, or one entry."""
    here: list[Entry] = []
    size = 0
    for entry in entries:
        if here and size + entry.size > most_bytes:
            yield here
            here, size = [], 0
        here.append(entry)
        size += entry.size
    if here:
        yield here
