"""The order of equal results, and how often it has to be looked up."""

from collections.abc import Collection

import pytest

from lurcher_index import ties
from lurcher_index.ties import Order, Place, TreeOrder, in_order
from lurcher_index.words.candidates import Candidate

PATHS = {1: "docs/guide.md", 2: "src/zebra.py", 3: "src/ant.py", 4: "top.py", 5: "tests/test_top.py"}


class Files:
    """Where some files lie; notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[set[int]] = []

    def places(self, file_ids: Collection[int]) -> dict[int, Place]:
        self.asked.append({*file_ids})
        return {number: (1, PATHS[number]) for number in file_ids if number in PATHS}


def chunk(file: int, score: float = 1.0, ordinal: int = 0, first: bool = False) -> Candidate:
    return Candidate(file, 100 - file, ordinal, score, first)


def test_of_equals_the_most_useful_file_comes_first_then_path_and_place() -> None:
    given = [chunk(number, ordinal=ordinal) for number in (6, 5, 1, 2, 3, 4) for ordinal in (1, 0)]
    found = in_order(given, TreeOrder(Files().places).of)
    expected = [(number, ordinal) for number in (4, 3, 2, 5, 1, 6) for ordinal in (0, 1)]
    assert [(each.file_id, each.ordinal) for each in found] == expected, "what is gone comes last"


def test_better_ones_come_first_whatever_their_files() -> None:
    given = [chunk(4, 1.0), chunk(1, 2.0), chunk(5, 0.5, first=True), chunk(2, 1.0)]
    found = in_order(given, TreeOrder(Files().places).of)
    assert [each.file_id for each in found] == [5, 1, 4, 2]


def test_only_files_that_tie_are_looked_up_and_once() -> None:
    files = Files()
    tree = TreeOrder(files.places)
    in_order([chunk(1, 3.0), chunk(2, 2.0), chunk(2, 2.0, 1)], tree.of)
    assert files.asked == []
    in_order([chunk(1, 3.0), chunk(2, 2.0), chunk(3, 2.0)], tree.of)
    in_order([chunk(4, 2.0), chunk(2, 2.0), chunk(3, 2.0)], tree.of)
    assert files.asked == [{2, 3}, {4}]


def test_the_memo_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "REMEMBERED_FILES", 3)
    tree = TreeOrder(lambda file_ids: {number: (1, f"{number}.py") for number in file_ids})
    expected: dict[int, Order] = {number: (0, 0, f"{number}.py", 1) for number in range(30)}
    for start in range(25):
        some = range(start, start + 5)
        assert tree.of(some) == {number: expected[number] for number in some}
        assert len(tree._known) <= 5
