"""A search in stages: features first, and the code itself only if they do not suffice."""

import msgspec

from lurcher_index.answers import Answer
from lurcher_index.asking import Mode
from lurcher_index.words.query import WordQuery, understand

SUFFICIENT = 0.5
"""Answerability, or relevance where nobody judged that, from which the first stage is the answer. "Nothing found" would
be no test: some name has some word of nearly every question."""

NAMES = 5
"""Definitions found by the first stage whose names help the second one."""

NAME_WEIGHT = 0.3
"""What such a name counts, beside a word that was asked for."""


def suffices(answer: Answer) -> bool:
    """Whether the first stage answers the question."""
    if not answer.chunks:
        return False
    sure = answer.answerability if answer.answerability is not None else answer.chunks[0].score
    return sure >= SUFFICIENT


def with_names(query: WordQuery, answer: Answer) -> WordQuery:
    """The question with the names that its first stage found, at a low weight."""
    names = [chunk.symbol.name for chunk in answer.chunks if chunk.symbol is not None]
    related = [(name, NAME_WEIGHT) for name in dict.fromkeys(names)][:NAMES]
    found = dict(understand(query.text, related).related) if related else {}
    return msgspec.structs.replace(query, related=tuple((found | dict(query.related)).items()))


def staged(first: Answer, second: Answer | None) -> Answer:
    """The answer of the last stage, which says which one it is, with an account of both."""
    if second is None:
        return msgspec.structs.replace(first, stage=Mode.FEATURES)
    note = "names, documentation and paths did not answer the question; its words were searched for in the code too"
    return msgspec.structs.replace(
        second,
        stage=Mode.SNIPPETS,
        attempts=(*first.attempts, *second.attempts),
        alerts=(*second.alerts, note),
    )
