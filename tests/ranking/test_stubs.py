"""The quick look at a text never says no where the slow one says yes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lurcher_index.presenting import Asked
from lurcher_index.text.terms import words, words_of
from lurcher_index.words.query import understand

WORDS = st.sampled_from(
    "queries query caching cached cache running run parseHTTPRequest parse_http_request parse__http _private_ XMLs "
    "utf8_decode2 xmlHttpRequest tied ties dies OAuthClient iOS re-use non-blocking Straße ÉCOLE école 你好世界 a1 B2B "
    "classes class process processes boxes indices lies NASAs macOS".split()
)


@settings(max_examples=300)
@given(st.lists(WORDS, min_size=2, max_size=4), st.lists(WORDS, max_size=12))
def test_a_text_that_holds_all_words_may_hold_all_words(asked: list[str], text: list[str]) -> None:
    question = Asked(understand(" ".join(asked)))
    data = " ".join([*text, *asked[:2]]).encode()
    held = question.positions(data)
    holds_all = all(any(all(t in held for t in terms) for terms in each) for each in question.alternatives)
    assert question.may_hold_all(data) or not holds_all


@settings(max_examples=300)
@given(
    st.lists(WORDS, min_size=1, max_size=4),
    st.lists(WORDS | st.text(max_size=6), max_size=12),
    st.sampled_from([" ", "\n", ".", "(", "-", "–", ""]),
)
def test_the_positions_are_those_of_all_words(asked: list[str], text: list[str], between: str) -> None:
    question = Asked(understand(" ".join(asked)))
    data = between.join(text).encode("utf-8", "replace")
    expected: dict[str, list[int]] = {}
    for at, word in enumerate(words_of(data)):
        for term in question[word]:
            expected.setdefault(term, []).append(at)
    assert question.positions(data) == expected


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, max_size=4), st.sampled_from([" ", ".", "/", "::"]))
def test_a_name_holds_the_terms_of_its_words(asked: list[str], parts: list[str], between: str) -> None:
    question = Asked(understand(" ".join(asked)))
    name = between.join(parts)
    assert question.within(name) == {term for word in words(name) for term in question[word]}


def test_a_text_without_the_words_is_told_at_once() -> None:
    question = Asked(understand("parse the configuration file"))
    assert not question.may_hold_all(b"def parse(): return 1")
    assert question.may_hold_all(b"def parse(): return configuration", elsewhere={"file"})
