"""The words of a workspace's symbol names: how often each is used, and with which others in one name."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from math import sqrt

from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.text.terms import name_parts, stem

MAX_PAIRS = 200_000
"""Pairs of words remembered, about 30 MB; when there are more, those seen least often are forgotten."""

MAX_PARTS = 8
"""Words of one name that are looked at; the pairs of a name grow with the square of its words."""

MIN_LETTERS = 3
"""Shortest word that is remembered, and shortest beginning that is completed: two letters begin too many words."""

MIN_TOGETHER = 3
"""Names that two words must share before they count as related: twice is chance."""

MIN_LONGER = 2
"""Letters that a completion adds at least; one more is a plural."""


class Vocabulary:
    """Grows name by name. One thread adds and settles; others may ask meanwhile, and get what was settled before."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._companions: dict[str, Sequence[tuple[str, float]]] = {}
        self._sorted: list[str] = []

    def add(self, names: Iterable[str]) -> None:
        """Take in the names of some symbols."""
        for name in names:
            parts = [part for part in dict.fromkeys(name_parts(name)[:MAX_PARTS]) if _is_word(part)]
            self._counts.update(parts)
            self._pairs.update(permutations(parts, 2))
        if len(self._pairs) > MAX_PAIRS:
            self._pairs = Counter(dict(self._pairs.most_common(MAX_PAIRS // 2)))

    def settle(self) -> None:
        """Make what was added known to `companions` and `completions`."""
        found: dict[str, list[tuple[str, float]]] = {}
        for (word, other), together in self._pairs.items():
            if together >= MIN_TOGETHER:
                closeness = together / sqrt(self._counts[word] * self._counts[other])
                found.setdefault(word, []).append((other, min(1.0, closeness)))
        self._companions = {
            word: sorted(others, key=lambda each: (-each[1], each[0])) for word, others in found.items()
        }
        self._sorted = sorted(self._counts)

    @property
    def pair_count(self) -> int:
        """Pairs that are remembered, each in both directions."""
        return len(self._pairs)

    def companions(self, word: str) -> Sequence[tuple[str, float]]:
        """Words that names have together with this one, the closest first: 1 if neither is used without the other."""
        return self._companions.get(word, ())

    def completions(self, word: str) -> list[str]:
        """Longer words that begin with this one and are no form of it, the most frequent first."""
        if len(word) < MIN_LETTERS:
            return []
        found: list[str] = []
        for at in range(bisect_left(self._sorted, word), len(self._sorted)):
            longer = self._sorted[at]
            if not longer.startswith(word):
                break
            if len(longer) >= len(word) + MIN_LONGER and stem(longer) != stem(word):
                found.append(longer)
        return sorted(found, key=lambda each: (-self._counts[each], each))


def _is_word(part: str) -> bool:
    return len(part) >= MIN_LETTERS and part.isalpha() and part not in QUESTION_WORDS
