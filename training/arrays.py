"""The pairs as arrays of word numbers, so that a batch is put together without looking at text.

`python -m training.arrays PAIRS WORK` writes `train.npz`, `held_out.npz` and `data.json` (what was kept, and how much).
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.pooling import Bags, bags
from lurcher_index.dense.static.tokens import Tokens
from training.pairs import Pair, is_held_out, read_pairs, stable_hash
from training.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MOST_QUERY_WORDS = 64
"""Words of a question that count; a question is the beginning of a long comment."""

MOST_CODE_WORDS = 500
"""Words of the code that count; a chunk has about 200."""

MOST_REPEATS = 6
"""Pairs with the same question: what is asked of everything ("returns the name") teaches nothing."""

LEAST_CODE_WORDS = 5
"""Different words below which code answers nothing."""


BLOCK = 8_192
"""Pairs that are counted at once."""


@dataclass(frozen=True)
class Ragged:
    """For each row some word numbers, each once, and how often they occur."""

    words: NDArray[np.uint16]
    counts: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def matrix(self, rows: NDArray[np.int64], size: int) -> sp.csr_array:
        """Some rows as a sparse matrix of `size` columns with the square roots of the counts."""
        lengths = self.offsets[rows + 1] - self.offsets[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.repeat(self.offsets[rows] - starts[:-1], lengths) + np.arange(starts[-1])
        roots = np.sqrt(self.counts[places], dtype=np.float32)
        return sp.csr_array((roots, self.words[places].astype(np.int32), starts.astype(np.int32)), (len(rows), size))


@dataclass(frozen=True)
class Data:
    """All pairs of one part."""

    queries: Ragged
    codes: Ragged
    paths: Ragged
    packages: NDArray[np.int32]
    languages: NDArray[np.int16]
    kinds: NDArray[np.int16]
    query_hashes: NDArray[np.int64]
    code_hashes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.packages)


class Names(msgspec.Struct):
    """What the numbers in the arrays stand for, and how many pairs were kept and left out."""

    packages: list[str]
    languages: list[str]
    kinds: list[str]
    left_out: dict[str, int]
    pairs_by_language: dict[str, int]
    pairs_by_kind: dict[str, int]


def prepare(pairs: Iterable[Pair], vocabulary: Sequence[str]) -> tuple[Data, Data, Names]:
    """The pairs to train on, those held out, and what they are; repeated and empty ones are left out."""
    preparation = _Preparation(vocabulary)
    remaining = iter(pairs)
    while block := list(islice(remaining, BLOCK)):
        preparation.take_in(block)
    return preparation.train.data(), preparation.held_out.data(), preparation.names()


class Growing:
    """A ragged array while it is filled."""

    def __init__(self) -> None:
        self._parts: list[tuple[NDArray[np.uint16], NDArray[np.uint8], NDArray[np.int64]]] = []

    def add(self, found: Bags, rows: NDArray[np.int64]) -> None:
        """Append some rows of what was counted."""
        starts = np.concatenate([[0], found.ends[:-1]])
        lengths = (found.ends - starts)[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        places = np.repeat(starts[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        counts = np.minimum(found.counts[places], 255).astype(np.uint8)
        self._parts.append((found.words[places].astype(np.uint16), counts, lengths))

    def ragged(self) -> Ragged:
        """What was filled in."""
        words, counts, lengths = (np.concatenate(each) for each in zip(*self._parts, strict=True))
        return Ragged(words, counts, np.concatenate([[0], np.cumsum(lengths)]))


class _Part:
    """The pairs of one part while they are taken in."""

    def __init__(self) -> None:
        self.queries, self.codes, self.paths = Growing(), Growing(), Growing()
        self.rows: list[tuple[int, int, int, int, int]] = []

    def data(self) -> Data:
        """What was taken in."""
        table = np.array(self.rows, np.int64).reshape(-1, 5)
        return Data(
            self.queries.ragged(),
            self.codes.ragged(),
            self.paths.ragged(),
            table[:, 0].astype(np.int32),
            table[:, 1].astype(np.int16),
            table[:, 2].astype(np.int16),
            table[:, 3],
            table[:, 4],
        )


class _Preparation:
    """What is known of the pairs so far."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.train, self.held_out = _Part(), _Part()
        self._tokens = Tokens(vocabulary)
        self._packages: dict[str, int] = {}
        self._languages: dict[str, int] = {}
        self._kinds: dict[str, int] = {}
        self._left_out: Counter[str] = Counter()
        self._by_language: Counter[str] = Counter()
        self._by_kind: Counter[str] = Counter()
        self._repeated: Counter[int] = Counter()
        self._seen: set[int] = set()

    def names(self) -> Names:
        """What the numbers stand for."""
        return Names(
            list(self._packages),
            list(self._languages),
            list(self._kinds),
            dict(self._left_out),
            dict(self._by_language),
            dict(self._by_kind),
        )

    def take_in(self, block: Sequence[Pair]) -> None:
        """Count the words of some pairs, and keep the good ones."""
        queries = bags([self._packed(pair.query, MOST_QUERY_WORDS) for pair in block])
        codes = bags([self._packed(pair.code, MOST_CODE_WORDS) for pair in block])
        paths = bags([self._tokens.packed(path_words(pair.path.encode("utf-8", "replace"))) for pair in block])
        asked, told = (np.diff(each.ends, prepend=0) for each in (queries, codes))
        short = (asked == 0) | (told < LEAST_CODE_WORDS)
        kept: tuple[list[int], list[int]] = ([], [])
        for row, (pair, is_short) in enumerate(zip(block, short.tolist(), strict=True)):
            if self._is_kept(pair, is_short):
                kept[is_held_out(pair.package)].append(row)
        for part, rows in zip((self.train, self.held_out), kept, strict=True):
            places = np.array(rows, np.int64)
            part.queries.add(queries, places)
            part.codes.add(codes, places)
            part.paths.add(paths, places)
            part.rows += [self._row(block[row]) for row in rows]

    def _packed(self, text: str, most: int) -> bytes:
        return self._tokens.packed(text.encode("utf-8", "replace"))[: 2 * most]

    def _is_kept(self, pair: Pair, is_short: bool) -> bool:
        query, code = stable_hash(pair.query.lower()), stable_hash(pair.code)
        if is_short:
            self._left_out["too short"] += 1
        elif self._repeated[query] >= MOST_REPEATS:
            self._left_out["question repeated"] += 1
        elif query ^ code in self._seen:
            self._left_out["duplicate"] += 1
        else:
            self._repeated[query] += 1
            self._seen.add(query ^ code)
            self._by_language[pair.language] += 1
            self._by_kind[pair.kind] += 1
            return True
        return False

    def _row(self, pair: Pair) -> tuple[int, int, int, int, int]:
        return (
            self._packages.setdefault(pair.package, len(self._packages)),
            self._languages.setdefault(pair.language, len(self._languages)),
            self._kinds.setdefault(pair.kind, len(self._kinds)),
            stable_hash(pair.query.lower()),
            stable_hash(pair.code),
        )


def save(data: "DataclassInstance", path: Path) -> None:
    """Write a part, or anything else that is made of arrays and ragged ones."""
    arrays: dict[str, Any] = {}
    for field in fields(data):
        value = getattr(data, field.name)
        if isinstance(value, Ragged):
            arrays |= {f"{field.name}.{each.name}": getattr(value, each.name) for each in fields(value)}
        else:
            arrays[field.name] = value
    np.savez(path, **arrays)


def load(path: Path) -> Data:
    """Read one part."""
    return Data(**load_fields(path))


def load_fields(path: Path) -> dict[str, Any]:
    """What `save` wrote, by the names of the fields."""
    with np.load(path, allow_pickle=False) as arrays:
        ragged = {name.partition(".")[0] for name in arrays.files if "." in name}
        values: dict[str, Any] = {
            name: Ragged(*(arrays[f"{name}.{each.name}"] for each in fields(Ragged))) for name in ragged
        }
        return values | {name: arrays[name] for name in arrays.files if "." not in name}


def main() -> None:
    """Read, prepare, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("work", type=Path)
    options = parser.parse_args()
    train, held_out, names = prepare(read_pairs(options.pairs), read_vocabulary(options.work).words)
    save(train, options.work / "train.npz")
    save(held_out, options.work / "held_out.npz")
    (options.work / "data.json").write_bytes(msgspec.json.encode(names))
    print(f"{len(train):,} pairs to train on, {len(held_out):,} held out, left out {names.left_out}")
    print(f"{names.pairs_by_language} {names.pairs_by_kind}, {len(names.packages):,} packages")


if __name__ == "__main__":
    main()
