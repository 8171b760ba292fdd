"""Entrants that do what their script says, and the one check of how a race between them went."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tests.race.virtual_clock import leftovers, run_virtual

from lurcher_index.errors import LurcherError
from lurcher_index.race import Entrant, Raced, Unable, race

Behaviour = Callable[[], Awaitable[str | Unable]]

DEADLINE = 20.0

Row = tuple[str, str, float | None, float | None, bool]
"""Id, outcome, started and ended in seconds, whether it overran."""


async def lasting(seconds: float) -> None:
    """Take so long; what takes no time does not even let others run."""
    if seconds > 0:
        await asyncio.sleep(seconds)


def finds(after: float, value: str = "found") -> Behaviour:
    async def run() -> str:
        await lasting(after)
        return value

    return run


def cannot(after: float, why: str = "no model") -> Behaviour:
    async def run() -> Unable:
        await lasting(after)
        return Unable(why)

    return run


def fails(after: float, error: BaseException | None = None) -> Behaviour:
    async def run() -> str:
        await lasting(after)
        raise error or LurcherError("broken")

    return run


def hangs() -> Behaviour:
    async def run() -> str:
        await asyncio.Event().wait()
        return "never"

    return run


def deaf(until: float, broken: bool = False) -> Behaviour:
    """Goes on until then, however often it is cancelled."""

    async def run() -> str:
        loop = asyncio.get_running_loop()
        while (left := until - loop.time()) > 0:
            try:
                await asyncio.sleep(left)
            except asyncio.CancelledError:
                pass
        if broken:
            # Made here: who holds an error holds its task, and the loop complains only of tasks that are gone.
            raise LurcherError("much too late")
        return "too late"

    return run


def deaf_for_ever() -> Behaviour:
    """Hears only the second cancel, and waits for something that nobody but itself knows."""

    async def run() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()
        return "never"

    return run


def entrant(id: str, run: Behaviour, timeout: float | None = None, prepare: float | None = None) -> Entrant[str]:
    async def preparing() -> None:
        await lasting(prepare or 0)

    return Entrant(id, run, None if prepare is None else preparing, timeout)


def raced(entrants: Sequence[Entrant[str]], deadline: float = DEADLINE, collect: bool = True) -> Raced[str]:
    """Race them, and see that no task and no complaint of the loop is left over; `collect` looks among the garbage."""
    complaints: list[dict[str, Any]] = []

    async def main() -> Raced[str]:
        asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
        told = await race(entrants, deadline)
        assert not leftovers()
        return told

    told = run_virtual(main())
    if collect:
        gc.collect()
    assert not complaints
    return told


def rows(told: Raced[str]) -> list[Row]:
    return [
        (row.id, str(row.outcome), _seconds(row.started_ms), _seconds(row.ended_ms), row.timed_out)
        for row in told.attempts
    ]


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
