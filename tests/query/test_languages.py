"""Phrases that ask for a language become a filter and leave the question; nothing else does."""

import pytest

from lurcher_index.chunking.languages import LANGUAGES
from lurcher_index.query.languages import LANGUAGE_IDS, OPERATOR_ONLY, without_language


def check(question: str, text: str, *languages: str) -> None:
    assert without_language(question) == (text, languages)


def check_untouched(question: str) -> None:
    check(question, question)


def test_in_a_language_leaves_the_question() -> None:
    check("find authentication handler in golang", "find authentication handler", "go")
    check("retry in go", "retry", "go")
    check("retry in Go?", "retry?", "go")
    check("in go, how are channels closed?", "how are channels closed?", "go")
    check("in python code where is the pool", "where is the pool", "python")
    check("how to use the parser in Python3", "how to use the parser", "python")
    check("a parser written in rust for headers", "a parser for headers", "rust")
    check("error types in c++", "error types", "cpp")
    check("sort a list in C", "sort a list", "c")
    check("sort a list in c code", "sort a list", "c")
    check("retry in the python code", "retry", "python")


def test_code_of_a_language_at_the_beginning_leaves_the_question() -> None:
    check("rust code for parsing headers", "parsing headers", "rust")
    check("find all python code that reads csv", "find all reads csv", "python")


def test_several_languages_are_any_of_them() -> None:
    check("retry in typescript and go", "retry", "typescript", "tsx", "go")
    check("retry in python, go or rust", "retry", "python", "go", "rust")


def test_an_operator_names_any_language() -> None:
    check("ports language:yaml", "ports", "yaml")
    check("lang:go retry", "retry", "go")


@pytest.mark.parametrize(
    "question",
    [
        "go to definition",
        "express in c",
        "jump in go to definition",
        "date format in JSON",
        "parsing in Newtonsoft.Json",
        "error handling in python bindings",
        "in the python interpreter",
        "parse python code for imports",
        "run a command in bash",
        "golang",
        "main.go in src",
        "java runtime helpers",
        "spring in javax",
        "in pythonic style",
        "in go",
        "find code in rust",
        "lang:klingon retry",
        "how in python and arrays differ",
        "",
    ],
)
def test_what_is_no_clear_phrase_stays(question: str) -> None:
    check_untouched(question)


def test_every_name_leads_to_languages_of_the_index() -> None:
    known = {language.id for language in LANGUAGES}
    named = {each for ids in (*LANGUAGE_IDS.values(), *OPERATOR_ONLY.values()) for each in ids}
    assert named <= known
