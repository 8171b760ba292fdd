"""The documents that are open in the editor, kept in step with it by pygls.

Loaded behind `initialize`: lsprotocol takes half a second to import.
"""

import re
from collections.abc import Iterable, Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument

from lurcher_server.lsp.convert import Encoding
from lurcher_server.lsp.protocol import ContentChange, OpenedDocument, Range

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Document(TextDocument):
    """A document whose lines end where LSP says. pygls cuts at form feeds and the like too, and would edit the wrong
    place in a file that has one."""

    @property
    def lines(self) -> Sequence[str]:
        """The text's lines with their ends."""
        return _LINE.findall(self.source)


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
