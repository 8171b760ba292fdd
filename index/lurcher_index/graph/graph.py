"""Questions to the call graph over one view."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from lurcher_index.graph.asked import asked_names
from lurcher_index.graph.exploring import Step, explore
from lurcher_index.graph.fetching import fetch
from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.finding import by_node_id, find, targets_of
from lurcher_index.graph.linking import Found, Linker, Using, by_confidence
from lurcher_index.graph.occurring import occurrences_of, read_lines
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.targets import FewTargets, Targets
from lurcher_index.graph.telling import explain
from lurcher_index.graph.values import (
    Direction,
    Explored,
    FetchedNodes,
    Link,
    LinkKind,
    Node,
    Occurrence,
    Use,
    Uses,
)
from lurcher_index.model import EdgeKind
from lurcher_index.query.parsed import Relation
from lurcher_index.view import View

LIMIT = 50
"""Uses that are shown if nobody says how many: what a person reads in one go."""

SHOWN_CONFIDENCE = 0.4
"""Least confidence of a use that is shown as one. Set before anything was measured; the curves of six languages are
flat from here to 0.6, so it stayed (docs/graph.md)."""

DEPTH = 2
"""Steps that are explored if nobody says how many."""

NODES = 100
"""Nodes that are shown if nobody says how many."""

TARGETS = 20
"""Definitions of one name that are listed; the rest are counted."""

KEPT_OUTLINES = 1_000
"""Outlines that one graph holds before another one takes its place: about 50 MB."""

_CALLS = frozenset({EdgeKind.CALL})


class Graph:
    """The call graph of one view. Blocking; it never changes, but remembers what it has read. Threads may share it."""

    def __init__(self, view: View) -> None:
        """Take a state of the workspace."""
        self.files = GraphFiles(view)
        self._linker = Linker(self.files)

    def is_of(self, view: View) -> bool:
        """Whether this graph can answer for a view: nothing has changed, and it does not hold too much yet."""
        own = self.files.view
        is_same = own.workspace is view.workspace and own.snapshot.generation == view.snapshot.generation
        return is_same and self.files.read_outlines < KEPT_OUTLINES

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
        return self._uses(name, Relation.CALLERS, _CALLS, limit, least, thorough)

    def references(
        self, name: str, limit: int = LIMIT, *, least: float = SHOWN_CONFIDENCE, thorough: bool = False
    ) -> Uses:
        """The same for all that call, import or inherit it."""
        return self._uses(name, Relation.REFERENCES, frozenset(EdgeKind), limit, least, thorough)

    def callees(self, name: str, limit: int = LIMIT, *, least: float = SHOWN_CONFIDENCE) -> Uses:
        """What it and all that lies in it calls; what is not defined in the workspace has no target."""
        targets = FewTargets(find(self.files, name))
        uses = [use for file, at in targets for use in self._linker.used_by(file, at, _CALLS)]
        return self._answer(name, Relation.CALLEES, targets, Found(uses, [], True), limit, least)

    def definition_at(self, path: Path, line: int, column: int) -> tuple[Node, ...]:
        """The definitions of what stands at a place of a document; line from 1, column in bytes from 0."""
        lines, file = read_lines(self.files, path), self.files.at(path)
        if lines is None or file is None:
            return ()
        start, word = lines.word_at(line, column)
        name = word.decode("utf-8", "replace")
        for edge in file.edges:
            places = {(edge.line, edge.column), *zip(edge.more[::2], edge.more[1::2], strict=False)}
            if edge.kind is not EdgeKind.IMPORT and (line, start) in places:
                found = self._linker.resolver.resolve(file, edge).found
                if not found:
                    break
                best = found[0].confidence if found else 0.0
                # What is nearly as likely as the best is shown beside it.
                likely = [each for each in found if each.confidence >= best * 0.9]
                return tuple(each.spot.file.node(each.spot.symbol) for each in likely)
        at = lines.offset(line, start)
        for index, symbol in enumerate(file.outline.symbols):
            if symbol.name_start <= at < symbol.name_end:
                return (file.node(index),)
        return self.definitions(name) if name else ()

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
        definition = by_node_id(self.files, node.id)
        if direction is not Direction.UP:
            if definition is None:
                for member in self.files.in_folder(node.id) if LinkKind.CONTAINS in kinds else ():
                    yield Link(source=node.id, target=member.id, kind=LinkKind.CONTAINS), member
            else:
                yield from self._below(*definition, kinds)
        if direction is Direction.DOWN:
            return
        if definition is not None:
            yield from self._above(*definition, node, kinds)
        elif LinkKind.CONTAINS in kinds and (outer := self._folder_of(node.id)) is not None:
            yield Link(source=outer.id, target=node.id, kind=LinkKind.CONTAINS), outer

    def _below(self, file: GraphFile, at: int, kinds: Sequence[LinkKind]) -> Iterator[Step]:
        node = file.node(at)
        if LinkKind.CONTAINS in kinds:
            for index, symbol in enumerate(file.outline.symbols):
                if symbol.container == at:
                    member = file.node(index)
                    yield Link(source=node.id, target=member.id, kind=LinkKind.CONTAINS), member
        for edge in file.edges:
            if edge.symbol == at and edge.kind in _LINKS and _LINKS[edge.kind] in kinds:
                use = _told(self._linker.used(file, edge), SHOWN_CONFIDENCE)
                yield _link(use), use.target
        if LinkKind.COMPOSES in kinds and at >= 0:
            yield from self._composed(file, at, node)
        if LinkKind.IMPORTS in kinds and at < 0:
            for other, line in self._linker.imported_by(file):
                target = other.node(-1)
                yield Link(source=node.id, target=target.id, kind=LinkKind.IMPORTS, line=line), target

    def _composed(self, file: GraphFile, at: int, node: Node) -> Iterator[Step]:
        for hint in file.links.hints:
            of_field = hint.symbol == at and hint.variable
            if of_field or (hint.variable.startswith(".") and file.type_around(hint.symbol) == at):
                for spot in self._linker.resolver.receivers.types_named(hint.type, file)[:1]:
                    target = spot.file.node(spot.symbol)
                    yield Link(source=node.id, target=target.id, kind=LinkKind.COMPOSES, confidence=0.9), target

    def _above(self, file: GraphFile, at: int, node: Node, kinds: Sequence[LinkKind]) -> Iterator[Step]:
        if LinkKind.CONTAINS in kinds:
            outer = file.node(file.outline.symbols[at].container) if at >= 0 else self._folder_of(file.id)
            if outer is not None:
                yield Link(source=outer.id, target=node.id, kind=LinkKind.CONTAINS), outer
        wanted = {edge for edge, link in _LINKS.items() if link in kinds}
        if wanted and at >= 0:
            found = self._linker.uses_of(FewTargets([(file, at)]), {node.name}, wanted, thorough=False)
            for using in by_confidence(found.uses):
                if using.confidence >= SHOWN_CONFIDENCE:
                    use = using.use()
                    yield _link(use), use.source
        if LinkKind.IMPORTS in kinds and at < 0:
            for other, line in self._linker.importers_of(file):
                source = other.node(-1)
                yield Link(source=source.id, target=node.id, kind=LinkKind.IMPORTS, line=line), source

    def _folder_of(self, inner: str) -> Node | None:
        """The folder in which a file or folder lies, by its id."""
        above = inner.rpartition("/")[0]
        return self.files.folder_node(above) if above else None

    def _uses(
        self, name: str, relation: Relation, kinds: Collection[EdgeKind], limit: int, least: float, thorough: bool
    ) -> Uses:
        targets = targets_of(self.files, name)
        listed = targets.first(TARGETS)
        self.files.read_definitions(file for file, _ in listed)
        names = {file.outline.symbols[at].name for file, at in listed if 0 <= at < len(file.outline.symbols)}
        if not listed:
            names = {each.bare for each in asked_names(name)}
        found = self._linker.uses_of(targets, names, kinds, thorough)
        return self._answer(name, relation, targets, found, limit, least)

    def _answer(self, name: str, relation: Relation, targets: Targets, found: Found, limit: int, least: float) -> Uses:
        if relation is Relation.CALLEES:
            # What is called but most likely not defined here is told, too, without a target.
            inside = [use for use in found.uses if use.meant is not None and use.confidence >= least]
            sure = [*inside, *(use for use in found.uses if use.meant is None or use.confidence < least)]
            unsure = 0
        else:
            sure = by_confidence(use for use in found.uses if use.confidence >= least)
            unsure = len(found.uses) - len(sure)
        shown = [_told(use, least) for use in sure[: max(0, limit)]]
        shown += found.imports[: max(0, limit - len(shown))]
        total = len(sure) + len(found.imports)
        answer = Uses(
            asked=name,
            relation=relation,
            targets=tuple(file.node(at) for file, at in targets.first(TARGETS)),
            target_count=len(targets),
            uses=tuple(shown),
            total=total,
            unsure=unsure,
            truncated=total > len(shown) or not found.is_whole,
        )
        return explain(answer, found.is_whole)


_LINKS = {EdgeKind.CALL: LinkKind.INVOKES, EdgeKind.INHERIT: LinkKind.INHERITS}
_KINDS = {"call": LinkKind.INVOKES, "inherit": LinkKind.INHERITS, "import": LinkKind.IMPORTS}


def _told(using: Using, least: float) -> Use:
    """The use in words; what most likely is no definition of this workspace has none as its target."""
    use = using.use()
    if use.target is None or use.confidence >= least:
        return use
    others = (use.target.id, *use.others)
    return msgspec.structs.replace(use, target=None, confidence=1.0, others=others, other_count=use.other_count + 1)


def _link(use: Use) -> Link:
    return Link(
        source=use.source.id,
        target=use.target.id if use.target else use.name,
        kind=_KINDS[use.kind],
        line=use.line,
        confidence=use.confidence,
        external=use.target is None,
    )
