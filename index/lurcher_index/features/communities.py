"""Communities of a small weighted graph, by Louvain's method. Deterministic: equal graphs give equal communities."""

from collections.abc import Mapping, Sequence

Weights = Sequence[Mapping[int, float]]
"""For each node its neighbours and how strong the tie is; the same from both sides."""

PASSES = 20
"""Rounds in which nodes may change sides, on each level. Five are usual; the bound ends a see-saw of equal choices."""

LEAST_GAIN = 1e-9
"""What a change of sides has to be worth: less is rounding."""


def communities(weights: Weights) -> list[list[int]]:
    """The nodes of each community, in order; communities by their first node. A node without ties is one by itself."""
    groups = [[node] for node in range(len(weights))]
    ties = [dict(row) for row in weights]
    while True:
        sides = _sides(ties)
        if len(set(sides)) == len(ties):
            return sorted(sorted(group) for group in groups)
        groups, ties = _joined(groups, ties, sides)


def _sides(ties: Sequence[Mapping[int, float]]) -> list[int]:
    """For each node the community that it ends up in when each goes where its ties are stronger than by chance."""
    degrees = [sum(row.values()) for row in ties]
    total = sum(degrees)
    sides = list(range(len(ties)))
    if total <= 0.0:
        return sides
    sums = list(degrees)
    for _ in range(PASSES):
        moved = False
        for node, row in enumerate(ties):
            own = sides[node]
            sums[own] -= degrees[node]
            drawn: dict[int, float] = {own: 0.0}
            for other, weight in row.items():
                if other != node:
                    drawn[sides[other]] = drawn.get(sides[other], 0.0) + weight
            worth = {side: tie - sums[side] * degrees[node] / total for side, tie in drawn.items()}
            best = min(worth, key=lambda side: (-worth[side], side))
            if worth[best] <= worth[own] + LEAST_GAIN:
                best = own
            sides[node] = best
            sums[best] += degrees[node]
            moved = moved or best != own
        if not moved:
            break
    return sides


def _joined(
    groups: Sequence[list[int]], ties: Sequence[Mapping[int, float]], sides: Sequence[int]
) -> tuple[list[list[int]], list[dict[int, float]]]:
    """Communities as nodes of a smaller graph; ties inside one become its tie to itself."""
    numbers = {side: at for at, side in enumerate(dict.fromkeys(sides))}
    joined: list[list[int]] = [[] for _ in numbers]
    rows: list[dict[int, float]] = [{} for _ in numbers]
    for node, side in enumerate(sides):
        here = numbers[side]
        joined[here] += groups[node]
        row = rows[here]
        for other, weight in ties[node].items():
            there = numbers[sides[other]]
            row[there] = row.get(there, 0.0) + weight
    return joined, rows
