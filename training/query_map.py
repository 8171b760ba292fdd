"""What the vector of a question is turned by, learned from labelled questions.

The table learns from what code says about itself. People ask in other words, and about 2,500 of their questions are
labelled: far too few for a table, enough for one map that all questions share. Documents stay as they are.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Asked(NamedTuple):
    """A tree with its questions."""

    corpus: str
    chunks: NDArray[np.int8]
    """The vectors of all its chunks, those of a file together."""
    file_starts: NDArray[np.int64]
    """Where each file begins among them."""
    questions: Floats
    """Their vectors before anything is turned."""
    right: tuple[NDArray[np.int64], ...]
    """The chunks that answer each of them."""
    by_line: tuple[bool, ...]
    """Whether lines were labelled, or files as a whole."""


class Plan(NamedTuple):
    """How to learn. Chosen by questions about repositories that were left out."""

    steps: int = 40
    rate: float = 0.002
    shrink: float = 0.04
    """What the squares of the map cost: it is to stay near to nothing."""
    temperature: float = 0.08


USUAL = Plan()


def learn_map(trees: Sequence[Asked], left_out: Collection[str] = (), plan: Plan = USUAL) -> Floats:
    """The map for questions, from all trees but some."""
    taught = [tree for tree in trees if tree.corpus not in left_out and len(tree.questions)]
    size = trees[0].questions.shape[1]
    found = np.zeros((size, size), np.float32)
    first, second = np.zeros_like(found), np.zeros_like(found)
    count = sum(len(tree.questions) for tree in taught)
    for step in range(1, plan.steps + 1 if taught else 1):
        gradient = sum((gradient_of(tree, found, plan.temperature) for tree in taught), np.zeros_like(found))
        gradient = gradient / count + 2 * plan.shrink * found
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        found -= plan.rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return found


def turned(questions: Floats, found: Floats) -> tuple[Floats, Floats]:
    """Questions as they are searched with, of length 1, and how long they were."""
    longer = questions + questions @ found
    lengths = np.linalg.norm(longer, axis=1, keepdims=True)
    return longer / lengths, lengths


def gradient_of(tree: Asked, found: Floats, temperature: float) -> Floats:
    """Which way the map makes the right answers of a tree less likely, summed over its questions."""
    chunks = _unit(tree)
    vectors, lengths = turned(tree.questions, found)
    scores = vectors @ chunks.T / temperature
    wrong = np.stack([_wrong(tree, at, row) for at, row in enumerate(scores)])
    back = wrong @ chunks / temperature
    back = (back - (back * vectors).sum(axis=1, keepdims=True) * vectors) / lengths
    gradient: Floats = tree.questions.T @ back
    return gradient


def loss_of(tree: Asked, found: Floats, temperature: float) -> float:
    """What `gradient_of` is the slope of."""
    vectors, _ = turned(tree.questions, found)
    scores = vectors @ _unit(tree).T / temperature
    return float(sum(_loss(tree, at, row) for at, row in enumerate(scores)))


def _unit(tree: Asked) -> Floats:
    chunks = tree.chunks.astype(np.float32)
    chunks /= np.maximum(np.linalg.norm(chunks, axis=1, keepdims=True), np.float32(1e-6))
    return chunks


def _wrong(tree: Asked, at: int, scores: Floats) -> Floats:
    """For each chunk how much likelier it is than it should be.

    Where lines are labelled, any of the right chunks will do. Where files are, each of them is wanted, and a file is as
    good as its best chunk.
    """
    right = tree.right[at]
    if tree.by_line[at]:
        chances = _softmax(scores)
        wanted = np.zeros_like(chances)
        wanted[right] = chances[right] / max(float(chances[right].sum()), 1e-12)
        return chances - wanted
    best, file_of_chunk, wanted = _by_file(tree, right, scores)
    excess = (_softmax(best) - wanted)[file_of_chunk]
    return np.where(scores == best[file_of_chunk], excess, np.float32(0.0))


def _loss(tree: Asked, at: int, scores: Floats) -> float:
    right = tree.right[at]
    if tree.by_line[at]:
        return -float(np.log(_softmax(scores)[right].sum()))
    best, _, wanted = _by_file(tree, right, scores)
    return -float(wanted @ np.log(_softmax(best)))


def _by_file(tree: Asked, right: NDArray[np.int64], scores: Floats) -> tuple[Floats, NDArray[np.int64], Floats]:
    """The score of each file, the file of each chunk, and the share of probability each file should have."""
    lengths = np.diff(np.r_[tree.file_starts, len(scores)])
    file_of_chunk = np.repeat(np.arange(len(lengths)), lengths)
    files = np.unique(file_of_chunk[right])
    wanted = np.zeros(len(lengths), np.float32)
    wanted[files] = 1 / len(files)
    return np.maximum.reduceat(scores, tree.file_starts), file_of_chunk, wanted


def _softmax(scores: Floats) -> Floats:
    raised: Floats = np.exp(scores - scores.max())
    raised /= raised.sum()
    return raised
