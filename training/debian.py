"""Debian as a source of packages: binary packages that hold sources, and source packages, of the configured archive."""

import re
import subprocess
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.archives import ArchiveError, members
from training.downloading import DownloadError, Remote, download
from training.licences import Verdict, debian_verdict
from training.packages import Package, Refused, Unreachable, file_name

CAT_FILE = "/usr/lib/apt/apt-helper"
"""apt's own reader of its lists, whichever way they are compressed."""

COPYRIGHT_BYTES = 2_000_000
"""What is read of a copyright file; the longest are some hundred kilobytes."""

COMMAND_SECONDS = 900.0
"""How long a command of apt may take; bringing its lists up to date over a slow line is the longest."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What an index of the archive says about a package: binary or source."""

    name: str
    section: str
    build_depends: str
    files: tuple[Remote, ...]
    binaries: tuple[str, ...] = ()
    """Of a source package: the binary packages that are built from it."""

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)


class Archive:
    """The Debian archive that apt is configured for, seen through a state of our own for its sources."""

    def __init__(self, data: Path) -> None:
        """Keep apt's lists of sources below `data`; the system's lists stay as they are."""
        self._data = data
        self._state = (data / ".apt").resolve()

    def binaries(self) -> dict[str, Entry]:
        """All binary packages by name."""
        found: dict[str, Entry] = {}
        for base, fields in self._paragraphs([], "Packages"):
            if "Filename" in fields:
                remote = Remote(
                    _address(base, fields["Filename"]), int(fields.get("Size", "0")), "sha256", fields.get("SHA256", "")
                )
                found[fields["Package"]] = Entry(fields["Package"], fields.get("Section", ""), "", (remote,))
        return found

    def sources(self) -> dict[str, Entry]:
        """All source packages by name."""
        self._prepare()
        found: dict[str, Entry] = {}
        for base, fields in self._paragraphs(self._options(), "Sources"):
            files = re.findall(r"^ (\w{64}) (\d+) (\S+)$", fields.get("Checksums-Sha256", ""), re.MULTILINE)
            folder = fields.get("Directory", "")
            remotes = tuple(
                Remote(_address(base, f"{folder}/{file}"), int(size), "sha256", digest) for digest, size, file in files
            )
            depends = " ".join(value for key, value in fields.items() if key.startswith("Build-Depends"))
            binaries = tuple(re.split(r"[,\s]+", fields.get("Binary", "")))
            found[fields["Package"]] = Entry(fields["Package"], fields.get("Section", ""), depends, remotes, binaries)
        return found

    def _paragraphs(self, options: list[str], kind: str) -> Iterator[tuple[str, dict[str, str]]]:
        targets = ["apt-get", *options, "indextargets", "--format", "$(REPO_URI) $(FILENAME)", f"Created-By: {kind}"]
        for line in _run(targets, self._data).splitlines():
            base, file = line.split(" ", 1)
            text = _run([CAT_FILE, "cat-file", file], self._data)
            for paragraph in text.split("\n\n"):
                fields = dict(re.findall(r"^([A-Za-z0-9-]+): *(.*(?:\n .*)*)", paragraph, re.MULTILINE))
                if "Package" in fields:
                    yield base, fields

    def _options(self) -> list[str]:
        options: list[str] = []
        for name, value in (
            ("Dir::Etc::sourcelist", self._state / "none"),
            ("Dir::Etc::sourceparts", self._state / "sources.list.d"),
            ("Dir::State::lists", self._state / "lists"),
            ("Dir::Cache", self._state / "cache"),
        ):
            options += ["-o", f"{name}={value}"]
        return options

    def _prepare(self) -> None:
        if (self._state / ".complete").exists():
            return
        sources = self._state / "sources.list.d"
        sources.mkdir(parents=True, exist_ok=True)
        (self._state / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (self._state / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        for path in [*Path("/etc/apt").glob("sources.list"), *Path("/etc/apt").glob("sources.list.d/*")]:
            text = path.read_text(encoding="utf-8")
            text = re.sub(r"(?m)^(Types:).*$", r"\1 deb-src", text)
            text = re.sub(r"(?m)^deb(\s)", r"deb-src\1", text)
            (sources / path.name).write_text(text, encoding="utf-8")
        # Repositories without sources make this fail; what counts is that the main one is there afterwards.
        _run(["apt-get", *self._options(), "update", "-qq"], self._data)
        (self._state / ".complete").touch()


def fetch_binary(data: Path, group: str, entry: Entry) -> Package:
    """Download a binary package and keep it if its copyright file allows that."""
    target = data / "archives" / "debian" / file_name(_file_of(entry.files[0]))
    _get(entry.files[0], target)
    try:
        verdict = _verdict(_read_member(target, f"usr/share/doc/{entry.name}/copyright"))
        # Patterns speak of the source tree; which files of the binary package they mean is not said.
        if verdict.denied:
            raise Refused(f"also under other licences: {' '.join(verdict.denied)[:100]}")
    except Refused:
        target.unlink(missing_ok=True)
        raise
    return _package(data, group, entry.name, "debian", target.name.split("_")[1], verdict, [target])


def fetch_source(data: Path, group: str, entry: Entry, binaries: dict[str, Entry]) -> Package:
    """Download a source package if its copyright file allows that.

    The file is in the packaging. Mirrors do not always have that; the same file is in every binary package.
    """
    folder = data / "archives" / "debian-source" / file_name(entry.name)
    tarballs = {_file_of(r): r for r in entry.files if re.search(r"\.tar\.\w+$", r.url)}
    packaging = next((file for file in tarballs if ".debian.tar." in file), None)
    origs = [file for file in tarballs if ".orig" in file]
    if packaging is None or not origs:
        raise Refused("a native package")
    try:
        _get(tarballs[packaging], folder / file_name(packaging))
        verdict = _verdict(_read_member(folder / file_name(packaging), "debian/copyright"))
    except Unreachable:
        _get(tarballs[origs[0]], folder / file_name(origs[0]))
        verdict = _binary_verdict(folder, [binaries[name] for name in entry.binaries if name in binaries])
    for file in origs:
        _get(tarballs[file], folder / file_name(file))
    version = packaging.split("_", 1)[1].split(".debian.tar.")[0]
    archives = [folder / file_name(file) for file in origs]
    return _package(data, group, entry.name, "debian-source", version, verdict, archives)


def _binary_verdict(folder: Path, binaries: list[Entry]) -> Verdict:
    """What the smallest binary package says about the licence of its source."""
    if not binaries:
        raise Refused("no copyright file")
    smallest = min(binaries, key=lambda entry: entry.size)
    target = folder / "copyright.deb"
    _get(smallest.files[0], target)
    try:
        return _verdict(_read_member(target, f"usr/share/doc/{smallest.name}/copyright"))
    finally:
        target.unlink(missing_ok=True)


def _read_member(archive: Path, path: str) -> bytes:
    try:
        return next((member.read() for member in members(archive) if member.path == path), b"")
    except ArchiveError as error:
        raise Refused(str(error)) from error


def _get(remote: Remote, target: Path) -> None:
    try:
        download(remote, target)
    except DownloadError as error:
        raise Unreachable(str(error)) from error


def _verdict(text: bytes) -> Verdict:
    if not text:
        raise Refused("no copyright file")
    verdict = debian_verdict(text[:COPYRIGHT_BYTES].decode("utf-8", "replace"))
    if verdict is None:
        raise Refused("no permissive licence")
    return verdict


def _package(
    data: Path, group: str, name: str, registry: str, version: str, verdict: Verdict, archives: list[Path]
) -> Package:
    paths = tuple(path.relative_to(data).as_posix() for path in archives)
    return Package(name, registry, version, verdict.licence, group, paths, verdict.denied)


def _file_of(remote: Remote) -> str:
    return urllib.parse.unquote(remote.url.rsplit("/", 1)[-1])


def _address(base: str, path: str) -> str:
    return base.rstrip("/") + "/" + urllib.parse.quote(path)


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, check=False, capture_output=True, text=True, errors="replace", timeout=COMMAND_SECONDS
    )
    return done.stdout
