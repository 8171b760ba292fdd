"""Which of equal results comes first: the tree decides, never the numbers that files got in the order of reading."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import itemgetter

from lurcher_index.building.order import usefulness
from lurcher_index.words.candidates import Candidate

Place = tuple[int, str]
"""Number of a folder, and a path in it."""

Order = tuple[int, int, str, int]
"""What files are sorted by: how useful they are, their path, and the number of the folder."""

REMEMBERED_FILES = 50_000
"""Files whose order is kept before the memo starts anew; some 10 MB."""


class TreeOrder:
    """The order of the files of one store, read once: a file's number never gets another path. Thread-safe."""

    def __init__(self, places: Callable[[Collection[int]], Mapping[int, Place]]) -> None:
        """Take what tells where some files lie; those that are gone are missing from its answer."""
        self._places = places
        self._known: dict[int, Order] = {}

    def of(self, file_ids: Collection[int]) -> dict[int, Order]:
        """The order of some files; those that are gone are missing."""
        known = self._known
        missing = [number for number in file_ids if number not in known]
        if missing:
            made = {number: order_of(place) for number, place in self._places(missing).items()}
            if len(known) + len(made) > REMEMBERED_FILES:
                # Another thread may still read the old one.
                self._known = known = {number: known[number] for number in file_ids if number in known}
            known.update(made)
        return {number: known[number] for number in file_ids if number in known}


def order_of(place: Place) -> Order:
    """What a file is sorted by: as it would be read first."""
    folder_id, path = place
    return (*usefulness(path), folder_id)


def in_order(found: Iterable[Candidate], orders: Callable[[Collection[int]], Mapping[int, Order]]) -> list[Candidate]:
    """Best first, and of equal ones that of the most useful file, then by path and by place in the file.

    `orders` is asked for the files that tie with another one.
    """
    ranked = sorted(found, key=_worth, reverse=True)
    runs = _runs([*map(_worth, ranked)])
    tied = {each.file_id for run in runs for each in ranked[run]}
    # Chunks of one file need nobody to tell their order.
    known: Mapping[int, Order] = orders(tied) if len(tied) > 1 else {}
    ranks = {number: rank for rank, number in enumerate(sorted(known, key=lambda number: known[number]))}

    def place(candidate: Candidate) -> int:
        # One number, for thousands may tie. What is gone comes last: nobody will see it.
        return ranks.get(candidate[0], len(ranks)) << _ORDINAL_BITS | candidate[2]

    for run in runs:
        ranked[run] = sorted(ranked[run], key=place)
    return ranked


def _runs(keys: Sequence[tuple[bool, float]]) -> list[slice]:
    """Where equal keys stand together."""
    found: list[slice] = []
    for at in [at for at in range(1, len(keys)) if keys[at] == keys[at - 1]]:
        if found and found[-1].stop == at:
            found[-1] = slice(found[-1].start, at + 1)
        else:
            found.append(slice(at - 1, at + 1))
    return found


_ORDINAL_BITS = 32

_worth: Callable[[Candidate], tuple[bool, float]] = itemgetter(4, 3)
"""Whether it comes first, and its score: by their places, at a third of what their names cost."""
