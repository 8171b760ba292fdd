"""Search by words, then order what they found by meaning: needs a model, but no stored vectors."""

import asyncio

from lurcher_index.dense.embedder import Embedder
from lurcher_index.errors import LurcherError
from lurcher_index.race import in_words
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import MEANING, WORDS, Cannot, Ranking, Retrieved
from lurcher_index.words.candidates import Candidate

SEMANTIC_SECONDS = 4.0
"""How long the words wait for the meaning. Our figure: an answer exists, and the model may hang."""

BATCH = 25
"""Candidates compared at a time, so that a search that was stopped computes no more vectors than these."""


class TfidfSemantic:
    """The words' candidates twice: in the words' order and in that of their meaning, to be fused."""

    id = "tfidfSemantic"
    timeout = None

    async def prepare(self, context: Context) -> None:
        """Nothing to ask."""

    async def search(self, context: Context) -> Retrieved | Cannot:
        """Search by words. If the meaning fails, their order is kept, with an alert."""
        if context.embedder is None:
            return Cannot("there is no embedding model")
        found = await context.words()
        words = Ranking(WORDS, found)
        if not found:
            return Retrieved((words,))
        limit = asyncio.timeout(SEMANTIC_SECONDS)
        try:
            async with limit:
                near = await _by_meaning(context, context.embedder, found)
        except Exception as error:  # noqa: BLE001 - section 6: any failure of this stage keeps the words' order
            why = f"no similarities within {SEMANTIC_SECONDS:g} s" if limit.expired() else in_words(error)
            return Retrieved((words,), alerts=(f"ordered by words only: {why}",))
        return Retrieved((words, Ranking(MEANING, near)), model=context.embedder.name)


async def _by_meaning(context: Context, embedder: Embedder, found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The candidates by cosine; equal ones stay in the words' order, those without a text are left out."""
    vector = await context.query_vector()
    near: list[Candidate] = []
    for at in range(0, len(found), BATCH):
        batch = found[at : at + BATCH]
        cosines = await context.run_quick(context.view.similarities, vector, batch, embedder)
        for candidate, cosine in zip(batch, cosines, strict=True):
            if cosine is not None:
                near.append(candidate._replace(score=cosine, first=False))
    if not near:
        raise LurcherError("none of the chunks found could be compared with the question")
    return tuple(sorted(near, key=lambda candidate: -candidate.score))
