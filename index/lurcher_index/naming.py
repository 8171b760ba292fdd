"""Symbols by name: of the whole workspace, for a few typed letters, or of one document, in their order."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from lurcher_index.model import Outline, Symbol
from lurcher_index.nodes import symbol_ids
from lurcher_index.presenting import described
from lurcher_index.store.catalog import FileRow
from lurcher_index.text.lines import line_at, line_starts
from lurcher_index.view import View
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import understand

CANDIDATES = 400
"""Chunks whose symbols are looked at. Names weigh most in their order, so that what matches well is among the first."""


class NamedSymbol(msgspec.Struct, frozen=True):
    """A definition and where it is."""

    symbol: Symbol
    container: str
    folder: str
    path: str
    version: int | None = None
    node: str = ""
    """Its id in the graph, without the label of its folder."""


class DocumentOutline:
    """All definitions of one document, with the text their offsets refer to."""

    def __init__(self, outline: Outline, data: bytes) -> None:
        """Take both, and find where the lines begin."""
        self.outline = outline
        self._data = data
        self._starts = line_starts(data) or [0]

    def place(self, offset: int) -> tuple[int, str]:
        """The line, from 0, that an offset lies on, and what stands before it there."""
        line = max(0, line_at(self._starts, offset) - 1)
        return line, self._data[self._starts[line] : offset].decode("utf-8", "replace")

    def line(self, number: int) -> bytes:
        """A line, counted from 0, without its end; empty where there is none."""
        if not 0 <= number < len(self._starts):
            return b""
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._data)
        return self._data[self._starts[number] : end].rstrip(b"\r\n")


def find_symbols(view: View, name: str, limit: int | None, languages: tuple[str, ...] = ()) -> list[NamedSymbol]:
    """Symbols whose name holds what was typed, best first: the whole name, its beginning, a part, its letters in order.

    An empty name finds nothing: a list of everything helps nobody. No languages means all of them.
    """
    if not name.strip():
        return []
    candidates = view.words(understand(name), Filters(languages=languages), CANDIDATES)
    rows = view.rows({candidate.file_id for candidate in candidates})
    found: dict[tuple[int, int], tuple[int, int, NamedSymbol]] = {}
    ids: dict[int, list[str]] = {}
    for rank, candidate in enumerate(candidates):
        row = rows.get(candidate.file_id)
        outline = view.outline_of(row) if row is not None else None
        if row is None or outline is None or candidate.ordinal >= len(outline.chunks):
            continue
        chunk = outline.chunks[candidate.ordinal]
        for at, symbol in enumerate(outline.symbols):
            closeness = _closeness(name, symbol.name) if chunk.start <= symbol.name_start < chunk.end else None
            if closeness is not None:
                nodes = ids.get(row.file_id) or ids.setdefault(row.file_id, symbol_ids(row.path, outline))
                found.setdefault((row.file_id, at), (closeness, rank, _named(view, row, outline, at, nodes[at])))
    best = sorted(found.values(), key=lambda each: (each[0], len(each[2].symbol.name), each[1]))
    return [named for _, _, named in best[:limit]]


def outline_of_document(view: View, path: Path) -> DocumentOutline | None:
    """The definitions of a document as an editor shows it, or as it is on disk; None if it is not in the index."""
    row = view.row_at(path)
    if row is None:
        return None
    text, outline = view.text_of(row), view.outline_of(row)
    # A file that has just changed has other lines than its outline knows; soon it has another outline.
    is_current = row.file_id < 0 or view.is_unchanged(row)
    return DocumentOutline(outline, text.data) if text is not None and outline is not None and is_current else None


def _named(view: View, row: FileRow, outline: Outline, at: int, node: str) -> NamedSymbol:
    container = described(outline, at).container
    return NamedSymbol(outline.symbols[at], container, str(view.folder_of(row)), row.path, view.version_of(row), node)


def _closeness(typed: str, name: str) -> int | None:
    """How well a name matches, 0 for the same; None if it does not."""
    one, other = typed.casefold(), name.casefold()
    if typed == name:
        return 0
    if one == other:
        return 1
    if other.startswith(one):
        return 2
    if one in other:
        return 3
    return 4 if _in_order(one, other) else None


def _in_order(letters: str, name: str) -> bool:
    left: Iterator[str] = iter(name)
    return all(letter in left for letter in letters if not letter.isspace())
