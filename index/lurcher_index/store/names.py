"""Which contents define or use a name: all keys of the index in a few arrays in memory, kept up to date.

A content's number never changes its meaning and numbers only grow, so that only those above the last one seen are read.
"""

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.model import SymbolKind
from lurcher_index.store.linkage import KIND_BITS, KINDS

TAIL = 50_000
"""Keys that are searched one by one before all are sorted anew: a tenth of a millisecond, against 20 ms for sorting."""

Rows = Sequence[tuple[int, bytes, bytes]]
"""Number of a content, what it defines and what it uses, packed."""

_Numbers = NDArray[np.uint32]
_Places = NDArray[np.int64]


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
        self._defined = _Keys(3)
        self._used = _Keys(1)

    def add(self, rows: Rows) -> None:
        """Take contents with greater numbers than all before; others, which another thread has added, are ignored."""
        with self._turn:
            new = [row for row in rows if row[0] > self.last]
            if not new:
                return
            numbers = [row[0] for row in new]
            self._defined.add(numbers, [row[1] for row in new])
            self._used.add(numbers, [row[2] for row in new])
            self.last = max(numbers)

    def defining(self, key: int) -> list[Defined]:
        """Definitions of a name, in the order of contents and of the text."""
        mask = (1 << KIND_BITS) - 1
        with self._turn:
            contents, columns = self._defined.find(key)
        return [
            Defined(content_id, place >> KIND_BITS, KINDS[min(place & mask, len(KINDS) - 1)], container)
            for content_id, container, place in zip(contents, columns[0], columns[1], strict=True)
        ]

    def using(self, key: int) -> list[int]:
        """Contents that use a name, in the order of their numbers."""
        with self._turn:
            return self._used.find(key)[0]


class _Keys:
    """Rows that begin with a key, found by it: a sorted part and, behind it, what came since."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._rows: list[_Numbers] = [np.empty(0, np.uint32) for _ in range(width)]
        self._contents: _Numbers = np.empty(0, np.uint32)
        self._sorted: _Numbers = np.empty(0, np.uint32)
        self._order: _Places = np.empty(0, np.int64)

    def add(self, numbers: Sequence[int], packed: Sequence[bytes]) -> None:
        step = 4 * self._width
        # Cut to whole rows: what is damaged must not shift what follows.
        whole = b"".join(each[: len(each) - len(each) % step] for each in packed)
        rows = np.frombuffer(whole, "<u4").astype(np.uint32, copy=False).reshape(-1, self._width)
        counts = [len(each) // step for each in packed]
        self._contents = np.concatenate([self._contents, np.repeat(np.array(numbers, np.uint32), counts)])
        self._rows = [np.concatenate([old, rows[:, at]]) for at, old in enumerate(self._rows)]
        if len(self._contents) - len(self._sorted) > TAIL:
            # Rows of one key stay in their order.
            self._order = np.argsort(self._rows[0], kind="stable")
            self._sorted = self._rows[0][self._order]

    def find(self, key: int) -> tuple[list[int], list[list[int]]]:
        """Contents and the other columns of the rows with a key."""
        wanted = np.uint32(key)
        first, end = np.searchsorted(self._sorted, wanted, "left"), np.searchsorted(self._sorted, wanted, "right")
        tail = np.flatnonzero(self._rows[0][len(self._sorted) :] == wanted) + len(self._sorted)
        at = np.concatenate([self._order[first:end], tail])
        return self._contents[at].tolist(), [column[at].tolist() for column in self._rows[1:]]
