"""A race along a chain: the next starts when the one before fails or overruns, and the first result wins."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

import msgspec

from lurcher_index.errors import LurcherError

T = TypeVar("T")

STOP_GRACE_SECONDS = 0.5
"""How long an answer waits for the losers to stop. Our figure: a wait most people do not notice as a hang."""


class Outcome(StrEnum):
    """How it went for one entrant."""

    WON = "won"
    CANNOT_SEARCH = "cannot search"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    """It overran its timeout and had no result when it was stopped."""
    CANCELLED = "cancelled"
    """It was within its timeout, and stopped because another won."""
    DEADLINE = "deadline"
    """It was within its timeout, and stopped because the whole race took too long."""
    NOT_STARTED = "not started"


class Unable(msgspec.Struct, frozen=True):
    """What an entrant returns that cannot take part; that is neither an error nor an empty result."""

    why: str


@dataclass(frozen=True, slots=True)
class Entrant(Generic[T]):
    """One way to the result."""

    id: str
    run: Callable[[], Awaitable[T | Unable]]
    prepare: Callable[[], Awaitable[None]] | None = None
    """Comes before `run`; its time counts against the deadline, but not against the timeout."""
    timeout: float | None = None
    """Seconds after which the next one starts beside it; None: only when it ends without a result."""


class Attempt(msgspec.Struct, frozen=True):
    """What became of one entrant. Times are milliseconds since the race began."""

    id: str
    outcome: Outcome
    detail: str = ""
    """Why it did not win, in words; empty for the winner and for those that were not needed."""
    started_ms: float | None = None
    ended_ms: float | None = None
    """None if it never started, or could not be stopped."""
    timed_out: bool = False
    """Whether it overran its timeout, however it ended."""


class Raced(msgspec.Struct, Generic[T], frozen=True):
    """The result, if there is one, and a row for every entrant in the order of the chain."""

    winner: str | None
    value: T | None
    attempts: tuple[Attempt, ...]
    deadline_hit: bool

    @property
    def failures(self) -> str:
        """Why there is no result from those that should have had one: `id: message`, joined."""
        failed = {Outcome.FAILED, Outcome.CANNOT_SEARCH}
        if self.deadline_hit:
            failed |= {Outcome.TIMED_OUT, Outcome.DEADLINE}
        return "; ".join(f"{row.id}: {row.detail}" for row in self.attempts if row.outcome in failed)


async def race(entrants: Sequence[Entrant[T]], deadline_seconds: float) -> Raced[T]:
    """Let the entrants run until one has a result, all have ended or the time is up; nobody runs on afterwards.

    An entrant's error, or a cancellation from its own inside, is its own failure. When the caller is cancelled, the
    entrants are stopped before `CancelledError` goes on its way.
    """
    course = _Course(entrants, deadline_seconds)
    try:
        winner = await course.decide()
    finally:
        await course.stop()
    return course.told(winner)


def in_words(error: Exception) -> str:
    """An error as it is told to people; one that was not written for them is named by its kind."""
    if isinstance(error, LurcherError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


class _Runner(Generic[T]):
    """An entrant under way."""

    def __init__(self, entrant: Entrant[T], wake: Callable[[], None]) -> None:
        self.entrant = entrant
        self.started = asyncio.get_running_loop().time()
        self.ended: float | None = None
        self.outcome: Outcome | None = None
        self.detail = ""
        self.value: T | None = None
        self.overran = False
        self._due = False
        self._wake = wake
        self.task = asyncio.create_task(self._go(), name=f"race: {entrant.id}")
        self.task.add_done_callback(self._end)

    @property
    def holds_up_the_next(self) -> bool:
        return self.outcome is None and not self.overran

    def look(self) -> None:
        """Note how it ended, or that it is late. One that ends in the very moment it is due is in time."""
        if self.outcome is None and self.task.done():
            self.outcome, self.detail = self._ending()
        self.overran = self.overran or (self._due and self.outcome is None)

    def _ending(self) -> tuple[Outcome, str]:
        if self.task.cancelled():
            # Entrants are looked at before they are stopped, so this cancellation is not ours.
            return Outcome.FAILED, "it was cancelled from within"
        error = self.task.exception()
        if isinstance(error, Exception):
            return Outcome.FAILED, in_words(error)
        # What is no Exception, as KeyboardInterrupt, is raised by this and ends the race.
        result = self.task.result()
        if isinstance(result, Unable):
            return Outcome.CANNOT_SEARCH, result.why
        self.value = result
        return Outcome.WON, ""

    async def _go(self) -> T | Unable:
        loop = asyncio.get_running_loop()
        timer: asyncio.TimerHandle | None = None
        try:
            if self.entrant.prepare is not None:
                await self.entrant.prepare()
            if self.entrant.timeout is not None:
                timer = loop.call_later(self.entrant.timeout, self._ring)
            return await self.entrant.run()
        finally:
            self.ended = loop.time()
            if timer is not None:
                timer.cancel()

    def _ring(self) -> None:
        self._due = True
        self._wake()

    def _end(self, task: asyncio.Task[T | Unable]) -> None:
        if not task.cancelled():
            # Retrieved here too, or one that fails after it was given up would be reported as forgotten.
            task.exception()
        self._wake()


class _Course(Generic[T]):
    """The chain, those under way, and what wakes the judge."""

    def __init__(self, entrants: Sequence[Entrant[T]], deadline_seconds: float) -> None:
        self._entrants = entrants
        self._deadline_seconds = deadline_seconds
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._runners: list[_Runner[T]] = []
        self._news = asyncio.Event()
        self._time_is_up = False

    async def decide(self) -> _Runner[T] | None:
        """The winner; None if all ended without a result or the time is up."""
        timer = self._loop.call_later(self._deadline_seconds, self._ring)
        try:
            while (winner := self._first_with_a_result()) is None and not self._is_over():
                if not any(runner.holds_up_the_next for runner in self._runners):
                    self._start_next()
                await self._news.wait()
                # One more turn of the loop, so that all that falls on this moment is seen together and the earliest
                # in the chain wins a tie.
                await asyncio.sleep(0)
                self._news.clear()
                for runner in self._runners:
                    runner.look()
            return winner
        finally:
            timer.cancel()

    async def stop(self) -> None:
        """Cancel whoever still runs and wait for them, though not for ever; a caller's cancel waits as long."""
        running = {runner.task for runner in self._runners if not runner.task.done()}
        for task in running:
            task.cancel()
        until = self._loop.time() + STOP_GRACE_SECONDS
        cancelled: asyncio.CancelledError | None = None
        while running and (left := until - self._loop.time()) > 0:
            try:
                _, running = await asyncio.wait(running, timeout=left)
            except asyncio.CancelledError as error:
                cancelled = error
        for task in running:
            _given_up.add(task)
            task.add_done_callback(_given_up.discard)
        if cancelled is not None:
            raise cancelled

    def told(self, winner: _Runner[T] | None) -> Raced[T]:
        """The whole story, once everybody has been stopped."""
        name = None if winner is None else winner.entrant.id
        rows = [self._row(runner, name, runner is winner) for runner in self._runners]
        rows += [Attempt(entrant.id, Outcome.NOT_STARTED) for entrant in self._entrants[len(rows) :]]
        return Raced(
            name, None if winner is None else winner.value, tuple(rows), winner is None and not self._all_ended
        )

    def _ring(self) -> None:
        self._time_is_up = True
        self._news.set()

    def _start_next(self) -> None:
        if len(self._runners) < len(self._entrants):
            self._runners.append(_Runner(self._entrants[len(self._runners)], self._news.set))

    def _first_with_a_result(self) -> _Runner[T] | None:
        return next((runner for runner in self._runners if runner.outcome is Outcome.WON), None)

    def _is_over(self) -> bool:
        return self._time_is_up or self._all_ended

    @property
    def _all_ended(self) -> bool:
        return len(self._runners) == len(self._entrants) and all(each.outcome is not None for each in self._runners)

    def _row(self, runner: _Runner[T], winner: str | None, won: bool) -> Attempt:
        outcome, detail = runner.outcome, runner.detail
        if outcome is None or (outcome is Outcome.WON and not won):
            outcome, detail = self._stopped(runner, winner)
        ended = None if runner.ended is None else self._milliseconds(runner.ended)
        return Attempt(
            runner.entrant.id, outcome, detail, self._milliseconds(runner.started), ended, timed_out=runner.overran
        )

    def _stopped(self, runner: _Runner[T], winner: str | None) -> tuple[Outcome, str]:
        at_deadline = f"at the deadline of {self._deadline_seconds:.3g} s"
        because = f"stopped {at_deadline}" if winner is None else f"stopped because {winner} won"
        outcome = Outcome.DEADLINE if winner is None else Outcome.CANCELLED
        if runner.overran:
            outcome, because = Outcome.TIMED_OUT, f"still running after {runner.entrant.timeout:g} s, {because}"
        return outcome, because if runner.task.done() else f"{because}, but it did not stop"

    def _milliseconds(self, moment: float) -> float:
        return (moment - self._began) * 1000


# The loop itself holds tasks weakly: without this one that was given up might vanish while it runs, with a warning.
_given_up: set[asyncio.Task[object]] = set()
