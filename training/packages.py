"""The list of packages that were taken, one JSON object a line, and of those that were not, with the reason."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

REASON_LENGTH = 200
"""Characters that are kept of the reason why a package was refused."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package whose sources may be learned from; `archives` are paths below the data folder."""

    package: str
    registry: str
    version: str
    licence: str
    group: str
    archives: tuple[str, ...]
    denied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A package that was not taken; if that is not final, the next run asks for it again."""

    package: str
    registry: str
    reason: str
    final: bool = True


Record = TypeVar("Record", Package, Refusal)


class Refused(Exception):
    """A package is not taken; the text says why."""


class Unreachable(Refused):
    """A package could not be fetched this time; the next run tries again."""


class Listing:
    """The two lists in a data folder; what is in either is not asked for again."""

    def __init__(self, data: Path) -> None:
        """Read what earlier runs decided."""
        self._taken_path = data / "packages.jsonl"
        self._refused_path = data / "refused.jsonl"
        self.taken = read_packages(data)
        self._known = {(package.registry, package.package) for package in self.taken}
        refusals = _records(self._refused_path, Refusal)
        self._known |= {(refusal.registry, refusal.package) for refusal in refusals if refusal.final}

    def knows(self, registry: str, name: str) -> bool:
        """Say whether an earlier run has decided about a package."""
        return (registry, name) in self._known

    def take(self, package: Package) -> None:
        """Write down a package that was fetched."""
        self.taken.append(package)
        self._known.add((package.registry, package.package))
        _append(self._taken_path, package)

    def refuse(self, registry: str, name: str, refused: Refused) -> None:
        """Write down a package that is left out, and whether that is for good."""
        final = not isinstance(refused, Unreachable)
        _append(self._refused_path, Refusal(name, registry, str(refused)[:REASON_LENGTH], final))


def read_packages(data: Path) -> list[Package]:
    """The packages that were taken into a data folder."""
    return _records(data / "packages.jsonl", Package)


def file_name(text: str) -> str:
    """A name that is safe as one component of a path."""
    return re.sub(r"[^\w.+~-]+", "_", text).lstrip(".")[-180:] or "_"


def _records(path: Path, kind: type[Record]) -> list[Record]:
    if not path.exists():
        return []
    decoder = msgspec.json.Decoder(kind)
    records: list[Record] = []
    for line in path.read_bytes().split(b"\n"):
        try:
            records.append(decoder.decode(line))
        except msgspec.DecodeError:
            continue  # a run that was killed leaves half a line
    return records


def _append(path: Path, record: Package | Refusal) -> None:
    with path.open("ab") as file:
        file.write(msgspec.json.encode(record) + b"\n")
