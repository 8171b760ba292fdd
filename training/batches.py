"""Which pairs stand together in a batch, and what of them is seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from training.arrays import Data
from training.network import Batch


@dataclass(frozen=True)
class Sampling:
    """How batches are drawn."""

    size: int = 2_048
    group: int = 128
    """Pairs of one package that stand together, so that a question has to tell apart the code of one project."""
    damping: float = 0.5
    """Languages with more pairs than `usual` keep (usual / pairs) to this power of them in an epoch; 0 keeps all."""
    usual: int = 60_000
    left_out: tuple[int, ...] = ()
    """Kinds of pairs that are not used, by their numbers."""
    path_dropped: float = 0.3
    """Share of documents without their path, so that the content is learned as well."""
    query_dropped: float = 0.5
    """Up to this share of a question's words is left out, so that no word is relied on alone."""
    shared_hidden: float = 0.0
    """Share of the documents without the words that their question has too, as if code had been asked for in words that
    it does not use."""


@dataclass(frozen=True)
class Drawn:
    """A batch and the vocabulary numbers of its columns."""

    batch: Batch
    words: NDArray[np.int64]


def epochs(data: Data, sampling: Sampling, draw: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """The rows of batch after batch, without end."""
    while True:
        rows = order(data, sampling, draw)
        if len(rows) < sampling.size:
            raise ValueError(f"{len(rows):,} pairs make no batch of {sampling.size:,}")
        for at in range(0, len(rows) - sampling.size + 1, sampling.size):
            yield rows[at : at + sampling.size]


def order(data: Data, sampling: Sampling, draw: np.random.Generator) -> NDArray[np.int64]:
    """The rows of one epoch: a sample that damps large languages, in groups of one package, the groups shuffled."""
    sizes = np.bincount(data.languages)
    share = np.minimum(1.0, (sampling.usual / np.maximum(sizes, 1)) ** sampling.damping)
    used = (draw.random(len(data)) < share[data.languages]) & ~np.isin(data.kinds, sampling.left_out)
    rows = draw.permutation(np.flatnonzero(used))
    rows = rows[np.argsort(data.packages[rows], kind="stable")]
    packages = data.packages[rows]
    first = np.concatenate([[True], packages[1:] != packages[:-1]])
    begins = np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))
    starts_group = (np.arange(len(rows)) - begins) % sampling.group == 0
    groups = np.cumsum(starts_group) - 1
    places = draw.permutation(int(groups[-1]) + 1)
    return rows[np.argsort(places[groups], kind="stable")]


def draw_batch(
    data: Data, rows: NDArray[np.int64], vocabulary: int, sampling: Sampling, draw: np.random.Generator
) -> Drawn:
    """Some rows as matrices, with what is dropped dropped."""
    queries = data.queries.matrix(rows, vocabulary)
    queries.data[:] = kept_words(queries, sampling.query_dropped, draw)
    paths = data.paths.matrix(rows, vocabulary)
    kept = (draw.random(len(rows)) >= sampling.path_dropped).astype(np.float32)
    paths.data *= np.repeat(kept, np.diff(paths.indptr))
    codes = data.codes.matrix(rows, vocabulary)
    if sampling.shared_hidden:
        hidden = draw.random(len(rows)) < sampling.shared_hidden
        codes.data *= _not_shared(codes, queries, hidden)
        paths.data *= _not_shared(paths, queries, hidden)
    words, (queries, codes, paths) = compacted((queries, codes, paths), vocabulary)
    return Drawn(Batch(queries, codes, paths, _masked(data, rows)), words)


def kept_words(queries: sp.csr_array, most: float, draw: np.random.Generator) -> NDArray[np.float32]:
    """1 for words that stay. Each question has its own share; what is dropped keeps a thousandth, so that something is
    left of every question."""
    lengths = np.diff(queries.indptr)
    chance = np.repeat(most * draw.random(len(lengths)), lengths)
    return np.where(draw.random(len(chance)) >= chance, 1.0, 1e-3).astype(np.float32)


def _not_shared(texts: sp.csr_array, queries: sp.csr_array, hidden: NDArray[np.bool_]) -> NDArray[np.float32]:
    """A thousandth for words of some texts that their questions have too, 1 for all others."""
    found = np.isin(_keys(texts), _keys(queries)) & np.repeat(hidden, np.diff(texts.indptr))
    return np.where(found, 1e-3, 1.0).astype(np.float32)


def _keys(matrix: sp.csr_array) -> NDArray[np.int64]:
    """A number for every word of every row."""
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    keys: NDArray[np.int64] = rows * matrix.shape[1] + matrix.indices
    return keys


def _masked(data: Data, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    questions, codes = data.query_hashes[rows], data.code_hashes[rows]
    same: NDArray[np.bool_] = (questions[:, None] == questions[None, :]) | (codes[:, None] == codes[None, :])
    np.fill_diagonal(same, False)
    return same


def compacted(matrices: Sequence[sp.csr_array], vocabulary: int) -> tuple[NDArray[np.int64], list[sp.csr_array]]:
    """The words that occur, and the matrices with these columns alone, so that the rest of the table is not touched."""
    used = np.zeros(vocabulary, bool)
    for matrix in matrices:
        used[matrix.indices] = True
    words = np.flatnonzero(used)
    places = np.cumsum(used, dtype=np.int32) - 1
    return words, [
        sp.csr_array((matrix.data, places[matrix.indices], matrix.indptr), (matrix.shape[0], len(words)))
        for matrix in matrices
    ]
