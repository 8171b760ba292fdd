"""One file as the graph reads it: its definitions, what it imports, what its variables hold and what it uses."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Protocol

from lurcher_index.graph.families import TYPES, Family, family_of
from lurcher_index.graph.values import Node
from lurcher_index.model import Edge, Hint, Import, Outline
from lurcher_index.nodes import format_node, outer_names, qualified_names, symbol_id, symbol_ids
from lurcher_index.store.catalog import FileRow
from lurcher_index.store.linkage import StoredLinks

_FEW_IDS = 32

Location = tuple[int, str]
"""A workspace folder and a folder in it."""


def location_of(folder_id: int, path: str) -> Location:
    """Where a file lies."""
    return folder_id, path.rpartition("/")[0]


class FileReader(Protocol):
    """Reads what files define and use."""

    def folder_of(self, row: FileRow) -> Path:
        """The workspace folder in which a file lies."""
        ...

    def outline_of(self, row: FileRow) -> Outline:
        """What a file defines."""
        ...

    def links_of(self, row: FileRow) -> StoredLinks:
        """What a file uses."""
        ...


class GraphFile:
    """A file of the workspace, or a document as an editor shows it.

    A common name is defined in a thousand of them, most of which are never looked into: what not all need is made late.
    """

    def __init__(self, row: FileRow, node_id: str, language: str, reader: FileReader) -> None:
        """Take what the index knows of it; outline and links are read when first needed."""
        self.row = row
        self.path = row.path
        self.place = location_of(row.folder_id, row.path)
        """Equal for files that lie beside each other."""
        self.id = node_id
        self.language = language
        self.family: Family = family_of(language)
        self._reader = reader

    @property
    def folder(self) -> Path:
        """The workspace folder in which it lies."""
        return self._reader.folder_of(self.row)

    @cached_property
    def _ids(self) -> dict[int, str]:
        return {}

    @cached_property
    def _hints(self) -> dict[str, dict[int, Hint]]:
        return {}

    @cached_property
    def outline(self) -> Outline:
        """Its definitions."""
        return self._reader.outline_of(self.row)

    @cached_property
    def links(self) -> StoredLinks:
        """What it uses."""
        return self._reader.links_of(self.row)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Its calls, imports and what its types inherit."""
        return self.links.edges

    def id_of(self, at: int) -> str:
        """The id of a symbol."""
        if at not in self._ids:
            # One by one each takes a look at all before it; a few are still cheaper than all of them.
            few = len(self._ids) < _FEW_IDS
            some = (
                {at: symbol_id(self.id, self.outline, at)}
                if few
                else dict(enumerate(symbol_ids(self.id, self.outline)))
            )
            self._ids.update(some)
        return self._ids[at]

    @cached_property
    def qualified(self) -> list[str]:
        """The name of each symbol with those of what it lies in."""
        return qualified_names(self.outline)

    @cached_property
    def imported(self) -> dict[str, Import]:
        """Imports by the name they have here; of two the later one counts."""
        return {each.local: each for each in self.links.imports if each.local}

    @cached_property
    def wildcards(self) -> list[str]:
        """Modules all of whose names can be used here."""
        if not self.links.imports:
            return [edge.name for edge in self.edges if edge.kind.value == "import"]
        return [each.module for each in self.links.imports if each.name == "*"]

    def _hints_of(self, variable: str) -> dict[int, Hint]:
        """What is known of the variables of a name, by what they lie in; few names of a file are ever asked about."""
        known = self._hints.get(variable)
        if known is None:
            known = dict[int, Hint]()
            for hint in self.links.hints:
                # A type that is written says more than a call whose result is not known.
                if hint.variable == variable and (
                    hint.symbol not in known or known[hint.symbol].is_call > hint.is_call
                ):
                    known[hint.symbol] = hint
            self._hints[variable] = known
        return known

    def hint(self, symbol: int, variable: str) -> Hint | None:
        """What a variable of a definition holds, or one of those around it."""
        hints = self._hints_of(variable)
        return next((hints[at] for at in self.around(symbol) if at in hints), None) if hints else None

    def is_hinted(self, variable: str) -> bool:
        """Whether anything is known of a variable of that name, whatever it lies in."""
        return bool(self._hints_of(variable))

    def field(self, type_at: int, name: str) -> Hint | None:
        """What a field of a type holds."""
        found = self._hints_of(name).get(type_at)
        if found is not None:
            return found
        for hint in self.links.hints:
            if hint.variable == "." + name and hint.symbol >= 0 and self.type_around(hint.symbol) == type_at:
                return hint
        return None

    def returned(self, symbol: int) -> Hint | None:
        """What a function returns, if it says so."""
        return self._hints_of("").get(symbol)

    def around(self, symbol: int) -> Iterator[int]:
        """A symbol and what it lies in, to the file itself (-1)."""
        seen: set[int] = set()
        while 0 <= symbol < len(self.outline.symbols) and symbol not in seen:
            seen.add(symbol)
            yield symbol
            symbol = self.outline.symbols[symbol].container
        yield -1

    def type_around(self, symbol: int) -> int:
        """The innermost type that a symbol lies in or is, -1 for none."""
        return next((at for at in self.around(symbol) if at >= 0 and self.outline.symbols[at].kind in TYPES), -1)

    def owner_around(self, symbol: int) -> str:
        """The name of the type that a symbol belongs to and that is defined elsewhere; empty for none."""
        owners = (self.outline.symbols[at].owner for at in self.around(symbol) if at >= 0)
        return next((owner for owner in owners if owner), "")

    def node(self, at: int) -> Node:
        """A definition as a node; -1 for the file itself."""
        if not 0 <= at < len(self.outline.symbols):
            return Node(
                id=format_node(self.id),
                kind="file",
                name=self.path.rpartition("/")[2],
                folder=str(self.folder),
                path=self.path,
                language=self.language,
                first_line=1,
                last_line=self.outline.line_count,
            )
        symbol = self.outline.symbols[at]
        return Node(
            id=self.id_of(at),
            kind=symbol.kind.value,
            name=symbol.name,
            container=".".join(outer_names(self.outline, at)),
            folder=str(self.folder),
            path=self.path,
            language=self.language,
            first_line=symbol.first_line,
            last_line=symbol.last_line,
            start=symbol.start,
            end=symbol.end,
            name_start=symbol.name_start,
            name_end=symbol.name_end,
        )
