"""The list of packages that were taken, one JSON object a line, and of those that were not, with the reason."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path


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
        for record in _records(self._refused_path):
            if record.get("final", True):
                self._known.add((str(record["registry"]), str(record["package"])))

    def knows(self, registry: str, name: str) -> bool:
        """Say whether an earlier run has decided about a package."""
        return (registry, name) in self._known

    def take(self, package: Package) -> None:
        """Write down a package that was fetched."""
        self.taken.append(package)
        self._known.add((package.registry, package.package))
        _append(self._taken_path, asdict(package))

    def refuse(self, registry: str, name: str, refused: Refused) -> None:
        """Write down a package that is left out, and whether that is for good."""
        final = not isinstance(refused, Unreachable)
        record = {"package": name, "registry": registry, "reason": str(refused)[:200], "final": final}
        _append(self._refused_path, record)


def read_packages(data: Path) -> list[Package]:
    """The packages that were taken into a data folder."""
    found = []
    for record in _records(data / "packages.jsonl"):
        record["archives"] = tuple(record["archives"])  # type: ignore[arg-type]
        record["denied"] = tuple(record["denied"])  # type: ignore[arg-type]
        found.append(Package(**record))  # type: ignore[arg-type]
    return found


def file_name(text: str) -> str:
    """A name that is safe as one component of a path."""
    return re.sub(r"[^\w.+~-]+", "_", text).lstrip(".")[-180:] or "_"


def _records(path: Path) -> list[dict[str, object]]:
    if not path.exists():
        return []
    records = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            continue  # a run that was killed leaves half a line
    return records


def _append(path: Path, record: dict[str, object]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
