"""Questions about where one name is defined: the name alone is searched for, and topics stay as they are."""

import pytest

from lurcher_index.query.parsed import Intent, Task
from lurcher_index.query.parser import parse


@pytest.mark.parametrize(
    "question",
    [
        "where is {} defined",
        "Where is {} defined?",
        "where's the class {} declared",
        "where is the function `{}` defined",
        "where do we define {}",
        "where is {}",
        "where is {} implemented",
        "definition of {}",
        "find the definition of {}",
        "please show me the implementation of {}",
        "go to {}",
        "find {}",
        "class {}",
        "def {}",
        "{} method",
        "the {} function",
        "@callback {}",
    ],
)
def test_the_name_is_what_is_searched_for(question: str) -> None:
    parsed = parse(question.format("parseHeader"))
    assert parsed.original == question.format("parseHeader")
    assert parsed.text.strip("`") == "parseHeader"
    assert parsed.code_terms == ("parseHeader",)
    assert parsed.looks_like.is_symbol
    assert parsed.intent is Intent.NAVIGATIONAL


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("where is retry defined", "retry"),
        ("declaration of destroy", "destroy"),
        ("fn parse", "parse"),
        ("defp usage", "usage"),
        ("class Session", "Session"),
        ("trait Shape", "Shape"),
        ("variable KEYRING", "KEYRING"),
        ("module RabbitMQ.CLI.Parser", "RabbitMQ.CLI.Parser"),
        ("where is Widget:new defined", "Widget:new"),
        ("where is BoundedQueue defined in python", "BoundedQueue"),
    ],
)
def test_a_plain_word_is_a_name_where_the_question_says_so(question: str, name: str) -> None:
    parsed = parse(question)
    assert parsed.text == name
    assert parsed.looks_like.is_symbol


@pytest.mark.parametrize(
    "question",
    [
        "where is the timeout of a request defined",
        "where is the auth handler defined",
        "where is authentication",
        "where is logging implemented",
        "find GitHub",
        "class names",
        "function calls",
        "fun facts",
        "Session class",
        "type of the column",
        "variable names",
        "definition of a class",
        "where is it defined",
        "parseHeader",
        "where is parseHeader used",
        "parseHeader and formatHeader",
        "go to",
    ],
)
def test_a_topic_stays_as_it_is(question: str) -> None:
    assert parse(question).text == question


def test_what_the_answer_is_wanted_for_is_told_by_the_whole_question() -> None:
    assert parse("where is parseHeader defined").task is Task.IMPLEMENTATION
    assert parse("class parseHeader").task is Task.GENERAL
