"""npm as a source of packages: names from packages that list them, one document and one tarball for each."""

import subprocess
import urllib.parse
from pathlib import Path
from typing import cast

import msgspec

from training.archives import members
from training.downloading import DownloadError, Remote, download, read
from training.licences import permissive
from training.packages import Package, Refused, Unreachable, file_name

NAMES_PACKAGE = "all-the-package-names"
"""A package that lists the names of all packages: the registry's own search is not everywhere."""

COUNTS_PACKAGE = "download-counts"
"""A package that says how often each package is downloaded; the well-used ones are better written."""

LEAST_DOWNLOADS = 60
"""Downloads a month of the packages that are asked for; most of the millions of others are trials and copies."""

DOCUMENT_BYTES = 3_000_000
TARBALL_BYTES = 12_000_000
UNPACKED_BYTES = 60_000_000
"""Packages beyond these carry binaries or bundles."""

NAMES_BYTES = 1_000_000_000
"""What is read of a list of names; that of all packages is a hundred megabytes and grows."""

COMMAND_SECONDS = 60.0
"""How long npm may take to say how it is configured."""


class Dist(msgspec.Struct, frozen=True, rename={"unpacked_size": "unpackedSize"}):
    """Where a version's tarball is, and what the registry says about it."""

    tarball: str
    shasum: str = ""
    unpacked_size: int = 0


class Document(msgspec.Struct, frozen=True):
    """What the registry says about a version; licences have been written in several forms over the years."""

    dist: Dist
    version: str = ""
    license: object = None
    licenses: object = None


class Registry:
    """The registry that npm is configured for."""

    def __init__(self, data: Path) -> None:
        """Ask npm which one it is."""
        self._data = data
        command = ["npm", "config", "get", "registry"]
        done = subprocess.run(command, cwd=data, check=True, capture_output=True, text=True, timeout=COMMAND_SECONDS)
        self._address = done.stdout.strip().rstrip("/")

    def names(self) -> list[str]:
        """The names of all packages, the most used first."""
        names = msgspec.json.decode(self._file(NAMES_PACKAGE, "names.json"), type=list[str])
        counts = msgspec.json.decode(self._file(COUNTS_PACKAGE, "counts.json"), type=dict[str, int])
        used = [name for name in names if counts.get(name, 0) >= LEAST_DOWNLOADS]
        return sorted(used, key=lambda name: (-counts[name], name))

    def fetch(self, group: str, name: str) -> Package:
        """Download the newest version of a package if its licence allows that."""
        document = self._document(name)
        licence = _licence(document.license or document.licenses)
        if not permissive(licence):
            raise Refused(f"licence {licence[:60]!r}")
        dist = document.dist
        if dist.unpacked_size > UNPACKED_BYTES:
            raise Refused("too large")
        target = self._data / "archives" / "npm" / (file_name(f"{name}-{document.version}") + ".tgz")
        try:
            download(Remote(dist.tarball, 0, "sha1" if dist.shasum else "", dist.shasum), target, TARBALL_BYTES)
        except DownloadError as error:
            raise Unreachable(str(error)) from error
        path = target.relative_to(self._data).as_posix()
        return Package(name, "npm", document.version, licence, group, (path,))

    def _document(self, name: str) -> Document:
        try:
            data = read(f"{self._address}/{urllib.parse.quote(name, safe='@')}/latest", DOCUMENT_BYTES)
            return msgspec.json.decode(data, type=Document)
        except (DownloadError, msgspec.DecodeError) as error:
            raise Unreachable(str(error)) from error

    def _file(self, package: str, wanted: str) -> bytes:
        target = self._data / "archives" / (file_name(package) + ".tgz")
        download(Remote(self._document(package).dist.tarball), target)
        return next(member.read() for member in members(target, NAMES_BYTES) if member.path.endswith(wanted))


def _licence(said: object) -> str:
    """The licence's name: today that alone, formerly an object with its type, or a list of such objects."""
    if isinstance(said, list):
        said = cast("list[object]", said)[0] if said else ""
    if isinstance(said, dict):
        said = cast("dict[object, object]", said).get("type")
    return said if isinstance(said, str) else ""
