"""Who uses some definitions, and what a definition uses: the edges of the graph, made when they are asked for."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from lurcher_index.graph.families import TYPES
from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.fitting import fit_of
from lurcher_index.graph.modules import EXACT
from lurcher_index.graph.namesakes import Spot
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.resolving import Resolved, Resolver
from lurcher_index.graph.targets import Definition, Targets
from lurcher_index.graph.values import Place, Use
from lurcher_index.model import Edge, EdgeKind, SymbolKind
from lurcher_index.store.linkage import module_key, module_stem

FEW = 20
"""Contents that hold a name up to which all of them are looked at."""

EXAMINED = 12
"""Contents that are looked at of a more common name, the nearest to its definition, unless all are wanted: 10 to 20 ms
of work for the worst names, and still more uses than an answer shows."""

OTHERS = 5
"""Other definitions that may be meant and are named; the rest are counted."""


class Using(NamedTuple):
    """A use that is not made into words yet: most of those that are found are not shown."""

    file: GraphFile
    edge: Edge
    meant: Resolved | None
    """None for what is not in the workspace."""
    others: tuple[Resolved, ...] = ()

    @property
    def confidence(self) -> float:
        """How sure it is that this is meant."""
        return self.meant.confidence if self.meant is not None else 1.0

    def use(self) -> Use:
        """The use in words."""
        if self.meant is None:
            return _external(self.file, self.edge)
        return _made(self.file, self.edge, self.meant, self.others)


class Found(NamedTuple):
    """Uses of some definitions."""

    uses: list[Using]
    imports: list[Use]
    is_whole: bool
    """Whether every file that holds the name was looked at."""


class Linker:
    """Makes the edges between the files of one view."""

    def __init__(self, files: GraphFiles) -> None:
        """Take the files."""
        self._files = files
        self.resolver = Resolver(files)

    def uses_of(self, targets: Targets, names: Collection[str], kinds: Collection[EdgeKind], thorough: bool) -> Found:
        """Who uses some definitions; without any, who uses the names, whatever they mean."""
        wanted_names = {*names, *self._class_names(targets)}
        numbers = self._files.using(wanted_names)
        is_whole = thorough or len(numbers) <= FEW
        if not is_whole:
            numbers = _nearest(numbers, [file.row.content_id or 0 for file, _ in targets.first(1)])
        files = list(self._files.with_contents(numbers))
        self._files.read(files)
        uses: list[Using] = []
        imports: list[Use] = []
        for file in files:
            for edge in _naming(file, wanted_names):
                if edge.kind in kinds:
                    use = self._use(file, edge, targets) if len(targets) else Using(file, edge, None)
                    if use is not None:
                        uses.append(use)
            if EdgeKind.IMPORT in kinds:
                imports += self._imports_of(file, targets, wanted_names)
        if EdgeKind.IMPORT in kinds:
            imports += [use for file, at in targets if at < 0 for use in self._imports_of_file(file)]
        return Found(uses, imports, is_whole)

    def used_by(self, file: GraphFile, at: int, kinds: Collection[EdgeKind]) -> Iterator[Using]:
        """What a definition and all that lies in it uses; -1 for the whole file."""
        for edge in file.edges:
            if edge.kind in kinds and edge.kind is not EdgeKind.IMPORT and at in set(file.around(edge.symbol)):
                yield self.used(file, edge)

    def used(self, file: GraphFile, edge: Edge) -> Using:
        """One use with the definition that is likeliest meant."""
        resolution = self.resolver.resolve(file, edge)
        if resolution.found:
            return Using(file, edge, resolution.found[0], tuple(resolution.found[1:]))
        unlikely = self.resolver.unlikely(file, edge.name)
        if unlikely:
            return Using(file, edge, Resolved(unlikely[0], resolution.rest, resolution.reason))
        return Using(file, edge, None)

    def imported_by(self, file: GraphFile) -> Iterator[tuple[GraphFile, int]]:
        """The files that a file imports, each with the line; those that are not in the workspace are left out."""
        for edge in file.edges:
            if edge.kind is EdgeKind.IMPORT:
                for other in self._module_files(file, edge.name):
                    yield other, edge.line

    def importers_of(self, file: GraphFile) -> Iterator[tuple[GraphFile, int]]:
        """The files that import a file, each with the line."""
        parts = file.path.rpartition(".")[0].split("/")
        stems = set(parts[-2:]) if parts[-1] in _SPEAKERS or file.family.folder_scope else {parts[-1]}
        candidates = list(self._files.with_contents(self._files.using_keys({module_key(stem) for stem in stems})))
        self._files.read(candidates)
        for other in candidates:
            if other is file or other.family != file.family:
                continue
            for edge in other.edges:
                if edge.kind is EdgeKind.IMPORT and _fits(other, edge.name, file):
                    yield other, edge.line

    def _module_files(self, file: GraphFile, module: str) -> list[GraphFile]:
        stem = module_stem(module)
        return [
            other for other in self._files.named(stem) if other.family == file.family and _fits(file, module, other)
        ]

    def _class_names(self, targets: Targets) -> set[str]:
        """Who makes a value of a class calls its constructor, by the name of the class."""
        found: set[str] = set()
        for file, at in targets.first(_LOOKED_AT):
            if at >= 0 and file.outline.symbols[at].kind is SymbolKind.CONSTRUCTOR:
                around = file.type_around(file.outline.symbols[at].container)
                if around >= 0:
                    found.add(file.outline.symbols[around].name)
        return found

    def _use(self, file: GraphFile, edge: Edge, targets: Targets) -> Using | None:
        found, rest, reason = self.resolver.resolve(file, edge)
        meant = next((each for each in found if each.spot.symbol in targets.in_file(each.spot.file)), None)
        if meant is None:
            meant = next((each for each in found if _makes(each.spot, targets)), None)
        if meant is not None:
            return Using(file, edge, meant, tuple(each for each in found if each is not meant))
        # By all that is known it means something else; it is counted all the same.
        other = targets.of_family(file.family)
        if other is None or edge.name == "super":
            return None
        return Using(file, edge, Resolved(_spot(other), rest, reason), tuple(found))

    def _imports_of_file(self, file: GraphFile) -> Iterator[Use]:
        for other, line in self.importers_of(file):
            yield Use(
                source=other.node(-1),
                target=file.node(-1),
                kind=EdgeKind.IMPORT.value,
                name=file.path.rpartition("/")[2],
                line=line,
                reason="imported",
            )

    def _imports_of(self, file: GraphFile, targets: Targets, names: Collection[str]) -> Iterator[Use]:
        lines = {edge.name: edge for edge in file.edges if edge.kind is EdgeKind.IMPORT}
        for each in file.links.imports:
            if each.name not in names:
                continue
            edge = lines.get(each.module)
            line, column, source = (edge.line, edge.column, edge.symbol) if edge is not None else (1, 0, -1)
            meant = [d for d in targets if d[0].family == file.family and fit_of(file, each.module, _spot(d)) > 0.0]
            if len(targets) and not meant:
                continue
            yield Use(
                source=file.node(source),
                target=meant[0][0].node(meant[0][1]) if meant else None,
                kind=EdgeKind.IMPORT.value,
                name=each.local or each.name,
                qualifier=each.module,
                line=line,
                places=(Place(line, column),),
                confidence=0.95 if meant else 1.0,
                reason="imported",
            )


def _makes(spot: Spot, targets: Targets) -> bool:
    """Whether calling a class calls one of the constructors that are asked about."""
    inner = targets.in_file(spot.file) if spot.kind in TYPES else ()
    if not inner:
        return False
    symbols = spot.file.outline.symbols
    return any(
        0 <= at < len(symbols) and symbols[at].kind is SymbolKind.CONSTRUCTOR and symbols[at].container == spot.symbol
        for at in inner
    )


_LOOKED_AT = 20
"""Targets that are read to see whether they are constructors; nobody means more of them at once."""
_SPEAKERS = frozenset({"__init__", "index", "mod", "lib", "main"})


def _naming(file: GraphFile, names: Collection[str]) -> Iterator[Edge]:
    """The calls and inheritances of a file that can mean one of some names, by what they are called there."""
    # `super(…)` calls what the file names where it inherits.
    local = {"super", *(local for local, each in file.imported.items() if each.name in names)}
    called = local.union(names)
    for edge in file.links.uses_of(called):
        if edge.name in names or not edge.qualifier:
            yield edge


def _fits(file: GraphFile, module: str, other: GraphFile) -> bool:
    return fit_of(file, module, Spot(other, -1, SymbolKind.FUNCTION, 0)) == EXACT


def _spot(definition: Definition) -> Spot:
    file, at = definition
    return Spot(file, at, SymbolKind.FUNCTION, 0)


def _nearest(numbers: Sequence[int], targets: Sequence[int]) -> list[int]:
    """Contents with the nearest numbers: files are read in the order of their paths, so they are the neighbours."""
    if not targets:
        return list(numbers[:EXAMINED])
    near = sorted(numbers, key=lambda number: abs(number - targets[0]) if number >= 0 else -1)
    return near[:EXAMINED]


def _places(edge: Edge) -> tuple[Place, ...]:
    more = zip(edge.more[::2], edge.more[1::2], strict=False)
    return (Place(edge.line, edge.column), *(Place(line, column) for line, column in more))


def _made(file: GraphFile, edge: Edge, meant: Resolved, others: Sequence[Resolved]) -> Use:
    # Overloads of the same definition are no other meanings.
    differing = [
        each for each in others if each.spot.container != meant.spot.container or each.spot.file is not meant.spot.file
    ]
    shown = [each for each in differing if each.confidence > _HARDLY][:OTHERS]
    return Use(
        source=file.node(edge.symbol),
        target=meant.spot.file.node(meant.spot.symbol),
        kind=edge.kind.value,
        name=edge.name,
        qualifier=edge.qualifier,
        line=edge.line,
        places=_places(edge),
        confidence=round(meant.confidence, 3),
        reason=meant.reason,
        others=tuple(each.spot.file.id_of(each.spot.symbol) for each in shown if _is_there(each.spot)),
        other_count=sum(each.confidence > _HARDLY for each in differing),
    )


def _is_there(spot: Spot) -> bool:
    return spot.symbol < len(spot.file.outline.symbols)


_HARDLY = 0.06
"""Candidates below this are not told as other meanings."""


def _external(file: GraphFile, edge: Edge) -> Use:
    return Use(
        source=file.node(edge.symbol),
        target=None,
        kind=edge.kind.value,
        name=edge.name,
        qualifier=edge.qualifier,
        line=edge.line,
        places=_places(edge),
        confidence=1.0,
        reason="not defined in this workspace",
    )


def by_confidence(uses: Iterable[Using]) -> list[Using]:
    """Surest first, then by place."""
    return sorted(uses, key=lambda use: (-use.confidence, use.file.id, use.edge.line))
