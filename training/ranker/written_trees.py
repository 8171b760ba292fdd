"""Packages whose written questions the table has not learned from, as trees that the ranker can learn from."""

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lurcher_index.chunking.languages import language_of
from training.archives import ArchiveError, members
from training.packages import Package
from training.ranker.labels import Labelled, Span, Tree
from training.selecting import LARGEST_BYTES
from training.written import Asked, fetched, is_apart, read_written

CATEGORY = "written"

FEWEST_QUESTIONS = 5
FEWEST_FILES, MOST_FILES = 15, 1_500
"""In a package of five files any search finds the right one; one of thousands takes long to index."""


def written_trees(data: Path, folder: Path) -> Iterator[Tree]:
    """The packages that were fetched, are kept apart and are large enough, unpacked below a folder."""
    for package, asked in fetched(data, read_written()):
        if is_apart(package.registry, package.package) and len(asked.questions) >= FEWEST_QUESTIONS:
            name = f"{package.registry}-{package.package}".replace("/", "-").replace("@", "")
            tree = _unpacked(data, package, asked, name, folder / name)
            if tree is not None:
                yield tree


def _unpacked(data: Path, package: Package, asked: Asked, name: str, root: Path) -> Tree | None:
    shutil.rmtree(root, ignore_errors=True)
    count = 0
    for archive in package.archives:
        try:
            for member in members(data / archive):
                path = PurePosixPath(member.path)
                if not language_of(member.path, b"") or not 0 < member.size <= LARGEST_BYTES:
                    continue
                if path.is_absolute() or ".." in path.parts:
                    continue
                target = root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(member.read())
                count += 1
                if count > MOST_FILES:
                    return None
        except (ArchiveError, OSError):
            return None
    if count < FEWEST_FILES:
        return None
    # The folders that a registry puts around everything are none of the project's.
    inside = root
    while len(below := list(inside.iterdir())) == 1 and below[0].is_dir():
        inside = below[0]
    questions = tuple(
        Labelled(each.text, CATEGORY, (Span(each.path, each.first, each.last),), True) for each in asked.questions
    )
    return Tree(name, language_of(asked.questions[0].path, b""), root, inside, questions)
