"""The call hierarchy. An item is a definition of the workspace, told apart by its node id; libraries have none."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lurcher_server.lsp.handlers.placing import Place, Placing, placed, placed_at
from lurcher_server.lsp.handlers.symbols import KINDS
from lurcher_server.lsp.offers import Feature
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.standard import CallsParams, PositionParams
from lurcher_server.lsp.wire import Position, Range

if TYPE_CHECKING:
    from lurcher_index.graph.values import Node, Occurrence, Use

MAX_CALLS = 10_000
"""Calls in one answer: more than a person looks through."""

Item = dict[str, Any]


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods."""

    async def prepare(params: PositionParams, _call: Call) -> object:
        def work(placing: Placing, path: Path) -> list[Item] | None:
            return _prepared(placing, path, params.position)

        return await placed_at(session, Feature.CALL_HIERARCHY, params.text_document.uri, work)

    async def incoming(params: CallsParams, _call: Call) -> object:
        return await placed(session, lambda placing: _incoming(placing, params.item.data))

    async def outgoing(params: CallsParams, _call: Call) -> object:
        return await placed(session, lambda placing: _outgoing(placing, params.item.data))

    handlers.request(Feature.CALL_HIERARCHY.method, PositionParams, prepare)
    handlers.request("callHierarchy/incomingCalls", CallsParams, incoming)
    handlers.request("callHierarchy/outgoingCalls", CallsParams, outgoing)


def _prepared(placing: Placing, path: Path, position: Position) -> list[Item] | None:
    items = [_item(placing, node) for node in placing.named_at(path, position)]
    return [item for item in items if item is not None] or None


def _incoming(placing: Placing, node_id: str) -> list[Item]:
    """Who calls a definition; nobody calls a file, and a definition that is gone has no callers."""
    asked = _known(placing, node_id)
    if asked is None or asked.kind == "file":
        return []
    uses = placing.graph.callers(node_id, MAX_CALLS, thorough=True).uses
    callers = {use.source.id: use.source for use in uses}
    places: dict[str, set[Range]] = {}
    for occurrence, (_, range) in placing.uses(uses):
        places.setdefault(occurrence.node, set()).add(range)
    return _calls(placing, "from", ((callers[each], ranges) for each, ranges in places.items()))


def _outgoing(placing: Placing, node_id: str) -> list[Item]:
    """What a definition calls of the workspace."""
    if _known(placing, node_id) is None:
        return []
    uses = [use for use in placing.graph.callees(node_id, MAX_CALLS).uses if use.target is not None]
    called: dict[str, tuple[Node, set[Range]]] = {}
    for use, (_, range) in _with_places(uses, placing.uses(uses)):
        if use.target is not None:
            called.setdefault(use.target.id, (use.target, set()))[1].add(range)
    return _calls(placing, "to", called.values())


def _with_places(uses: "list[Use]", found: "list[tuple[Occurrence, Place]]") -> "Iterable[tuple[Use, Place]]":
    """Each use with each of its places. All stand in one file, which could be read for all of them or for none."""
    if not found:
        return ()
    of_each = [use for use in uses for _ in use.places]
    return zip(of_each, (place for _, place in found), strict=True)


def _calls(placing: Placing, side: str, calls: "Iterable[tuple[Node, set[Range]]]") -> list[Item]:
    listed = ((_item(placing, node), ranges) for node, ranges in calls)
    return [{side: item, "fromRanges": _in_order(ranges)} for item, ranges in listed if item is not None]


def _known(placing: Placing, node_id: str) -> "Node | None":
    """The node with exactly this id: a name would be guessed at."""
    found = placing.graph.definitions(node_id) if node_id else ()
    return found[0] if len(found) == 1 and found[0].id == node_id else None


def _item(placing: Placing, node: "Node") -> Item | None:
    ranges = placing.ranges(node)
    if ranges is None:
        return None
    return {
        "name": node.name,
        "kind": KINDS[node.kind],
        "detail": f"{node.container} · {node.path}" if node.container else node.path,
        "uri": placing.uri(node.folder, node.path),
        "range": ranges[0],
        "selectionRange": ranges[1],
        "data": node.id,
    }


def _in_order(ranges: set[Range]) -> list[Range]:
    return sorted(ranges, key=lambda range: (range.start.line, range.start.character))
