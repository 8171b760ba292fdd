"""The words of a question that say that something is asked rather than what."""

from lurcher_index.text.terms import words

QUESTION_WORDS = frozenset(
    "a about all also an and any are as at be been being but by can code could did do does doing done each every "
    "find for from get gets give given had has have having here how i if in into is it its just like look made make "
    "makes many me more most my need needed no of on only or other our out over please program s should show so some "
    "such t than that the their them then there these they thing things this those to too under up us use used uses "
    "using very via want was way we were what when where which while who whose why will with within without would you "
    "your".split()
)
"""Dropped unless nothing else is left."""


def asked_words(text: str) -> list[str]:
    """The words that say what is asked for, in order and as written; all of them if none does."""
    every = words(text)
    return [word for word in every if word.lower() not in QUESTION_WORDS] or every
