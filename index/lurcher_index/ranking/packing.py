"""Fills a budget of tokens with chunks: whole ones where they fit, in short where they do not."""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, Literal, TypeVar

import msgspec

from lurcher_index.ranking.skeleton import lines_of

Key = TypeVar("Key", bound=Hashable)

Form = Literal["full", "skeleton", "cut"]
"""How a chunk is given: whole, in short, or only its beginning."""

Count = Callable[[str], int]
"""Tokens of a text, by an estimate or a real vocabulary; a longer text never has clearly fewer."""


class Packable(msgspec.Struct, Generic[Key], frozen=True):
    """A chunk that may be packed, in its two forms."""

    key: Key
    full: str
    full_tokens: int
    skeleton: str | None = None
    """None if it has no shorter form."""
    skeleton_tokens: int = 0


class Chosen(msgspec.Struct, Generic[Key], frozen=True):
    """A chunk that was packed: its form, and the text and tokens in that form."""

    key: Key
    form: Form
    text: str
    tokens: int


class Packed(msgspec.Struct, Generic[Key], frozen=True):
    """What fits in the budget, in the order given."""

    chosen: tuple[Chosen[Key], ...]
    tokens: int
    """Sum of what was chosen; never more than the budget."""
    left_out: tuple[Key, ...]


def pack(items: Sequence[Packable[Key]], budget: int, count: Count) -> Packed[Key]:
    """Take the items in order: each whole if it still fits, else as a skeleton, else not at all.

    A better one always has the first choice, and smaller ones after it may still fit. The very best is never left out
    for being too long: if not even its skeleton fits, as many of its first lines are given as do.
    """
    chosen: list[Chosen[Key]] = []
    left_out: list[Key] = []
    left = budget
    for at, item in enumerate(items):
        form = _fitting(item, left) or (_beginning(item, left, count) if at == 0 else None)
        if form is None:
            left_out.append(item.key)
        else:
            chosen.append(form)
            left -= form.tokens
    return Packed(tuple(chosen), sum(each.tokens for each in chosen), tuple(left_out))


def cut_to_tokens(text: str, budget: int, count: Count) -> str:
    """The longest beginning of a text that has at most `budget` tokens: whole lines, without the last line end.

    A line is broken only if it is the first one with anything in it, and too long by itself; a character never is.
    Empty if nothing fits.
    """
    if budget <= 0:
        return ""
    if count(text) <= budget:
        return text
    ends = [0]
    for line in lines_of(text):
        ends.append(ends[-1] + len(line))
    whole = _longest(lambda lines: text[: ends[lines]].rstrip("\r\n"), len(ends) - 1, budget, count)
    if whole.strip():
        return whole
    broken = _longest(lambda characters: text[:characters], len(text), budget, count)
    return broken if broken.strip() else ""


def _fitting(item: Packable[Key], left: int) -> Chosen[Key] | None:
    if item.full_tokens <= left:
        return Chosen(item.key, "full", item.full, item.full_tokens)
    if item.skeleton is not None and item.skeleton_tokens <= left:
        return Chosen(item.key, "skeleton", item.skeleton, item.skeleton_tokens)
    return None


def _beginning(item: Packable[Key], left: int, count: Count) -> Chosen[Key] | None:
    text = cut_to_tokens(item.full if item.skeleton is None else item.skeleton, left, count)
    return Chosen(item.key, "cut", text, count(text)) if text else None


def _longest(beginning: Callable[[int], str], most: int, budget: int, count: Count) -> str:
    """The beginning of the largest size up to `most` that fits.

    Real vocabularies merge across borders, so a longer text can have a token less than a shorter one. Then the size
    may not be the largest, but it fits: bisection ends at one that it has tried.
    """
    return beginning(bisect_right(range(1, most + 1), budget, key=lambda size: count(beginning(size))))
