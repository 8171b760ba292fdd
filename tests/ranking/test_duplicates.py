"""What says the same as something better is left out."""

from math import nan

import pytest

from lurcher_index.ranking.duplicates import without_near_duplicates


def check(items: str, alike: dict[str, float | None], kept: str, dropped: list[str], limit: float = 0.85) -> None:
    """Items are letters, `alike` has the similarity of pairs of them; `dropped` are pairs, the dropped one first."""
    found = without_near_duplicates(list(items), lambda one, other: alike.get(one + other, 0.0), limit)
    assert "".join(found.kept) == kept
    assert ["".join(pair) for pair in found.dropped] == dropped


def test_section_3_near_duplicates_are_removed_and_the_first_wins() -> None:
    check("abc", {"ac": 0.9, "bc": 0.1}, "ab", ["ca"])
    check("abcd", {"ab": 0.9, "ad": 0.99}, "ac", ["ba", "da"])


def test_section_3_the_limit_itself_is_a_duplicate() -> None:
    check("ab", {"ab": 0.85}, "a", ["ba"])
    check("ab", {"ab": 0.8499}, "ab", [])
    check("ab", {"ab": 0.9}, "ab", [], limit=0.95)


def test_a_chain_of_small_differences_does_not_drop_its_far_end() -> None:
    check("abc", {"ab": 0.9, "bc": 0.9, "ac": 0.7}, "ac", ["ba"])


@pytest.mark.parametrize("unknown", [None, nan])
def test_an_unknown_similarity_drops_nothing(unknown: float | None) -> None:
    check("ab", {"ab": unknown}, "ab", [])


def test_equal_texts_are_duplicates_whatever_their_vectors_say() -> None:
    items = [("a", 1), ("b", 2), ("a", 3), ("a", 4)]
    found = without_near_duplicates(items, lambda one, other: -float(one == other), digest=lambda item: item[0])
    assert found.kept == [("a", 1), ("b", 2)]
    assert found.dropped == [(("a", 3), ("a", 1)), (("a", 4), ("a", 1))]


def test_nothing_gives_nothing() -> None:
    check("", {}, "", [])
