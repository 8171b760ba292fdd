"""Ranges of lines: which belong together, and whether somebody has seen them all."""

from collections.abc import Iterable
from typing import NamedTuple


class LineRange(NamedTuple):
    """Lines of one file, counted from 1, both ends included."""

    first: int
    last: int


def merge(ranges: Iterable[LineRange]) -> list[LineRange]:
    """The same lines as few ranges, in order: contained, overlapping and adjacent ones become one.

    A range that ends before it begins holds no line and is dropped.
    """
    merged: list[LineRange] = []
    for each in sorted(each for each in ranges if each.first <= each.last):
        if merged and each.first <= merged[-1].last + 1:
            merged[-1] = LineRange(merged[-1].first, max(merged[-1].last, each.last))
        else:
            merged.append(each)
    return merged


def covered(lines: LineRange, ranges: Iterable[LineRange]) -> bool:
    """Whether each of the lines lies in one of the ranges, be it in several together.

    A range that ends before it begins is never covered: nothing is hidden because of a mistake.
    """
    if lines.first > lines.last:
        return False
    return any(each.first <= lines.first and lines.last <= each.last for each in merge(ranges))
