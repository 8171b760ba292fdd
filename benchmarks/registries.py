"""Fetches source packages from the package registries that pip, npm and apt are configured for.

No registry is named here: each tool asks the one that its own configuration points at. Archives are untrusted
input: nothing that would land outside the destination is written, links that leave it are left out, and no
install script of a package is run. (pip does run an sdist's build backend to read its metadata.)
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import unquote

KINDS = ("pypi", "pypi-wheel", "npm", "debian", "debian-source")


class FetchError(Exception):
    """A package could not be fetched or does not hold what was expected; the text says which and why."""


def fetch(kind: str, package: str, version: str, downloads: Path) -> list[Path]:
    """Download a package once and return its archives; `version` is ignored by the Debian kinds."""
    folder = _folder(kind, package, version, downloads)
    if not (folder / ".complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _download(kind, package, version, folder, downloads)
        (folder / ".complete").touch()
    archives = downloaded(kind, package, version, downloads)
    if not archives:
        raise FetchError(f"{kind} package {package!r}: nothing was downloaded")
    return archives


def downloaded(kind: str, package: str, version: str, downloads: Path) -> list[Path]:
    """The archives of a package that was downloaded before; none if it was not, or if they were deleted."""
    folder = _folder(kind, package, version, downloads)
    if not (folder / ".complete").exists():
        return []
    archives = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    if kind == "debian-source":
        # The upstream tarball, never Debian's packaging; a native package has only one tarball.
        tarballs = [path for path in archives if ".tar." in path.name and path.suffix != ".asc"]
        archives = [path for path in tarballs if ".orig.tar." in path.name] or tarballs
    return archives


def debian_version(archive: Path) -> str:
    """The version in the name of a Debian archive; that of a tarball is the upstream one, without a revision."""
    name = re.sub(r"(?:\.orig)?\.tar\.\w+$|\.deb$", "", unquote(archive.name))
    return [*name.split("_"), ""][1]


def unpack(archives: Iterable[Path], prefix: str, destination: Path, inner: str = "") -> int:
    """Put what stands below `prefix` in the archives at `destination`; the number of files written.

    With `inner`, the archives hold an archive of that path (a glob pattern), which is unpacked instead.
    Digits in the prefix match any digits if the prefix itself is not there: distributions move on.
    """
    files = 0
    for archive in archives:
        if inner:
            with tempfile.TemporaryDirectory(dir=destination.parent) as between:
                _extract(archive, "", Path(between))
                for nested in sorted(Path(between).glob(inner)):
                    files += _extract(nested, prefix, destination)
        else:
            files += _extract(archive, prefix, destination)
    if not files:
        raise FetchError(f"no files below {prefix!r} in {', '.join(path.name for path in archives)}")
    return files


def _folder(kind: str, package: str, version: str, downloads: Path) -> Path:
    return downloads / re.sub(r"[^\w.-]+", "_", f"{kind}-{package}-{version}")


def _download(kind: str, package: str, version: str, folder: Path, downloads: Path) -> None:
    match kind:
        case "pypi" | "pypi-wheel":
            form = "--no-binary" if kind == "pypi" else "--only-binary"
            options = [
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                form,
                package,
                "--dest",
                str(folder.resolve()),
            ]
            _run([sys.executable, "-m", "pip", "download", *options, f"{package}=={version}"], folder)
        case "npm":
            _run(["npm", "pack", "--silent", "--ignore-scripts", f"{package}@{version}"], folder)
        case "debian":
            _run(["apt-get", "download", "-qq", package], folder)
        case "debian-source":
            options = _apt_source_options(downloads)
            _run(["apt-get", *options, "source", "-qq", "--download-only", "--tar-only", package], folder)
        case _:
            raise FetchError(f"unknown kind of registry {kind!r}; known: {', '.join(KINDS)}")


def _apt_source_options(downloads: Path) -> list[str]:
    """Options for an apt state of our own that knows source packages; the system's lists stay as they are."""
    state = (downloads / ".apt").resolve()
    sources = state / "sources.list.d"
    lists = state / "lists"
    options = []
    for name, value in (
        ("Dir::Etc::sourcelist", state / "none"),
        ("Dir::Etc::sourceparts", sources),
        ("Dir::State::lists", lists),
        ("Dir::Cache", state / "cache"),
    ):
        options += ["-o", f"{name}={value}"]
    if not (state / ".complete").exists():
        sources.mkdir(parents=True, exist_ok=True)
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        (state / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        system = Path("/etc/apt")
        for path in [*system.glob("sources.list"), *system.glob("sources.list.d/*")]:
            text = path.read_text(encoding="utf-8")
            text = re.sub(r"(?m)^(Types:).*$", r"\1 deb-src", text)
            text = re.sub(r"(?m)^deb(\s)", r"deb-src\1", text)
            (sources / path.name).write_text(text, encoding="utf-8")
        # Repositories without sources make this fail; what counts is that the package is found afterwards.
        subprocess.run(["apt-get", *options, "update", "-qq"], check=False, capture_output=True)
        (state / ".complete").touch()
    return options


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise FetchError(f"{' '.join(command[:4])} … failed: {(done.stderr or done.stdout).strip()[-400:]}")


def _extract(archive: Path, prefix: str, destination: Path) -> int:
    destination.mkdir(parents=True, exist_ok=True)
    if archive.suffix in (".whl", ".zip", ".jar"):
        return _extract_zip(archive, prefix, destination)
    if archive.suffix == ".deb":
        process = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        with process, tempfile.TemporaryFile(dir=destination.parent) as plain:
            shutil.copyfileobj(process.stdout, plain)
            plain.seek(0)
            return _extract_tar(plain, prefix, destination)
    with archive.open("rb") as file:
        return _extract_tar(file, prefix, destination)


def _extract_tar(file: IO[bytes], prefix: str, destination: Path) -> int:
    files = 0
    with tarfile.open(fileobj=file) as tar:
        members = {member.name.removeprefix("./"): member for member in tar.getmembers()}
        cut = _matching_prefix(prefix, members)
        for name, member in members.items():
            if not name.startswith(cut) or not (relative := name[len(cut) :].strip("/")):
                continue
            member = member.replace(name=relative, deep=False)
            if member.islnk():
                if not member.linkname.removeprefix("./").startswith(cut):
                    continue
                member = member.replace(linkname=member.linkname.removeprefix("./")[len(cut) :], deep=False)
            try:
                tar.extract(member, destination, set_attrs=False, filter="data")
            except (tarfile.FilterError, KeyError):
                continue  # a link out of the tree, or a device: not source
            files += member.isfile()
    return files


def _extract_zip(archive: Path, prefix: str, destination: Path) -> int:
    files = 0
    with zipfile.ZipFile(archive) as source:
        cut = _matching_prefix(prefix, source.namelist())
        for name in source.namelist():
            relative = PurePosixPath(name[len(cut) :])
            unsafe = relative.is_absolute() or ".." in relative.parts or "\\" in name
            if not name.startswith(cut) or name.endswith("/") or unsafe:
                continue
            target = destination / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            with source.open(name) as content, target.open("wb") as file:
                shutil.copyfileobj(content, file)
            files += 1
    return files


def _matching_prefix(prefix: str, names: Iterable[str]) -> str:
    """The prefix as it stands in the archive: the same, or the same but for the digits of its version."""
    if not prefix:
        return ""
    pattern = re.compile(re.sub(r"(?:\\\.|\d)*\d(?:\\\.|\d)*", r"[\\d.]+", re.escape(prefix)))
    found = ""
    for name in names:
        if name.startswith(prefix):
            return prefix
        if not found and (match := pattern.match(name)):
            found = match.group()
    return found or prefix
