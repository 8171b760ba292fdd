"""The sources that are asked about: fetched once from package registries, or this repository itself."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec
from benchmarks.registries import FetchError, debian_version, downloaded, fetch, unpack

CHECKOUT = "checkout"
"""The registry of a corpus that needs no fetching, because it is this repository."""

ROOT = Path(__file__).resolve().parents[2]

DOWNLOADS = ".downloads"
"""Where the archives are kept, beside the trees."""

Report = Callable[[str], object]
"""Hears, in words, what is left out."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A repository: what it is, and where in the fetched tree the part to index lies."""

    name: str
    language: str
    repository: Path
    root: Path
    moved: str = ""
    """How the fetched version differs from the one that was asked for; empty if it does not, as far as is known."""


class Entry(msgspec.Struct, frozen=True, rename="camel"):
    """A corpus in `corpora.json`."""

    name: str
    language: str
    registry: str
    package: str
    version: str
    package_prefix: str
    repository_prefix: str
    index_root: str


def to_stderr(line: str) -> None:
    """The usual way to report."""
    print(line, file=sys.stderr)


def fetch_corpora(data: Path, trees: Path, only: Sequence[str], report: Report = to_stderr) -> Iterator[Corpus]:
    """The corpora, fetched unless they are there; one that cannot be had is reported and left out."""
    for entry in msgspec.json.decode((data / "corpora.json").read_bytes(), type=list[Entry]):
        if only and entry.name not in only:
            continue
        try:
            yield _corpus(entry, trees)
        except FetchError as error:
            report(f"{entry.name}: left out: {error}")


def _corpus(entry: Entry, trees: Path) -> Corpus:
    if entry.registry == CHECKOUT:
        repository = ROOT
    else:
        repository = _below(trees, entry.name)
        if not repository.exists():
            _fetch(entry, trees, repository)
    root = _below(repository, entry.index_root)
    if not root.is_dir():
        raise FetchError(f"no folder {entry.index_root!r} in it")
    return Corpus(entry.name, entry.language, repository, root, moved(entry, trees / DOWNLOADS))


def _fetch(entry: Entry, trees: Path, repository: Path) -> None:
    partial = repository.with_name(f".{entry.name}.partial")
    archives = fetch(entry.registry, entry.package, entry.version, trees / DOWNLOADS)
    unpack(archives, entry.package_prefix, _below(partial, entry.repository_prefix))
    partial.rename(repository)


def _below(folder: Path, relative: str) -> Path:
    """A path in a folder; names in a file of others must not lead out of it."""
    if PurePosixPath(relative).is_absolute() or ".." in PurePosixPath(relative).parts:
        raise FetchError(f"{relative!r} leads out of its folder")
    return folder / relative


def moved(entry: Entry, downloads: Path) -> str:
    """What is wrong with the version that a Debian registry gave: it cannot be asked for a certain one.

    Archives that are no longer there tell nothing; what is left is to look whether the answers are still in the tree.
    """
    if not entry.registry.startswith("debian"):
        return ""
    for archive in downloaded(entry.registry, entry.package, entry.version, downloads):
        found = debian_version(archive)
        if not same_version(entry.registry, entry.version, found):
            return f"version {found} was fetched, the questions are about {entry.version}"
    return ""


def same_version(registry: str, wanted: str, found: str) -> bool:
    """Whether a Debian version is the wanted one. A source's tarball has neither epoch nor revision in its name."""
    if registry == "debian-source":
        upstream = wanted.rpartition(":")[2]
        return found in (upstream, upstream.rpartition("-")[0])
    return found == wanted
