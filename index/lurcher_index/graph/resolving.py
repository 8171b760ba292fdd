"""Which definitions a call means, and how sure that is. Every candidate is kept, however unlikely."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lurcher_index.graph.families import CALLABLE, COMMON_METHODS, SELF, TYPES, VALUES
from lurcher_index.graph.files import GraphFile, Location
from lurcher_index.graph.fitting import fit_of
from lurcher_index.graph.modules import EXACT
from lurcher_index.graph.namesakes import Entry, Spot
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.receivers import Receiver, Receivers, What
from lurcher_index.model import Edge, EdgeKind, SymbolKind

SURE = 0.97
"""Found where the language looks first: an inner scope, the own class, a name that was imported."""

LIKELY = 0.9
"""Found by a rule with exceptions: the type of the receiver, the folder, everything of a module."""

HANDED_ON = 0.8
"""Found in a part of the module that is named: it may hand the name on, and nearly always does."""

LINKED = 0.75
"""The only definition of a plain name, in a language that needs no import."""

GUESSED = 0.6
"""The only method of an unusual name, called on something unknown."""

COMMON = 0.15
"""The only method of a name that values of every kind have, called on something unknown."""

NOT_HERE = 0.05
"""A definition of that name that the call, by all that is known, does not mean."""

MANY = 50
"""Definitions of a name beyond which none is likelier than another, if nothing is known of the receiver."""

SHADOWED = 0.1
"""A parameter or a variable has the name."""


class Resolved(NamedTuple):
    """A definition that may be meant."""

    spot: Spot
    confidence: float
    reason: str


class Resolution(NamedTuple):
    """What a use can mean: some definitions, and all others of that name with hardly any confidence."""

    found: list[Resolved]
    rest: float = NOT_HERE
    """Confidence of every other definition of that name."""
    reason: str = "same name only"


class Resolver:
    """Resolves the uses in the files of one view."""

    def __init__(self, files: GraphFiles) -> None:
        """Take the files."""
        self._files = files
        self.receivers = Receivers(files)
        self._known: dict[tuple[str, str], list[Spot]] = {}
        self._placed: dict[tuple[str, str, Location], list[Spot]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._methods: dict[tuple[str, str], list[Resolved]] = {}
        self._imported: dict[tuple[str, str, str], Resolution] = {}

    def resolve(self, file: GraphFile, edge: Edge) -> Resolution:
        """The definitions that a call or an inheritance may mean, surest first."""
        resolution = self._inherited(file, edge) if edge.kind is EdgeKind.INHERIT else self._called(file, edge)
        if len(resolution.found) > 1:
            resolution.found.sort(key=lambda each: -each.confidence)
        return resolution

    def unlikely(self, file: GraphFile, name: str) -> list[Spot]:
        """Every definition of a name that a file could mean by its language."""
        return self._candidates(file, name)

    def _inherited(self, file: GraphFile, edge: Edge) -> Resolution:
        name = f"{edge.qualifier}.{edge.name}" if edge.qualifier else edge.name
        return Resolution(_shared(self.receivers.types_named(name, file), LIKELY, "type of that name"))

    def _called(self, file: GraphFile, edge: Edge) -> Resolution:
        if not edge.qualifier:
            if edge.name in ("super", "this", "base") and file.family.name in _CONSTRUCTOR_WORDS:
                own = self.receivers.own_types(file, edge.symbol)
                bases = own if edge.name == "this" else [base for each in own for base in self.receivers.bases(each)[0]]
                return Resolution(_shared(bases, LIKELY, "inherited"))
            return self._plain(file, edge)
        return self._on(file, edge, self.receivers.of(file, edge.symbol, edge.qualifier))

    # -- f()

    def _plain(self, file: GraphFile, edge: Edge) -> Resolution:
        imported = file.imported.get(edge.name)
        if edge.bound:
            return Resolution([], SHADOWED, "a parameter of that name is called")
        own = self._in_scope(file, edge)
        if own:
            return _chosen(own, SURE, "same file")
        if file.family.implicit_self:
            members, _ = self.receivers.members(self._enclosing_types(file, edge.symbol), edge.name)
            if members:
                return _chosen(members, SURE, "same class")
        if imported is not None and imported.name not in ("", "*"):
            wanted = edge.name if imported.name == "default" else imported.name
            return self._from_module(file, imported.module, wanted)
        if imported is not None and not imported.name:
            return self._from_module(file, imported.module, edge.name)
        near = self._free(self._beside(file, edge.name))
        if near and file.family.folder_scope:
            return _chosen(near, LIKELY, "same folder")
        if not file.wildcards and not file.family.global_scope:
            return Resolution([])
        free = self._free(self._candidates(file, edge.name))
        wild = [each for each in free if any(fit_of(file, module, each) == EXACT for module in file.wildcards)]
        if wild:
            return _chosen(wild, LIKELY, "all of its module is imported")
        if near:
            return _chosen(near, LIKELY, "same folder")
        if free and file.family.global_scope:
            return _chosen(free, LINKED, "only definition" if len(free) == 1 else "one of several")
        wild = [each for each in free if any(fit_of(file, module, each) for module in file.wildcards)]
        if wild:
            return _chosen(wild, HANDED_ON, "all of its module is imported")
        return Resolution([])

    def _in_scope(self, file: GraphFile, edge: Edge) -> list[Spot]:
        """Definitions of the same file that a plain name reaches, innermost scope first."""
        symbols = file.outline.symbols
        own = [each for each in self._beside(file, edge.name) if each.file is file and each.symbol < len(symbols)]
        if not own:
            return []
        for at in file.around(edge.symbol):
            if (
                at >= 0
                and symbols[at].kind in TYPES
                and not file.family.implicit_self
                and symbols[at].kind not in _SPACES
            ):
                continue
            here = [each for each in own if symbols[each.symbol].container == at and not symbols[each.symbol].owner]
            if not file.family.implicit_self:
                here = [each for each in here if each.kind is not SymbolKind.METHOD]
            if here:
                return here
        return []

    def _enclosing_types(self, file: GraphFile, symbol: int) -> list[Spot]:
        types = list(self.receivers.own_types(file, symbol))
        for each in list(types):
            outer = each.file.outline.symbols[each.symbol].container
            types += self.receivers.own_types(each.file, outer) if outer >= 0 else ()
        return types

    def _from_module(self, file: GraphFile, module: str, name: str) -> Resolution:
        key = (file.id, module, name)
        if key not in self._imported:
            self._imported[key] = self._find_in_module(file, module, name)
        return self._imported[key]

    def _find_in_module(self, file: GraphFile, module: str, name: str) -> Resolution:
        kinds = _kinds(file)
        fitting = [each for each in self.receivers.from_module(name, file, module) if each.kind in kinds]
        fitting = [each for each in fitting if each.kind not in VALUES or name not in each.file.imported]
        free = self._free(fitting) or fitting
        if not free:
            return Resolution([], NOT_HERE, "imported from elsewhere")
        is_guess = 0.0 < max(fit_of(file, module, each) for each in free) < EXACT
        return _chosen(free, HANDED_ON if is_guess else SURE, "imported")

    # -- x.f()

    def _on(self, file: GraphFile, edge: Edge, receiver: Receiver) -> Resolution:
        if edge.qualifier == "''" or receiver.what is What.OUTSIDE:
            return Resolution([], NOT_HERE, "called on something from elsewhere")
        if receiver.what is What.MODULE and receiver.importer is not None:
            return self._from_module(receiver.importer, receiver.module, edge.name)
        if receiver.what is What.BASES:
            bases = [base for each in receiver.types for base in self.receivers.bases(each)[0]]
            return self._on_types(file, bases, edge.name)
        if receiver.what is What.TYPES:
            return self._on_types(file, receiver.types, edge.name)
        count = self._count(file, edge.name)
        if count > MANY:
            return Resolution([], COMMON / count, "one of many of that name")
        return self._guessed(file, edge, self._candidates(file, edge.name))

    def _on_types(self, file: GraphFile, types: Sequence[Spot], name: str) -> Resolution:
        found, whole = self.receivers.members(types, name)
        found = [each for each in found if each.kind in CALLABLE]
        if found:
            return _chosen(found, LIKELY, "type of the receiver")
        if file.family.functions_as_methods:
            # A function assigned to a property of an object lies in no type.
            files = {each.file for each in types}
            own = self._free([each for each in self._candidates(file, name) if each.file in files])
            if own:
                return _chosen(own, HANDED_ON, "same file as the receiver")
        return Resolution([], NOT_HERE if whole else SHADOWED, "the receiver has no such member")

    def _guessed(self, file: GraphFile, edge: Edge, spots: Sequence[Spot]) -> Resolution:
        """Nothing is known of the receiver: the fewer methods have the name, and the rarer it is, the likelier."""
        methods = [each for each in spots if each.container or file.family.functions_as_methods]
        methods = [each for each in methods if each.kind not in TYPES | VALUES]
        best = COMMON if edge.name in COMMON_METHODS or len(edge.name) < _SHORT else GUESSED
        near = [each for each in methods if each.file is file]
        if near and edge.qualifier in SELF:
            # An object that is no class has its functions beside each other.
            return _chosen(near, LINKED, "same file")
        if len(near) > 0 and len(near) < len(methods) and len(groups(near)) == 1:
            rest = [each for each in methods if each.file is not file]
            return Resolution(
                [*_shared(near, best * 0.5, "method of that name here"), *_shared(rest, best * 0.3, _ONE)]
            )
        key = (file.family.name, edge.name)
        if key not in self._methods:
            self._methods[key] = _shared(methods, best, _ONE)
        return Resolution(list(self._methods[key]))

    # -- parts

    def _candidates(self, file: GraphFile, name: str) -> list[Spot]:
        key = (file.family.name, name)
        if key not in self._known:
            self._known[key] = self._find_candidates(file, name)
        return self._known[key]

    def _count(self, file: GraphFile, name: str) -> int:
        """How many candidates there are; of a common name that is told without making them."""
        key = (file.family.name, name)
        if key not in self._counts:
            named = self._files.namesakes(name, file.family.name)
            found = named.entries(_kinds(file))
            unsure = _unsure(found)
            self._counts[key] = len(found) - len(unsure) + len(_that_define(named.spots(unsure), name))
        return self._counts[key]

    def _beside(self, file: GraphFile, name: str) -> list[Spot]:
        """Those of the candidates that lie in the same folder, the file itself included."""
        key = (file.family.name, name, file.place)
        if key not in self._placed:
            named = self._files.namesakes(name, file.family.name)
            self._placed[key] = _that_define(named.beside(_kinds(file), file.place), name)
        return self._placed[key]

    def _find_candidates(self, file: GraphFile, name: str) -> list[Spot]:
        return _that_define(self._files.namesakes(name, file.family.name).of_kinds(_kinds(file)), name)

    def _free(self, spots: Sequence[Spot]) -> list[Spot]:
        """The definitions that lie in no type, so that a plain name or a module's can mean them."""
        self._files.read_definitions(each.file for each in spots if each.container)
        return [each for each in spots if self._is_free(each)]

    def _is_free(self, spot: Spot) -> bool:
        # What lies in nothing is free, and its file need not be read to know that.
        if not spot.container:
            return True
        symbols = spot.file.outline.symbols
        if spot.symbol >= len(symbols):
            return True
        if symbols[spot.symbol].owner:
            return False
        return all(at < 0 or symbols[at].kind in _SPACES for at in spot.file.around(symbols[spot.symbol].container))


def _kinds(file: GraphFile) -> frozenset[SymbolKind]:
    """What a call in a file can lead to."""
    return _WITH_VALUES if file.family.callable_values else CALLABLE


def _that_define(spots: list[Spot], name: str) -> list[Spot]:
    """Without what is the same to a caller as another one. That one is in the same file, if there is any."""
    # A variable that holds what was imported defines nothing.
    found = [each for each in spots if each.kind not in VALUES or name not in each.file.imported]
    # A constructor that has the name of its class is that class, to a caller.
    types = {(each.file.id, each.symbol) for each in found if each.kind in TYPES}
    if not types:
        return found
    return [each for each in found if each.kind is not SymbolKind.CONSTRUCTOR or not _is_within(each, types)]


def _unsure(entries: Sequence[Entry]) -> list[Entry]:
    """The definitions in files in which some of them may be the same as others to a caller."""
    typed = {stored[0] for stored, _, kind, _ in entries if kind in TYPES}
    files = {stored[0] for stored, _, kind, _ in entries if kind is SymbolKind.CONSTRUCTOR and stored[0] in typed}
    files |= {stored[0] for stored, _, kind, _ in entries if kind in VALUES}
    return [each for each in entries if each[0][0] in files]


def _chosen(spots: Sequence[Spot], confidence: float, reason: str) -> Resolution:
    return Resolution(_shared(spots, confidence, reason))


_ONE = "method of that name"
_CONSTRUCTOR_WORDS = frozenset({"ecma", "jvm", "csharp"})
"""Families in which `super(…)` and `this(…)` call a constructor."""
_WITH_VALUES = CALLABLE | VALUES
_SPACES = frozenset({SymbolKind.MODULE, SymbolKind.NAMESPACE})
_SHORT = 3
"""Names shorter than this are common."""
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".pyi", ".d.ts")


def groups(spots: Iterable[Spot]) -> list[list[Spot]]:
    """Definitions that are one to a caller: overloads in one type of one file, a declaration and what it declares."""
    found: dict[tuple[object, ...], list[Spot]] = {}
    for each in spots:
        # A header declares; which source file it belongs to does not matter as long as there is one.
        place = "" if each.file.family.name == "c" else each.file.id
        found.setdefault((place, each.container), []).append(each)
    split: list[list[Spot]] = []
    for group in found.values():
        sources = [each for each in group if not each.file.path.endswith(_HEADERS)]
        files = {each.file.id for each in sources}
        if len(files) > 1:
            split += [[each for each in sources if each.file.id == name] for name in sorted(files)]
        else:
            # The definition stands before its declarations.
            split.append([*sources, *(each for each in group if each.file.path.endswith(_HEADERS))])
    return split


def _shared(spots: Sequence[Spot], confidence: float, reason: str) -> list[Resolved]:
    """Several that may be meant share the confidence."""
    if len(spots) == 1:
        return [Resolved(spots[0], confidence, reason)]
    found = groups(spots)
    each = confidence / len(found) if found else confidence
    return [Resolved(spot, each, reason) for group in found for spot in group]


def _is_within(spot: Spot, types: set[tuple[str, int]]) -> bool:
    symbols = spot.file.outline.symbols
    return spot.symbol < len(symbols) and (spot.file.id, symbols[spot.symbol].container) in types
