"""The spread: hits that are clearly weaker than the best one are left out."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")

SPREAD = 0.65
"""Share of the best score that a hit must reach; VS Code Copilot Chat's figure."""

ROUNDING = 1e-9
"""How far below the threshold, as a share of it, a score still counts as equal to it. The border belongs to the kept,
and 0.65 times a score is seldom exact in binary: 0.65 * 0.9 comes out above 0.585."""


class Spread(msgspec.Struct, Generic[T], frozen=True):
    """What the spread kept and what it left out, each best first."""

    kept: tuple[T, ...]
    dropped_by_spread: tuple[T, ...] = ()
    """Among the first `max_results`, but too weak."""
    cut: tuple[T, ...] = ()
    """Beyond `max_results`; never compared with the threshold."""
    threshold: float | None = None
    """The score that had to be reached; None if none was asked for."""
    note: str = ""
    """Why nothing was sorted or dropped, for an alert; empty if all went well."""


def spread(
    items: Sequence[T],
    score: Callable[[T], float | None],
    max_results: int,
    always_keep: Callable[[T], bool] = lambda _: False,
) -> Spread[T]:
    """Sort by score, cut to `max_results`, then keep what reaches `SPREAD` of the best score.

    A best score of 0 or less has no share that means anything; then the best alone is kept. `always_keep` (exact
    identifiers) saves from the spread and not from the cut, which comes first. A score that is missing or not a
    number makes all of them worthless: the items stay as they came, cut and unfiltered, with a note.
    """
    limit = max(0, max_results)
    if not items:
        return Spread(())
    scored, problem = _scored(items, score)
    if problem:
        note = f"results could not be compared ({problem}); they are in the order in which they were found"
        return Spread(tuple(items[:limit]), cut=tuple(items[limit:]), note=note)
    scored.sort(key=lambda pair: -pair[0])
    cut = tuple(item for _, item in scored[limit:])
    del scored[limit:]
    if not scored:
        return Spread((), cut=cut)
    best = scored[0][0]
    threshold = SPREAD * best if best > 0 else None
    kept: list[T] = []
    dropped: list[T] = []
    for at, (value, item) in enumerate(scored):
        strong = at == 0 if threshold is None else value >= threshold * (1 - ROUNDING)
        (kept if strong or always_keep(item) else dropped).append(item)
    return Spread(tuple(kept), tuple(dropped), cut, threshold)


def _scored(items: Sequence[T], score: Callable[[T], float | None]) -> tuple[list[tuple[float, T]], str]:
    """The items with their scores in the order given, and what is wrong with them in words, if anything is."""
    scored: list[tuple[float, T]] = []
    for item in items:
        try:
            value = score(item)
        except (ArithmeticError, LookupError, ValueError) as error:
            return [], f"{type(error).__name__} while scoring"
        if value is None:
            return [], "a score is missing"
        if not isfinite(value):
            return [], "a score is not a number"
        scored.append((value, item))
    return scored, ""
