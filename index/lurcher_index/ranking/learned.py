"""The learned ranker: a weighted sum of clues, and what it says about relevance and about there being an answer."""

from collections.abc import Hashable, Sequence
from math import isfinite, log
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.errors import ModelError
from lurcher_index.ranking.answerability import SIGNS, probability, signs
from lurcher_index.ranking.clues import CLUES, Matrix
from lurcher_index.ranking.diversity import faded
from lurcher_index.ranking.spread import SPREAD

Logits = NDArray[np.float64]


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was learned for one kind of search."""

    weights: tuple[float, ...]
    """One for each clue."""
    symbol_weights: tuple[float, ...]
    """The same for a question that is nothing but a name."""
    fade: float
    """What a chunk's logit loses for each better chunk of its file."""
    cut: float
    """How far a logit may lie below the best one for its chunk to be worth showing: 0.65 of the best relevance."""
    answer_weights: tuple[float, ...]
    """One for each sign that there is an answer."""
    answer_offset: float


class RankerData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ranker's file."""

    name: str
    clues: tuple[str, ...]
    signs: tuple[str, ...]
    with_meaning: Head
    by_words: Head
    """For searches without vectors."""


class Kind(NamedTuple):
    """What kind of search is judged; each has weights of its own."""

    has_meaning: bool
    is_symbol: bool


class Judged(NamedTuple):
    """What the ranker says of some candidates, in the order in which they were given."""

    logits: Logits
    relevances: NDArray[np.float64]
    """From 0 to 1. The best one has the answerability; another has 0.65 of that where it is just worth showing."""
    answerability: float
    """How likely there is an answer among them."""


class LearnedRanker:
    """Judges candidates by their clues."""

    def __init__(self, data: RankerData) -> None:
        """Refuse weights that are not for our clues."""
        if data.clues != CLUES or data.signs != SIGNS:
            raise ModelError("the ranker was trained for other clues than this version makes")
        for head in (data.with_meaning, data.by_words):
            numbers = (
                *head.weights,
                *head.symbol_weights,
                *head.answer_weights,
                head.answer_offset,
                head.cut,
                head.fade,
            )
            lengths = (len(head.weights), len(head.symbol_weights), len(head.answer_weights))
            if lengths != (len(CLUES), len(CLUES), len(SIGNS)):
                raise ModelError("the ranker's file holds too few or too many weights")
            if not all(map(isfinite, numbers)) or head.cut <= 0 or head.fade < 0:
                raise ModelError("the ranker's file holds what is no weight")
        self.name = data.name
        self._heads = {True: data.with_meaning, False: data.by_words}
        self._weights = {
            (has_meaning, is_symbol): np.array(head.symbol_weights if is_symbol else head.weights)
            for has_meaning, head in self._heads.items()
            for is_symbol in (False, True)
        }

    def judge(self, matrix: Matrix, files: Sequence[Hashable], kind: Kind) -> Judged:
        """The relevance of every candidate; `files` tells which belong together."""
        logits = matrix.astype(np.float64) @ self._weights[kind]
        if not len(logits):
            return Judged(logits, logits, 0.0)
        head = self._heads[kind.has_meaning]
        logits = np.array(faded(logits.tolist(), files, head.fade))
        order = np.argsort(-logits, kind="stable")
        answerability = probability(signs(matrix, order, logits), head.answer_weights, head.answer_offset)
        # Exactly SPREAD of the best where the logit is `cut` below it.
        relevances = answerability * np.exp((logits - logits[order[0]]) * (-log(SPREAD) / head.cut))
        return Judged(logits, relevances, answerability)

    def shares(self, matrix: Matrix, at: int, kind: Kind) -> dict[str, float]:
        """What each clue adds to a candidate's logit, measured from the mean of all candidates."""
        centred = matrix[at].astype(np.float64) - matrix.mean(axis=0)
        return dict(zip(CLUES, (centred * self._weights[kind]).tolist(), strict=True))


def read_ranker(data: bytes) -> LearnedRanker:
    """The ranker in a file's bytes."""
    try:
        return LearnedRanker(msgspec.json.decode(data, type=RankerData))
    except msgspec.MsgspecError as error:
        raise ModelError(f"the ranker's file cannot be read: {error}") from error
