"""How close together the words of a question stand in a text."""

from collections.abc import Mapping, Sequence

NEAR_WORDS = 10
"""Words that stand within so many words of each other belong to one thought."""

NEAR_BOOST = 1.2
"""What that is worth."""


def nearness_boost(groups: Sequence[Sequence[Sequence[str]]], positions: Mapping[str, Sequence[int]]) -> float:
    """`NEAR_BOOST` if all words of the question (at least two) are found close together, else 1.0.

    A group is one word: alternatives of terms, each of which must be there completely. Positions count words.
    """
    if len(groups) < 2:
        return 1.0
    places = [_places(alternatives, positions) for alternatives in groups]
    return NEAR_BOOST if 0 <= smallest_window(places) <= NEAR_WORDS else 1.0


def smallest_window(places: Sequence[Sequence[int]]) -> int:
    """Distance from the first to the last of the closest places that hold one of each; -1 if one has no place."""
    if not all(places):
        return -1
    merged = sorted((place, group) for group, each in enumerate(places) for place in each)
    latest: dict[int, int] = {}
    best = -1
    for place, group in merged:
        latest[group] = place
        if len(latest) == len(places):
            width = place - min(latest.values())
            best = width if best < 0 else min(best, width)
    return best


def _places(alternatives: Sequence[Sequence[str]], positions: Mapping[str, Sequence[int]]) -> Sequence[int]:
    """Where a word stands: where its first complete alternative's first term stands."""
    for terms in alternatives:
        if all(term in positions for term in terms):
            return positions[terms[0]]
    return ()
