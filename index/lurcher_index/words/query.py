"""A question as groups of search terms."""

from collections.abc import Iterable

import msgspec

from lurcher_index.errors import BadQuery
from lurcher_index.query.question_words import asked_words
from lurcher_index.text.terms import analyse, words
from lurcher_index.words.weights import SHORT_QUESTION_WORDS, Fields

MAX_QUERY_WORDS = 512
"""Words of a question that are searched for; the sparse side's limit in the specification."""

PREFIX_CHARACTERS = 3
"""Shortest unfinished last word that is also searched as a prefix; two letters begin too many terms."""

PART_WEIGHT = 1.0
"""What a part of a word counts: `http` for `parseHTTPRequest`, the stem for a plain word."""

WHOLE_IDENTIFIER_WEIGHT = 1.0
"""What the whole of a compound identifier counts, on top of its parts."""

WHOLE_WORD_WEIGHT = 0.25
"""What the exact form of a plain word counts on top of its stem: a nudge, since the two nearly always come together."""


class Group(msgspec.Struct, frozen=True):
    """One word of the question: found where its whole is found, or all of its parts."""

    word: str
    whole: str
    parts: tuple[str, ...]
    as_written: bool = False
    """Whether the parts only count, and nothing is the word but its whole."""

    @property
    def is_compound(self) -> bool:
        """Whether it is an identifier of several parts."""
        return bool(self.whole) and len(self.parts) > 1

    def weights(self) -> dict[str, float]:
        """Every term of the group with what a match of it counts."""
        if not self.whole:
            return dict.fromkeys(self.parts, PART_WEIGHT)
        if not self.parts:
            return {self.whole: PART_WEIGHT}
        whole = WHOLE_WORD_WEIGHT if len(self.parts) == 1 else WHOLE_IDENTIFIER_WEIGHT
        return {self.whole: whole, **dict.fromkeys(self.parts, PART_WEIGHT)}

    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """Sets of terms of which one must be there completely for the word to count as found."""
        both = ((self.whole,) if self.whole else (), () if self.as_written else self.parts)
        return tuple(terms for terms in both if terms)


class WordQuery(msgspec.Struct, frozen=True):
    """What a question asks for, in terms."""

    text: str
    groups: tuple[Group, ...]
    prefix: str
    """The last word in lower case if it may be unfinished, else ""."""
    cut: bool
    """Whether the question was longer than `MAX_QUERY_WORDS`."""
    related: tuple[tuple[str, float], ...] = ()
    """Terms that were not asked for but may stand for some that were, with what a match counts. They bring a chunk into
    the answer or lift it; whether it holds the question's words is not theirs to say."""
    fields: Fields = Fields.SNIPPETS
    """What the terms are looked for in."""

    @property
    def is_short(self) -> bool:
        """Whether chunks with all words come first, whatever their score."""
        return len(self.groups) <= SHORT_QUESTION_WORDS

    @property
    def is_compound_name(self) -> bool:
        """Whether it is a compound identifier and nothing else."""
        return len(self.groups) == 1 and self.groups[0].is_compound

    def as_written(self) -> "WordQuery":
        """The same question, held only by what holds its words as they are written."""
        groups = tuple(msgspec.structs.replace(group, as_written=group.is_compound) for group in self.groups)
        return msgspec.structs.replace(self, groups=groups)

    def weights(self) -> dict[str, float]:
        """Every term with its weight; a term that several words share counts once, with its largest weight."""
        merged: dict[str, float] = {}
        for group in self.groups:
            for term, weight in group.weights().items():
                merged[term] = max(weight, merged.get(term, 0.0))
        return merged

    def searched(self) -> dict[str, float]:
        """The terms asked for and those related to them; what is both counts as asked for."""
        return dict(self.related) | self.weights()


def understand(text: str, related: Iterable[tuple[str, float]] = ()) -> WordQuery:
    """Split a question into groups of terms. An empty question is refused. `related` are words with their weights."""
    if not text.strip():
        raise BadQuery("query cannot be empty")
    kept = asked_words(text)
    groups: dict[str, Group] = {}
    for word in kept[:MAX_QUERY_WORDS]:
        whole, parts = analyse(word)
        if whole or parts:
            groups.setdefault(word.lower(), Group(word, whole, parts))
    return WordQuery(
        text, tuple(groups.values()), _unfinished(text, kept), len(kept) > MAX_QUERY_WORDS, _related_terms(related)
    )


def _related_terms(related: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """The term of each related word: its stem, or the whole of a compound name. Several words together have none."""
    found: dict[str, float] = {}
    for word, weight in related:
        if words(word) == [word]:
            whole, parts = analyse(word)
            term = parts[0] if len(parts) == 1 else whole
            if term:
                found[term] = max(weight, found.get(term, 0.0))
    return tuple(found.items())


def _unfinished(text: str, kept: list[str]) -> str:
    """The last word, if the text ends right behind it and it is long enough to begin few terms."""
    if not kept or len(kept[-1]) < PREFIX_CHARACTERS or not text.endswith(kept[-1]):
        return ""
    return kept[-1].lower()
