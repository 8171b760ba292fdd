"""Nodes of the graph as the tools of this room show them."""

from typing import TYPE_CHECKING

from lurcher_index.nodes import NodeId, readings
from lurcher_server.mcp.shapes import Definition

if TYPE_CHECKING:
    from lurcher_index.graph.values import Node


def definition(node: "Node") -> Definition:
    """A node; the path is the beginning of its id, which has the folder's label."""
    path = node.id if node.kind in ("file", "folder") else _path_of(node)
    name = f"{node.container}.{node.name}" if node.container else node.name
    return Definition(
        id=node.id, name=name, kind=node.kind, path=path, first_line=node.first_line, last_line=node.last_line
    )


def listed(found: Definition) -> str:
    """A definition on one line of a list."""
    lines = f" · lines {found.first_line}-{found.last_line}" if found.last_line else ""
    return f"{found.kind} {found.id}{lines}"


def _path_of(node: "Node") -> str:
    paths = (reading.path for reading in readings(node.id))
    return next((path for path in paths if path == node.path or path.endswith("/" + node.path)), NodeId(node.path).path)
