"""A small network learns what signs of an answer mean."""

import numpy as np
import pytest
from training.ranker.believing import Plan, believing
from training.ranker.calibrate import chances

from lurcher_index.ranking.answerability import probability

PLAN = Plan(neurons=8, steps=400, rate=0.02, shrink=0.0005, seed=0)


def test_it_learns_what_no_weighted_sum_can_say() -> None:
    """Either sign alone speaks for an answer, both together against it."""
    draw = np.random.default_rng(3)
    rows = draw.random((600, 2)) * 2 - 1
    answered = ((rows[:, 0] > 0) != (rows[:, 1] > 0)).astype(np.float64)
    belief = believing(rows, answered, np.ones(len(rows)), PLAN)
    right = ((chances(rows, belief) > 0.5) == (answered > 0)).mean()
    assert right > 0.9
    alone = believing(rows, answered, np.ones(len(rows)), PLAN._replace(neurons=0))
    assert ((chances(rows, alone) > 0.5) == (answered > 0)).mean() < 0.7


def test_the_run_time_says_the_same_of_one_question() -> None:
    draw = np.random.default_rng(4)
    rows = draw.normal(5.0, 3.0, (50, 3))
    belief = believing(rows, (rows[:, 0] > 5).astype(np.float64), np.ones(50), PLAN)
    assert [probability(row, belief) for row in rows] == pytest.approx(chances(rows, belief).tolist())


def test_both_sides_count_alike_however_many_there_are() -> None:
    rows = np.zeros((100, 2))
    answered = np.array([1.0] * 90 + [0.0] * 10)
    assert chances(rows, believing(rows, answered, np.ones(100), PLAN))[0] == pytest.approx(0.5, abs=0.01)


def test_the_same_lessons_give_the_same_belief() -> None:
    rows = np.random.default_rng(5).random((30, 2))
    answered = (rows[:, 0] > 0.5).astype(np.float64)
    one, two = (believing(rows, answered, np.ones(30), PLAN) for _ in range(2))
    assert all(np.array_equal(*pair) for pair in zip(one, two, strict=True))
