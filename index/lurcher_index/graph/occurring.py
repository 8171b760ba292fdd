"""Exact places in the texts of files: where a use stands, and what is defined where a cursor stands."""

import re
from collections.abc import Sequence
from pathlib import Path

from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.values import Occurrence, Use
from lurcher_index.model import EdgeKind
from lurcher_index.text.lines import line_at, line_starts
from lurcher_index.view import FileText

IMPORT_BYTES = 20_000
"""How far from the name of its module an imported name is looked for: lists of some hundred names."""

_NAMES_FIRST = frozenset({"javascript", "typescript", "tsx"})
"""Languages in which imported names stand before their module: `import { a } from "b"`."""

_WORD = re.compile(rb"[\w$@!?\x80-\xff]+")


class ReadLines:
    """A file's text, line by line."""

    def __init__(self, text: FileText) -> None:
        """Find the lines."""
        self.text = text
        self._starts = [*line_starts(text.data), len(text.data)]

    def line(self, number: int) -> bytes:
        """One line, counted from 1, with its end; empty if there is none."""
        if not 0 < number < len(self._starts):
            return b""
        return self.text.data[self._starts[number - 1] : self._starts[number]]

    def offset(self, number: int, column: int) -> int:
        """The byte at a column of a line."""
        return self._starts[number - 1] + column if 0 < number < len(self._starts) else -1

    def imported(self, number: int, column: int, name: str) -> tuple[int, int]:
        """Where an imported name stands, by the place of its module; that place, if it is not written there."""
        at, data = self.offset(number, column), self.text.data
        word = re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])")
        after = word.search(data, at, at + IMPORT_BYTES)
        if after is None or self.text.language in _NAMES_FIRST:
            *_, before = [None, *word.finditer(data, max(0, at - IMPORT_BYTES), at)]
            after = before or after
        if at < 0 or after is None:
            return number, column
        line = line_at(self._starts, after.start())
        return line, after.start() - self._starts[line - 1]

    def word_at(self, number: int, column: int) -> tuple[int, bytes]:
        """The word around a column of a line, and where it begins."""
        for found in _WORD.finditer(self.line(number)):
            if found.start() <= column <= found.end():
                return found.start(), found[0]
        return column, b""


def read_lines(files: GraphFiles, path: Path) -> ReadLines | None:
    """The text of a document as an editor shows it or as it is on disk; None if it changed since it was indexed."""
    row = files.view.row_at(path)
    if row is None or (row.file_id >= 0 and not files.view.is_unchanged(row)):
        return None
    text = files.view.text_of(row)
    return None if text is None else ReadLines(text)


def occurrences_of(files: GraphFiles, uses: Sequence[Use]) -> tuple[Occurrence, ...]:
    """The exact places of some uses, file by file; those in files that changed meanwhile are left out."""
    read: dict[Path, ReadLines | None] = {}
    found: list[Occurrence] = []
    for use in uses:
        path = Path(use.source.folder) / use.source.path
        if path not in read:
            read[path] = read_lines(files, path)
        lines = read[path]
        if lines is None:
            continue
        for place in use.places:
            number, column = place.line, place.column
            if column < 0:
                column = _first(lines.line(number), use.name)
            elif use.kind == EdgeKind.IMPORT:
                number, column = lines.imported(number, column, use.name)
            line = lines.line(number)
            found.append(
                Occurrence(
                    folder=use.source.folder,
                    path=use.source.path,
                    version=lines.text.version,
                    line=number,
                    before=line[:column].decode("utf-8", "replace"),
                    text=use.name,
                    node=use.source.id,
                    kind=use.kind,
                    confidence=use.confidence,
                )
            )
    return tuple(found)


def _first(line: bytes, name: str) -> int:
    found = re.search(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])", line)
    return found.start() if found else 0
