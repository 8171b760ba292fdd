"""What an answer is worth, on answers small enough to be worked out by hand."""

import math

import pytest
from benchmarks.quality.labels import Question, Span, SpanQuestion, Target
from benchmarks.quality.scoring import Given, Place, area_under_curve, coverage, ndcg, resampled_areas, score


def asked(category: str, answers: tuple[Span, ...], alternatives: tuple[Span, ...] = ()) -> SpanQuestion:
    return SpanQuestion("corpus", "python", category, "a question", answers, alternatives)


@pytest.mark.parametrize(
    ("first", "last", "hit"),
    [
        (10, 19, True),
        (1, 40, True),  # the span lies in the chunk
        (12, 13, True),  # the chunk lies in the span
        (15, 34, True),  # five lines of the ten
        (16, 34, False),
        (1, 9, False),
        (20, 30, False),
    ],
)
def test_a_chunk_hits_a_span_if_half_of_the_shorter_one_is_shared(first: int, last: int, hit: bool) -> None:
    assert Span("a/b.py", 10, 19).is_hit("a/b.py", first, last) is hit
    assert not Span("a/b.py", 10, 19).is_hit("b.py", first, last)


def test_a_file_may_be_named_from_deeper_down() -> None:
    assert Target("src/a.py").holds("a.py", 1, 9)
    assert Target("a.py").holds("src/a.py", 1, 9)
    assert not Target("a.py").holds("src/ba.py", 1, 9)
    assert Target("a.py", 5, 9).holds("a.py", 9, 20)
    assert not Target("a.py", 5, 9).holds("a.py", 10, 20)


@pytest.mark.parametrize(
    ("targets", "paths", "value"),
    [
        ("a", "a", 1.0),
        ("a", "bba", 0.5),
        ("a", "bbbbbbbbbba", 0.0),
        ("ab", "aab", (1 + 0.5) / (1 + 1 / math.log2(3))),
        ("ab", "", 0.0),
    ],
)
def test_ndcg(targets: str, paths: str, value: float) -> None:
    assert ndcg(map(Target, targets), [Place(path, 1, 2) for path in paths]) == pytest.approx(value)


def test_the_first_right_chunk_decides() -> None:
    chunks = (
        Place("b.py", 1, 9, 100, 0.8),
        Place("a.py", 1, 9, 50, 0.8),
        Place("a.py", 10, 19, 25, 0.6),
        Place("a.py", 30, 39, 10, 0.3),
    )
    found = score(asked("where", (Span("a.py", 12, 14),), (Span("a.py", 30, 39),)), Given(chunks, 0.01, 0.7))
    assert (found.rank, found.file_rank, found.tokens, found.returned) == (3, 2, 175, 4)
    assert found.relative == 0.75
    assert found.answerability == 0.7
    assert found.coverage is found.ndcg is None


def test_what_is_named_without_its_code_counts_behind_what_is_shown() -> None:
    shown = (Place("b.py", 1, 9, 100, 0.8), Place("a.py", 1, 9, 50, 0.6))
    named = (Place("c.py", 1, 9), Place("a.py", 10, 19))
    found = score(asked("where", (Span("a.py", 12, 14),)), Given(shown, 0.01, 0.7, named))
    assert (found.rank, found.told_rank) == (None, 4)
    assert (found.file_rank, found.told_file_rank) == (2, 2)
    assert (found.returned, found.tokens) == (2, None)
    unseen = score(asked("where", (Span("c.py", 1, 9),)), Given(shown, 0.01, 0.7, named))
    assert (unseen.file_rank, unseen.told_file_rank) == (None, 3)


def test_what_is_not_found_has_no_rank() -> None:
    found = score(asked("where", (Span("a.py", 12, 14),)), Given((Place("b.py", 1, 9, 100, 0.8),), 0.01))
    assert (found.rank, found.file_rank, found.tokens, found.relative) == (None, None, None, None)


def test_scores_without_a_positive_best_have_no_share() -> None:
    given = Given((Place("a.py", 1, 9, 1, -0.1), Place("a.py", 10, 19, 1, -0.2)), 0.01)
    assert score(asked("where", (Span("a.py", 10, 19),)), given).relative is None


def test_questions_answered_by_files_have_ndcg_alone() -> None:
    found = score(Question("c", "go", "symbol", "q", (Target("a"),)), Given((Place("b", 1, 1), Place("a", 1, 1)), 0.5))
    assert found.ndcg == pytest.approx(1 / math.log2(3))
    assert found.rank is None


@pytest.mark.parametrize(
    ("lines", "value"),
    [([1], 0.5), ([1, 21], 1.0), ([1, 41], 1.0), ([41], 0.5), ([41, 61], 1.0), ([1, 21, 41], 1.0), ([81], 0.0)],
)
def test_an_alternative_makes_up_for_one_answer(lines: list[int], value: float) -> None:
    question = asked("multi", (Span("a", 1, 9), Span("a", 21, 29)), (Span("a", 41, 49), Span("a", 61, 69)))
    assert coverage(question, [Place("a", line, line + 8) for line in lines]) == value


def test_several_answers_count_within_ten_results() -> None:
    question = asked("multi", (Span("a", 1, 9), Span("a", 21, 29)))
    between = [Place("b", 1, 9)] * 9
    assert coverage(question, [Place("a", 1, 9), *between, Place("a", 21, 29)]) == 0.5
    assert score(question, Given((Place("a", 1, 9), Place("a", 21, 29)), 0.0)).coverage == 1.0


def test_the_area_is_the_share_of_pairs_in_the_right_order() -> None:
    assert area_under_curve([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert area_under_curve([0.1], [0.9]) == 0.0
    assert area_under_curve([0.5, 0.9], [0.5, 0.9]) == 0.5
    assert area_under_curve([0.5, 0.7, 0.9], [0.6]) == pytest.approx(2 / 3)


def test_resampled_areas_lie_around_the_area() -> None:
    right, wrong = [number / 40 for number in range(10, 40)], [number / 40 for number in range(20)]
    areas = resampled_areas(right, wrong, 2_000, seed=1)
    assert sum(areas) / len(areas) == pytest.approx(area_under_curve(right, wrong), abs=0.01)
    assert min(areas) >= 0.0 and max(areas) <= 1.0
    assert resampled_areas([1.0, 2.0], [0.0], 50, seed=1) == [1.0] * 50
    assert areas == resampled_areas(right, wrong, 2_000, seed=1)
