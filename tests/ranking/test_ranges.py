"""Section 10: ranges are merged by containment."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.ranges import LineRange, covered, merge


def check(ranges: list[tuple[int, int]], merged: list[tuple[int, int]]) -> None:
    assert merge(LineRange(*each) for each in ranges) == merged


def test_section_10_contained_overlapping_and_adjacent_ranges_become_one() -> None:
    check([(1, 10), (3, 5)], [(1, 10)])
    check([(3, 5), (1, 10)], [(1, 10)])
    check([(1, 5), (4, 8)], [(1, 8)])
    check([(6, 8), (1, 5)], [(1, 8)])
    check([(4, 4), (4, 4)], [(4, 4)])


def test_section_10_a_line_between_keeps_ranges_apart() -> None:
    check([(1, 5), (7, 8)], [(1, 5), (7, 8)])
    check([], [])


def test_a_range_that_ends_before_it_begins_holds_nothing() -> None:
    check([(5, 3), (1, 2)], [(1, 2)])
    assert not covered(LineRange(5, 3), [LineRange(1, 9)])


def test_covered_by_one_or_by_several_together() -> None:
    seen = [LineRange(1, 5), LineRange(6, 10), LineRange(20, 30)]
    assert covered(LineRange(2, 9), seen)
    assert covered(LineRange(20, 30), seen)
    assert not covered(LineRange(9, 11), seen)
    assert not covered(LineRange(12, 13), seen)
    assert not covered(LineRange(1, 1), [])


RANGES = st.tuples(st.integers(1, 20), st.integers(0, 6)).map(lambda pair: LineRange(pair[0], sum(pair)))


@given(st.lists(RANGES, max_size=6), RANGES)
def test_the_lines_are_the_same_and_covered_means_every_line(ranges: list[LineRange], asked: LineRange) -> None:
    lines = {line for each in ranges for line in range(each.first, each.last + 1)}
    merged = merge(ranges)
    assert [line for each in merged for line in range(each.first, each.last + 1)] == sorted(lines)
    assert all(after.first > before.last + 1 for before, after in pairwise(merged))
    assert covered(asked, ranges) == (lines >= set(range(asked.first, asked.last + 1)))
