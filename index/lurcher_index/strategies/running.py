"""The strategies of one search as entrants of a race."""

from collections.abc import Sequence

from lurcher_index.race import Entrant, Raced, Unable, race
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Cannot, Retrieved, Strategy


async def run_race(context: Context, strategies: Sequence[Strategy]) -> Raced[Retrieved]:
    """Start the shared work and race the strategies. The context stays open: what was shared may still be of use."""
    context.start()
    return await race([_entrant(strategy, context) for strategy in strategies], context.ask.deadline_seconds)


def _entrant(strategy: Strategy, context: Context) -> Entrant[Retrieved]:
    async def run() -> Retrieved | Unable:
        found = await strategy.search(context)
        if isinstance(found, Cannot):
            return Unable(found.why)
        if _is_premature(found, context):
            return Unable("nothing is found in what is indexed here so far, and others are still searching")
        return found

    async def prepare() -> None:
        await strategy.prepare(context)

    return Entrant(strategy.id, run, prepare, strategy.timeout)


def _is_premature(found: Retrieved, context: Context) -> bool:
    """Whether it found nothing in a part of the workspace while somebody searches all of it: that must not win."""
    is_empty = not found.files and not any(ranking.hits for ranking in found.rankings)
    return is_empty and context.is_asked_elsewhere and not context.view.is_complete
