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
        return Unable(found.why) if isinstance(found, Cannot) else found

    async def prepare() -> None:
        await strategy.prepare(context)

    return Entrant(strategy.id, run, prepare, strategy.timeout)
