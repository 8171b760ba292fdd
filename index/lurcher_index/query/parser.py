"""A question into a `ParsedQuery`: pure, deterministic, by rules in a fixed order."""

from lurcher_index.query.code_terms import code_terms
from lurcher_index.query.cross_references import cross_reference
from lurcher_index.query.definitions import defined_name
from lurcher_index.query.error_text import fixed_phrases, is_error_text
from lurcher_index.query.intents import intent_of, task_of
from lurcher_index.query.languages import without_language
from lurcher_index.query.parsed import LooksLike, ParsedQuery
from lurcher_index.query.question_words import asked_words
from lurcher_index.query.shapes import looks_like


def parse(question: str) -> ParsedQuery:
    """What a question means. Never fails, whatever the text; a blank one has no keywords."""
    is_error = is_error_text(question)
    # A pasted error is searched for as it is: "in python" there is what the program said.
    text, languages = (question, ()) if is_error else without_language(question)
    task = task_of(text, is_error)
    reference = None if is_error else cross_reference(text)
    if not is_error and reference is None:
        # "where is X defined", "class X": the name is what is searched for.
        text = defined_name(text) or text
    shape = looks_like(text, is_error)
    keywords = _keywords(text)
    intent, confidence = intent_of(text, len(keywords), shape.is_symbol, is_error)
    return ParsedQuery(
        original=question,
        text=text,
        intent=intent,
        task=task,
        keywords=keywords,
        code_terms=_names(text, shape),
        languages=languages,
        phrases=fixed_phrases(question) if is_error else (),
        cross_reference=reference,
        looks_like=shape,
        confidence=confidence,
    )


def _keywords(text: str) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for word in asked_words(text):
        first.setdefault(word.lower(), word)
    return tuple(first.values())


def _names(text: str, shape: LooksLike) -> tuple[str, ...]:
    found = code_terms(text)
    if found or not shape.is_symbol:
        return found
    # Alone, a word with a capital is a name; in lower case it may as well be a topic.
    word = text.strip().rstrip("?!.")
    return () if word.islower() else (word,)
