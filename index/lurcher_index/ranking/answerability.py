"""Whether a question has an answer here at all, told by how much of it its best candidates hold."""

from math import exp, log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.ranking.clues import CLUES, Matrix
from lurcher_index.ranking.matching import Asking

_LOOKED_AT = (
    "cosine",
    "nearest",
    "word_cover",
    "names",
    "best_name",
    "names_and_path",
    "file_names",
    "stem",
    "exact_lower",
)
"""Clues that are not measured against the best candidate: what is best of a bad lot must show as such."""

LEADERS = 5
"""Candidates at the head of the ranking whose mean is looked at."""

FOLLOWERS = 10
"""Candidates behind the first one that it is compared with."""

SCARCE = 2
"""Chunks that hold a word at most for it to be scarce: those who are at home with it would have used it more often."""

SIGNS = (
    *(f"{kind}_{name}" for name in _LOOKED_AT for kind in ("most", "first", "leading")),
    "lead",
    "first_by_words",
    "unknown",
    "scarce",
    "words",
    "evidence",
)
"""The numbers that are looked at: of each clue the largest value, the first candidate's and the leaders' mean; how far
the first is ahead of those behind it; whether the words found it; the question's own `Wording`."""


class Wording(NamedTuple):
    """The words of a question beside those of the workspace."""

    unknown: float
    """Share of the question, by rarity, whose words stand nowhere: who asks for Kafka where nobody writes of it."""
    scarce: float
    """The same of words that stand in `SCARCE` chunks at most."""
    words: float
    """How many words there are, as a logarithm: of a long question always some are missing."""
    evidence: float = 0.0
    """What these words say beside those of the best candidates (`ranking.evidence`); 0 by words alone."""


NO_WORDING = Wording(0.0, 0.0, 0.0)
"""That of a question without words."""


def wording_of(asking: Asking) -> Wording:
    """The wording of a question."""
    total = sum(asking.rarities)
    if not total:
        return NO_WORDING
    known = list(zip(asking.rarities, asking.frequencies, strict=True))
    unknown = sum(rarity for rarity, frequency in known if frequency == 0)
    scarce = sum(rarity for rarity, frequency in known if frequency <= SCARCE)
    return Wording(unknown / total, scarce / total, log1p(len(known)))


_AT = [CLUES.index(name) for name in _LOOKED_AT]
_BY_WORDS = CLUES.index("by_words")


def signs(
    matrix: Matrix, order: NDArray[np.int64], logits: NDArray[np.float64], wording: Wording
) -> NDArray[np.float64]:
    """The signs of a question, from its candidates' clues and its words; `order` has the best first."""
    looked_at = matrix[:, _AT].astype(np.float64)
    of_clues = np.stack([looked_at.max(axis=0), looked_at[order[0]], looked_at[order[:LEADERS]].mean(axis=0)], axis=1)
    behind = logits[order[1 : 1 + FOLLOWERS]]
    lead = float(logits[order[0]] - behind.mean()) if len(behind) else 0.0
    return np.concatenate([of_clues.ravel(), (lead, float(matrix[order[0], _BY_WORDS]), *wording)])


class Belief(NamedTuple):
    """What signs are taken to mean."""

    weights: NDArray[np.float64]
    """One for each sign, and one that is always added."""
    hidden: NDArray[np.float64]
    """A row for each neuron that looks at the signs together: a weight for each, an offset, and what it says."""


NO_NEURONS = np.zeros((0, len(SIGNS) + 2))


def probability(values: NDArray[np.float64], belief: Belief) -> float:
    """How likely the question has an answer, from 0 to 1."""
    heard = np.tanh(belief.hidden[:, :-2] @ values + belief.hidden[:, -2])
    voice = float(values @ belief.weights[:-1] + belief.weights[-1] + heard @ belief.hidden[:, -1])
    return 1.0 / (1.0 + exp(-min(30.0, max(-30.0, voice))))
