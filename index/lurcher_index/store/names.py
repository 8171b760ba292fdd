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


class Defined(NamedTuple):
    """A definition, by numbers."""

    content_id: int
    symbol: int
    kind: SymbolKind
    container: int
    """Key of the name of what it lies in, 0 for nothing."""


DefinedRow = tuple[int, int, SymbolKind, int]
"""The same without names for its parts, for where there are thousands."""


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
        return [Defined(*row) for row in self.definitions(key).rows()]

    def definitions(self, key: int) -> "Definitions":
        """The same, to choose from before they are made into values."""
        with self._turn:
            contents, containers, places = self._defined.find(key)
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

    def rows(self, most: int | None = None) -> list[DefinedRow]:
        """Every one, or the first of them."""
        places: list[int] = self._places[:most].tolist()
        symbols = [place >> KIND_BITS for place in places]
        kinds = [_KIND_AT[place & _KIND_MASK] for place in places]
        return list(zip(self._contents[:most].tolist(), symbols, kinds, self._containers[:most].tolist(), strict=True))

    def of_kinds(self, kinds: frozenset[SymbolKind]) -> "Definitions":
        """Those of some kinds."""
        return self._where(_are_among(kinds)[self._places & np.uint32(_KIND_MASK)])

    def in_container(self, key: int) -> "Definitions":
        """Those that lie in something of a name."""
        return self._where(self._containers == np.uint32(key))

    def _where(self, wanted: NDArray[np.bool_]) -> "Definitions":
        if not len(wanted):
            return self
        return Definitions(self._contents[wanted], self._containers[wanted], self._places[wanted])


@cache
def _are_among(kinds: frozenset[SymbolKind]) -> NDArray[np.bool_]:
    """For every number of a kind whether that kind is wanted."""
    return np.array([kind in kinds for kind in _KIND_AT], np.bool_)


class _Keys:
    """Rows that begin with a key, found by it: a part in the order of the keys and, behind it, what came since.

    What has one key lies together, so that a question touches one place of the memory, not as many as there are rows.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._keys: _Numbers = np.empty(0, np.uint32)
        self._columns: list[_Numbers] = [np.empty(0, np.uint32) for _ in range(width)]
        self._late_keys: _Numbers = np.empty(0, np.uint32)
        self._late: list[_Numbers] = [np.empty(0, np.uint32) for _ in range(width)]

    def add(self, numbers: Sequence[int], packed: Sequence[bytes]) -> None:
        step = 4 * self._width
        lengths = np.fromiter(map(len, packed), np.int64, len(packed))
        if (lengths % step).any():
            # Cut to whole rows: what is damaged must not shift what follows.
            packed = [each[: len(each) - len(each) % step] for each in packed]
        rows = np.frombuffer(b"".join(packed), "<u4").astype(np.uint32, copy=False).reshape(-1, self._width)
        contents = np.repeat(np.array(numbers, np.uint32), lengths // step)
        added = [contents, *(rows[:, at] for at in range(1, self._width))]
        self._late_keys = np.concatenate([self._late_keys, rows[:, 0]])
        self._late = [np.concatenate(pair) for pair in zip(self._late, added, strict=True)]
        if len(self._late_keys) > TAIL:
            self._sort()

    def _sort(self) -> None:
        keys = np.concatenate([self._keys, self._late_keys])
        # With their places behind them rows of one key stay in their order, and sorting takes a fifth of the time.
        placed = keys.astype(np.uint64) << _HALF | np.arange(len(keys), dtype=np.uint64)
        placed.sort()
        order = (placed & _LOWER).astype(np.int64)
        self._columns = [np.concatenate(pair)[order] for pair in zip(self._columns, self._late, strict=True)]
        self._keys = (placed >> _HALF).astype(np.uint32)
        self._late_keys = self._late_keys[:0].copy()
        self._late = [column[:0].copy() for column in self._late]

    def find(self, key: int) -> list[_Numbers]:
        """Contents and the other columns of the rows with a key."""
        wanted = np.uint32(key)
        first, end = self._keys.searchsorted(wanted, "left"), self._keys.searchsorted(wanted, "right")
        found = [column[first:end] for column in self._columns]
        if not len(self._late_keys):
            return found
        late = np.flatnonzero(self._late_keys == wanted)
        return [np.concatenate([old, new[late]]) for old, new in zip(found, self._late, strict=True)]
