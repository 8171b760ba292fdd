"""Leaves out what says the same as something better."""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

NEAR_DUPLICATE = 0.85
"""Similarity from which on two chunks say the same; the figure of hybrid engines, which compare vectors. Vectors that
know the path tell neighbours in a file from copies badly: 33 to 65 % of all chunks have one in their own file at 0.85
and above. So texts are compared, by their lines."""


def lines_of(data: bytes) -> frozenset[bytes]:
    """The lines of a text that say something, without their indentation."""
    return frozenset(line for each in data.splitlines() if len(line := each.strip()) > 1)


def shared_lines(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    """The share of their lines that two texts have in common, from 0 to 1."""
    common = len(one & other)
    every = len(one) + len(other) - common
    return common / every if every else 1.0


def most_shared(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    """What that share can be at most, told by the numbers of their lines alone: nearly always little enough."""
    fewer, more = sorted((len(one), len(other)))
    return fewer / more if more else 1.0


class Duplicate(NamedTuple, Generic[T]):
    """An item that is left out, and the kept one that stands for it."""

    dropped: T
    because_of: T


class Distinct(NamedTuple, Generic[T]):
    """What is left, in order, and what is not."""

    kept: list[T]
    dropped: list[Duplicate[T]]


def without_near_duplicates(
    items: Sequence[T],
    similarity: Callable[[T, T], float | None],
    limit: float = NEAR_DUPLICATE,
    digest: Callable[[T], Hashable] | None = None,
) -> Distinct[T]:
    """Keep each item unless a kept one before it is at least `limit` similar, or has the same digest of its text.

    The first one wins. Only kept items are compared with, so a chain of small differences does not drop its far end.
    A similarity that is None or not a number says nothing. The work grows with the square of the items: it is meant for
    the final list of a search, 128 at most.
    """
    kept: list[T] = []
    dropped: list[Duplicate[T]] = []
    texts: dict[Hashable, T] = {}
    for item in items:
        text = digest(item) if digest else None
        if digest and text in texts:
            dropped.append(Duplicate(item, texts[text]))
            continue
        twins = (other for other in kept if _alike(similarity(other, item), limit))
        for twin in twins:
            dropped.append(Duplicate(item, twin))
            break
        else:
            kept.append(item)
            if digest:
                texts[text] = item
    return Distinct(kept, dropped)


def _alike(similarity: float | None, limit: float) -> bool:
    return similarity is not None and similarity >= limit
