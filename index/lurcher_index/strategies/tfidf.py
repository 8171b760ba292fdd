"""Search by words alone: always there, and the last resort."""

from collections.abc import Sequence

from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import WORDS, Cannot, Ranking, Retrieved
from lurcher_index.words.candidates import Candidate

TFIDF_SPREAD = 0.75
"""How far below the best score a hit may lie, as a share of it: 25 % of the best must be reached. Copilot Chat's."""


class Tfidf:
    """The words' candidates without those that match far worse than the best."""

    id = "tfidf"
    timeout = None

    async def prepare(self, context: Context) -> None:
        """Nothing to ask."""

    async def search(self, context: Context) -> Retrieved | Cannot:
        """What the words found, cut."""
        return Retrieved((Ranking(WORDS, within_spread(await context.words())),))


def within_spread(found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those near enough to the best of their kind. One with every word of the question is never cut."""
    best = max((candidate.score for candidate in found if not candidate.first), default=0.0)
    least = best * (1 - TFIDF_SPREAD)
    return tuple(candidate for candidate in found if candidate.first or candidate.score >= least)
