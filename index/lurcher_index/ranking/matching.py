"""The words of a question among those of names and paths: which stand there, and which share of it they are."""

from bisect import bisect_right
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from lurcher_index.ranking.facts import Name, Words

NEAR_LETTERS = 4
"""Of two words of at least so many letters, one that begins with the other is near it: auth, authenticate."""


class Asking(NamedTuple):
    """A question as the ranker sees it."""

    stems: tuple[str, ...]
    """Its words as stems, without those that only say that something is asked."""
    rarities: tuple[float, ...]
    """How much each stem tells in this workspace; any scale."""
    identifiers: tuple[str, ...] = ()
    """Names that stand in it as such, without what qualifies them, in their own case."""
    wants_tests: bool = False
    wants_examples: bool = False
    wants_documentation: bool = False
    wants_configuration: bool = False
    frequencies: tuple[int, ...] = ()
    """In how many chunks of the workspace each stem stands."""
    text: str = ""
    """As it was asked."""


NO_HIT = (0, 0)

Hits = dict[str, tuple[int, int]]
"""Word → which stems of the question it equals, and which it equals or is near to, as bits. Others are missing."""


class Matcher:
    """Finds the stems of the question among the words of names and paths."""

    def __init__(self, asking: Asking) -> None:
        self._stems = asking.stems
        self.worth = _Worth(asking.rarities)
        self._read: dict[tuple[str, ...], tuple[int, int, int]] = {}
        self.wanted = frozenset(asking.identifiers)
        self.lower = frozenset(name.lower() for name in asking.identifiers)
        self.flat = frozenset("".join(filter(str.isalnum, name)) for name in self.lower)
        self.joined = "".join(asking.stems)
        self._long = [(stem, 1 << at) for at, stem in enumerate(asking.stems) if len(stem) >= NEAR_LETTERS]
        beginnings = {stem[:end] for stem in asking.stems for end in range(NEAR_LETTERS, len(stem))}
        self._wholly = {part: self._compared(part) for part in {*asking.stems, *beginnings}}
        """Every word that a stem equals or begins with: only longer words have to be looked for."""
        self._known = frozenset(self._wholly)

    def hits(self, parts: Words, ordered: Sequence[str]) -> Hits:
        """Those of many words that have to do with the question; `ordered` are the same words in order."""
        found = {part: self._wholly[part] for part in self._known if part in parts}
        for stem, _ in self._long:
            at = bisect_right(ordered, stem)
            while at < len(ordered) and ordered[at].startswith(stem):
                found[ordered[at]] = self._match(ordered[at])
                at += 1
        return found

    def bits(self, parts: tuple[str, ...]) -> tuple[int, int, int]:
        """Stems among a few words, stems that these are near to, and how many of the words are stems."""
        known = self._read.get(parts)
        if known is not None:
            return known  # Many files lie in the same folder.
        equal = near = asked = 0
        for part in parts:
            same, close = self._match(part)
            equal |= same
            near |= close
            asked += same > 0
        self._read[parts] = equal, near, asked
        return equal, near, asked

    def _match(self, part: str) -> tuple[int, int]:
        """Which stems a word equals, and which it equals or is near to."""
        known = self._wholly.get(part)
        if known is not None:
            return known
        near = 0
        for stem, bit in self._long:
            if part.startswith(stem):
                near |= bit
        return 0, near

    def _compared(self, part: str) -> tuple[int, int]:
        equal = near = 0
        for at, stem in enumerate(self._stems):
            if part == stem:
                equal |= 1 << at
            elif min(len(part), len(stem)) >= NEAR_LETTERS and (part.startswith(stem) or stem.startswith(part)):
                near |= 1 << at
        return equal, equal | near

    def best(self, names: Sequence[Name], hits: Hits) -> float:
        """How well the best of some names fits: the share of the question it is, and the share of it that is asked."""
        best = 0.0
        for name in names:
            bits = asked = 0
            for part in name.parts:
                equal = hits.get(part, NO_HIT)[0]
                bits |= equal
                asked += equal > 0
            if bits:
                best = max(best, self.worth[bits] * asked / len(name.parts))
        return sqrt(best)

    def exact(self, names: Sequence[Name]) -> tuple[bool, bool, bool]:
        """Whether some names are asked for as they are, in any case, and as the name of a type."""
        same = [name for name in names if name.name in self.wanted]
        folded = any(name.name.lower() in self.lower for name in names)
        return bool(same), folded, any(name.is_type for name in same)


class _Worth(dict[int, float]):
    """Stems of the question as bits → the share of the question that they are."""

    def __init__(self, rarities: Sequence[float]) -> None:
        super().__init__({0: 0.0})
        total = sum(rarities) or 1.0
        self._shares = [rarity / total for rarity in rarities]

    def __missing__(self, bits: int) -> float:
        found = self[bits] = sum(share for at, share in enumerate(self._shares) if bits >> at & 1)
        return found
