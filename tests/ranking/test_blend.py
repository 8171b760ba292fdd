"""Words and meaning on one scale, and rerankers that cannot do harm."""

from collections.abc import Sequence
from math import inf, log, nan
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.errors import Cancelled
from lurcher_index.ranking.blend import (
    WORDS_CALIBRATION,
    Evidence,
    Reranked,
    Reranker,
    by_rules,
    calibrate_words,
    relevance,
    rerank,
    scores_by_index,
)
from lurcher_index.ranking.spread import spread


class Weights(NamedTuple):
    words: float
    meaning: float


HALF = Weights(0.5, 0.5)
THREE = [Evidence(fused=3.0), Evidence(fused=2.0), Evidence(fused=1.0)]


def test_the_calibration_turns_the_cut_of_the_words_into_that_of_the_spread() -> None:
    """Section 6 cuts at 25 % of the best, section 3 at 65 %."""
    assert pytest.approx(log(0.65) / log(0.25), abs=0.001) == WORDS_CALIBRATION
    assert calibrate_words(3.0, 12.0) == pytest.approx(0.65, abs=0.001)
    kept = spread([12.0, 3.0, 2.9], lambda score: calibrate_words(score, 12.0), 10).kept
    assert kept == (12.0, 3.0)


@pytest.mark.parametrize(
    ("score", "best", "expected"),
    [
        (7.0, 7.0, 1.0),
        (8.0, 7.0, 1.0),
        (0.0, 7.0, 0.0),
        (-1.0, 7.0, 0.0),
        (1.0, 0.0, 0.0),
        (nan, 7.0, 0.0),
        (1, inf, 0),
    ],
)
def test_the_ends_of_the_calibrated_scale(score: float, best: float, expected: float) -> None:
    assert calibrate_words(score, best) == expected


@pytest.mark.parametrize(
    ("words", "meaning", "trust", "weights", "expected"),
    [
        (0.8, 0.4, 1.0, HALF, 0.6),
        (0.8, 0.4, 0.5, HALF, (0.8 * 2 + 0.4) / 3),
        (0.8, 0.4, 0.0, HALF, 0.8),
        (0.8, 0.4, 1.0, Weights(0.7, 0.3), 0.68),
        (0.8, 0.4, 1.0, Weights(7, 3), 0.68),
        (None, 0.4, 1.0, HALF, 0.2),
        (0.8, None, 1.0, HALF, 0.8),
        (0.8, None, 1.0, Weights(0, 1), 0.8),
        (None, None, 1.0, HALF, 0.0),
        (0.8, nan, 1.0, HALF, 0.8),
        (nan, 0.4, 1.0, HALF, 0.2),
        (0.8, 0.4, 0.0, Weights(0, 1), 0.4),
        (0.8, 0.4, 0.0, Weights(1, 0), 0.8),
        (0.8, -0.4, 1.0, HALF, 0.4),
        (0.8, 0.4, 9.0, HALF, 0.6),
    ],
)
def test_relevance(words: float | None, meaning: float | None, trust: float, weights: Weights, expected: float) -> None:
    assert relevance(words, meaning, trust, weights) == pytest.approx(expected)


ANY = st.none() | st.floats()


@given(ANY, ANY, st.floats(0, 1), st.floats(0, 10), st.floats(0, 10))
def test_relevance_stays_between_0_and_1(
    words: float | None, meaning: float | None, trust: float, of_words: float, of_meaning: float
) -> None:
    assert 0.0 <= relevance(words, meaning, trust, Weights(of_words, of_meaning)) <= 1.0


def check(reranker: Reranker, order: Sequence[int], note: str = "", top: int = 30) -> Reranked:
    found = rerank(reranker, THREE, top)
    assert found.order == tuple(order)
    assert (note in found.note) if note else not found.note
    return found


def test_the_reranker_decides_and_ties_keep_their_order() -> None:
    assert check(lambda _: [0.1, 0.9, 0.5], [1, 2, 0]).scores == (0.1, 0.9, 0.5)
    check(lambda _: [0.5, 0.9, 0.5], [1, 0, 2])


def test_only_the_top_is_shown_to_the_reranker() -> None:
    found = check(lambda seen: [each.fused * -1 for each in seen], [1, 0, 2], top=2)
    assert found.scores == (-3.0, -2.0, None)
    assert check(lambda _: [1 / 0], [0, 1, 2], top=0).scores == (None, None, None)


@pytest.mark.parametrize(
    ("scores", "note"),
    [
        ([0.1, 0.9], "2 scores for 3 hits"),
        ([0.1, 0.9, 0.9, 0.5], "4 scores for 3 hits"),
        ([], "0 scores for 3 hits"),
        ([0.1, nan, 0.5], "not a number"),
        ([0.1, inf, 0.5], "not a number"),
    ],
)
def test_section_10_a_bad_answer_keeps_the_previous_order(scores: list[float], note: str) -> None:
    assert check(lambda _: scores, [0, 1, 2], note).scores == (None, None, None)


@pytest.mark.parametrize(
    ("pairs", "note"),
    [
        ([(0, 0.1), (2, 0.2)], "1 of 3 are left out"),
        ([(0, 0.1), (1, 0.2), (1, 0.3)], "index 1 is repeated"),
        ([(0, 0.1), (1, 0.2), (3, 0.3)], "index 3 of 3 is unknown"),
        ([(0, 0.1), (1, 0.2), (-1, 0.3)], "index -1 of 3 is unknown"),
    ],
)
def test_section_10_indexes_left_out_or_repeated_keep_the_previous_order(
    pairs: list[tuple[int, float]], note: str
) -> None:
    check(lambda seen: scores_by_index(pairs, len(seen)), [0, 1, 2], note)


def test_scores_by_index_come_in_any_order() -> None:
    check(lambda seen: scores_by_index([(2, 0.9), (0, 0.5), (1, 0.1)], len(seen)), [2, 0, 1])


def _raises(error: Exception) -> Reranker:
    def reranker(_: Sequence[Evidence]) -> Sequence[float]:
        raise error

    return reranker


def test_a_reranker_that_raises_keeps_the_previous_order() -> None:
    check(_raises(RuntimeError("model is gone")), [0, 1, 2], "model is gone")
    check(_raises(TimeoutError()), [0, 1, 2], "TimeoutError")


def test_a_cancel_is_not_taken_for_a_failure() -> None:
    with pytest.raises(Cancelled):
        rerank(_raises(Cancelled()), THREE)


def test_nothing_is_not_reranked() -> None:
    assert rerank(_raises(RuntimeError()), []) == Reranked((), ())


def test_the_rules_mix_words_and_meaning() -> None:
    """The words alone would put the first one first, meaning alone the third."""
    evidences = [
        Evidence(words=10.0, similarity=0.1),
        Evidence(words=9.0, similarity=0.8),
        Evidence(similarity=0.9),
        Evidence(words=9.0),
    ]
    assert rerank(by_rules(10.0, 1.0, HALF), evidences).order == (3, 1, 0, 2)
    assert rerank(by_rules(10.0, 0.0, HALF), evidences).order == (0, 1, 3, 2)
    assert rerank(by_rules(10.0, 1.0, Weights(0.0, 1.0)), evidences).order == (3, 2, 1, 0)
