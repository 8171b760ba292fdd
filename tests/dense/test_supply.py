"""A model that may not be there: nobody waits for it, and it is tried again when it is time."""

import threading
from collections.abc import Callable

import pytest

from lurcher_index.dense.breaker import Breaker
from lurcher_index.dense.embedder import Embedder
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.supply import LOADING, Supply
from lurcher_index.errors import EmbedderError


class Script:
    """Makes an embedder, or fails, as its list says; with a clock and a list of work that nobody has done yet."""

    def __init__(self, *outcomes: str) -> None:
        self.time = 0.0
        self.outcomes = list(outcomes)
        self.waiting: list[Callable[[], None]] = []
        self.made = HashingEmbedder()

    def make(self) -> Embedder:
        if problem := self.outcomes.pop(0):
            raise EmbedderError(problem)
        return self.made

    def supply(self, at_once: bool = True) -> Supply:
        start = (lambda work: work()) if at_once else self.waiting.append
        return Supply(self.make, clock=lambda: self.time, start=start)


def test_a_model_is_made_once() -> None:
    script = Script("")
    supply = script.supply()
    assert supply.now() is supply.now() is supply.made() is script.made
    assert supply.problem == ""


def test_after_a_failure_it_is_left_alone_and_then_tried_again() -> None:
    script = Script("no folder", "no folder", "")
    supply = script.supply()
    assert supply.now() is None and supply.problem == "no folder"
    script.time = 4.9
    assert supply.now() is None and len(script.outcomes) == 2
    with pytest.raises(EmbedderError, match="no folder"):
        supply.made()
    script.time = 5.0
    assert supply.now() is None and len(script.outcomes) == 1
    script.time = 14.9
    assert supply.now() is None and len(script.outcomes) == 1, "twice as long"
    script.time = 15.0
    assert supply.now() is script.made and supply.problem == ""


def test_nobody_waits_for_a_later_attempt_and_there_is_one_at_a_time() -> None:
    script = Script("down", "")
    supply = script.supply(at_once=False)
    with pytest.raises(EmbedderError, match="down"):
        supply.made()
    script.time = 5.0
    assert supply.now() is None and supply.now() is None
    (attempt,) = script.waiting
    assert supply.problem == "down", "what is known, until more is"
    attempt()
    assert supply.now() is script.made


def test_who_asks_before_the_first_attempt_has_ended_is_told_that_it_is_loading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lurcher_index.dense.supply.FIRST_SECONDS", 0.01)
    begun, may_end = threading.Event(), threading.Event()

    def slow() -> Embedder:
        begun.set()
        assert may_end.wait(30)
        return HashingEmbedder()

    supply = Supply(slow)
    assert supply.now() is None and supply.problem == LOADING
    assert begun.wait(30)
    assert supply.now() is None
    may_end.set()
    assert isinstance(supply.made(), HashingEmbedder)


def test_with_good_reason_it_is_tried_before_its_time() -> None:
    script = Script("down", "down", "")
    supply = script.supply()
    assert supply.now() is None
    supply.retry()
    assert (supply.problem, len(script.outcomes)) == ("down", 1)
    supply.retry()
    assert supply.now() is script.made


def test_only_one_of_many_tries_what_has_just_failed() -> None:
    breaker = Breaker(lambda: 100.0)
    assert breaker.allows() and breaker.allows(), "nothing is wrong"
    breaker.failed("down")
    assert not breaker.allows()
    late = [100.0]
    breaker = Breaker(lambda: late[0])
    breaker.failed("down")
    late[0] = 105.0
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert breaker.allows() and breaker.failure == ""


def test_pauses_grow_up_to_a_limit_and_as_long_as_a_server_asks() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    pauses: list[float] = []
    for _ in range(9):
        breaker.failed("down")
        began = now[0]
        while not breaker.allows():
            now[0] += 1.0
        pauses.append(now[0] - began)
    assert pauses == [5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 300.0, 300.0, 300.0]
    breaker.succeeded()
    breaker.failed("busy", wait=60.0)
    now[0] += 59.0
    assert not breaker.allows()
    breaker.failed("busy", wait=float("inf"))
    now[0] += 3_600.0
    assert breaker.allows(), "nobody may keep us away for ever"
