"""npm as a source of packages: names from packages that list them, one document and one tarball for each."""

import json
import subprocess
import urllib.parse
from pathlib import Path

from training.archives import members
from training.downloading import DownloadError, Remote, download, read
from training.licences import Verdict, permissive
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


class Registry:
    """The registry that npm is configured for."""

    def __init__(self, data: Path) -> None:
        """Ask npm which one it is."""
        self._data = data
        command = ["npm", "config", "get", "registry"]
        done = subprocess.run(command, cwd=data, check=True, capture_output=True, text=True)
        self._address = done.stdout.strip().rstrip("/")

    def names(self) -> list[str]:
        """The names of all packages, the most used first."""
        names: list[str] = json.loads(self._file(NAMES_PACKAGE, "names.json"))
        counts: dict[str, int] = json.loads(self._file(COUNTS_PACKAGE, "counts.json"))
        used = [name for name in names if counts.get(name, 0) >= LEAST_DOWNLOADS]
        return sorted(used, key=lambda name: (-counts[name], name))

    def fetch(self, group: str, name: str) -> Package:
        """Download the newest version of a package if its licence allows that."""
        document = self._document(name)
        licence = document.get("license") or document.get("licenses") or ""
        if isinstance(licence, list):
            licence = licence[0] if licence else ""
        if isinstance(licence, dict):
            licence = licence.get("type", "")
        if not isinstance(licence, str) or not permissive(licence):
            raise Refused(f"licence {str(licence)[:60]!r}")
        dist = document.get("dist") or {}
        if int(dist.get("unpackedSize") or 0) > UNPACKED_BYTES:
            raise Refused("too large")
        version = str(document.get("version", ""))
        target = self._data / "archives" / "npm" / (file_name(f"{name}-{version}") + ".tgz")
        remote = Remote(
            str(dist.get("tarball", "")), 0, "sha1" if dist.get("shasum") else "", str(dist.get("shasum", ""))
        )
        try:
            download(remote, target, TARBALL_BYTES)
        except DownloadError as error:
            raise Unreachable(str(error)) from error
        path = target.relative_to(self._data).as_posix()
        return Package(name, "npm", version, Verdict(licence).licence, group, (path,))

    def _document(self, name: str) -> dict[str, object] | dict[str, dict[str, str]]:  # type: ignore[override]
        try:
            data = read(f"{self._address}/{urllib.parse.quote(name, safe='@')}/latest", DOCUMENT_BYTES)
            document = json.loads(data)
        except (DownloadError, ValueError) as error:
            raise Unreachable(str(error)) from error
        if not isinstance(document, dict):
            raise Refused("no document")
        return document

    def _file(self, package: str, wanted: str) -> bytes:
        document = self._document(package)
        dist = document["dist"]
        target = self._data / "archives" / (file_name(package) + ".tgz")
        download(Remote(str(dist["tarball"])), target)  # type: ignore[index]
        from training import archives

        archives.LARGEST_MEMBER_BYTES = 1_000_000_000
        return next(m.read() for m in members(target) if m.path.endswith(wanted))
