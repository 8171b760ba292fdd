"""Which contents define or use a name: all keys of the index in a few arrays in memory, kept up to date.

A content's number never changes its meaning and numbers only grow, so that only those above the last one seen are read.
"""

import threading
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.model import SymbolKind
from lurcher_index.store.linkage import KIND_BITS, KINDS

TAIL = 50_000
"""Keys that are searched one by one before all are sorted anew: a tenth of a millisecond, against 10 ms for sorting."""

Rows = Sequence[tuple[int, bytes, bytes]]
"""Number of a content, what it defines and what it uses, packed."""

_KIND_MASK = (1 << KIND_BITS) - 1
_KIND_AT = (*KINDS, *([KINDS[-1]] * (_KIND_MASK + 1 - len(KINDS))))
"""The kind of every number that is possible, also of those that only a damaged row can have."""

_HALF, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)

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
        return self.definitions(key).all()

    def definitions(self, key: int) -> "Definitions":
        """The same, to choose from before they are made into values."""
        with self._turn:
            contents, (containers, places) = self._defined.find(key)
        return Definitions(contents, containers, places)

    def using(self, key: int) -> list[int]:
        """Contents that use a name, in the order of their numbers."""
        with self._turn:
            found: list[int] = self._used.find(key)[0].tolist()
            return found


class Definitions:
    """Definitions of one name as columns of numbers. A common name has thousands, of which few are ever looked at."""

    def __init__(self, contents: _Numbers, containers: _Numbers, places: _Numbers) -> None:
        """Take the columns."""
        self._contents = contents
        self._containers = containers
        self._places = places

    def __len__(self) -> int:
        """How many there are."""
        return len(self._contents)

    def all(self) -> list[Defined]:
        """Every one."""
        places: list[int] = self._places.tolist()
        symbols = [place >> KIND_BITS for place in places]
        kinds = [_KIND_AT[place & _KIND_MASK] for place in places]
        rows = zip(self._contents.tolist(), symbols, kinds, self._containers.tolist(), strict=True)
        return list(map(Defined._make, rows))

    def of_kinds(self, kinds: frozenset[SymbolKind]) -> list[Defined]:
        """Those of some kinds."""
        return self._where(_are_among(kinds)[self._places & np.uint32(_KIND_MASK)])

    def in_container(self, key: int) -> list[Defined]:
        """Those that lie in something of a name."""
        return self._where(self._containers == np.uint32(key))

    def _where(self, wanted: NDArray[np.bool_]) -> list[Defined]:
        return Definitions(self._contents[wanted], self._containers[wanted], self._places[wanted]).all()


@cache
def _are_among(kinds: frozenset[SymbolKind]) -> NDArray[np.bool_]:
    """For every number of a kind whether that kind is wanted."""
    return np.array([kind in kinds for kind in _KIND_AT], np.bool_)


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
        lengths = np.fromiter(map(len, packed), np.int64, len(packed))
        if (lengths % step).any():
            # Cut to whole rows: what is damaged must not shift what follows.
            packed = [each[: len(each) - len(each) % step] for each in packed]
        rows = np.frombuffer(b"".join(packed), "<u4").astype(np.uint32, copy=False).reshape(-1, self._width)
        contents = np.repeat(np.array(numbers, np.uint32), lengths // step)
        self._contents = np.concatenate([self._contents, contents])
        self._rows = [np.concatenate([old, rows[:, at]]) for at, old in enumerate(self._rows)]
        if len(self._contents) - len(self._sorted) > TAIL:
            # With their places behind them rows of one key stay in their order, and sorting takes a fifth of the time.
            placed = self._rows[0].astype(np.uint64) << _HALF | np.arange(len(self._rows[0]), dtype=np.uint64)
            placed.sort()
            self._order = (placed & _LOWER).astype(np.int64)
            self._sorted = (placed >> _HALF).astype(np.uint32)

    def find(self, key: int) -> tuple[_Numbers, list[_Numbers]]:
        """Contents and the other columns of the rows with a key."""
        wanted = np.uint32(key)
        first, end = np.searchsorted(self._sorted, wanted, "left"), np.searchsorted(self._sorted, wanted, "right")
        tail = self._rows[0][len(self._sorted) :]
        at = np.concatenate([self._order[first:end], np.flatnonzero(tail == wanted) + len(self._sorted)])
        return self._contents[at], [column[at] for column in self._rows[1:]]
