"""The measures, on rankings small enough to be worked out by hand."""

import math

import pytest

from lurcher_index.evaluation.intervals import figures
from lurcher_index.evaluation.measures import MEASURES, measure, ndcg, ranks_of, recall, reciprocal_rank


def test_a_file_stands_where_its_first_result_stands() -> None:
    assert ranks_of(("b", "a", "z"), ["a", "a", "b", "a", "b"]) == (3, 1, None)
    assert ranks_of(("a",), []) == (None,)


@pytest.mark.parametrize(
    ("ranks", "length", "value"),
    [((1, None), 1, 0.5), ((2, 3), 1, 0.0), ((2, 5, 6), 5, 2 / 3), ((None,), 10, 0.0), ((10,), 10, 1.0)],
)
def test_recall_is_the_share_of_targets_among_the_first(
    ranks: tuple[int | None, ...], length: int, value: float
) -> None:
    assert recall(ranks, length) == pytest.approx(value)


@pytest.mark.parametrize(("ranks", "value"), [((4, 2), 0.5), ((1,), 1.0), ((None, None), 0.0), ((50, None), 0.02)])
def test_the_best_target_gives_the_reciprocal_rank(ranks: tuple[int | None, ...], value: float) -> None:
    assert reciprocal_rank(ranks) == pytest.approx(value)


@pytest.mark.parametrize(
    ("ranks", "value"),
    [
        ((1, 2), 1.0),
        ((2, 1), 1.0),
        ((1, None), 1 / (1 + 1 / math.log2(3))),
        ((3,), 0.5),
        ((10,), 1 / math.log2(11)),
        ((11,), 0.0),
        (tuple(range(1, 13)), 1.0),
    ],
)
def test_ndcg_counts_ten_results(ranks: tuple[int | None, ...], value: float) -> None:
    assert ndcg(ranks) == pytest.approx(value)


def test_every_measure_has_a_name() -> None:
    assert dict(zip(MEASURES, measure((2, None)), strict=True)) == {
        "recall@1": 0.0,
        "recall@5": 0.5,
        "recall@10": 0.5,
        "mrr": 0.5,
        "ndcg@10": pytest.approx(1 / math.log2(3) / (1 + 1 / math.log2(3))),
    }


def test_equal_values_leave_no_doubt() -> None:
    (figure,) = figures([(0.25,)] * 20, seed=1)
    assert (figure.mean, figure.low, figure.high) == (0.25, 0.25, 0.25)


def test_the_interval_is_about_that_of_the_normal_distribution() -> None:
    """100 questions, half of them found: the mean's deviation is 0.05, so 95 % lie within 0.098 of it."""
    found, none = figures([(float(number % 2), 0.0) for number in range(100)], seed=1)
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.402, abs=0.015)
    assert found.high == pytest.approx(0.598, abs=0.015)
    assert (none.low, none.high) == (0.0, 0.0)


def test_a_seed_gives_the_same_interval_again() -> None:
    values = [(number / 37,) for number in range(37)]
    assert figures(values, seed=3) == figures(values, seed=3)
    assert figures(values, seed=3) != figures(values, seed=4)
