"""The loss of a batch and its gradients, derived by hand: symmetric InfoNCE over pooled word vectors.

A question is the unit vector of the sum of its words' vectors, each times its weight for questions. A document is the
unit vector of content + g * path, each a unit vector of its own. The loss is the cross-entropy of finding the right
document among those of the batch, and the right question among its questions. Weights are kept as logarithms, so
that they stay positive.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.floating]

MOST_SCALE = 40.0
"""Largest factor before the softmax: exp(-2 * 40) is still a normal number in 32 bits."""

TINY = 1e-12


@dataclass(frozen=True)
class Parameters:
    """What is learned, for the whole vocabulary or for the words of a batch."""

    table: Floats
    query: Floats
    """Logarithms of the words' weights in questions."""
    document: Floats
    log_scale: Floats
    """Logarithm of one over the temperature, as an array of one number."""


@dataclass(frozen=True)
class Batch:
    """Pairs in rows; columns are the words of the batch."""

    queries: sp.csr_array
    codes: sp.csr_array
    paths: sp.csr_array
    """Without the rows whose path was dropped."""
    masked: NDArray[np.bool_]
    """Which question must not be held against which document, since they belong together as well."""


@dataclass(frozen=True)
class _Unit:
    rows: Floats
    lengths: Floats

    @classmethod
    def of(cls, rows: Floats) -> "_Unit":
        lengths = np.maximum(np.sqrt(np.einsum("ij,ij->i", rows, rows)), TINY)[:, None].astype(rows.dtype)
        return cls(rows / lengths, lengths)

    def back(self, gradient: Floats) -> Floats:
        """The gradient before the division by the length."""
        along = np.einsum("ij,ij->i", self.rows, gradient)[:, None]
        before: Floats = (gradient - self.rows * along) / self.lengths
        return before


class Forward:
    """Unit vectors of questions and documents, and the way back from what the loss says of their cosines."""

    def __init__(
        self,
        parameters: Parameters,
        queries: sp.csr_array,
        codes: sp.csr_array,
        paths: sp.csr_array,
        path_weight: float,
    ) -> None:
        self._queries, self._codes, self._paths, self._path_weight = queries, codes, paths, path_weight
        self._of_query, self._of_document = np.exp(parameters.query), np.exp(parameters.document)
        self._in_questions = parameters.table * self._of_query[:, None]
        self._in_documents = parameters.table * self._of_document[:, None]
        self._question = _Unit.of(queries @ self._in_questions)
        self._content = _Unit.of(codes @ self._in_documents)
        self._path = _Unit.of(paths @ self._in_documents)
        self._document = _Unit.of(self._content.rows + path_weight * self._path.rows)
        self.cosines: Floats = self._question.rows @ self._document.rows.T

    def back(self, slope: Floats) -> tuple[Floats, Floats, Floats]:
        """The derivatives by table, weights in questions and weights in documents, from those by the cosines."""
        by_document = self._document.back(slope.T @ self._question.rows)
        spread_q = self._queries.T @ self._question.back(slope @ self._document.rows)
        spread_d = self._codes.T @ self._content.back(by_document)
        spread_d += self._paths.T @ self._path.back(self._path_weight * by_document)
        by_query = np.einsum("ij,ij->i", spread_q, self._in_questions)
        by_weight = np.einsum("ij,ij->i", spread_d, self._in_documents)
        return spread_q * self._of_query[:, None] + spread_d * self._of_document[:, None], by_query, by_weight


def loss_and_gradients(parameters: Parameters, batch: Batch, path_weight: float) -> tuple[float, Parameters]:
    """The mean loss of the batch, and its derivative by every parameter."""
    forward = Forward(parameters, batch.queries, batch.codes, batch.paths, path_weight)
    scale = float(np.exp(parameters.log_scale[0]))
    loss, slope = _cross_entropy(forward.cosines, scale, batch.masked)
    table, by_query, by_weight = forward.back(scale * slope)
    by_scale = np.array([scale * float(np.vdot(slope, forward.cosines))], table.dtype)
    return loss, Parameters(table, by_query, by_weight, by_scale)


def one_of_many(cosines: Floats, right: NDArray[np.int64], scale: float) -> tuple[float, Floats]:
    """The mean loss where each question has one right document among all, and its derivative by every cosine."""
    rows = np.arange(len(right))
    chances = np.exp(scale * (cosines - cosines.max(axis=1, keepdims=True)))
    chances /= chances.sum(axis=1, keepdims=True)
    loss = -float(np.mean(np.log(np.maximum(chances[rows, right], TINY))))
    chances[rows, right] -= 1.0
    chances *= scale / len(rows)
    return loss, chances


def _cross_entropy(cosines: Floats, scale: float, masked: NDArray[np.bool_]) -> tuple[float, Floats]:
    """The loss, and its derivative by every scaled cosine. One exponential serves rows and columns alike."""
    size = len(cosines)
    powers = np.exp(scale * (cosines - cosines.max()))
    powers[masked] = 0.0
    by_row, by_column = powers.sum(axis=1), powers.sum(axis=0)
    right = np.diagonal(powers)
    loss = float(np.mean(np.log(by_row / right) + np.log(by_column / right)) / 2)
    slope = powers * (0.5 / size / by_row)[:, None]
    powers *= (0.5 / size / by_column)[None, :]
    slope += powers
    slope[np.diag_indices(size)] -= 1.0 / size
    return loss, slope
