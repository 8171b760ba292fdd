"""A workspace small enough to be returned whole needs no search."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from math import inf

import msgspec

from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Cannot, Retrieved
from lurcher_index.words.filters import Filters

MAX_FILES = 99
"""Most files that are returned whole; Copilot Chat fails at 100."""

REMEMBERED = 64
"""Findings that are kept; our figure. Few filters are in use at a time, and each change of the index adds one."""

NAMED_FILES = 3
"""Unreadable files that an alert names; the rest are counted."""


class _Size(msgspec.Struct, frozen=True):
    """How large a workspace was found to be."""

    what: str
    tokens: float
    """Infinite where the number of files alone is too much for any budget."""


class FullWorkspace:
    """All files, if they are few and smaller than the budget."""

    id = "fullWorkspace"
    timeout = None

    def __init__(self) -> None:
        """The findings outlive a single search: reading a workspace only to find it too large is done once."""
        self._too_large: OrderedDict[tuple[Filters, Hashable], _Size] = OrderedDict()

    async def prepare(self, context: Context) -> None:
        """Nothing to ask."""

    async def search(self, context: Context) -> Retrieved | Cannot:
        """Read everything that passes the filters, or say by how much it is too large."""
        budget = context.ask.token_budget
        if budget is None:
            return Cannot("whole files need a token budget, and none is given")
        scope = context.ask.filters.scope
        if scope is not None and scope.parts:
            return Cannot("a scope names parts of files, and whole files are more than that")
        if not context.view.is_complete:
            return Cannot("the workspace is not indexed completely yet, so nobody knows what is all of it")
        key = (context.ask.filters, context.view.generation)
        # The size is remembered rather than the answer, so that a larger budget gets another one.
        known = self._too_large.get(key)
        if known is not None and known.tokens >= budget:
            return _too_large(known, budget)
        count = await context.run_quick(context.view.file_count, context.ask.filters, MAX_FILES + 1)
        if count == 0:
            return Cannot("no file passes the filters")
        if count > MAX_FILES:
            return self._remembered(key, _Size(f"more than {MAX_FILES} files", inf), budget)
        files, unreadable = await context.run_quick(context.view.whole_files, context.ask.filters)
        tokens = sum(file.tokens for file in files)
        if tokens >= budget:
            return self._remembered(key, _Size(f"{tokens} tokens", tokens), budget)
        return Retrieved(files=tuple(files), alerts=_unreadable(unreadable), missed=len(unreadable))

    def _remembered(self, key: tuple[Filters, Hashable], size: _Size, budget: int) -> Cannot:
        self._too_large[key] = size
        while len(self._too_large) > REMEMBERED:
            self._too_large.popitem(last=False)
        return _too_large(size, budget)


def _too_large(size: _Size, budget: int) -> Cannot:
    limit = f"at most {MAX_FILES} files" if size.tokens == inf else f"fewer tokens than the budget of {budget}"
    return Cannot(f"the workspace is too large to return whole: it has {size.what}, and may have {limit}")


def _unreadable(paths: Sequence[str]) -> tuple[str, ...]:
    if not paths:
        return ()
    rest = len(paths) - NAMED_FILES
    named = ", ".join(paths[:NAMED_FILES]) + (f" and {rest} more" if rest > 0 else "")
    return (f"unreadable and left out: {named}",)
