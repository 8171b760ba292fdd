"""Nodes and uses of the call graph as places of the client's: URIs, and ranges that are exact in its unit."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lurcher_server.lsp.convert import Encoding, Renamed, bytes_before, units
from lurcher_server.lsp.offers import Feature
from lurcher_server.lsp.protocol import NodeAnswer
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.uris import path_of, uri_of
from lurcher_server.lsp.wire import Position, Range

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.graph.graph import Graph
    from lurcher_index.graph.values import Node, Occurrence, Use
    from lurcher_index.naming import DocumentOutline

R = TypeVar("R")

Place = tuple[str, Range]
"""The URI of a document and a range of it."""


class Placing:
    """The answer to one question over one state of the workspace, in a thread. Each file is read once at most."""

    def __init__(self, engine: "Engine", encoding: Encoding, shown: Renamed) -> None:
        """Take the graph as it is now; `shown` calls folders as the client does."""
        self.engine = engine
        self.graph: Graph = engine.graph()
        self._encoding: Encoding = encoding
        self._shown = shown
        self._read: dict[Path, DocumentOutline | None] = {}

    def document(self, path: Path) -> "DocumentOutline | None":
        """A document with its text; None for what is not indexed, or not what was indexed any more."""
        from lurcher_index.naming import outline_of_document

        if path not in self._read:
            self._read[path] = outline_of_document(self.graph.files.view, path)
        return self._read[path]

    def named_at(self, path: Path, position: Position) -> "tuple[Node, ...]":
        """The definitions of what stands at a place of a document, likeliest first."""
        document = self.document(path)
        if document is None:
            return ()
        column = bytes_before(document.line(position.line), position.character, self._encoding)
        return self.graph.definition_at(path, position.line + 1, column)

    def uri(self, folder: str, path: str) -> str:
        """The URI of something in a folder."""
        return uri_of(Path(self._shown(folder), path))

    def ranges(self, node: "Node") -> tuple[Range, Range] | None:
        """The whole of a node and its name; None if its text is not what it was, and for folders."""
        document = None if node.kind == "folder" else self.document(Path(node.folder, node.path))
        if document is None:
            return None
        if node.kind == "file":
            start = Position(line=0, character=0)
            return Range(start=start, end=Position(line=node.last_line, character=0)), Range(start=start, end=start)
        whole, name = (node.start, node.end), (node.name_start, node.name_end)
        return self._range(document, *whole), self._range(document, *name)

    def name_of(self, node: "Node") -> Place | None:
        """Where the name of a definition stands."""
        ranges = self.ranges(node)
        return None if ranges is None else (self.uri(node.folder, node.path), ranges[1])

    def uses(self, uses: "Sequence[Use]") -> "list[tuple[Occurrence, Place]]":
        """Where some uses stand."""
        return [(each, (self.uri(each.folder, each.path), self._marked(each))) for each in self.graph.occurrences(uses)]

    def answer(self, node: "Node") -> NodeAnswer:
        """A node as it goes over the wire."""
        ranges = self.ranges(node)
        return NodeAnswer(
            id=node.id,
            kind=node.kind,
            name=node.name,
            container=node.container,
            uri=self.uri(node.folder, node.path),
            language=node.language,
            range=None if ranges is None else ranges[0],
            selection_range=None if ranges is None else ranges[1],
        )

    def _marked(self, place: "Occurrence") -> Range:
        start = units(place.before, self._encoding)
        line = place.line - 1
        return Range(
            start=Position(line=line, character=start),
            end=Position(line=line, character=start + units(place.text, self._encoding)),
        )

    def _range(self, document: "DocumentOutline", start: int, end: int) -> Range:
        return Range(start=self._position(document, start), end=self._position(document, end))

    def _position(self, document: "DocumentOutline", offset: int) -> Position:
        line, before = document.place(offset)
        return Position(line=line, character=units(before, self._encoding))


async def placed(session: Session, work: Callable[[Placing], R]) -> R:
    """Let `work` ask the graph, in a thread, when everything that was typed until now is in it."""
    loaded = await session.loaded()
    await loaded.showing.settle()
    async with session.slot.use() as engine:
        return await asyncio.to_thread(lambda: work(Placing(engine, session.features.encoding, session.folder_shown)))


async def placed_at(session: Session, feature: Feature, uri: str, work: Callable[[Placing, Path], R]) -> R | None:
    """The same about a document; None if it is no file, or a feature is not offered for its language."""
    path, languages = path_of(uri), session.languages(feature)
    if path is None:
        return None

    def ask(placing: Placing) -> R | None:
        document = placing.document(path)
        is_ours = languages is None or (document is not None and document.outline.language in languages)
        return work(placing, path) if is_ours else None

    return await placed(session, ask)
