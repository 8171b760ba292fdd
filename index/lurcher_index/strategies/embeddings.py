"""Search by meaning over the stored vectors, with the words beside it."""

from lurcher_index.race import in_words
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import MEANING, WORDS, Cannot, Ranking, Retrieved

EMBEDDINGS_TIMEOUT = 8.0
"""Seconds after which the words start beside it; Copilot Chat's figure."""

MIN_READY_SHARE = 0.5
"""Share of the chunks that must have a vector. Our figure: below it, what is found first is rather what is ready."""


class Embeddings:
    """The nearest vectors and the best words, to be fused."""

    id = "embeddings"
    timeout = EMBEDDINGS_TIMEOUT

    async def prepare(self, context: Context) -> None:
        """Nothing to ask."""

    async def search(self, context: Context) -> Retrieved | Cannot:
        """Search by meaning; without the words it is still an answer, without vectors it is a failure."""
        if context.embedder is None:
            return Cannot("there is no embedding model")
        share = context.view.vectors_ready
        if share < MIN_READY_SHARE:
            enough = _percent(MIN_READY_SHARE)
            return Cannot(f"only {_percent(share)} of the chunks have a vector yet, and {enough} are needed")
        vector = await context.query_vector()
        near = await context.run_quick(context.view.similar, vector, context.ask.filters, context.candidates)
        rankings = [Ranking(MEANING, tuple(near))]
        alerts: list[str] = []
        try:
            rankings.insert(0, Ranking(WORDS, await context.words()))
        except Exception as error:  # noqa: BLE001 - whatever ails the words, the meaning is found
            alerts.append(f"the words could not be searched: {in_words(error)}")
        if share < 1:
            rest = "by words" if len(rankings) > 1 else "is not searched"
            alerts.append(f"meaning search covers {_percent(share)} of the chunks; the rest {rest}")
        return Retrieved(tuple(rankings), alerts=tuple(alerts), model=context.embedder.name)


def _percent(share: float) -> str:
    """Rounded down, so that nothing unfinished is called 100 %."""
    return f"{int(share * 100)} %"
