"""The documents that are open in the editor, kept in step with it by pygls.

Loaded behind `initialize`: lsprotocol takes half a second to import.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument

from lurcher_server.lsp.convert import Encoding
from lurcher_server.lsp.standard import ContentChange, OpenedDocument
from lurcher_server.lsp.wire import Range

_LINE_END = re.compile(r"\r\n|\r|\n")


class Document(TextDocument):
    """A document whose lines end where LSP says, and that is edited in place.

    pygls ends lines at form feeds and the like too, and would edit the wrong place in a file that has one. It also
    writes all lines anew for every edit: replacing a name in a thousand places of a large file took it half a minute.
    """

    _starts: list[int] | None = None
    """Where each line begins; None until it is needed."""

    def _apply_incremental_change(self, change: types.TextDocumentContentChangePartial) -> None:
        starts = self._starts or _line_starts(self.source)
        start, end = self._offset(starts, change.range.start), self._offset(starts, change.range.end)
        source, text = self.source, change.text
        self._source = source[:start] + text + source[end:]
        # An edit beside a carriage return can make or break a line end that is two characters long.
        if "\r" in text or "\r" in source[max(0, start - 1) : end + 1]:
            self._starts = None
            return
        first, last = bisect_right(starts, start), bisect_right(starts, end)
        new = [start + found.end() for found in _LINE_END.finditer(text)]
        shift = len(text) - (end - start)
        self._starts = starts[:first] + new + [at + shift for at in starts[last:]]

    def _apply_full_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        super()._apply_full_change(change)
        self._starts = None

    def _offset(self, starts: Sequence[int], position: types.Position) -> int:
        """Where a position is in the text; beyond the end of a line or of the text, that end."""
        if position.line >= len(starts):
            return len(self.source)
        begin = starts[position.line]
        end = starts[position.line + 1] if position.line + 1 < len(starts) else len(self.source)
        line = self.source[begin:end]
        place = types.Position(0, position.character)
        return begin + self.position_codec.position_from_client_units([line], place).character


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in _LINE_END.finditer(text))]


class Documents:
    """Text and version of every open document, by URI."""

    def __init__(self, encoding: Encoding) -> None:
        """Nothing is open yet; `encoding` is how the client counts characters."""
        self._codec = PositionCodec(types.PositionEncodingKind(encoding))
        self._open: dict[str, Document] = {}

    def open(self, document: OpenedDocument) -> None:
        """Take a document that was opened; one that was open already is taken anew."""
        self._open[document.uri] = Document(
            document.uri, document.text, document.version, document.language_id, position_codec=self._codec
        )

    def change(self, uri: str, version: int | None, changes: Iterable[ContentChange]) -> bool:
        """Apply edits in their order; False if the document is not open."""
        document = self._open.get(uri)
        if document is None:
            return False
        for change in changes:
            document.apply_change(_change(change))
        document.version = version
        return True

    def close(self, uri: str) -> bool:
        """Forget a document; False if it was not open."""
        return self._open.pop(uri, None) is not None

    def get(self, uri: str) -> tuple[str, int | None] | None:
        """Text and version of an open document."""
        document = self._open.get(uri)
        return None if document is None else (document.source, document.version)

    def uris(self) -> tuple[str, ...]:
        """The open documents."""
        return tuple(self._open)


def _change(change: ContentChange) -> types.TextDocumentContentChangeEvent:
    if change.range is None:
        return types.TextDocumentContentChangeWholeDocument(change.text)
    return types.TextDocumentContentChangePartial(_range(change.range), change.text)


def _range(given: Range) -> types.Range:
    start = types.Position(given.start.line, given.start.character)
    return types.Range(start, types.Position(given.end.line, given.end.character))
