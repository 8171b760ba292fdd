"""Intent and task: whole words, the first rule that fits."""

import pytest

from lurcher_index.query.parsed import Intent, Task
from lurcher_index.query.parser import parse


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("where is the auth handler", Intent.NAVIGATIONAL),
        ("what does ParseQuery do", Intent.FACTUAL),
        ("how does authentication work", Intent.EXPLORATORY),
        ("why does login call validate", Intent.ANALYTICAL),
        ("find authentication handler in golang", Intent.NAVIGATIONAL),
        ("which file holds the routes", Intent.NAVIGATIONAL),
        ("what is the difference between Session and Client", Intent.ANALYTICAL),
        ("please explain the scheduler", Intent.EXPLORATORY),
        ("is the cache thread safe", Intent.FACTUAL),
        ("threads versus processes for the worker pool", Intent.ANALYTICAL),
        ("JsonSerializer", Intent.NAVIGATIONAL),
        ("whereabouts howto whyever isolation levels", Intent.EXPLORATORY),
        ("gzip response compression middleware", Intent.EXPLORATORY),
        ("ValueError: bad magic number", Intent.NAVIGATIONAL),
    ],
)
def test_intent(question: str, intent: Intent) -> None:
    assert parse(question).intent is intent


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("docs for the router", Task.DOCUMENTATION),
        ("explain how to use the router", Task.DOCUMENTATION),
        ("example of a router", Task.EXAMPLES),
        ("how to use the router", Task.EXAMPLES),
        ("how does the router match", Task.IMPLEMENTATION),
        ("definition of Router", Task.IMPLEMENTATION),
        ("fix the router", Task.DEBUG),
        ("KeyError: 'x'", Task.DEBUG),
        ("rename the router", Task.REFACTOR),
        ("router", Task.GENERAL),
        ("prefix suffix infix", Task.GENERAL),
        ("terrors and debugger", Task.GENERAL),
    ],
)
def test_task(question: str, task: Task) -> None:
    assert parse(question).task is task


def test_a_stated_intent_is_surer_than_a_guessed_one() -> None:
    stated, phrased, guessed = (
        parse(text).confidence for text in ("where is the pool", "the pool and how it grows", "pool growth")
    )
    assert 1.0 >= stated > phrased > guessed > 0.0
