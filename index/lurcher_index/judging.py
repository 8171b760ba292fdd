"""The judge of a search: candidates become clues, clues become relevance."""

from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import ModelError
from lurcher_index.gathering import FactsMemo, Gathered, Key, asking_of, gather
from lurcher_index.meaning import Meaning
from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.ranking.answerability import wording_of
from lurcher_index.ranking.clues import CLUES, Matrix
from lurcher_index.ranking.evidence import Evidence, read_evidence
from lurcher_index.ranking.learned import Kind, LearnedRanker, Logits, read_ranker
from lurcher_index.ranking.spread import ROUNDING, SPREAD
from lurcher_index.strategies.interface import Ranking
from lurcher_index.view import View
from lurcher_index.words.query import WordQuery

WEIGHTS_FILE = "ranker.json"
"""The shipped ranker, beside the code that uses it."""

EVIDENCE_FILE = "evidence.json"
"""The network that one of the ranker's signs is of."""

TELLING = 0.005
"""Smallest share of a clue that is told."""

MOST_WEIGHTS_BYTES = 1_000_000
"""A file beyond this size is none of the ranker's, which have some 10 and 40 KB."""


AS_WRITTEN = 3.0
"""What a chunk that holds a compound name as it is written gains on one that only has its parts in its own names, in
log odds: enough to come first, and not so much that the others go."""


class Judgement(NamedTuple):
    """The candidates that are still there, in the places of an answer."""

    keys: list[Key]
    relevances: dict[Key, float]
    strengths: dict[Key, float]
    """What decides whether a candidate is worth showing, whatever else of its file is."""
    answerability: float
    matrix: Matrix
    rows: dict[Key, int]
    """Row of each candidate in the matrix."""
    kind: Kind
    lifts: Logits
    """What was added to the logit of each candidate in the matrix, whatever its clues say."""
    beside: int = 0
    """Candidates that were not judged: they do not hold the name that was asked for, and others do."""

    def is_worth_showing(self, key: Key) -> bool:
        """Whether a candidate is, whatever became of those before it: who has seen the best wants no worse ones."""
        return self.strengths[key] >= SPREAD * self.answerability * (1 - ROUNDING)

    def raised(self, answerability: float) -> "Judgement":
        """The same on the scale of a higher answerability: neither the order nor what is worth showing is another."""
        if not 0.0 < self.answerability < answerability:
            return self
        factor = answerability / self.answerability
        relevances = {key: value * factor for key, value in self.relevances.items()}
        strengths = {key: value * factor for key, value in self.strengths.items()}
        return self._replace(answerability=answerability, relevances=relevances, strengths=strengths)


class Judge:
    """Judges the candidates of searches in one workspace. Thread-safe."""

    def __init__(self, ranker: LearnedRanker, evidence: Evidence) -> None:
        """Take the ranker and the network that it was taught with; what is learned about files is remembered."""
        if ranker.evidence != evidence.name:
            raise ModelError("the ranker was taught with another network of evidence")
        self.ranker = ranker
        self._evidence = evidence
        self._memo = FactsMemo()

    def knows(self, meaning: Meaning | None) -> bool:
        """Whether it was taught with the cosines of this model; searches by words alone it always knows."""
        return meaning is None or meaning.embedder.name == self.ranker.model

    def judge(
        self,
        view: View,
        parsed: ParsedQuery,
        query: WordQuery,
        rankings: Sequence[Ranking],
        chosen: Sequence[Key],
        meaning: Meaning | None,
        vector: Vectors | None,
        is_small: bool = False,
    ) -> Judgement:
        """The relevance of the chosen candidates; `is_small` says that the workspace has hardly more."""
        asking = asking_of(view, parsed, query)
        candidates = len(chosen)
        gathered = gather(view, self._memo, asking, rankings, chosen, meaning, vector)
        lifts = np.zeros(len(gathered.keys))
        # Related terms are asked for by who wants more than the name.
        if parsed.looks_like.is_symbol and not query.related:
            chosen = of_name(view, query, rankings, gathered)
            # What a clue says it says beside the other candidates.
            if len(chosen) < len(gathered.keys):
                gathered = gather(view, self._memo, asking, rankings, chosen, meaning, vector)
            lifts = AS_WRITTEN * holding_as_written(view, query, rankings, gathered)
        kind = Kind(meaning is not None and vector is not None, parsed.looks_like.is_symbol)
        files = [key[0] for key in gathered.keys]
        wording = wording_of(asking)._replace(evidence=evidence_of(self._evidence, gathered, meaning))
        judged = self.ranker.judge(gathered.matrix, files, kind, wording, is_small, lifts)
        relevances, strengths = judged.relevances.tolist(), judged.strengths.tolist()
        return Judgement(
            keys=[gathered.keys[at] for at in judged.order],
            relevances={key: relevances[at] for at, key in enumerate(gathered.keys)},
            strengths={key: strengths[at] for at, key in enumerate(gathered.keys)},
            answerability=judged.answerability,
            matrix=gathered.matrix,
            rows={key: at for at, key in enumerate(gathered.keys)},
            kind=kind,
            lifts=lifts,
            beside=candidates - len(chosen),
        )

    def shares(self, judgement: Judgement, key: Key) -> dict[str, float]:
        """What each clue added to a candidate's place, the most telling first."""
        row = judgement.rows[key]
        shares = self.ranker.shares(judgement.matrix, row, judgement.kind)
        shares["as_written"] = float(judgement.lifts[row] - judgement.lifts.mean())
        told = {name: round(share, 3) for name, share in shares.items() if abs(share) >= TELLING}
        return dict(sorted(told.items(), key=lambda item: -abs(item[1])))


def of_name(view: View, query: WordQuery, rankings: Sequence[Ranking], gathered: Gathered) -> Sequence[Key]:
    """The candidates that hold a name that was asked for, or are called so; all of them if the name stands nowhere.

    Who types a name means it: beside chunks that hold it, one that is only like it in meaning is no answer. But a name
    that is only half remembered stands nowhere: that its parts all stand in some chunk is chance then, unless they are
    in its own names.
    """
    alike = gathered.matrix[:, _NAMES] >= _WHOLLY
    called = {key for key, is_alike in zip(gathered.keys, alike, strict=True) if is_alike}
    if not called and not _stands(view, query):
        return gathered.keys
    holding = _holding(rankings)
    return [key for key in gathered.keys if key in holding or key in called] or gathered.keys


def holding_as_written(
    view: View, query: WordQuery, rankings: Sequence[Ranking], gathered: Gathered
) -> NDArray[np.float64]:
    """1 for each candidate that holds a compound name as it is written, or whose own name it is in another style: what
    is called `browserVersion` here is `browser_version` elsewhere. 0 for all if it stands nowhere."""
    if not query.is_compound_name or not _stands(view, query):
        return np.zeros(len(gathered.keys))
    holding = _holding(rankings)
    alike = gathered.matrix[:, _BEST_NAME] >= _WHOLLY
    return np.array([float(key in holding or is_alike) for key, is_alike in zip(gathered.keys, alike, strict=True)])


def _holding(rankings: Sequence[Ranking]) -> set[Key]:
    return {hit[:3] for ranking in rankings for hit in ranking.hits if hit.first}


def _stands(view: View, query: WordQuery) -> bool:
    return all(view.snapshot.holds(group.whole) for group in query.groups if group.is_compound)


def evidence_of(evidence: Evidence, gathered: Gathered, meaning: Meaning | None) -> float:
    """What the words of a question say for an answer; nothing if the network knows other words than the model."""
    if gathered.words is None or meaning is None or meaning.embedder.name != evidence.model:
        return 0.0
    return evidence.of(gathered.words, gathered.matrix[:, _NEAR].sum(axis=1))


_NAMES = CLUES.index("names")
_BEST_NAME = CLUES.index("best_name")
_WHOLLY = 0.999
"""All parts of a name, but for rounding."""
_NEAR = [CLUES.index(name) for name in ("cosine", "nearest")]


def shipped_ranker() -> LearnedRanker:
    """The ranker that comes with the package; raises `ModelError` if it is damaged."""
    return read_ranker(_shipped(WEIGHTS_FILE))


def shipped_evidence() -> Evidence:
    """The network of evidence that comes with it; raises the same."""
    return read_evidence(_shipped(EVIDENCE_FILE))


def _shipped(name: str) -> bytes:
    try:
        with (files("lurcher_index.ranking") / name).open("rb") as file:
            return file.read(MOST_WEIGHTS_BYTES)
    except OSError as error:
        raise ModelError(f"the ranker's file cannot be read: {error.strerror}") from error
