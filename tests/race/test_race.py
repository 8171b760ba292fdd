"""Section 2 of the specification: who starts when, who wins, and that nobody is left behind."""

import asyncio
import gc
from collections.abc import Sequence
from typing import Any

import pytest
from tests.race.entrants import (
    DEADLINE,
    Row,
    cannot,
    deaf,
    deaf_for_ever,
    entrant,
    fails,
    finds,
    hangs,
    lasting,
    raced,
    rows,
)
from tests.race.virtual_clock import leftovers, now, run_virtual

from lurcher_index.race import STOP_GRACE_SECONDS, Attempt, Entrant, Outcome, Raced, Unable, race


def check(entrants: Sequence[Entrant[str]], winner: str | None, *expected: Row, deadline_hit: bool = False) -> None:
    told = raced(entrants)
    assert told.winner == winner
    assert told.value == (None if winner is None else f"{winner}'s")
    assert rows(told) == list(expected)
    assert told.deadline_hit is deadline_hit


def main(run: Any, timeout: float | None = 5, prepare: float | None = None) -> Entrant[str]:
    return entrant("main", run, timeout, prepare)


def second(run: Any, timeout: float | None = None, prepare: float | None = None) -> Entrant[str]:
    return entrant("second", run, timeout, prepare)


def third(run: Any, timeout: float | None = None) -> Entrant[str]:
    return entrant("third", run, timeout)


# -- who starts, who wins


def test_in_time_the_fallback_never_starts() -> None:
    check(
        [main(finds(4, "main's")), second(finds(0))],
        "main",
        ("main", "won", 0, 4, False),
        ("second", "not started", None, None, False),
    )


def test_ending_in_the_moment_of_the_timeout_is_in_time() -> None:
    check(
        [main(finds(5, "main's")), second(finds(0))],
        "main",
        ("main", "won", 0, 5, False),
        ("second", "not started", None, None, False),
    )


@pytest.mark.parametrize(("early", "outcome"), [(fails(1), "failed"), (cannot(1), "cannot search")])
def test_ending_early_without_a_result_starts_the_fallback_at_once(early: Any, outcome: str) -> None:
    check(
        [main(early), second(finds(2, "second's"))],
        "second",
        ("main", outcome, 0, 1, False),
        ("second", "won", 1, 3, False),
    )


def test_late_main_runs_on_and_wins() -> None:
    check(
        [main(finds(7, "main's")), second(finds(4, "second's"))],
        "main",
        ("main", "won", 0, 7, True),
        ("second", "cancelled", 5, 7, False),
    )


def test_late_main_loses() -> None:
    check(
        [main(finds(9, "main's")), second(finds(2, "second's"))],
        "second",
        ("main", "timed out", 0, 7, True),
        ("second", "won", 5, 7, False),
    )


def test_main_wins_a_tie() -> None:
    check(
        [main(finds(7, "main's")), second(finds(2, "second's"))],
        "main",
        ("main", "won", 0, 7, True),
        ("second", "cancelled", 5, 7, False),
    )


def test_a_fallback_that_fails_leaves_the_late_main_alone() -> None:
    check(
        [main(finds(9, "main's")), second(fails(1))],
        "main",
        ("main", "won", 0, 9, True),
        ("second", "failed", 5, 6, False),
    )


def test_a_late_main_that_fails_leaves_the_fallback_alone() -> None:
    check(
        [main(fails(6)), second(finds(3, "second's")), third(finds(0))],
        "second",
        ("main", "failed", 0, 6, True),
        ("second", "won", 5, 8, False),
        ("third", "not started", None, None, False),
    )


def test_three_deep() -> None:
    check(
        [main(finds(12)), second(finds(9), timeout=3), third(finds(1, "third's"))],
        "third",
        ("main", "timed out", 0, 9, True),
        ("second", "timed out", 5, 9, True),
        ("third", "won", 8, 9, False),
    )


def test_three_deep_a_failure_in_the_middle_starts_the_last() -> None:
    check(
        [main(finds(8, "main's")), second(fails(1)), third(finds(4))],
        "main",
        ("main", "won", 0, 8, True),
        ("second", "failed", 5, 6, False),
        ("third", "cancelled", 6, 8, False),
    )


def test_a_result_that_is_empty_wins() -> None:
    told = raced([main(finds(1, "")), second(finds(0))])
    assert (told.winner, told.value) == ("main", "")


def test_nobody_in_the_race() -> None:
    assert raced([]) == Raced(None, None, (), False)


# -- prepare


def test_prepare_does_not_count_against_the_timeout() -> None:
    check(
        [main(finds(4, "main's"), prepare=10), second(finds(0))],
        "main",
        ("main", "won", 0, 14, False),
        ("second", "not started", None, None, False),
    )
    check(
        [main(finds(6), prepare=10), second(finds(0, "second's"))],
        "second",
        ("main", "timed out", 0, 15, True),
        ("second", "won", 15, 15, False),
    )


def test_prepare_counts_against_the_deadline() -> None:
    check(
        [main(finds(4), prepare=30), second(finds(0))],
        None,
        ("main", "deadline", 0, DEADLINE, False),
        ("second", "not started", None, None, False),
        deadline_hit=True,
    )


def test_a_prepare_that_fails_fails_its_entrant() -> None:
    async def preparing() -> None:
        raise PermissionError("not signed in")

    told = raced([Entrant("main", finds(0), preparing, 5), second(finds(0))])
    assert told.winner == "second"
    assert told.attempts[0].detail == "PermissionError: not signed in"


def test_the_fallback_is_prepared_only_when_it_starts() -> None:
    check(
        [main(finds(6, "main's")), second(finds(0), prepare=3)],
        "main",
        ("main", "won", 0, 6, True),
        ("second", "cancelled", 5, 6, False),
    )


# -- deadline


def test_hanging_without_a_timeout_ends_at_the_deadline() -> None:
    check(
        [main(hangs(), timeout=None), second(finds(0))],
        None,
        ("main", "deadline", 0, DEADLINE, False),
        ("second", "not started", None, None, False),
        deadline_hit=True,
    )


def test_all_overrun() -> None:
    check(
        [main(hangs()), second(hangs(), timeout=5), third(hangs(), timeout=5)],
        None,
        ("main", "timed out", 0, DEADLINE, True),
        ("second", "timed out", 5, DEADLINE, True),
        ("third", "timed out", 10, DEADLINE, True),
        deadline_hit=True,
    )


def test_a_result_in_the_moment_of_the_deadline_counts() -> None:
    check([main(finds(DEADLINE, "main's"), timeout=None)], "main", ("main", "won", 0, DEADLINE, False))


def test_all_ended_in_the_moment_of_the_deadline_is_no_deadline() -> None:
    check([main(fails(DEADLINE), timeout=None)], None, ("main", "failed", 0, DEADLINE, False))


def test_nobody_starts_at_the_deadline() -> None:
    check(
        [main(fails(DEADLINE), timeout=None), second(finds(0))],
        None,
        ("main", "failed", 0, DEADLINE, False),
        ("second", "not started", None, None, False),
        deadline_hit=True,
    )


# -- what is told


def test_all_failed_joins_the_messages() -> None:
    told = raced([main(fails(1)), second(cannot(1)), third(fails(1, KeyError("path")))])
    assert told.failures == "main: broken; second: no model; third: KeyError: 'path'"
    assert not told.deadline_hit


def test_the_failures_name_who_was_cut_at_the_deadline_but_not_who_lost() -> None:
    at_deadline = raced([main(hangs()), second(cannot(1)), third(hangs())])
    assert at_deadline.failures == (
        "main: still running after 5 s, stopped at the deadline of 20 s; second: no model; "
        "third: stopped at the deadline of 20 s"
    )
    lost = raced([main(hangs()), second(cannot(1)), third(finds(1))])
    assert lost.failures == "second: no model"


def test_the_rows_say_everything() -> None:
    assert raced([main(finds(7.5)), second(cannot(0.5)), third(finds(9)), entrant("fourth", hangs())]).attempts == (
        Attempt("main", Outcome.WON, "", 0.0, 7500.0, timed_out=True),
        Attempt("second", Outcome.CANNOT_SEARCH, "no model", 5000.0, 5500.0),
        Attempt("third", Outcome.CANCELLED, "stopped because main won", 5500.0, 7500.0),
        Attempt("fourth", Outcome.NOT_STARTED),
    )


def test_an_error_without_words_is_named_by_its_kind() -> None:
    assert raced([main(fails(0, ValueError()))]).failures == "main: ValueError"


# -- cancelling


def test_an_entrants_own_cancellation_is_its_failure() -> None:
    told = raced([main(fails(1, asyncio.CancelledError())), second(finds(1, "second's"))])
    assert told.winner == "second"
    assert told.attempts[0] == Attempt("main", Outcome.FAILED, "it was cancelled from within", 0.0, 1000.0)


def test_waiting_for_something_that_is_cancelled_is_a_failure() -> None:
    async def run() -> str:
        inner = asyncio.create_task(asyncio.sleep(9, "inner"))
        asyncio.get_running_loop().call_later(1, inner.cancel)
        return await inner

    assert raced([main(run), second(finds(0))]).winner == "second"


class Witness:
    """An entrant that takes a while to clean up, and notes when it has."""

    def __init__(self, cleaning: float = 0.0) -> None:
        self.cleaning = cleaning
        self.clean: float | None = None

    async def run(self) -> str:
        try:
            await asyncio.Event().wait()
            return "never"
        finally:
            await lasting(self.cleaning)
            self.clean = now()


def test_a_users_cancel_stops_all_waits_for_them_and_goes_on() -> None:
    witnesses = [Witness(0.25), Witness(0.125)]

    async def search() -> None:
        entrants = [entrant(f"w{at}", witness.run, 1) for at, witness in enumerate(witnesses)]
        racing = asyncio.create_task(race(entrants, DEADLINE))
        await asyncio.sleep(3)
        racing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await racing
        assert racing.cancelled()
        assert (now(), [witness.clean for witness in witnesses]) == (3.25, [3.25, 3.125])
        assert not leftovers()

    run_virtual(search())


def test_a_users_cancel_while_the_losers_stop_still_waits_for_them() -> None:
    slow = Witness(0.25)

    async def search() -> None:
        racing = asyncio.create_task(race([main(slow.run), second(finds(1))], DEADLINE))
        await asyncio.sleep(6.125)
        racing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await racing
        assert slow.clean == 6.25
        assert not leftovers()

    run_virtual(search())


def test_a_users_cancel_before_anything_ran() -> None:
    async def search() -> None:
        racing = asyncio.create_task(race([main(finds(1))], DEADLINE))
        await asyncio.sleep(0)
        racing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await racing
        assert not leftovers()

    run_virtual(search())


def test_a_timeout_around_the_race_is_the_callers() -> None:
    async def search() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2):
                await race([main(hangs())], DEADLINE)
        assert not leftovers()

    run_virtual(search())


def test_losers_are_stopped_before_the_answer() -> None:
    slow = Witness(0.25)
    told = raced([main(slow.run), second(finds(1))])
    assert slow.clean == 6.25
    assert told.attempts[0].ended_ms == 6250


@pytest.mark.parametrize("broken", [False, True])
def test_who_does_not_hear_the_cancel_does_not_hold_up_the_answer(broken: bool) -> None:
    complaints: list[object] = []

    async def search() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
        told = await race([main(deaf(100, broken)), second(finds(1))], DEADLINE)
        assert now() == 6 + STOP_GRACE_SECONDS
        detail = "still running after 5 s, stopped because second won, but it did not stop"
        assert told.attempts[0] == Attempt("main", Outcome.TIMED_OUT, detail, 0.0, None, timed_out=True)
        assert "race: main" in leftovers()
        await asyncio.sleep(100)
        assert not leftovers()

    run_virtual(search())
    gc.collect()
    assert not complaints


def test_who_was_given_up_does_not_vanish_while_it_runs() -> None:
    complaints: list[object] = []

    async def search() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
        await race([main(deaf_for_ever()), second(finds(1))], DEADLINE)
        gc.collect()
        assert leftovers() == {"race: main"}

    run_virtual(search())
    gc.collect()
    assert not complaints


# -- what no race may swallow


class Alarm(BaseException):
    """Like KeyboardInterrupt, but kept in its task by asyncio."""


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), Alarm()])
def test_what_is_no_exception_goes_through(error: BaseException) -> None:
    witness = Witness()
    with pytest.raises(type(error)):
        raced([main(witness.run), second(fails(1, error))])
    assert witness.clean == 6


def test_a_run_that_raises_before_it_can_be_awaited() -> None:
    def run() -> Any:
        raise RuntimeError("at once")

    told: Raced[str] = raced([Entrant("main", run), second(finds(0))])
    assert told.failures == "main: RuntimeError: at once"
    assert told.winner == "second"


def test_unable_is_not_a_value() -> None:
    told = raced([main(cannot(0))])
    assert told.value is None
    assert not isinstance(told.value, Unable)
