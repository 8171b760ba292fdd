"""A question becomes groups of terms."""

import pytest

from lurcher_index.errors import BadQuery
from lurcher_index.words.query import MAX_QUERY_WORDS, understand


def check(text: str, *kept: str) -> None:
    assert [group.word for group in understand(text).groups] == list(kept)


def test_question_words_are_dropped_unless_nothing_else_is_left() -> None:
    check("how does the server parse HTTP headers?", "server", "parse", "HTTP", "headers")
    check("where is it", "where", "is", "it")


def test_a_word_counts_once() -> None:
    check("cache Cache CACHE size", "cache", "size")


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_question_is_refused(text: str) -> None:
    with pytest.raises(BadQuery, match="query cannot be empty"):
        understand(text)


def test_punctuation_alone_asks_for_nothing() -> None:
    check("?!… -> ()")


def test_only_a_last_word_that_may_go_on_is_a_prefix() -> None:
    assert understand("open conn").prefix == "conn"
    assert understand("open conn ").prefix == ""
    assert understand("open connection?").prefix == ""
    assert understand("go to db").prefix == ""


def test_a_very_long_question_is_cut_and_says_so() -> None:
    query = understand(" ".join(f"word{number}x" for number in range(MAX_QUERY_WORDS + 1)))
    assert len(query.groups) == MAX_QUERY_WORDS
    assert query.cut


def test_an_identifier_is_found_whole_or_by_all_its_parts() -> None:
    (group,) = understand("parseHTTPHeader").groups
    assert group.alternatives() == (("parsehttpheader",), ("pars", "http", "header"))


def test_related_terms_are_searched_for_but_were_not_asked_for() -> None:
    query = understand("auth handlers", [("login", 0.2), ("handler", 0.2), ("http.Handler", 0.2), ("HandlerFunc", 0.1)])
    asked = query.weights()
    assert query.searched() == {"login": 0.2, "handlerfunc": 0.1} | asked
    assert query.searched()["handler"] == asked["handler"] == 1.0
    assert [group.word for group in query.groups] == ["auth", "handlers"]
