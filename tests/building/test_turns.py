"""Answers come in the order of their jobs, and none waits long for another."""

import random
from itertools import count

from lurcher_index.building.messages import Job, Parsed
from lurcher_index.building.turns import LONGEST_WAIT, MOST_WAITING, Turns


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def turns(jobs: int, clock: Clock | None = None) -> Turns:
    """Jobs that are not numbered from 0."""
    return Turns([Job(7 + at, "", "") for at in range(jobs)], clock or Clock())


def answers(*places: int) -> list[Parsed]:
    return [Parsed(7 + place) for place in places]


def places(parsed: list[Parsed]) -> list[int]:
    return [each.number - 7 for each in parsed]


def test_answers_wait_for_those_before_them() -> None:
    taken = turns(9)
    assert places(taken.take(answers(0, 1))) == [0, 1]
    assert places(taken.take(answers(4, 3))) == []
    assert places(taken.take(answers(2))) == [2, 3, 4]
    assert places(taken.take(answers(6, 5, 8))) == [5, 6]
    assert places(taken.take(answers(7))) == [7, 8]


def test_what_takes_long_is_not_waited_for() -> None:
    clock = Clock()
    taken = turns(20, clock)
    clock.now += 50.0  # Until the first answers came at all.
    assert places(taken.take(answers(2, 1))) == []
    assert taken.overdue() == []
    clock.now += LONGEST_WAIT / 2
    assert places(taken.take(answers(4))) == []
    assert taken.overdue() == []
    clock.now += LONGEST_WAIT / 2
    assert places(taken.overdue()) == [1, 2, 4]
    assert places(taken.take(answers(5))) == [5]
    assert places(taken.take(answers(3, 0))) == [3, 0], "too late for their turn, but not lost"
    assert taken.overdue() == taken.rest() == []


def test_no_more_wait_than_there_is_room_for() -> None:
    taken = turns(2 * MOST_WAITING)
    waiting = 0
    for at in range(1, 2 * MOST_WAITING):
        waiting += 1 - len(taken.take(answers(at)))
        assert waiting <= MOST_WAITING
    assert places(taken.take(answers(0))) == [0]


def test_every_answer_is_given_back_once_whatever_the_order() -> None:
    for seed in range(50):
        dice, clock = random.Random(seed), Clock()
        left = list(range(60))
        dice.shuffle(left)
        taken = turns(60, clock)
        given: list[int] = []
        for _ in count():
            given += places(taken.take(answers(*(left.pop() for _ in range(min(len(left), dice.randrange(4)))))))
            clock.now += dice.random() / 2
            given += places(taken.overdue())
            if not left:
                break
        assert sorted([*given, *places(taken.rest())]) == list(range(60))
