"""`workspace/chunkSearch/tree`: the feature tree, or a part of it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lurcher_server.lsp.convert import whole_lines
from lurcher_server.lsp.protocol import TREE, FeatureAnswer, TreeAnswer, TreeParams
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.uris import uri_of

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.featuring import FeatureNode


def register(handlers: Handlers, session: Session) -> None:
    """Bind the method."""

    async def tree(params: TreeParams, _call: Call) -> object:
        loaded = await session.loaded()
        await loaded.showing.settle()
        async with session.slot.use() as engine:
            return await asyncio.to_thread(_tree, session, engine, params)

    handlers.request(TREE, TreeParams, tree)


def _tree(session: Session, engine: "Engine", params: TreeParams) -> TreeAnswer:
    found = engine.tree(params.target, params.depth)
    nodes = tuple(_answer(session, node) for node in found.nodes)
    return TreeAnswer(files=found.files, groups=found.groups, nodes=nodes, unknown=found.unknown)


def _answer(session: Session, node: "FeatureNode") -> FeatureAnswer:
    lines = None
    if node.first_line is not None and node.last_line is not None:
        lines = whole_lines(node.first_line, node.last_line)
    return FeatureAnswer(
        id=node.id,
        kind=node.kind,
        label=node.label,
        feature=node.feature,
        feature_path=node.feature_path,
        files=node.files,
        # A group that is some files of a folder has no place of its own.
        uri=uri_of(Path(session.folder_shown(node.folder), node.path)) if node.path else None,
        range=lines,
        children=tuple(_answer(session, child) for child in node.children),
    )
