"""What says the same as something better is left out."""

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.duplicates import lines_of, most_shared, shared_lines, without_near_duplicates


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


def test_lines_are_compared_without_indentation_and_without_those_that_say_nothing() -> None:
    assert lines_of(b"if a:\n    run()\n\n  }\r\n\trun()\n") == {b"if a:", b"run()"}
    assert lines_of(b"") == lines_of(b"{\n\n}\n") == frozenset()
    assert lines_of(b"go") == {b"go"}


def check_shared(one: bytes, other: bytes, share: float) -> None:
    assert shared_lines(lines_of(one), lines_of(other)) == pytest.approx(share)
    assert shared_lines(lines_of(other), lines_of(one)) == pytest.approx(share)


def test_the_shared_lines_are_a_share_of_all_lines_of_both() -> None:
    check_shared(b"one\ntwo\nthree", b"  three\n  two\n  one", 1.0)
    check_shared(b"one\ntwo\nthree", b"one\ntwo\nfour", 0.5)
    check_shared(b"one\ntwo\nthree\nfour", b"one", 0.25)
    check_shared(b"one", b"two", 0.0)


def test_texts_without_lines_are_alike_but_not_like_others() -> None:
    check_shared(b"", b"}\n", 1.0)
    check_shared(b"", b"one", 0.0)


few_lines = st.frozensets(st.sampled_from([b"a1", b"b2", b"c3", b"d4", b"e5", b"f6"]))


@given(few_lines, few_lines)
def test_texts_never_share_more_than_their_numbers_of_lines_allow(
    one: frozenset[bytes], other: frozenset[bytes]
) -> None:
    assert shared_lines(one, other) <= most_shared(one, other) == most_shared(other, one)
