"""What an analyser says of a package: its definitions, and where each call leads. Written as JSON lines by the makers.

A definition is known by its *spot*: file, line of its name, name. Two tools that disagree about qualified names, and
they do, still agree about that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import msgspec

LARGEST = 256 * 2**20
"""Bytes of a truth that are read; those of the packages here are below 10 MiB."""


class Spot(NamedTuple):
    """Where a definition is named; line 0 and no name stand for the file itself."""

    file: str
    line: int
    name: str

    def __str__(self) -> str:
        """As editors link it."""
        return f"{self.file}:{self.line}:{self.name}" if self.line else self.file


def module(file: str) -> Spot:
    """The caller of what is called outside every definition."""
    return Spot(file, 0, "")


class Status(StrEnum):
    """What the analyser knows of a call."""

    INSIDE = "inside"
    """It leads to definitions of this package."""
    OUTSIDE = "outside"
    """It leads elsewhere: another package, the language itself, or a value that has no definition to show."""
    UNKNOWN = "unknown"
    """The analyser cannot say. Whoever claims an edge here is neither right nor wrong."""


class File(msgspec.Struct, frozen=True, tag="file", tag_field="type"):
    """A file that was looked at as a whole."""

    file: str


class Definition(msgspec.Struct, frozen=True, tag="definition", tag_field="type"):
    """Something with a name that can call or be called."""

    spot: Spot
    qualified: str
    outer: Spot
    """The definition around it, or the file."""
    same: Spot
    """The definition that stands for it: a prototype's body, a constructor's class, an overload's implementation."""


class Call(msgspec.Struct, frozen=True, tag="call", tag_field="type"):
    """A call in the text."""

    file: str
    line: int
    name: str
    """As it is written there."""
    caller: Spot
    status: Status
    callees: tuple[Spot, ...]


class TruthEdge(msgspec.Struct, frozen=True):
    """Caller and callee by qualified name, empty for the file itself: the form in which others can use it."""

    caller_file: str
    caller: str
    callee_file: str
    callee: str


Record = File | Definition | Call


@dataclass(frozen=True, slots=True)
class Truth:
    """All that one analyser says of one package."""

    files: frozenset[str]
    definitions: dict[Spot, Definition]
    calls: tuple[Call, ...]

    def same(self, spot: Spot) -> Spot:
        """The definition that stands for this one. A chain (prototype, constructor, class) is followed to its end."""
        seen = {spot}
        while (known := self.definitions.get(spot)) is not None and known.same not in seen:
            spot = known.same
            seen.add(spot)
        return spot

    def qualified(self, spot: Spot) -> str:
        """The name with those around it."""
        known = self.definitions.get(spot)
        return known.qualified if known is not None else spot.name

    def edges(self) -> list[TruthEdge]:
        """Every edge once, in order."""
        found = {
            TruthEdge(call.caller.file, self.qualified(call.caller), end.file, self.qualified(end))
            for call in self.calls
            for end in map(self.same, call.callees)
        }
        return sorted(found, key=msgspec.structs.astuple)


def gathered(records: Iterable[Record]) -> Truth:
    """A truth out of its records; of two records about one spot the first counts."""
    files: set[str] = set()
    definitions: dict[Spot, Definition] = {}
    calls: list[Call] = []
    for record in records:
        match record:
            case File():
                files.add(record.file)
            case Definition():
                definitions.setdefault(record.spot, record)
            case Call():
                calls.append(record)
    return Truth(frozenset(files), definitions, tuple(calls))


def read_truth(path: Path) -> Truth:
    """A truth from its file; ValueError (msgspec's or ours) if it is none."""
    size = path.stat().st_size
    if size > LARGEST:
        raise ValueError(f"{path.name}: {size:,} bytes are more than a truth has")
    return gathered(msgspec.json.decode(line, type=Record) for line in path.read_bytes().splitlines() if line.strip())
