"""Search by what people wrote to say what code is for: names, documentation, paths, without the code itself."""

import msgspec

from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import WORDS, Cannot, Ranking, Retrieved
from lurcher_index.strategies.tfidf import within_spread
from lurcher_index.words.weights import Fields


class Features:
    """The first stage of a staged search, or all of it where only features are asked for."""

    id = "features"
    timeout = None

    async def prepare(self, context: Context) -> None:
        """Nothing to ask."""

    async def search(self, context: Context) -> Retrieved | Cannot:
        """The words of the question in names, documentation and paths."""
        query = msgspec.structs.replace(context.query, fields=Fields.FEATURES)
        found = await context.run_quick(context.view.words, query, context.ask.filters, context.candidates)
        return Retrieved((Ranking(WORDS, within_spread(found)),))
