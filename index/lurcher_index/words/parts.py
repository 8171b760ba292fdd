"""Words that nothing holds as they are, but as a part of others or written a little otherwise: what fills up an answer
that is nearly empty."""

from collections.abc import Callable
from typing import NamedTuple

from lurcher_index.words.query import WordQuery
from lurcher_index.words.weights import Fields

SPARSE = 10
"""Chunks below which an answer is filled up: seed 002's usual number of results."""

PART_LETTERS = 3
"""Shortest word that is looked for inside others; two letters stand in very many."""

TYPO_LETTERS = 5
"""Shortest word that may be written otherwise: of shorter ones a letter more or less makes another word."""

MOST_WORDS = 8
"""Words of a question that are looked for so; each is compared with every term there is."""


PART_FIELDS = {Fields.SNIPPETS: ("body", "names"), Fields.FEATURES: ("names", "docs")}
"""Where parts of words are looked for: paths are short, and written as people remember them."""


class Parts(NamedTuple):
    """What is looked for in part."""

    words: tuple[str, ...]
    misspelt: frozenset[str]
    """Those among them that may be meant otherwise."""
    fields: tuple[str, ...]


def parts_of(query: WordQuery, is_known: Callable[[str], bool]) -> Parts | None:
    """What to look for: the words of the question that nothing holds as they are; None if there is no such word.

    Comparing a word with every term takes 150 ms where there are 100,000 chunks, which only those should wait for who
    would get nothing for it otherwise.
    """
    words = tuple(word for word in part_words(query) if not is_known(word))
    return Parts(words, frozenset(filter(may_be_misspelt, words)), PART_FIELDS[query.fields]) if words else None


def part_words(query: WordQuery) -> tuple[str, ...]:
    """The words of a question that can be looked for inside others, in lower case."""
    lower = dict.fromkeys(group.word.lower() for group in query.groups)
    return tuple(word for word in lower if len(word) >= PART_LETTERS and word.replace("_", "").isalnum())[:MOST_WORDS]


def may_be_misspelt(word: str) -> bool:
    """Whether a word that nothing holds may be meant for one that differs by a letter. A number never is."""
    return len(word) >= TYPO_LETTERS and word.isalpha()


def resembles(word: str, term: str, misspelt: bool) -> bool:
    """Whether a term holds a word or, if the word may be misspelt, is one letter away from it."""
    return word in term or (misspelt and is_one_edit_away(word, term))


def is_one_edit_away(one: str, other: str) -> bool:
    """Whether a letter more, less, other or swapped with its neighbour makes the one of the other."""
    if one == other or abs(len(one) - len(other)) > 1:
        return one == other
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[at:], other[at:]
    if len(rest) == len(others):
        swapped = rest[1::-1] + rest[2:]
        return rest[1:] == others[1:] or swapped == others
    return rest[1:] == others if len(rest) > len(others) else rest == others[1:]
