"""Questions about the uses of one name are recognised, and the name keeps its case."""

import pytest

from lurcher_index.query.cross_references import cross_reference
from lurcher_index.query.parsed import CrossReference, Relation


def check(question: str, relation: Relation, name: str) -> None:
    assert cross_reference(question) == CrossReference(relation, name)


@pytest.mark.parametrize(
    "question",
    [
        "who calls {}",
        "Who calls `{}`?",
        "who is calling {}()",
        "what calls {}",
        "which functions call {}",
        "callers of {}",
        "find all callers of the function {}",
        "show me the callers of {} in this project",
        "call sites of {}",
        "where is {} called from?",
        "where do we call {}",
        "functions that call {}",
        "everything calling {}",
        "{} callers",
    ],
)
@pytest.mark.parametrize("name", ["hybridSearch", "Foo.bar", "std::mem::swap", "run_all"])
def test_callers(question: str, name: str) -> None:
    check(question.format(name), Relation.CALLERS, name)


@pytest.mark.parametrize(
    "question",
    [
        "callees of {}",
        "functions called by {}",
        "what does {} call",
        "what does {}() call?",
        "which methods does {} call",
        "what functions are called by {}",
        "what is called by the {} method",
        "functions {} calls",
    ],
)
def test_callees(question: str) -> None:
    check(question.format("parseURL"), Relation.CALLEES, "parseURL")


@pytest.mark.parametrize(
    "question",
    [
        "references to {}",
        "find all references to {}",
        "where is {} used",
        "where is {} used in the codebase?",
        "where is the class {} referenced",
        "usages of {}",
        "who uses {}",
        "which files import {}",
        "what depends on {}",
        "where do we use {}",
        "{} usages",
    ],
)
def test_references(question: str) -> None:
    check(question.format("MaxSize"), Relation.REFERENCES, "MaxSize")


def test_a_plain_word_can_be_a_name() -> None:
    check("who calls save", Relation.CALLERS, "save")


@pytest.mark.parametrize(
    "question",
    [
        "where is the auth handler used",
        "who calls it",
        "token usages",
        "find all token usages",
        "database references",
        "how callers of the API are authenticated",
        "why does login call validate",
        "what calls are made when the page loads",
        "callers",
        "callers of",
        "",
        "who calls " + "x" * 400,
    ],
)
def test_what_is_not_about_one_name(question: str) -> None:
    assert cross_reference(question) is None
