"""How good a table is on pairs that it was not trained on."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from lurcher_index.dense.static.modelfile import Model
from training.arrays import Data
from training.network import Floats, Parameters

POOL = 2_048
"""Documents among which the right one is looked for."""

MOST_POOLS = 12
"""Pools that are measured."""


def embedded_queries(matrix: sp.csr_array, parameters: Parameters) -> Floats:
    """Unit vectors of questions, each of whose words counts once."""
    once = sp.csr_array((np.ones_like(matrix.data), matrix.indices, matrix.indptr), matrix.shape)
    return unit(once @ (parameters.table * np.exp(parameters.query)[:, None]))


def embedded_texts(matrix: sp.csr_array, parameters: Parameters) -> Floats:
    """Unit vectors of contents or of paths."""
    return unit(matrix @ (parameters.table * np.exp(parameters.document)[:, None]))


def unit(rows: Floats) -> Floats:
    """Rows of length 1; empty ones stay empty."""
    directed: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return directed


def held_out_ranks(
    data: Data, languages: list[str], parameters: Parameters, path_weight: float
) -> tuple[float, dict[str, float]]:
    """The mean reciprocal rank of the right document among `POOL`: over all languages alike, and for each.

    The documents stand in the order they were mined in, so that a pool has the code of few packages, as a search does.
    """
    ranks: list[NDArray[np.float64]] = []
    rows: list[NDArray[np.int64]] = []
    for pool, cosines in pooled_cosines(data, parameters, path_weight):
        right = np.diagonal(cosines)
        ranks.append(1.0 / (1 + (cosines > right[:, None]).sum(axis=1)))
        rows.append(pool)
    found, of = np.concatenate(ranks), data.languages[np.concatenate(rows)]
    by_language = {languages[each]: round(float(found[of == each].mean()), 3) for each in np.unique(of)}
    return float(np.mean(list(by_language.values()))), by_language


def pooled_cosines(
    data: Data, parameters: Parameters, path_weight: float
) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """For some pools of pairs their rows, and the similarity of each question to each document of the pool."""
    size = len(parameters.table)
    pools = [np.arange(at, min(at + POOL, len(data))) for at in range(0, len(data), POOL)]
    for pool in pools[:: max(1, -(-len(pools) // MOST_POOLS))]:
        questions = embedded_queries(data.queries.matrix(pool, size), parameters)
        contents = embedded_texts(data.codes.matrix(pool, size), parameters)
        paths = embedded_texts(data.paths.matrix(pool, size), parameters)
        yield pool, questions @ unit(contents + path_weight * paths).T


def parameters_of(model: Model) -> Parameters:
    """A model's table as it was learned, up to the rounding, so that it can be measured."""
    with np.errstate(divide="ignore"):
        return Parameters(
            model.table * model.scale[:, None], np.log(model.query_weights), np.log(model.document_weights), np.zeros(1)
        )
