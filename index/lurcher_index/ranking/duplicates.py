"""Leaves out what says the same as something better."""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

NEAR_DUPLICATE = 0.85
"""Cosine from which on two chunks say the same; the figure of hybrid engines."""


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
