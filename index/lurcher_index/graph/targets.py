"""The definitions that somebody asks about."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from lurcher_index.graph.families import Family, family_of
from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.namesakes import Entry, Placing

Definition = tuple[GraphFile, int]
"""A file and the index of the symbol in it; -1 for the file itself."""


class Targets(Protocol):
    """Some definitions, to count them, to show the first and to ask whether one is among them."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __iter__(self) -> Iterator[Definition]:
        """All of them."""
        ...

    def first(self, count: int) -> Sequence[Definition]:
        """The first of them."""
        ...

    def in_file(self, file: GraphFile) -> Sequence[int]:
        """The symbols of a file that are among them."""
        ...

    def of_family(self, family: Family) -> Definition | None:
        """The first of them in a family of languages."""
        ...


class FewTargets:
    """Definitions that are all made."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        """Take them."""
        self._all = definitions
        self._in: dict[str, list[int]] = {}
        for file, at in definitions:
            self._in.setdefault(file.id, []).append(at)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._all)

    def __iter__(self) -> Iterator[Definition]:
        """All of them."""
        return iter(self._all)

    def first(self, count: int) -> Sequence[Definition]:
        """The first of them."""
        return self._all[:count]

    def in_file(self, file: GraphFile) -> Sequence[int]:
        """The symbols of a file that are among them."""
        return self._in.get(file.id, ())

    def of_family(self, family: Family) -> Definition | None:
        """The first of them in a family of languages."""
        return next((each for each in self._all if each[0].family == family), None)


class ManyTargets:
    """All definitions of a common name, which are made when one is looked at."""

    def __init__(self, placing: Placing, entries: Sequence[Entry]) -> None:
        """Take what the table of files says about them."""
        self._placing = placing
        self._entries = entries
        self._in: dict[int, list[int]] = {}
        for stored, at, _, _ in entries:
            self._in.setdefault(stored[0], []).append(at)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._entries)

    def __iter__(self) -> Iterator[Definition]:
        """All of them."""
        return (self._made(each) for each in self._entries)

    def first(self, count: int) -> Sequence[Definition]:
        """The first of them."""
        return [self._made(each) for each in self._entries[:count]]

    def in_file(self, file: GraphFile) -> Sequence[int]:
        """The symbols of a file that are among them."""
        return self._in.get(file.row.file_id, ())

    def of_family(self, family: Family) -> Definition | None:
        """The first of them in a family of languages."""
        return next((self._made(each) for each in self._entries if family_of(each[0][8]) == family), None)

    def _made(self, entry: Entry) -> Definition:
        return self._placing.file_of(entry[0]), entry[1]
