"""The surroundings of some nodes: steps along the links, nearest first, bounded, and cycles end."""

from collections.abc import Callable, Iterable, Sequence

from lurcher_index.graph.values import Direction, Explored, Link, LinkKind, Node

MAX_DEPTH = 10
"""Steps that are followed at most: farther away everything hangs together with everything."""

Step = tuple[Link, Node | None]
"""A link and the node at its far end, None for what is not in the workspace."""

Neighbours = Callable[[Node, Direction, Sequence[LinkKind]], Iterable[Step]]


def explore(
    roots: Sequence[Node],
    unknown: Sequence[str],
    neighbours: Neighbours,
    direction: Direction,
    depth: int,
    kinds: Sequence[LinkKind],
    limit: int,
) -> Explored:
    """Walk in breadth: each node once, `limit` at most; links between shown nodes only, and to what is outside."""
    nodes = {node.id: node for node in roots[:limit]}
    links: dict[tuple[str, str, LinkKind], Link] = {}
    hidden: set[str] = {node.id for node in roots[limit:]}
    front = list(nodes.values())
    for _ in range(min(depth, MAX_DEPTH)):
        coming: list[Node] = []
        for node in front:
            for link, other in neighbours(node, direction, kinds):
                if other is not None and other.id not in nodes:
                    if len(nodes) >= limit:
                        hidden.add(other.id)
                        continue
                    nodes[other.id] = other
                    coming.append(other)
                links.setdefault((link.source, link.target, link.kind), link)
        front = coming
        if not front:
            break
    return Explored(
        roots=tuple(node.id for node in roots),
        nodes=tuple(nodes.values()),
        links=tuple(links.values()),
        unknown=tuple(unknown),
        truncated=bool(hidden),
        hidden=len(hidden),
    )
