"""`workspace/chunkSearch/fetchNode` and `workspace/chunkSearch/exploreGraph`: the structure of the workspace by ids."""

from pathlib import Path
from typing import TYPE_CHECKING

from lurcher_server.lsp.handlers.placing import Placing, placed
from lurcher_server.lsp.protocol import (
    EXPLORE_GRAPH,
    FETCH_NODE,
    ExploreGraphAnswer,
    ExploreGraphParams,
    FetchedAnswer,
    FetchNodeAnswer,
    FetchNodeParams,
    LinkAnswer,
)
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session

if TYPE_CHECKING:
    from lurcher_index.features.values import FeatureTree
    from lurcher_index.graph.values import Node


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods."""

    async def fetch_node(params: FetchNodeParams, _call: Call) -> object:
        return await placed(session, lambda placing: _fetched(placing, params))

    async def explore_graph(params: ExploreGraphParams, _call: Call) -> object:
        return await placed(session, lambda placing: _explored(placing, params))

    handlers.request(FETCH_NODE, FetchNodeParams, fetch_node)
    handlers.request(EXPLORE_GRAPH, ExploreGraphParams, explore_graph)


def _fetched(placing: Placing, params: FetchNodeParams) -> FetchNodeAnswer:
    found = placing.graph.fetch(params.ids)
    tree = placing.engine.featuring.catch_up(placing.graph.files.view)
    nodes = tuple(
        FetchedAnswer(
            node=placing.answer(each.node),
            code=each.code,
            container=None if each.container is None else placing.answer(each.container),
            members=tuple(placing.answer(member) for member in each.members),
            changed=each.changed,
            feature_paths=each.feature_paths or _feature_paths(placing, tree, each.node),
        )
        for each in found.nodes
    )
    return FetchNodeAnswer(nodes=nodes, unknown=found.unknown)


def _feature_paths(placing: Placing, tree: "FeatureTree", node: "Node") -> tuple[str, ...]:
    """Where the file of a node is in the feature tree; a file at the top, and a folder, is in no group."""
    row = None if node.kind == "folder" else placing.graph.files.view.row_at(Path(node.folder, node.path))
    path = None if row is None else tree.path_of(f"{row.folder_id}/{row.path}")
    return (path,) if path else ()


def _explored(placing: Placing, params: ExploreGraphParams) -> ExploreGraphAnswer:
    from lurcher_index.graph.values import Direction, LinkKind

    kinds = [LinkKind(kind) for kind in params.kinds]
    found = placing.graph.explore(params.ids, Direction(params.direction), params.depth, kinds, params.limit)
    links = tuple(
        LinkAnswer(
            source=link.source,
            target=link.target,
            kind=link.kind.value,
            # The engine's 0 is no line: what contains something does so everywhere.
            line=link.line - 1 if link.line > 0 else None,
            confidence=link.confidence,
            external=link.external,
        )
        for link in found.links
    )
    return ExploreGraphAnswer(
        roots=found.roots,
        nodes=tuple(placing.answer(node) for node in found.nodes),
        links=links,
        unknown=found.unknown,
        truncated=found.truncated,
        hidden=found.hidden,
    )
