"""Section 3: the 0.65 spread, exactly."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.spread import SPREAD, Spread, spread


def check(
    scores: list[float],
    kept: list[float],
    dropped: list[float] | None = None,
    cut: list[float] | None = None,
    most: int = 100,
    exact: tuple[float, ...] = (),
) -> Spread[float]:
    """Items are their own scores."""
    found = spread(scores, lambda score: score, most, lambda score: score in exact)
    assert list(found.kept) == kept
    assert list(found.dropped_by_spread) == (dropped or [])
    assert list(found.cut) == (cut or [])
    assert not found.note
    return found


def test_section_3_the_printed_example_keeps_two() -> None:
    assert check([0.42, 0.28, 0.27], [0.42, 0.28], [0.27]).threshold == pytest.approx(0.273)


def test_section_3_nothing_gives_nothing() -> None:
    assert check([], []).threshold is None


def test_section_3_sorted_by_score() -> None:
    check([0.7, 1.0, 0.1, 0.9], [1.0, 0.9, 0.7], [0.1])


def test_section_3_equal_scores_keep_their_order() -> None:
    found = spread(["b", "a", "c"], lambda name: 0.5 if name < "c" else 0.6, 10)
    assert found.kept == ("c", "b", "a")


def test_section_3_the_cut_comes_before_the_spread() -> None:
    check([1.0, 0.2, 0.9, 0.1, 0.8], [1.0, 0.9, 0.8], cut=[0.2, 0.1], most=3)
    check([1.0, 0.2, 0.1], [1.0], [0.2], [0.1], most=2)


def test_section_3_max_results_of_one_gives_the_best() -> None:
    check([0.5, 0.9, 0.8], [0.9], cut=[0.8, 0.5], most=1)


@pytest.mark.parametrize("most", [0, -1])
def test_section_3_no_results_asked_for_gives_none(most: int) -> None:
    check([0.5, 0.9], [], cut=[0.9, 0.5], most=most)


@pytest.mark.parametrize(
    ("best", "border"), [(1.0, 0.65), (0.9, 0.585), (0.42, 0.273), (0.01, 0.0065), (0.65, 0.4225), (20.0, 13.0)]
)
def test_section_3_the_border_belongs_to_the_kept(best: float, border: float) -> None:
    """Also where the product is a little more in binary, as for 0.9."""
    below = border * (1 - 1e-6)
    check([best, border, below], [best, border], [below])


def test_section_3_a_best_score_of_nothing_or_less_keeps_the_best_alone() -> None:
    assert check([-0.3, -0.1, -0.2], [-0.1], [-0.2, -0.3]).threshold is None
    check([0.0, 0.0], [0.0], [0.0])
    check([-0.2, 0.0], [0.0], [-0.2])
    check([0.1, -0.1, 0.07], [0.1, 0.07], [-0.1])


def test_section_3_exact_identifiers_are_always_kept() -> None:
    check([1.0, 0.7, 0.5, 0.2], [1.0, 0.7, 0.2], [0.5], exact=(0.2,))
    check([-0.1, -0.2, -0.3], [-0.1, -0.3], [-0.2], exact=(-0.3,))


def test_section_3_an_exact_identifier_is_not_saved_from_the_cut() -> None:
    check([1.0, 0.7, 0.2], [1.0, 0.7], cut=[0.2], most=2, exact=(0.2,))


@pytest.mark.parametrize("bad", [None, nan, inf, -inf])
def test_section_3_a_failure_keeps_the_order_cuts_and_tells(bad: float | None) -> None:
    found = spread([0.1, bad, 0.9, 0.8], lambda score: score, 3)
    assert str(found.kept) == str((0.1, bad, 0.9))
    assert (found.cut, found.dropped_by_spread, found.threshold) == ((0.8,), (), None)
    assert "could not be compared" in found.note


def test_section_3_a_score_that_cannot_be_looked_up_is_a_failure() -> None:
    found = spread(["b", "a"], {"a": 1.0}.__getitem__, 10)
    assert found.kept == ("b", "a")
    assert "KeyError" in found.note


@given(st.lists(st.floats(-1, 1)), st.integers(0, 10))
def test_section_3_nothing_is_lost_and_the_best_stays(scores: list[float], most: int) -> None:
    found = spread(scores, lambda score: score, most)
    parts = (*found.kept, *found.dropped_by_spread, *found.cut)
    assert sorted(parts) == sorted(scores)
    assert len(found.kept) + len(found.dropped_by_spread) <= most
    if scores and most:
        assert found.kept[0] == max(scores)
    if found.threshold is not None:
        assert all(score < SPREAD * max(scores) for score in found.dropped_by_spread)
