"""Questions that were written for single pieces of packages, and all of a package that they are held against.

`training/asked/LANGUAGE.tsv` has them, separated by tabs: a line with registry, package and version, and below it, for
each question about that package, its path, first line, last line, style and text. `python -m training.written --data
DIR --work WORK --model FILE` looks the pieces up in the packages that `training.fetch` fetched, cuts those as the index
does, and writes `WORK/written.npz`, and `WORK/written-apart.npz` with those that nothing is learned from.
"""

import argparse
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.dense.static.modelfile import read_model
from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.pooling import bags
from lurcher_index.dense.static.tokens import Tokens
from lurcher_index.query.parser import parse
from training.archives import ArchiveError, Member, members
from training.arrays import BLOCK, MOST_CODE_WORDS, MOST_QUERY_WORDS, Growing, Ragged, load_fields, save
from training.exclusions import excluded_package, excluded_pair, leaked
from training.mine import below_root, known_shingles
from training.packages import Package, read_packages
from training.pairs import stable_hash
from training.selecting import readable, wanted

ASKED = Path(__file__).with_name("asked")

MOST_FILES = 60
MOST_DOCUMENTS = 160
"""Pieces of a package that its questions are held against, and files that they are taken from."""

LEAST_LETTERS = 120
"""Shorter pieces answer nothing."""

APART = 6
"""Of so many packages the questions of one teach nothing, and tell what the others have taught."""


class Question(NamedTuple):
    """A question, and the lines of a file in a package that answer it."""

    path: str
    first: int
    last: int
    style: str
    text: str


class Asked(NamedTuple):
    """A package of a registry and what is asked about it."""

    registry: str
    package: str
    version: str
    questions: tuple[Question, ...]


class Piece(NamedTuple):
    """A chunk of a package."""

    path: str
    first: int
    last: int
    code: str


@dataclass(frozen=True)
class Pools:
    """Packages with their pieces and questions, as word numbers."""

    codes: Ragged
    paths: Ragged
    code_packages: NDArray[np.int64]
    """Rising, as is the next."""
    query_packages: NDArray[np.int64]
    queries: Ragged
    right: NDArray[np.int64]
    """The row of the piece that answers each question."""


def read_written(folder: Path = ASKED) -> list[Asked]:
    """All packages with questions."""
    found: dict[tuple[str, str, str], list[Question]] = {}
    for file in sorted(folder.glob("*.tsv")):
        current: list[Question] | None = None
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match line.split("\t"):
                case [registry, package, version]:
                    current = found.setdefault((registry, package, version), [])
                case [path, first, last, style, text] if current is not None:
                    current.append(Question(path, int(first), int(last), style, text))
                case _:
                    raise ValueError(f"{file.name}, line {number}: neither a package nor a question")
    return [Asked(*package, tuple(questions)) for package, questions in sorted(found.items())]


def is_apart(registry: str, package: str) -> bool:
    """Whether a package's questions are for measuring only; the same in every run."""
    return stable_hash(f"{registry}/{package}") % APART == 0


def pieces_of(data: Path, package: Package, asked: Sequence[Question]) -> list[Piece]:
    """The chunks of a package: all of the files that are asked about, and of as many others as there is room for."""
    draw = Random(f"written {package.registry} {package.package}")
    named = {question.path for question in asked}
    first: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []

    def is_taken(member: Member) -> bool:
        if member.path in named:
            return True
        language = language_of(member.path, b"")
        return len(others) < MOST_FILES and wanted(
            member.path, member.size, package.registry, language, package.denied, draw
        )

    for archive in package.archives:
        try:
            for member in members(data / archive):
                if is_taken(member) and not excluded_pair(package.package, below_root(member.path)):
                    text = member.read().decode("utf-8", "replace").replace("\r\n", "\n")
                    if readable(text) and "\0" not in text:
                        (first if member.path in named else others).append((member.path, text))
        except ArchiveError:
            continue
    draw.shuffle(others)
    pieces: list[Piece] = []
    for path, text in (*first, *others):
        if len(pieces) >= MOST_DOCUMENTS and path not in named:
            break
        pieces += _cut(path, text.encode())
    return pieces


def _cut(path: str, data: bytes) -> Iterator[Piece]:
    for chunk in outline(data, language_of(path, data[:2_048])).chunks:
        code = data[chunk.start : chunk.end].decode("utf-8", "replace")
        if len(code) >= LEAST_LETTERS:
            yield Piece(path, chunk.first_line, chunk.last_line, code)


def answer_to(question: Question, pieces: Sequence[Piece]) -> int:
    """The piece that shares most lines with what a question is about; -1 if there is none."""
    shared = [
        min(piece.last, question.last) - max(piece.first, question.first) if piece.path == question.path else -1
        for piece in pieces
    ]
    best = max(range(len(pieces)), key=shared.__getitem__, default=-1)
    return best if best >= 0 and shared[best] >= 0 else -1


class Pooling:
    """Pools while they are filled."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._tokens = Tokens(vocabulary)
        self._fields = {name: Growing() for name in ("codes", "paths", "queries")}
        self._waiting: dict[str, list[bytes]] = {name: [] for name in self._fields}
        self._code_packages: list[int] = []
        self._query_packages: list[int] = []
        self._right: list[int] = []
        self.packages = 0

    def add(self, pieces: Sequence[Piece], questions: Iterable[Question]) -> None:
        """Take in one package; questions that nothing answers are left out."""
        begin = len(self._code_packages)
        answered = [(question, answer_to(question, pieces)) for question in questions]
        answered = [(question, right) for question, right in answered if right >= 0]
        if not answered:
            return
        for piece in pieces:
            self._put("codes", piece.code.encode("utf-8", "replace"), MOST_CODE_WORDS)
            path = below_root(piece.path).encode("utf-8", "replace")
            self._put("paths", path_words(path), MOST_CODE_WORDS)
            self._code_packages.append(self.packages)
        for question, right in answered:
            self._put("queries", parse(question.text).text.encode(), MOST_QUERY_WORDS)
            self._query_packages.append(self.packages)
            self._right.append(begin + right)
        self.packages += 1

    def pools(self) -> Pools:
        """What was taken in."""
        if not self.packages:
            raise ValueError("none of the packages that were asked about is here; fetch them first")
        for name in self._fields:
            self._count(name)
        return Pools(
            self._fields["codes"].ragged(),
            self._fields["paths"].ragged(),
            np.array(self._code_packages, np.int64),
            np.array(self._query_packages, np.int64),
            self._fields["queries"].ragged(),
            np.array(self._right, np.int64),
        )

    def _put(self, name: str, text: bytes, most: int) -> None:
        self._waiting[name].append(self._tokens.packed(text)[: 2 * most])
        if len(self._waiting[name]) >= BLOCK:
            self._count(name)

    def _count(self, name: str) -> None:
        waiting = self._waiting[name]
        if waiting:
            self._fields[name].add(bags(waiting), np.arange(len(waiting)))
            waiting.clear()


def load_pools(path: Path) -> Pools:
    """Read what `training.arrays.save` wrote."""
    return Pools(**load_fields(path))


def fetched(data: Path, asked: Iterable[Asked]) -> Iterator[tuple[Package, Asked]]:
    """The packages that are here in the version that was asked about, with their questions."""
    here = {(each.registry, each.package, each.version): each for each in read_packages(data)}
    for each in asked:
        package = here.get(each[:3])
        if package is not None and not excluded_package(package.package):
            yield package, each


def main() -> None:
    """Look up, cut, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that training.fetch filled")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True, help="whose words are counted")
    parser.add_argument("--judged", type=Path, nargs="*", default=[], help="folders with sources that must not leak in")
    options = parser.parse_args()
    vocabulary = read_model(options.model).vocabulary
    learned, apart = Pooling(vocabulary), Pooling(vocabulary)
    judged = frozenset(array("Q", known_shingles(options.data, options.judged)))
    packages = read_written()
    for package, asked in fetched(options.data, packages):
        pieces = pieces_of(options.data, package, asked.questions)
        pooling = apart if is_apart(package.registry, package.package) else learned
        pooling.add([piece for piece in pieces if not leaked(piece.code, judged)], asked.questions)
    for name, pooling in (("written", learned), ("written-apart", apart)):
        if pooling is apart and not apart.packages:
            continue  # Of a small sample there may be none.
        pools = pooling.pools()
        save(pools, options.work / f"{name}.npz")
        print(f"{name}: {len(pools.right):,} questions about {pooling.packages:,} packages,", end=" ")
        print(f"held against {len(pools.codes):,} pieces")
    print(f"{len(packages) - learned.packages - apart.packages:,} packages are not here, or nothing of them is left")


if __name__ == "__main__":
    main()
