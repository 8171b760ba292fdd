"""The learned ranker: a weighted sum of clues, and what it says about relevance and about there being an answer."""

from collections.abc import Sequence
from itertools import chain
from math import isfinite, log
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.errors import ModelError
from lurcher_index.ranking.answerability import NO_NEURONS, NO_WORDING, SIGNS, Belief, Wording, probability, signs
from lurcher_index.ranking.clues import CLUES, Matrix
from lurcher_index.ranking.diversity import fade_by_lead, faded, placed
from lurcher_index.ranking.spread import SPREAD
from lurcher_index.ranking.worth import NUMBERS, Worth, odds

Logits = NDArray[np.float64]

SURE = 0.97
"""Answerability of who typed a name that is defined here, or what stands here word for word."""

FEW = 3
"""Candidates that nobody has to be spared: so few are shown even where nothing seems to be an answer."""

SHOWN_OF_SMALL = 2
"""Places of a small workspace that are shown where none would be, unless no word of the question stands there: signs
that were learned from whole projects say little of it. As many as may be read in vain elsewhere."""

_BY_WORDS = CLUES.index("by_words")
_ALL_WORDS = CLUES.index("all_words")
_EXACT = CLUES.index("exact")


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was learned for one kind of search.

    Which file answers and which chunk of it are two questions, and their labels differ: so they have weights of their
    own. A file is as good as its best chunk; its chunks stand below it as far as they are worse than the one that
    answers best.
    """

    file_weights: tuple[float, ...]
    """One for each clue."""
    chunk_weights: tuple[float, ...]
    fade: float
    """What the logit of a file's second chunk loses, where no file is ahead of the others."""
    cut: float
    """How far below the best logit right chunks stand where they stand far: 0.65 of the best relevance."""


class RankerData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ranker's file."""

    name: str
    model: str
    """The embedding model whose cosines it was taught with; those of another one mean something else."""
    evidence: str
    """The network of evidence that one of its signs is of."""
    clues: tuple[str, ...]
    signs: tuple[str, ...]
    heads: dict[str, Head]
    """By the name of the kind of search."""
    answer_weights: dict[str, tuple[float, ...]]
    """The same: one for each sign that there is an answer, and one that is always added."""
    worth: dict[str, Worth]
    """The same: which places are worth showing."""
    answer_neurons: dict[str, tuple[tuple[float, ...], ...]] = {}
    """The same: rows of `Belief.hidden`; none if the weights say it all."""


class Kind(NamedTuple):
    """What kind of search is judged; each has weights of its own."""

    has_meaning: bool
    is_symbol: bool

    @property
    def name(self) -> str:
        """Its name in the ranker's file."""
        return ("meaning" if self.has_meaning else "words") + ("_symbol" if self.is_symbol else "")


KINDS = tuple(Kind(has_meaning, is_symbol) for has_meaning in (True, False) for is_symbol in (False, True))


class Judged(NamedTuple):
    """What the ranker says of some candidates, in the order in which they were given."""

    logits: Logits
    order: list[int]
    """Which candidate has each place of the answer, the first one first."""
    relevances: NDArray[np.float64]
    """From 0 to 1, the best one as much as the answerability; they fade within a file, as the order does."""
    strengths: NDArray[np.float64]
    """On the same scale: 0.65 of the best where a chunk is just worth showing at its place. All are 0 if none is."""
    answerability: float
    """How likely there is an answer among them."""


class LearnedRanker:
    """Judges candidates by their clues."""

    def __init__(self, data: RankerData) -> None:
        """Refuse weights that are not for our clues."""
        if data.clues != CLUES or data.signs != SIGNS:
            raise ModelError("the ranker was trained for other clues than this version makes")
        for kind in KINDS:
            head, answer = data.heads.get(kind.name), data.answer_weights.get(kind.name)
            if head is None or answer is None:
                raise ModelError("the ranker's file lacks a kind of search")
            neurons = data.answer_neurons.get(kind.name, ())
            lengths = (len(head.file_weights), len(head.chunk_weights), len(answer), *map(len, neurons))
            if lengths != (len(CLUES), len(CLUES), len(SIGNS) + 1, *[len(SIGNS) + 2] * len(neurons)):
                raise ModelError("the ranker's file holds too few or too many weights")
            numbers = (*head.file_weights, *head.chunk_weights, *answer, *chain(*neurons), head.fade, head.cut)
            if not all(map(isfinite, numbers)) or head.cut <= 0 or head.fade < 0:
                raise ModelError("the ranker's file holds what is no weight")
            worth = data.worth.get(kind.name)
            if worth is None or len(worth.weights) != len(NUMBERS) + 1:
                raise ModelError("the ranker's file does not say what is worth showing")
            if not all(map(isfinite, (*worth.weights, worth.least))):
                raise ModelError("the ranker's file holds what is no weight")
        self.name = data.name
        self.model = data.model
        self.evidence = data.evidence
        self._heads = data.heads
        self._worth = data.worth
        self._beliefs = {
            name: Belief(np.array(weights), np.array(data.answer_neurons.get(name) or NO_NEURONS))
            for name, weights in data.answer_weights.items()
        }
        self._weights = {name: np.array([head.file_weights, head.chunk_weights]).T for name, head in data.heads.items()}

    def judge(
        self,
        matrix: Matrix,
        files: Sequence[int],
        kind: Kind,
        wording: Wording = NO_WORDING,
        is_small: bool = False,
        lifts: Logits | float = 0.0,
    ) -> Judged:
        """The relevance of every candidate; `files` tells which belong together, `is_small` that the workspace has
        hardly more, and `lifts` what is known of candidates that no clue says, in log odds."""
        if not len(matrix):
            return Judged(np.zeros(0), [], np.zeros(0), np.zeros(0), 0.0)
        head = self._heads[kind.name]
        of_files, of_chunks = (matrix.astype(np.float64) @ self._weights[kind.name]).T
        plain = joined(of_files, of_chunks, files) + lifts
        scores = plain.tolist()
        logits = np.array(faded(scores, files, fade_by_lead(scores, files, head.fade)))
        order = np.argsort(-logits, kind="stable")
        likely = probability(signs(matrix, order, logits, wording), self._beliefs[kind.name])
        answerability = believed(likely, matrix, kind.is_symbol, wording)
        places = placed(order.tolist(), files.__getitem__)
        # Exactly SPREAD of the best where the logit is that far below it.
        steepness = -log(SPREAD) / head.cut
        relevances = answerability * np.exp((logits - logits[order[0]]) * steepness)
        strengths = np.empty(len(matrix))
        lacking = (plain[order[0]] - plain[places]) / head.cut
        found = margins(matrix, answerability, lacking, self._worth[kind.name])
        # What is counted may stand in a file that is another one on the screen: a candidate has to hold some word.
        if is_small and found[0] > 1.0 and wording.unknown < 1.0 and matrix[:, _BY_WORDS].any():
            found[:SHOWN_OF_SMALL] = np.minimum(found[:SHOWN_OF_SMALL], 1.0)
        strengths[places] = answerability * SPREAD**found
        return Judged(logits, places, relevances, strengths, answerability)

    def shares(self, matrix: Matrix, at: int, kind: Kind) -> dict[str, float]:
        """What each clue adds to the logits of a candidate's file and of the candidate in it, from the mean of all."""
        centred = matrix[at].astype(np.float64) - matrix.mean(axis=0)
        return dict(zip(CLUES, (centred * self._weights[kind.name].sum(axis=1)).tolist(), strict=True))


def believed(likely: float, matrix: Matrix, is_symbol: bool, wording: Wording) -> float:
    """How likely there is an answer, for all that is known: who types nothing but a name that is defined here has
    found it, whatever signs say that were learned from sentences. Of `Producer.send` all words have to be known: some
    `send` is defined nearly everywhere."""
    return max(likely, SURE) if is_symbol and not wording.unknown and matrix[:, _EXACT].any() else likely


def margins(matrix: Matrix, answerability: float, lacking: Logits, worth: Worth) -> Logits:
    """How far each place is from the first one, if that is 0, towards where one is just worth showing, which is 1.

    Without end for all of them if not even the first is worth it. But who asks for a few words and gets all of them in
    one place has an answer. And signs that were learned from whole projects say little where there are only a few
    candidates.
    """
    if len(matrix) <= FEW or matrix[:, _ALL_WORDS].any():
        return np.maximum(lacking, 0.0)
    found = odds(worth, answerability, np.maximum(lacking, 0.0))
    above = found[0] - worth.least
    return np.maximum((found[0] - found) / above, 0.0) if above > 0 else np.full(len(found), np.inf)


def joined(of_files: Logits, of_chunks: Logits, files: Sequence[int]) -> Logits:
    """One logit for each chunk: that of its file's best chunk, less what it lacks to the chunk that answers best."""
    numbers: dict[int, int] = {}
    at = np.array([numbers.setdefault(file, len(numbers)) for file in files], dtype=np.int64)
    best_file = np.full(len(numbers), -np.inf)
    best_chunk = best_file.copy()
    np.maximum.at(best_file, at, of_files)
    np.maximum.at(best_chunk, at, of_chunks)
    found: Logits = best_file[at] + of_chunks - best_chunk[at]
    return found


def read_ranker(data: bytes) -> LearnedRanker:
    """The ranker in a file's bytes."""
    try:
        return LearnedRanker(msgspec.json.decode(data, type=RankerData))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ModelError(f"the ranker's file cannot be read: {error}") from error
