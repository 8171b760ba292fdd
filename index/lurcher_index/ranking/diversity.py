"""Keeps one file, or one thought, from filling the whole answer."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from math import inf
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

SOFT_PER_FILE = 3
"""Chunks of one file that keep their place; the figure of hybrid engines, where it is a hard limit."""

MMR_LAMBDA = 0.7
"""How much relevance counts against being different, in maximal marginal relevance; the figure of hybrid engines."""

FADE_ON = 0.1
"""What the third and each later item of a file loses beyond the one before it, as a share of what the second lost. The
first tells of the file; which of the others comes next they tell themselves. With a whole share for each there are
fewer right chunks among ten at the same NDCG@10 of files (docs/ranking.md)."""


LEAD_SHARE = 0.75
"""How much of the lead that the first file has over the second is taken off the fade. Where one file is far ahead it
most likely holds the answer, and another place in it is worth more than a fourth file (docs/ranking.md)."""


STRETCHES = ((3, True), (5, False), (10, True))
"""Up to which place files take turns, and whether they do: three files first, then two places for whatever is best, a
second chunk of the first file or a fourth file, then files that are not shown yet up to the tenth place. Who reads
five sees where the answer most likely is and more of it; who reads on looks for it elsewhere (docs/ranking.md)."""


class Diverse(NamedTuple, Generic[T]):
    """Items in their new order, and those left out."""

    items: list[T]
    dropped: list[T]


def spread_over_files(items: Sequence[T], file_of: Callable[[T], Hashable], per_file: int | None = None) -> Diverse[T]:
    """At most `per_file` items of each file; the best ones stay.

    Without a number nothing is dropped, but what a file has beyond `SOFT_PER_FILE` moves behind everything else.
    The order is kept otherwise.
    """
    limit = SOFT_PER_FILE if per_file is None else per_file
    seen: Counter[Hashable] = Counter()
    within: list[T] = []
    beyond: list[T] = []
    for item in items:
        file = file_of(item)
        (within if seen[file] < limit else beyond).append(item)
        seen[file] += 1
    return Diverse(within + beyond, []) if per_file is None else Diverse(within, beyond)


def placed(items: Sequence[T], file_of: Callable[[T], Hashable]) -> list[T]:
    """Items that come best first, in the places of an answer: see `STRETCHES`. The order is kept otherwise.

    Where there are no further files, the next best take their places.
    """
    found: list[T] = []
    shown: set[Hashable] = set()
    rest = list(items)
    for until, takes_turns in STRETCHES:
        waiting: list[T] = []
        for at, item in enumerate(rest):
            if len(found) == until:
                waiting += rest[at:]
                break
            file = file_of(item)
            if takes_turns and file in shown:
                waiting.append(item)
            else:
                found.append(item)
                shown.add(file)
        rest = waiting
    return found + rest


def fade_by_lead(scores: Sequence[float], files: Sequence[Hashable], fade: float) -> float:
    """What the second item of a file loses, less if the first file is ahead of others; never below 0.

    A file that is alone is ahead of nobody: its order does not depend on it, and the weights were learned that way.
    """
    best: dict[Hashable, float] = {}
    for score, file in zip(scores, files, strict=True):
        if score > best.get(file, -inf):
            best[file] = score
    first, second = (*sorted(best.values(), reverse=True), 0.0, 0.0)[:2]
    return max(0.0, fade - LEAD_SHARE * (first - second)) if len(best) > 1 else fade


def faded(scores: Sequence[float], files: Sequence[Hashable], fade: float) -> list[float]:
    """Scores in which the second best item of a file has lost `fade`, and each further one `FADE_ON` of it more."""
    seen: dict[Hashable, int] = {}
    found = list(scores)
    # Those with equal scores stay in their order, reversed or not.
    for at in sorted(range(len(scores)), key=scores.__getitem__, reverse=True):
        before = seen.get(files[at], 0)
        if before:
            found[at] -= fade * (1 + FADE_ON * (before - 1))
        seen[files[at]] = before + 1
    return found


def mmr(
    items: Sequence[T],
    relevance: Callable[[T], float],
    similarity: Callable[[T, T], float],
    lam: float = MMR_LAMBDA,
) -> list[T]:
    """All items by maximal marginal relevance: relevant, and unlike what stands before them. The first stays first.

    The next one is always that with the highest `lam * relevance - (1 - lam) * similarity` to its most similar
    predecessor; of equals the one that came first. Relevance and similarity are taken to be on one scale.
    """
    if not items:
        return []
    values = [relevance(item) for item in items]
    nearest = [-inf] * len(items)
    order = [0]
    left = list(range(1, len(items)))
    while left:
        latest = items[order[-1]]
        for at in left:
            nearest[at] = max(nearest[at], similarity(latest, items[at]))
        chosen = max(left, key=lambda at: lam * values[at] - (1 - lam) * nearest[at])
        left.remove(chosen)
        order.append(chosen)
    return [items[at] for at in order]
