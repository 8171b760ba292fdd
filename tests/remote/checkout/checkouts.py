"""Checkouts of real repositories, compared by the code under test and by reading everything."""

import os
import subprocess
from functools import cache
from pathlib import Path

from tests.history.repositories import Repository, git

from lurcher_index.checkout.differences import HashMemory, differences
from lurcher_index.checkout.identity import repositories_of
from lurcher_index.checkout.values import Checkout, Differences, Unknown
from lurcher_index.config import Settings
from lurcher_index.files.discovery import walk


def listed(folder: Path) -> list[str]:
    return [found.path for found in walk(folder, Settings()).files]


def checkouts(folder: Path) -> tuple[Checkout, ...]:
    return repositories_of(folder, listed(folder)).checkouts


def checkout(folder: Path) -> Checkout:
    return checkouts(folder)[0]


def ask(folder: Path, commit: str, memory: HashMemory | None = None) -> Differences | Unknown:
    return differences(checkout(folder), commit, listed(folder), memory=memory)


def compare(folder: Path, commit: str, memory: HashMemory | None = None) -> Differences:
    found = ask(folder, commit, memory)
    assert isinstance(found, Differences)
    return found


def check(
    folder: Path, commit: str, *, changed: tuple[str, ...] = (), gone: tuple[str, ...] = (), total: int | None = None
) -> Differences:
    """What differs, asked three times: without a memory, with an empty one and with a full one."""
    one, paths = checkout(folder), listed(folder)
    memory = HashMemory()
    answers = [differences(one, commit, paths, memory=each) for each in (None, memory, memory)]
    for found in answers:
        assert isinstance(found, Differences)
        assert (sorted(found.changed), sorted(found.gone)) == (sorted(changed), sorted(gone))
        assert total is None or found.total == total
    last = answers[-1]
    assert isinstance(last, Differences)
    return last


def by_reading(repository: Repository, commit: str) -> tuple[set[str], set[str], int]:
    """The same by reading every file and every content of the commit: changed, gone, total."""
    of_commit = contents(repository, commit)
    on_disk = {path: (repository.folder / path).read_bytes() for path in listed(repository.folder)}
    changed = {path for path, data in on_disk.items() if of_commit.get(path) != data}
    gone = {path for path in of_commit if path not in on_disk and not _is_file(repository.folder, path)}
    return changed, gone, len(of_commit)


def contents(repository: Repository, commit: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for entry in git("ls-tree", "-r", "-z", commit, cwd=repository.folder).split("\0"):
        about, _, path = entry.partition("\t")
        if about.startswith("100"):
            found[path] = _content(repository.folder, about.split()[2])
    return found


@cache
def _content(folder: Path, blob: str) -> bytes:
    return subprocess.run(["git", "cat-file", "blob", blob], cwd=folder, capture_output=True, check=True).stdout


def _is_file(folder: Path, path: str) -> bool:
    """Whether a path is a regular file to which no link leads."""
    place = folder / path
    return place.is_file() and os.path.realpath(place) == str(folder.resolve() / path)
