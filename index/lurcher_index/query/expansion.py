"""Related terms for the words of a question, from a table, from a model and from the workspace's own names."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from lurcher_index.query.parsed import Expansion, ParsedQuery, Source
from lurcher_index.query.synonyms import SYNONYMS
from lurcher_index.query.vocabulary import Vocabulary
from lurcher_index.text.terms import stem, words

Related = Callable[[str], Sequence[tuple[str, float]]]
"""What a model says about a word: the words it learned to be near, with their similarity, the nearest first."""

MAX_TERMS = 6
"""Terms that a model and the workspace may add to one question, the synonyms counted in; more would drown its own."""

PER_WORD = 2
"""Terms that each of the two may add to one word."""

MIN_SIMILARITY = 0.6
"""How near a model's word must be."""

MIN_CLOSENESS = 0.25
"""How often two words of names must go together: each half of the time, if they are equally frequent, is 0.5."""

SYNONYM_WEIGHT = 1.0
COMPLETION_WEIGHT = 0.7
"""How closely a synonym and a longer word with the same beginning belong to a word."""


def expand(parsed: ParsedQuery, related: Related | None = None, vocabulary: Vocabulary | None = None) -> ParsedQuery:
    """The question with the terms that belong to its words. Names of code and pasted errors mean what they say."""
    if parsed.looks_like.is_error_text:
        return parsed
    named = {word.lower() for term in parsed.code_terms for word in words(term)}
    asked = [word.lower() for word in parsed.keywords if word.lower() not in named]
    found = _Found({stem(word.lower()) for word in parsed.keywords})
    for word in asked:
        for term in SYNONYMS.get(word) or SYNONYMS.get(stem(word)) or ():
            found.add_synonym(Expansion(term, word, Source.SYNONYM, SYNONYM_WEIGHT))
    for word in asked:
        for expansion in _learned(word, related, vocabulary):
            found.add_learned(expansion)
    expanded = found.expansions()
    return msgspec.structs.replace(
        parsed, expanded=expanded, used_model=any(each.source is Source.MODEL for each in expanded)
    )


class _Found:
    """Expansions in the order they came, each term once."""

    def __init__(self, asked: set[str]) -> None:
        self._stems = asked
        self._terms: dict[str, Expansion] = {}

    def add_synonym(self, expansion: Expansion) -> None:
        """Rows of the table are given whole, other spellings of the word itself among them."""
        self._terms.setdefault(expansion.term, expansion)
        self._stems.add(stem(expansion.term.lower()))

    def add_learned(self, expansion: Expansion) -> None:
        """A learned term is taken if there is room and no form of it is there."""
        if len(self._terms) < MAX_TERMS and stem(expansion.term) not in self._stems:
            self._terms[expansion.term] = expansion
            self._stems.add(stem(expansion.term))

    def expansions(self) -> tuple[Expansion, ...]:
        return tuple(self._terms.values())


def _learned(word: str, related: Related | None, vocabulary: Vocabulary | None) -> Iterator[Expansion]:
    if related is not None:
        near = [(term, similarity) for term, similarity in related(word) if similarity >= MIN_SIMILARITY]
        for term, similarity in near[:PER_WORD]:
            yield Expansion(term.lower(), word, Source.MODEL, min(1.0, similarity))
    if vocabulary is not None:
        for term in vocabulary.completions(word)[:PER_WORD]:
            yield Expansion(term, word, Source.WORKSPACE, COMPLETION_WEIGHT)
        close = [(term, closeness) for term, closeness in vocabulary.companions(word) if closeness >= MIN_CLOSENESS]
        for term, closeness in close[:PER_WORD]:
            yield Expansion(term, word, Source.WORKSPACE, closeness)
