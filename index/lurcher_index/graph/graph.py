"""Questions to the call graph over one view: definitions, callers, callees, references, nodes and their surroundings."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from lurcher_index.graph.asked import asked_names
from lurcher_index.graph.exploring import Step, explore
from lurcher_index.graph.fetching import fetch
from lurcher_index.graph.finding import Definition, by_node_id, find
from lurcher_index.graph.occurring import occurrences_of, read_lines
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.values import (
    Direction,
    Explored,
    FetchedNodes,
    Link,
    LinkKind,
    Node,
    Occurrence,
    Place,
    Relation,
    Use,
    Uses,
)
from lurcher_index.model import EdgeKind
from lurcher_index.view import View

LIMIT = 50
"""Uses that are shown if nobody says how many: what a person reads in one go."""

SHOWN_CONFIDENCE = 0.4
"""Least confidence of a use that is shown as one."""

DEPTH = 2
"""Steps that are explored if nobody says how many."""

NODES = 100
"""Nodes that are shown if nobody says how many."""


class Graph:
    """The call graph of one view. Blocking; made for each question, it never changes."""

    def __init__(self, view: View) -> None:
        """Take a state of the workspace."""
        self.files = GraphFiles(view)

    def definitions(self, name: str) -> tuple[Node, ...]:
        """What a bare or qualified name or a node id stands for, overloads and namesakes included; case counts.

        `Class.method`, `module:func`, `a::b`, `pkg.func`, `Class#method`, `path/to/file.py:Class.method` and ids.
        """
        return tuple(file.node(at) for file, at in find(self.files, name))

    def callers(
        self, name: str, limit: int = LIMIT, *, least: float = SHOWN_CONFIDENCE, thorough: bool = False
    ) -> Uses:
        """Who calls what a name or node id stands for; a name defined nowhere here is looked for by name.

        Below the confidence `least` uses are counted only (`unsure`). `thorough` looks at every file that holds the
        name, however common it is.
        """
        return self._uses(name, Relation.CALLERS, {EdgeKind.CALL}, limit)

    def references(
        self, name: str, limit: int = LIMIT, *, least: float = SHOWN_CONFIDENCE, thorough: bool = False
    ) -> Uses:
        """The same for all that call, import or inherit it."""
        return self._uses(name, Relation.REFERENCES, set(EdgeKind), limit)

    def callees(self, name: str, limit: int = LIMIT, *, least: float = SHOWN_CONFIDENCE) -> Uses:
        """What it calls itself, with all that lies in it; what is not defined in the workspace has no target."""
        targets = find(self.files, name)
        uses: list[Use] = []
        for file, at in targets:
            for edge in file.edges:
                if edge.kind is EdgeKind.CALL and edge.symbol == at:
                    found = find(self.files, edge.name)
                    uses.append(
                        Use(
                            source=file.node(at),
                            target=found[0][0].node(found[0][1]) if found else None,
                            kind=edge.kind.value,
                            name=edge.name,
                            qualifier=edge.qualifier,
                            line=edge.line,
                            places=(Place(edge.line, -1),),
                            confidence=0.5,
                        )
                    )
        return _answer(name, Relation.CALLEES, targets, uses, limit)

    def definition_at(self, path: Path, line: int, column: int) -> tuple[Node, ...]:
        """The definitions of what stands at a place of a document; line from 1, column in bytes from 0."""
        lines = read_lines(self.files, path)
        _, word = lines.word_at(line, column) if lines is not None else (0, b"")
        return self.definitions(word.decode("utf-8", "replace")) if word else ()

    def node_at(self, path: Path, line: int) -> Node | None:
        """The innermost definition around a line, for questions about "this function"; None outside of all."""
        file = self.files.at(path)
        if file is None:
            return None
        around = [at for at, each in enumerate(file.outline.symbols) if each.first_line <= line <= each.last_line]
        return file.node(max(around, key=lambda at: file.outline.symbols[at].start)) if around else None

    def occurrences(self, uses: Sequence[Use]) -> tuple[Occurrence, ...]:
        """The exact places of some uses; the texts of their files are read for it."""
        return occurrences_of(self.files, uses)

    def fetch(self, ids: Sequence[str]) -> FetchedNodes:
        """Some nodes with their code, container and members; ids that name nothing are reported."""
        return fetch(self.files, ids)

    def explore(
        self,
        ids: Sequence[str],
        direction: Direction = Direction.BOTH,
        depth: int = DEPTH,
        kinds: Sequence[LinkKind] = (),
        limit: int = NODES,
    ) -> Explored:
        """What hangs together with some nodes, nearest first, `limit` nodes at most; no kinds means all of them."""
        roots: list[Node] = []
        unknown: list[str] = []
        for each in dict.fromkeys(ids):
            definition = by_node_id(self.files, each)
            if definition is not None:
                roots.append(definition[0].node(definition[1]))
            elif self.files.in_folder(each.rstrip("/")):
                roots.append(self.files.folder_node(each.rstrip("/")))
            else:
                unknown.append(each)
        return explore(roots, unknown, self._neighbours, direction, depth, kinds or tuple(LinkKind), limit)

    def _neighbours(self, node: Node, direction: Direction, kinds: Sequence[LinkKind]) -> Iterator[Step]:
        wanted = {_EDGES[kind] for kind in kinds if kind in _EDGES}
        if direction is not Direction.UP:
            if LinkKind.CONTAINS in kinds:
                for fetched in self.fetch([node.id]).nodes:
                    for member in fetched.members:
                        yield Link(source=node.id, target=member.id, kind=LinkKind.CONTAINS), member
            if wanted and node.kind != "folder":
                for use in self.callees(node.id).uses:
                    yield _link(use), use.target
        if direction is not Direction.DOWN and wanted and node.kind not in ("folder", "file"):
            for use in self._uses(node.id, Relation.REFERENCES, wanted, NODES).uses:
                yield _link(use), use.source

    def _uses(self, name: str, relation: Relation, kinds: set[EdgeKind], limit: int) -> Uses:
        targets = find(self.files, name)
        names = {file.outline.symbols[at].name for file, at in targets if at >= 0}
        names = names or {each.bare for each in asked_names(name)}
        target = targets[0][0].node(targets[0][1]) if targets else None
        uses = [
            Use(
                source=file.node(edge.symbol),
                target=target,
                kind=edge.kind.value,
                name=edge.name,
                qualifier=edge.qualifier,
                line=edge.line,
                places=(Place(edge.line, -1),),
                confidence=0.5,
            )
            for file in self.files.using(names)
            for edge in file.edges
            if edge.kind in kinds and edge.name in names
        ]
        return _answer(name, relation, targets, uses, limit)


_EDGES = {
    LinkKind.INVOKES: EdgeKind.CALL,
    LinkKind.INHERITS: EdgeKind.INHERIT,
    LinkKind.IMPORTS: EdgeKind.IMPORT,
}
_KINDS = {edge.value: link for link, edge in _EDGES.items()}


def _link(use: Use) -> Link:
    return Link(
        source=use.source.id,
        target=use.target.id if use.target else use.name,
        kind=_KINDS[use.kind],
        line=use.line,
        confidence=use.confidence,
        external=use.target is None,
    )


def _answer(name: str, relation: Relation, targets: list[Definition], uses: list[Use], limit: int) -> Uses:
    why = ""
    if not uses:
        why = f"{name} is defined, but nothing here calls it" if targets else f"{name} is not known in this workspace"
    return Uses(
        asked=name,
        relation=relation,
        targets=tuple(file.node(at) for file, at in targets),
        uses=tuple(uses[:limit]),
        total=len(uses),
        truncated=len(uses) > limit,
        explanation=why,
    )
