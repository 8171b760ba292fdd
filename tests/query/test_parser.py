"""A whole question: what every field says, and that no text is too odd."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.query.definitions import defined_name
from lurcher_index.query.parsed import LooksLike, ParsedQuery
from lurcher_index.query.parser import parse


def check_shape(question: str, **flags: bool) -> None:
    assert parse(question).looks_like == LooksLike(**flags)


def test_the_example_of_the_seed() -> None:
    parsed = parse("find authentication handler in golang")
    assert parsed.original == "find authentication handler in golang"
    assert parsed.text == "find authentication handler"
    assert parsed.languages == ("go",)
    assert parsed.keywords == ("authentication", "handler")
    assert parsed.code_terms == ()
    assert not parsed.used_model


def test_keywords_are_the_first_spelling_of_each_word_in_order() -> None:
    assert parse("how JSON is parsed: json Slices").keywords == ("JSON", "parsed", "Slices")
    assert parse("where is it").keywords == ("where", "is", "it")


def test_one_identifier_is_a_symbol() -> None:
    check_shape("JsonSerializer", is_symbol=True)
    check_shape("Foo.bar()", is_symbol=True)
    check_shape("`std::vec::Vec`", is_symbol=True)
    check_shape("cors", is_symbol=True)
    check_shape("retry in go", is_symbol=True)
    check_shape("src/auth.py", mentions_path=True)
    check_shape("json parser")
    check_shape("where", is_question=True)
    check_shape("认证处理程序")


def test_a_single_word_is_a_name_only_with_a_capital() -> None:
    assert parse("Flask").code_terms == ("Flask",)
    assert parse("authentication").code_terms == ()


def test_what_is_asked_for_is_told_by_whole_words() -> None:
    check_shape("tests for the router", asks_for_tests=True)
    check_shape("the latest TestClient contest")
    check_shape("config of the logger", asks_for_config=True)
    check_shape("reads environment variables", asks_for_config=True)
    check_shape("readme of the project", asks_for_docs=True)
    check_shape("how to use the router", asks_for_examples=True, is_question=True)
    check_shape("sample router", asks_for_examples=True)


def test_a_pasted_error_is_left_as_it_is() -> None:
    parsed = parse("RuntimeError: nothing is called main in python")
    assert parsed.looks_like.is_error_text
    assert parsed.text == parsed.original
    assert parsed.languages == ()
    assert parsed.cross_reference is None
    assert parsed.code_terms == ("RuntimeError",)
    assert parsed.phrases == ("nothing is called main in python",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n",
        "?!…",
        "\x00",
        "\ud800",
        "認証 はどこ",
        "как работает авторизация",
        "ما هذا",
        "🙂 🙂",
        "()",
        "``",
        "''",
    ],
)
def test_odd_texts_are_understood_all_the_same(text: str) -> None:
    parsed = parse(text)
    assert parsed.original == parsed.text == text


@given(st.text(max_size=300))
def test_the_same_text_gives_the_same_value(text: str) -> None:
    parsed = parse(text)
    assert isinstance(parsed, ParsedQuery)
    assert parsed == parse(text)
    assert parsed.languages or parsed.text in (text, defined_name(text))
    assert len({word.lower() for word in parsed.keywords}) == len(parsed.keywords)
    assert len(set(parsed.code_terms)) == len(parsed.code_terms)


FRAGMENTS = [
    "in",
    "go",
    "Rust",
    "code",
    "for",
    "who",
    "calls",
    "of",
    "x.y()",
    "a_b",
    "'",
    '"',
    "src/a.py",
    "Error:",
    "?",
    ",",
    "the",
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map(" ".join))
def test_what_a_filter_takes_is_all_that_goes(text: str) -> None:
    parsed = parse(text)
    assert parsed.languages or parsed.text in (text, defined_name(text))
    left = iter(text.replace(",", " ").replace("?", " ").split())
    assert all(word in left for word in parsed.text.replace(",", " ").replace("?", " ").split())
