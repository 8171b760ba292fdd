"""The definitions of one name.

A common one has thousands, of which few are ever looked at. They are chosen by what the table of files says, before
anything is made for them.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from lurcher_index.graph.files import GraphFile, Location, location_of
from lurcher_index.model import SymbolKind
from lurcher_index.store.catalog import StoredFile
from lurcher_index.store.names import DefinedRow, Definitions

MAX_SPOTS = 2_000
"""Definitions of one name that are told apart. A name with more of them (`String` in a very large tree) says little."""


FEW = 50
"""Definitions that are looked through one by one; more are chosen by their numbers."""


class Spot(NamedTuple):
    """A definition: its file, its index there, its kind and the key of the name of what it lies in (0 for nothing)."""

    file: GraphFile
    symbol: int
    kind: SymbolKind
    container: int


Entry = tuple[StoredFile, int, SymbolKind, int]
"""The same before the file is made."""


class Placing(Protocol):
    """Knows the files of a view by the numbers of their contents."""

    def entries(self, defined: Sequence[DefinedRow]) -> list[Entry]:
        """Definitions with their files; a content that several files have gives one for each."""
        ...

    def file_of(self, stored: StoredFile) -> GraphFile:
        """The file of a row."""
        ...


class Named:
    """What the index and the open documents define by one name, as numbers."""

    def __init__(self, placing: Placing, stored: Definitions, shown: Sequence[DefinedRow]) -> None:
        """Take what both define."""
        self._placing = placing
        self._stored = stored
        self._shown = shown
        self._all: list[Entry] | None = None

    def __bool__(self) -> bool:
        """Whether there is any."""
        return len(self._stored) + len(self._shown) > 0

    def all(self) -> list[Entry]:
        """Every one, in the order of files and of the text."""
        if self._all is None:
            self._all = self._placing.entries([*self._stored.rows(MAX_SPOTS), *self._shown])
        return self._all

    @property
    def are_listed(self) -> bool:
        """Whether somebody has asked for every one, so that choosing by numbers would be more work."""
        return self._all is not None and len(self._stored) <= MAX_SPOTS

    def of_kinds(self, kinds: frozenset[SymbolKind]) -> list[Entry]:
        """Those of some kinds."""
        if self._all is not None and self.are_listed:
            return [each for each in self._all if each[2] in kinds]
        shown = [each for each in self._shown if each[2] in kinds]
        if len(self._stored) <= FEW:
            return self._placing.entries([*(each for each in self._stored.rows() if each[2] in kinds), *shown])
        return self._placing.entries([*self._stored.of_kinds(kinds).rows(MAX_SPOTS), *shown])

    def in_container(self, key: int) -> list[Entry]:
        """Those that lie in something of a name, by the name's key."""
        shown = [each for each in self._shown if each[3] == key]
        if len(self._stored) <= FEW:
            return self._placing.entries([*(each for each in self._stored.rows() if each[3] == key), *shown])
        return self._placing.entries([*self._stored.in_container(key).rows(MAX_SPOTS), *shown])

    def spots(self, entries: Iterable[Entry]) -> list[Spot]:
        """Some of them with their files."""
        file_of = self._placing.file_of
        return [Spot(file_of(stored), at, kind, around) for stored, at, kind, around in entries]


class Namesakes:
    """All definitions of one name in one family of languages."""

    def __init__(self, named: Named, languages: Collection[str]) -> None:
        """Take the definitions and the languages of the family among them."""
        self._named = named
        self._languages = languages
        self._of_kinds: dict[frozenset[SymbolKind], list[Entry]] = {}
        self._made: dict[frozenset[SymbolKind], list[Spot]] = {}
        self._beside: dict[frozenset[SymbolKind], dict[Location, list[Entry]]] = {}
        self._in_container: dict[int, list[Spot]] = {}
        self._folders: dict[Location, list[Entry]] | None = None
        self._all: list[Spot] | None = None

    def all(self) -> list[Spot]:
        """Every one, in the order of files and of the text."""
        if self._all is None:
            self._all = self._named.spots(self._own(self._named.all()))
        return self._all

    def entries(self, kinds: frozenset[SymbolKind]) -> list[Entry]:
        """Those of some kinds, before their files are made: to count them."""
        if kinds not in self._of_kinds:
            self._of_kinds[kinds] = self._own(self._named.of_kinds(kinds))
        return self._of_kinds[kinds]

    def of_kinds(self, kinds: frozenset[SymbolKind]) -> list[Spot]:
        """Those of some kinds."""
        if kinds not in self._made:
            self._made[kinds] = self._named.spots(self.entries(kinds))
        return self._made[kinds]

    def beside(self, kinds: frozenset[SymbolKind], place: Location) -> list[Spot]:
        """Those of some kinds that lie in one folder."""
        if self._named.are_listed:
            found = [each for each in self.by_folder().get(place, ()) if each[2] in kinds]
        else:
            if kinds not in self._beside:
                self._beside[kinds] = _by_place(self.entries(kinds))
            found = self._beside[kinds].get(place, [])
        return self._named.spots(found)

    def in_container(self, key: int) -> list[Spot]:
        """Those that lie in something of a name, by the name's key."""
        if key not in self._in_container:
            self._in_container[key] = self._named.spots(self._own(self._named.in_container(key)))
        return self._in_container[key]

    def by_folder(self) -> dict[Location, list[Entry]]:
        """All of them by where they lie."""
        if self._folders is None:
            self._folders = _by_place(self._own(self._named.all()))
        return self._folders

    def spots(self, entries: Iterable[Entry]) -> list[Spot]:
        """Some of them with their files."""
        return self._named.spots(entries)

    def _own(self, entries: list[Entry]) -> list[Entry]:
        return [each for each in entries if each[0][8] in self._languages]


def _by_place(entries: Iterable[Entry]) -> dict[Location, list[Entry]]:
    found: dict[Location, list[Entry]] = {}
    for each in entries:
        found.setdefault(location_of(each[0][1], each[0][2]), []).append(each)
    return found
