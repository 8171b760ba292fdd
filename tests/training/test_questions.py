"""Comments become queries and questions that a person might ask."""

from random import Random

import pytest
from training.questions import base_form, participle, question
from training.texts import comment_query, split_name, without_subject


@pytest.mark.parametrize(
    ("comment", "query"),
    [
        ("/** Finds the shortest way. */", "Finds the shortest way"),
        ("/// <summary>One parcel and where it is.</summary>", "One parcel and where it is"),
        ('"""Open a file.\n\n    Args:\n        name: its name\n    """', "Open a file"),
        ('@doc "Finds the way."', "Finds the way"),
        ("-- | Sends it on\n-- to the next depot.", "Sends it on to the next depot"),
        ("# @param name [String] what it is called", ""),
        ("// Copyright 2020 Somebody. All rights reserved.", ""),
        ("//----------------------", ""),
        ("// TODO clean this up some day", ""),
        ("// NOLINT(readability-identifier-naming)", ""),
        ("/* x = y + (z << 3) | 0xff; */", ""),
    ],
)
def test_comment_query(comment: str, query: str) -> None:
    assert comment_query(comment, Random(1)) == query


def test_the_name_at_the_start_of_a_comment_is_no_part_of_the_question() -> None:
    assert without_subject("Open opens a file", "Open") == "opens a file"
    assert without_subject("Client is a connection", "Client") == "a connection"
    assert without_subject("opens a file", "Open") == "opens a file"


def test_split_name() -> None:
    assert split_name("parseHTTPHeader_v2") == "parse http header v 2"


@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("parses", "parse"),
        ("parse", "parse"),
        ("catches", ""),
        ("verifies", "verify"),
        ("pushes", "push"),
        ("house", ""),
    ],
)
def test_base_form(word: str, verb: str) -> None:
    assert base_form(word) == verb


@pytest.mark.parametrize(
    ("verb", "form"),
    [("parse", "parsed"), ("stop", "stopped"), ("write", "written"), ("verify", "verified"), ("open", "opened")],
)
def test_participle(verb: str, form: str) -> None:
    assert participle(verb) == form


def test_questions_keep_the_object_and_ask_for_the_verb() -> None:
    rng = Random(3)
    asked = {question("Parses the header of a request", "", rng) for _ in range(60)}
    assert "where the header of a request is parsed" in asked
    assert "how is the header of a request parsed" in asked
    assert question("", "stop worker", rng)
    assert question("One parcel and where it is", "parcel", rng) == ""
