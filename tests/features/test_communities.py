"""Communities of small graphs."""

import random

from lurcher_index.features.communities import communities


def graph(size: int, pairs: list[tuple[int, int]]) -> list[dict[int, float]]:
    rows: list[dict[int, float]] = [{} for _ in range(size)]
    for one, other in pairs:
        rows[one][other] = rows[other][one] = 1.0
    return rows


def test_two_cliques_with_one_tie_between_them_are_two_communities() -> None:
    one = [(a, b) for a in range(4) for b in range(a)]
    other = [(a + 4, b + 4) for a, b in one]
    assert communities(graph(8, [*one, *other, (0, 4)])) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_what_has_no_ties_stays_alone() -> None:
    assert communities(graph(3, [])) == [[0], [1], [2]]
    assert communities(graph(4, [(0, 1)])) == [[0, 1], [2], [3]]
    assert communities([]) == []


def test_every_node_is_in_exactly_one_community_and_again_the_same() -> None:
    chance = random.Random(5)
    for size in (10, 60, 200):
        pairs = [(chance.randrange(size), chance.randrange(size)) for _ in range(3 * size)]
        rows = graph(size, [(a, b) for a, b in pairs if a != b])
        found = communities(rows)
        assert sorted(node for group in found for node in group) == list(range(size))
        assert communities(rows) == found
