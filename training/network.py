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


def loss_and_gradients(parameters: Parameters, batch: Batch, path_weight: float) -> tuple[float, Parameters]:
    """The mean loss of the batch, and its derivative by every parameter."""
    of_query, of_document = np.exp(parameters.query), np.exp(parameters.document)
    in_questions, in_documents = parameters.table * of_query[:, None], parameters.table * of_document[:, None]
    question = _Unit.of(batch.queries @ in_questions)
    content, path = _Unit.of(batch.codes @ in_documents), _Unit.of(batch.paths @ in_documents)
    document = _Unit.of(content.rows + path_weight * path.rows)
    scale = float(np.exp(parameters.log_scale[0]))
    cosines = question.rows @ document.rows.T
    loss, slope = _cross_entropy(cosines, scale, batch.masked)

    by_document = document.back(scale * (slope.T @ question.rows))
    spread_q = batch.queries.T @ question.back(scale * (slope @ document.rows))
    spread_d = batch.codes.T @ content.back(by_document) + batch.paths.T @ path.back(path_weight * by_document)
    by_query = np.einsum("ij,ij->i", spread_q, in_questions)
    by_weight = np.einsum("ij,ij->i", spread_d, in_documents)
    table = spread_q * of_query[:, None] + spread_d * of_document[:, None]
    by_scale = np.array([scale * float(np.vdot(slope, cosines))], table.dtype)
    return loss, Parameters(table, by_query, by_weight, by_scale)


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
