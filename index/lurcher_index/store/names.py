"""Which contents define or use a name: all keys of the index in a few arrays in memory, kept up to date.

A content's number never changes its meaning and numbers only grow, so that only those above the last one seen are read.
"""

import threading
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.model import SymbolKind
from lurcher_index.store.linkage import KIND_BITS, KINDS

Rows = Iterable[tuple[int, bytes, bytes]]
"""Number of a content, what it defines and what it uses, packed."""

_Numbers = NDArray[np.uint32]


class Defined(NamedTuple):
    """A definition, by numbers."""

    content_id: int
    symbol: int
    kind: SymbolKind
    container: int
    """Key of the name of what it lies in, 0 for nothing."""


class NameTable:
    """The keys of some contents. Thread-safe."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.last = 0
        self._turn = threading.Lock()
        self._defined: _Numbers = np.empty((0, 3), np.uint32)
        self._defined_in: _Numbers = np.empty(0, np.uint32)
        self._used: _Numbers = np.empty(0, np.uint32)
        self._used_in: _Numbers = np.empty(0, np.uint32)

    def add(self, rows: Rows) -> None:
        """Take contents with greater numbers than all before; others, which another thread has added, are ignored."""
        with self._turn:
            new = [row for row in rows if row[0] > self.last]
            if not new:
                return
            numbers = np.array([row[0] for row in new], np.uint32)
            defined = _joined(row[1] for row in new)
            used = _joined(row[2] for row in new)
            # Cut to whole numbers: what is damaged must not shift what follows.
            defined_counts = [len(row[1]) // 12 for row in new]
            used_counts = [len(row[2]) // 4 for row in new]
            # Each array is replaced whole, so that a reader sees the old or the new one.
            self._defined_in = np.concatenate([self._defined_in, np.repeat(numbers, defined_counts)])
            self._defined = np.concatenate([self._defined, defined[: sum(defined_counts) * 3].reshape(-1, 3)])
            self._used_in = np.concatenate([self._used_in, np.repeat(numbers, used_counts)])
            self._used = np.concatenate([self._used, used])
            self.last = max(self.last, int(numbers.max()))

    def defining(self, key: int) -> list[Defined]:
        """Definitions of a name, in the order of contents and of the text."""
        with self._turn:
            defined, contents = self._defined, self._defined_in
        at = np.flatnonzero(defined[:, 0] == key)
        mask = (1 << KIND_BITS) - 1
        return [
            Defined(content_id, place >> KIND_BITS, KINDS[min(place & mask, len(KINDS) - 1)], container)
            for content_id, container, place in zip(
                contents[at].tolist(), defined[at, 1].tolist(), defined[at, 2].tolist(), strict=True
            )
        ]

    def using(self, key: int) -> list[int]:
        """Contents that use a name, in the order of their numbers."""
        with self._turn:
            used, contents = self._used, self._used_in
        found: list[int] = contents[np.flatnonzero(used == key)].tolist()
        return found


def _joined(parts: Iterable[bytes]) -> _Numbers:
    whole = b"".join(part[: len(part) - len(part) % 4] for part in parts)
    return np.frombuffer(whole, "<u4").astype(np.uint32, copy=False)
