"""Comments and decorators belong to what stands right below them."""

from bisect import bisect_right

import msgspec

from lurcher_index.chunking.findings import Findings
from lurcher_index.chunking.lines import Lines
from lurcher_index.native import compiled


class Attachments(msgspec.Struct, frozen=True, gc=False):
    """Runs of comment and decorator lines."""

    tops: dict[int, int]
    """Line inside or right below a run, to the run's first line."""
    comments: dict[int, tuple[int, int]]
    """Line inside or right below a run, to the range of the run's comments above that line."""


def attachments(lines: Lines, found: Findings) -> Attachments:
    """Find the runs, from nodes that begin their line and follow each other without a blank line."""
    if not compiled:
        return attachments_in_python(lines, found)
    return Attachments(*compiled.attachments(lines.data, lines.starts, found.comments, found.attached))


def attachments_in_python(lines: Lines, found: Findings) -> Attachments:
    """The same without the compiled part, which has this loop once more."""
    tops: dict[int, int] = {}
    comments: dict[int, tuple[int, int]] = {}
    nodes = [(start, end, True) for start, end in found.comments]
    nodes += [(start, end, False) for start, end in found.attached]
    nodes.sort()
    starts, count, data = lines.starts, lines.count, lines.data
    for start, end, is_comment in nodes:
        first = bisect_right(starts, start, 0, count) - 1
        if starts[first] != start and data[starts[first] : start].strip():
            continue
        # Some grammars count the line end as part of a comment.
        below = bisect_right(starts, max(start, end - 1), first, count)
        if is_comment:
            comments[below] = (comments.get(first, (start, 0))[0], end)
        elif first in comments:
            comments[below] = comments[first]
        tops[below] = tops.get(first, first)
    return Attachments(tops, comments)
