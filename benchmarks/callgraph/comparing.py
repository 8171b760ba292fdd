"""Edges of the index beside those of an analyser: what is right, wrong or missed, and of which kind. Pure functions.

The two do not name the same things: one knows a function that is assigned to a property, the other does not. A caller
that only one of them has a name for is taken to be the next definition outwards that both know. A callee is not: a
definition that the index does not know is missed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from benchmarks.callgraph.truth import Spot, Status, Truth, module

THRESHOLDS = tuple(step / 20 for step in range(21))
"""Confidences at which the curve is told, from all edges to only the certain ones."""


class Claim(msgspec.Struct, frozen=True):
    """An edge of the index."""

    caller: Spot
    callee: Spot
    confidence: float
    name: str = ""
    """As it is written in the call: an alias, or the constructor of a class; empty if it is the callee's."""
    line: int = 0
    """Where the caller does so first, 0 if nobody said."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The definitions of the index, each with the one around it, and the edges between them."""

    outer: Mapping[Spot, Spot]
    claims: Sequence[Claim]


class Figures(msgspec.Struct, frozen=True):
    """Counts of edges and what follows from them."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    unknown: int = 0
    """Edges about calls that the analyser could not resolve, or did not see: counted nowhere else."""

    @property
    def precision(self) -> float:
        """Share of what is claimed, and can be judged, that is right; 1 if nothing is claimed."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of what is true that is claimed; 1 if nothing is."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def __add__(self, other: "Figures") -> "Figures":
        """Both together, every edge with the same weight."""
        return Figures(
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
            self.unknown + other.unknown,
        )


class Fault(msgspec.Struct, frozen=True):
    """An edge that is wrong or missed: what kind of error it is, and where to look."""

    kind: str
    caller: str
    callee: str
    place: str
    """File and line of the call, as editors link it."""
    confidence: float | None = None
    note: str = ""


class Compared(msgspec.Struct, frozen=True):
    """One package at one confidence."""

    figures: Figures
    faults: tuple[Fault, ...]

    def kinds(self) -> dict[str, int]:
        """How many faults of each kind, most first."""
        return dict(Counter(fault.kind for fault in self.faults).most_common())


Edge = tuple[Spot, Spot]


class Comparison:
    """One package: truth and claims brought to the same names, once for all thresholds."""

    def __init__(self, truth: Truth, claimed: Claimed) -> None:
        """Bring both to the same names."""
        self._truth = truth
        ours = {truth.same(spot) for spot in claimed.outer}
        known = {truth.same(spot) for spot in truth.definitions}
        self._ours = ours
        self._true: dict[Edge, str] = {}
        self._unknown: set[tuple[Spot, str]] = set()
        self._elsewhere: dict[tuple[Spot, str], Status] = {}
        around = {spot: definition.outer for spot, definition in truth.definitions.items()}
        for call in truth.calls:
            caller = _lifted(call.caller, around.get, truth.same, ours)
            place = f"{call.file}:{call.line}"
            if call.status is Status.UNKNOWN:
                self._unknown.add((caller, call.name))
            elif self._elsewhere.get((caller, call.name)) is not Status.INSIDE:
                self._elsewhere[caller, call.name] = call.status
            for callee in call.callees:
                self._true.setdefault((caller, truth.same(callee)), place)
        self._claims: dict[Edge, Claim] = {}
        for claim in claimed.claims:
            edge = (_lifted(claim.caller, claimed.outer.get, truth.same, known), truth.same(claim.callee))
            before = self._claims.get(edge)
            if before is None or before.confidence < claim.confidence:
                self._claims[edge] = claim

    @property
    def count(self) -> int:
        """How many edges are true."""
        return len(self._true)

    @property
    def open(self) -> int:
        """Calls that the analyser could not resolve and that may lead into the package, as far as names tell.

        They are in no figure: truth holds what an analyser can resolve, which is what is easier to resolve.
        """
        names = {spot.name for spot in self._truth.definitions}
        return sum(name in names for _, name in self._unknown)

    def figures(self, threshold: float) -> Figures:
        """The counts, if only edges of at least this confidence are claimed."""
        right = wrong = unknown = 0
        for edge, claim in self._claims.items():
            if claim.confidence < threshold:
                continue
            if edge in self._true:
                right += 1
            elif self._is_unknown(edge, claim):
                unknown += 1
            else:
                wrong += 1
        return Figures(right, wrong, len(self._true) - right, unknown)

    def curve(self, thresholds: Iterable[float] = THRESHOLDS) -> dict[float, Figures]:
        """The counts at every threshold."""
        return {threshold: self.figures(threshold) for threshold in thresholds}

    def compared(self, threshold: float) -> Compared:
        """The counts and every fault, wrong ones first, the most confident of them first."""
        wrong = [
            self._wrong(edge, claim)
            for edge, claim in self._claims.items()
            if claim.confidence >= threshold and edge not in self._true and not self._is_unknown(edge, claim)
        ]
        wrong.sort(key=lambda fault: (-(fault.confidence or 0.0), fault.place, fault.callee))
        missed = [
            self._missed(edge, place, threshold)
            for edge, place in self._true.items()
            if edge not in self._claims or self._claims[edge].confidence < threshold
        ]
        missed.sort(key=lambda fault: (fault.kind, fault.place, fault.callee))
        return Compared(self.figures(threshold), (*wrong, *missed))

    def _is_unknown(self, edge: Edge, claim: Claim) -> bool:
        caller, callee = edge
        if caller.file not in self._truth.files or callee.file not in self._truth.files:
            return True
        return any((caller, name) in self._unknown for name in _names(edge, claim))

    def _wrong(self, edge: Edge, claim: Claim) -> Fault:
        caller, callee = edge
        truly_called = {self._elsewhere.get((caller, name)) for name in _names(edge, claim)}
        if Status.INSIDE in truly_called:
            kind = "wrong: another definition of that name is called"
        elif Status.OUTSIDE in truly_called:
            kind = "wrong: what is called lies outside"
        else:
            kind = "wrong: no call by that name"
        truly = [str(end) for start, end in self._true if start == caller and end.name == callee.name]
        note = f"truly {', '.join(truly[:3])}" if truly else ""
        return Fault(kind, str(caller), str(callee), f"{caller.file}:{claim.line}", claim.confidence, note)

    def _missed(self, edge: Edge, place: str, threshold: float) -> Fault:
        caller, callee = edge
        claim = self._claims.get(edge)
        note = ""
        if claim is not None:
            kind = "missed: not confident enough"
        elif callee not in self._ours:
            kind = "missed: the callee is no symbol of the index"
        else:
            others = [
                str(end)
                for (start, end), each in self._claims.items()
                if start == caller and end.name == callee.name and each.confidence >= threshold
            ]
            kind = "missed: taken for another definition" if others else "missed: no edge"
            note = f"taken for {', '.join(others[:3])}" if others else ""
        return Fault(kind, str(caller), str(callee), place, claim.confidence if claim else None, note)


def _names(edge: Edge, claim: Claim) -> set[str]:
    """What the caller may have written."""
    return {edge[1].name, claim.callee.name, claim.name}


def _lifted(spot: Spot, outer: Callable[[Spot], Spot | None], same: Callable[[Spot], Spot], known: set[Spot]) -> Spot:
    """The innermost definition around a spot, itself included, that the other side knows too; else the file."""
    seen: set[Spot] = set()
    around: Spot | None = spot
    while around is not None and around.line and around not in seen:
        seen.add(around)
        if same(around) in known:
            return same(around)
        around = outer(around)
    return module(spot.file)
