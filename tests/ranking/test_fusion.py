"""Reciprocal rank fusion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.fusion import fuse


def check(rankings: list[tuple[float, str]], order: str) -> None:
    """Fuse rankings whose keys are single letters; the order is that of the letters."""
    assert "".join(each.key for each in fuse([(weight, list(keys)) for weight, keys in rankings])) == order


def test_ranks_3_and_7_give_the_printed_score() -> None:
    """The example of the seed: weights of a half, k of 60."""
    [found] = [each for each in fuse([(0.5, list("abX")), (0.5, list("cdefghX"))]) if each.key == "X"]
    assert found.score == pytest.approx(0.01540, abs=0.000005)
    assert found.ranks == (3, 7)


def test_a_missing_retriever_adds_nothing() -> None:
    found = {each.key: each for each in fuse([(0.5, ["a"]), (0.5, ["b"])])}
    assert found["a"].score == 0.5 / 61
    assert (found["a"].ranks, found["b"].ranks) == ((1, None), (None, 1))
    assert fuse([(0.5, ["a"]), (0.5, [])])[0].score == 0.5 / 61


def test_what_both_find_comes_before_what_one_finds() -> None:
    check([(0.5, "axb"), (0.5, "cxd")], "xacbd")


def test_weights_decide_whom_to_believe() -> None:
    check([(0.7, "ab"), (0.3, "cd")], "abcd")
    check([(0.3, "ab"), (0.7, "cd")], "cdab")


def test_k_decides_how_little_the_first_ranks_differ() -> None:
    both, alone = [(0.5, ["a", "x"]), (0.5, ["b", "x"])], [(0.5, ["x"])]
    assert fuse(both, k=1)[0].score / fuse(alone, k=1)[0].score == pytest.approx(4 / 3)
    assert fuse(both, k=60)[0].score / fuse(alone, k=60)[0].score == pytest.approx(2 * 61 / 62)


def test_equal_scores_go_by_the_best_rank_then_by_the_first_ranking() -> None:
    check([(0.5, "ab"), (0.5, "ba")], "ab")
    check([(0.5, "b"), (0.5, "a")], "ba")
    check([(0.0, "pqX"), (0.5, "YX"), (0.5, "ZX")], "XYZpq")
    # X and Y tie at nothing, and X has the better single rank although the first ranking does not know it.
    check([(0.0, "abY"), (0.0, "cX")], "acbXY")


def test_a_key_that_stands_twice_counts_where_it_stands_first() -> None:
    assert [(each.key, each.ranks) for each in fuse([(1.0, list("aba"))])] == [("a", (1,)), ("b", (2,))]


def test_nothing_gives_nothing() -> None:
    assert fuse([]) == []
    assert fuse([(0.5, list[str]()), (0.5, list[str]())]) == []


KEYS = st.lists(st.integers(0, 12), unique=True, max_size=13)


@given(st.lists(st.tuples(st.sampled_from([0.3, 0.5, 0.7]), KEYS), max_size=3))
def test_every_key_once_and_scores_never_rise(rankings: list[tuple[float, list[int]]]) -> None:
    found = fuse(rankings)
    assert sorted(each.key for each in found) == sorted({key for _, keys in rankings for key in keys})
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    for each in found:
        there = [(weight, rank) for (weight, _), rank in zip(rankings, each.ranks, strict=True) if rank]
        assert each.score == pytest.approx(sum(weight / (60 + rank) for weight, rank in there))
