"""`textDocument/definition` and `textDocument/references`, from the call graph."""

from pathlib import Path
from typing import Any

from lurcher_server.lsp.handlers.placing import Place, Placing, placed_at
from lurcher_server.lsp.offers import Feature
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.standard import PositionParams, ReferenceParams
from lurcher_server.lsp.wire import Position

MAX_REFERENCES = 10_000
"""Uses in one answer: more than a person looks through, and an answer that is a few megabytes at most."""


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods."""

    async def definition(params: PositionParams, _call: Call) -> object:
        links = session.features.definition_links

        def work(placing: Placing, path: Path) -> list[dict[str, Any]]:
            return _definitions(placing, path, params.position, links)

        return await placed_at(session, Feature.DEFINITION, params.text_document.uri, work)

    async def references(params: ReferenceParams, _call: Call) -> object:
        declared = params.context is not None and params.context.include_declaration

        def work(placing: Placing, path: Path) -> list[dict[str, Any]]:
            return _references(placing, path, params.position, declared)

        return await placed_at(session, Feature.REFERENCES, params.text_document.uri, work)

    handlers.request(Feature.DEFINITION.method, PositionParams, definition)
    handlers.request(Feature.REFERENCES.method, ReferenceParams, references)


def _definitions(placing: Placing, path: Path, position: Position, links: bool) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for node in placing.named_at(path, position):
        ranges = placing.ranges(node)
        if ranges is None:
            continue
        uri = placing.uri(node.folder, node.path)
        if links:
            found.append({"targetUri": uri, "targetRange": ranges[0], "targetSelectionRange": ranges[1]})
        else:
            found.append({"uri": uri, "range": ranges[1]})
    return found


def _references(placing: Placing, path: Path, position: Position, declared: bool) -> list[dict[str, Any]]:
    """The uses of everything that may be meant, each place once, in the order of the texts."""
    places: set[Place] = set()
    for node in placing.named_at(path, position):
        uses = placing.graph.references(node.id, MAX_REFERENCES, thorough=True).uses
        places.update(place for _, place in placing.uses(uses))
        name = placing.name_of(node)
        if name is not None:
            # Where the name of a definition stands, some grammars see a use as well.
            (places.add if declared else places.discard)(name)
    return [{"uri": uri, "range": range} for uri, range in sorted(places, key=_order)]


def _order(place: Place) -> tuple[str, int, int]:
    uri, range = place
    return uri, range.start.line, range.start.character
