"""One file does not fill the answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.diversity import STRETCHES, fade_by_lead, faded, mmr, placed, spread_over_files


def check(items: str, per_file: int | None, kept: str, dropped: str = "") -> None:
    """Items are a letter for the file and a digit."""
    found = spread_over_files(items.split(), lambda item: item[0], per_file)
    assert (" ".join(found.items), " ".join(found.dropped)) == (kept, dropped)


def test_from_the_fourth_chunk_on_a_file_stands_behind_the_others() -> None:
    check("a1 a2 a3 a4 b1 a5 c1", None, "a1 a2 a3 b1 c1 a4 a5")
    check("a1 a2 a3 a4", None, "a1 a2 a3 a4")
    check("b1 a1 b2 a2 b3", None, "b1 a1 b2 a2 b3")


def test_a_number_is_a_hard_limit() -> None:
    check("a1 a2 b1 a3 b2 c1", 1, "a1 b1 c1", "a2 a3 b2")
    check("a1 a2 b1 a3", 2, "a1 a2 b1", "a3")
    check("a1 a2 a3 a4 b1", 5, "a1 a2 a3 a4 b1")


@given(st.lists(st.sampled_from("abc")), st.none() | st.integers(1, 4))
def test_nothing_is_lost_and_the_order_within_a_file_is_kept(files: list[str], per_file: int | None) -> None:
    items = list(enumerate(files))
    found = spread_over_files(items, lambda item: item[1], per_file)
    assert sorted(found.items + found.dropped) == items
    for file in "abc":
        of_file = [at for at, name in found.items if name == file]
        assert of_file == sorted(of_file)
        assert per_file is None or len(of_file) <= per_file
    assert per_file is not None or not found.dropped


@pytest.mark.parametrize(
    ("files", "scores", "fade", "expected"),
    [
        ("ab", [3.0, 3.0], 2.0, 2.0),
        ("aab", [3.0, 2.5, 1.0], 2.0, 0.5),
        ("baa", [1.0, 2.0, 3.0], 2.0, 0.5),
        ("abc", [3.0, 2.0, -9.0], 2.0, 1.25),
        ("ab", [9.0, 1.0], 2.0, 0.0),
        ("aa", [9.0, 1.0], 2.0, 2.0),
        ("", [], 2.0, 2.0),
    ],
)
def test_the_further_the_first_file_is_ahead_the_less_its_chunks_fade(
    files: str, scores: list[float], fade: float, expected: float
) -> None:
    assert fade_by_lead(scores, files, fade) == pytest.approx(expected)


def check_faded(files: str, scores: list[float], expected: list[float], fade: float = 0.1) -> None:
    """A letter for the file of each score."""
    assert faded(scores, files, fade) == pytest.approx(expected)


def test_each_further_item_of_a_file_loses_more() -> None:
    check_faded("aaaab", [1.0, 0.9, 0.8, 0.75, 0.7], [1.0, 0.8, 0.69, 0.63, 0.7])
    check_faded("aab", [1.0, 0.9, 0.7], [1.0, 0.9, 0.7], fade=0.0)
    check_faded("", [], [])


def test_the_best_of_a_file_loses_nothing_wherever_it_stands() -> None:
    check_faded("aba", [0.5, 0.6, 0.9], [0.4, 0.6, 0.9])
    check_faded("aba", [-3.0, -2.0, -1.0], [-3.1, -2.0, -1.0])


def test_of_equal_scores_the_first_one_stays() -> None:
    check_faded("aa", [0.5, 0.5], [0.5, 0.4])


def test_fading_leaves_the_scores_that_were_given() -> None:
    scores = [0.5, 0.4]
    faded(scores, "aa", 0.1)
    assert scores == [0.5, 0.4]


def check_mmr(values: dict[str, float], alike: dict[str, float], order: str, lam: float = 0.7) -> None:
    found = mmr(list(values), values.__getitem__, lambda a, b: alike.get(a + b, alike.get(b + a, 0.0)), lam)
    assert "".join(found) == order


def test_mmr_puts_what_is_different_before_what_was_said() -> None:
    values = {"a": 1.0, "b": 0.9, "c": 0.7}
    check_mmr(values, {"ab": 0.95}, "acb")
    check_mmr(values, {}, "abc")
    check_mmr(values, {"ab": 0.95}, "abc", lam=1.0)


def test_mmr_counts_the_most_similar_predecessor() -> None:
    """d is like the first one only; that it is unlike the second does not help it."""
    check_mmr({"a": 1.0, "b": 0.9, "c": 0.6, "d": 0.8}, {"ad": 0.9}, "abcd")


def test_mmr_keeps_the_first_even_if_another_is_more_relevant() -> None:
    check_mmr({"a": 0.1, "b": 0.9}, {}, "ab")


def test_mmr_keeps_the_order_of_equals() -> None:
    check_mmr(dict.fromkeys("abcd", 0.5), {}, "abcd")
    check_mmr({}, {}, "")


@pytest.mark.parametrize("lam", [0.0, 0.5, 1.0])
def test_mmr_loses_nothing(lam: float) -> None:
    items = list(range(20))
    found = mmr(items, lambda item: 1 / (1 + item), lambda one, other: 1 / (1 + abs(one - other)), lam)
    assert found[0] == 0
    assert sorted(found) == items


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("", ""),
        ("a1", "a1"),
        ("a1 b1 c1 d1", "a1 b1 c1 d1"),
        ("a1 a2 b1 c1 d1", "a1 b1 c1 a2 d1"),
        ("a1 a2 a3 b1 b2 c1 d1", "a1 b1 c1 a2 a3 d1 b2"),
        ("a1 b1 c1 a2 d1", "a1 b1 c1 a2 d1"),
        ("a1 a2 a3", "a1 a2 a3"),
        ("a1 a2 b1 a3 b2", "a1 b1 a2 a3 b2"),
        ("a1 a2 a3 a4 a5 a6 b1", "a1 b1 a2 a3 a4 a5 a6"),
        ("a1 b1 c1 d1 a2 a3 b2 e1 f1", "a1 b1 c1 d1 a2 e1 f1 a3 b2"),
    ],
)
def test_three_files_then_the_best_then_files_that_are_not_shown_yet(items: str, expected: str) -> None:
    assert placed(items.split(), lambda item: item[0]) == expected.split()


def test_behind_the_tenth_place_the_order_is_what_it_was() -> None:
    letters = "abcdefghijklm"
    found = placed([f"{letter}{at}" for letter in letters for at in (1, 2)], lambda item: item[0])
    assert " ".join(found[:10]) == "a1 b1 c1 a2 b2 d1 e1 f1 g1 h1"
    assert " ".join(found[10:]) == "c2 d2 e2 f2 g2 h2 i1 i2 j1 j2 k1 k2 l1 l2 m1 m2"


@given(st.lists(st.sampled_from("abcdefghijkl"), max_size=40))
def test_places_lose_nothing_and_files_take_turns_as_long_as_there_are_others(files: list[str]) -> None:
    items = list(enumerate(files))
    found = placed(items, lambda item: item[1])
    assert sorted(found) == items
    assert found[:1] == items[:1]
    for file in set(files):
        of_file = [at for at, name in found if name == file]
        assert of_file == sorted(of_file)
    before = 0
    for until, takes_turns in STRETCHES:
        if takes_turns:
            shown = {name for _, name in found[:before]}
            new = [name for _, name in found[before:until] if name not in shown]
            assert len(set(new)) == min(len(set(files) - shown), until - before)
        before = until
