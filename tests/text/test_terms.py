"""What can be found: each line is a word of a text and the words a person would look for it with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.text import terms as used
from lurcher_index.text.terms import MAX_TERM_CHARACTERS, PureTerms, analyse, stem, words

PURE = PureTerms(1_000)


def terms(data: bytes) -> str:
    """As they are found here, which may be by what is compiled; Python alone finds the same."""
    found = used.terms(data)
    assert PURE.between(data, (0, len(data))) == found
    return found


def check(text: str, *expected: str) -> None:
    found = terms(text.encode()).split()
    assert set(expected) <= set(found), f"{text!r} gives {found}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseHTTPServerRequest", "parsehttpserverrequest http server request"),
        ("XMLHttpRequest", "xmlhttprequest xml http request"),
        ("utf8_decode2", "utf8_decode2 utf8 utf decode2 decod"),
        ("MAX_FILE_BYTES", "max_file_bytes max file byte"),
        ("db id io", "db id io"),
        ("tree-sitter-python", "tree-sitter-python tree sitter python"),
        ("running", "running run"),
        ("isIPv6Address", "isipv6address ipv address"),
        ("OAuthClient", "oauthclient oauth client"),
        ("__init__", "init"),
        ("x->next", "x next"),
        ("中文测试", "中文 文测 测试"),
        ("한국어", "한국 국어"),
        ("größeÄndern", "größeändern größe ändern"),
        ("ОшибкаЧтения", "ошибкачтения ошибка чтения"),
        ("404", "404"),
    ],
)
def test_a_word_is_found_by_its_whole_and_its_parts(text: str, expected: str) -> None:
    check(text, *expected.split())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caching", "cache"),
        ("parsed", "parse"),
        ("parsing", "parser's parse"),
        ("entries", "entry"),
        ("boxes", "box"),
        ("mapping", "map"),
        ("embedding", "embed"),
        ("indexed", "index"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) in terms(other.encode()).split()


@pytest.mark.parametrize("word", ["string", "class", "status", "this", "need", "embed", "red", "bus", "ring"])
def test_what_only_looks_like_a_form_is_left_alone(word: str) -> None:
    assert stem(word) == word


def test_data_that_is_no_name_gives_no_terms() -> None:
    assert terms(b"7") == ""
    assert terms(b"a" * (MAX_TERM_CHARACTERS + 1)) == ""
    assert terms(("0123456789abcdef" * 100).encode()) == ""
    assert "i-1" not in terms(b"a[i-1]").split()


@given(st.text())
def test_any_text_gives_terms_without_blanks_or_capitals(text: str) -> None:
    for term in terms(text.encode("utf-8", "replace")).split(" "):
        assert term == term.strip()
        assert len(term) <= MAX_TERM_CHARACTERS
        assert not any("A" <= char <= "Z" for char in term)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_quick_way_for_ascii_gives_the_same_as_the_slow_one(text: str) -> None:
    slow = " ".join(" ".join(filter(None, (whole, *parts))) for whole, parts in map(analyse, words(text)))
    assert terms(text.encode()) == " ".join(slow.split())


@given(st.text(), st.text())
def test_no_word_goes_across_the_ends_of_ranges(one: str, other: str) -> None:
    first, second = one.encode(), other.encode()
    data, borders = first + second, [0, len(first), len(first), len(first + second)]
    expected = " ".join(filter(None, (terms(first), terms(second))))
    assert used.terms_between(data, borders) == PURE.between(data, borders) == expected


@pytest.mark.parametrize("borders", [(0,), (0, 1, 2)])
def test_a_start_needs_an_end(borders: tuple[int, ...]) -> None:
    for between in (used.terms_between, PURE.between):
        with pytest.raises(ValueError):
            between(b"some text", borders)


def test_the_memo_starts_anew() -> None:
    memo = PureTerms(10)
    for number in range(100):
        assert memo.between(b"name%da" % number, (0, 9)) == used.terms(b"name%da" % number)
    assert 0 < len(memo) <= 11


@given(st.text(alphabet="aAbB1_é中", min_size=1, max_size=12))
def test_a_word_in_a_text_is_found_by_asking_for_it(word: str) -> None:
    there = set(terms(f"x = {word}(y)".encode()).split())
    for asked in words(word):
        whole, parts = analyse(asked)
        assert {term for term in (whole, *parts) if term} <= there
