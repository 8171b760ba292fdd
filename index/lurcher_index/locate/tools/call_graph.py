"""Asks the call graph who uses a name; where all references are wanted it is asked first."""

from collections.abc import Iterator

from lurcher_index.graph.graph import Graph
from lurcher_index.graph.values import Node
from lurcher_index.locate.matches import MAX_MATCHES, Match, MatchKind, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.query.code_terms import identifier_of
from lurcher_index.store.catalog import FileRow

MAX_USES = 200
"""Uses of one name that are looked at where all of them are wanted."""


class CallGraph:
    """Our own call graph, unsaved documents included."""

    id = "call-graph"

    def probe(self, _seconds: float, /) -> None:
        """It is here."""

    def run(self, sight: Sight, wanted: Wanted, _seconds: float, /) -> list[Match]:
        """Definitions of the names among the patterns, and the places that use them."""
        graph = Graph(sight.view)
        found: list[Match] = []
        for number, pattern in enumerate(wanted.patterns):
            if name := identifier_of(pattern):
                found += _definitions(sight, graph, name, number)
                found += _references(sight, graph, name, number)
        return found[:MAX_MATCHES]


def _definitions(sight: Sight, graph: Graph, name: str, number: int) -> Iterator[Match]:
    for node in graph.definitions(name):
        row = _row(sight, node)
        if row is not None:
            yield Match(row, node.first_line, node.last_line, number, MatchKind.DEFINITION)


def _references(sight: Sight, graph: Graph, name: str, number: int) -> Iterator[Match]:
    for use in graph.references(name, limit=MAX_USES).uses:
        row = _row(sight, use.source)
        if row is not None:
            yield Match(row, use.line, use.line, number, MatchKind.REFERENCE)


def _row(sight: Sight, node: Node) -> FileRow | None:
    return sight.row_at(f"{node.folder}/{node.path}")
