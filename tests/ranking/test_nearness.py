"""Words that stand close together count more."""

from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.nearness import NEAR_BOOST, nearness_boost, smallest_window


def check(positions: dict[str, list[int]], boost: float) -> None:
    assert nearness_boost([[["a"]], [["b", "c"], ["d"]]], positions) == boost


def test_near_is_boosted_and_far_is_not() -> None:
    check({"a": [0], "b": [10], "c": [10]}, NEAR_BOOST)
    check({"a": [0, 90], "d": [99]}, NEAR_BOOST)
    check({"a": [0], "d": [11]}, 1.0)


def test_a_missing_word_or_half_an_alternative_is_no_match() -> None:
    check({"a": [0]}, 1.0)
    check({"a": [0], "b": [1]}, 1.0)


def test_a_single_word_is_never_near_itself() -> None:
    assert nearness_boost([[["a"]]], {"a": [1, 2]}) == 1.0


@given(st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=5), min_size=1, max_size=3))
def test_the_window_is_the_smallest(places: list[list[int]]) -> None:
    from itertools import product

    assert smallest_window(places) == min(max(choice) - min(choice) for choice in product(*places))
