"""Which of equal results comes first: the tree decides, never the numbers that files got in the order of reading."""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import groupby

from lurcher_index.building.order import usefulness
from lurcher_index.words.candidates import Candidate

Place = tuple[int, str]
"""Number of a folder, and a path in it."""

Places = Callable[[Collection[int]], Mapping[int, Place]]
"""Where some files lie, by number; those that are gone are missing."""


def in_order(found: Iterable[Candidate], places: Places) -> list[Candidate]:
    """Best first, and of equal ones that of the most useful file, then by path and by place in the file.

    Only files that tie with another one are asked for.
    """
    ranked = sorted(found, key=_worth)
    groups = [list(equal) for _, equal in groupby(ranked, key=_worth)]
    if len(groups) == len(ranked):
        return ranked
    tied = {each.file_id for group in groups if _is_tie(group) for each in group}
    known = places(tied) if tied else {}
    orders = {number: (*usefulness(path), folder_id) for number, (folder_id, path) in known.items()}
    return [
        each
        for group in groups
        for each in sorted(group, key=lambda each: (orders.get(each.file_id, _GONE), each.ordinal))
    ]


_GONE = (9, 0, "", 0)
"""Behind all that is there: nobody will see it."""


def _worth(candidate: Candidate) -> tuple[bool, float]:
    return not candidate.first, -candidate.score


def _is_tie(group: list[Candidate]) -> bool:
    """Whether files tie, and not only chunks of one."""
    return len(group) > 1 and any(each.file_id != group[0].file_id for each in group)
