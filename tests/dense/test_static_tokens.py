"""Words and pieces of our model: cut as they were in training, whatever a text holds."""

import unicodedata

import pytest
from tests.dense.models import PIECES, WORDS

from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.tokens import MEMO_RUNS, PIECE_LETTERS, Tokens, plain, runs, words_of


def words(text: str) -> list[str]:
    return [word for run in runs(text.encode()) for word in words_of(run)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseHTTPRequest(raw)", "parse http request raw"),
        ("snake_case_name, SCREAMING_CASE", "snake case name screaming case"),
        ("utf8 x86_64 IPv4 OAuthClient iOS", "utf 8 x 86 64 ipv 4 oauth client ios"),
        ("café Ångström naïveParser", "cafe angstrom naive parser"),
        ("数据库 open данные", "open"),
        ("open数据file", "open file"),
        ("\x00 \ufffd \t\n", ""),
        ("", ""),
    ],
)
def test_text_is_cut_into_words(text: str, expected: str) -> None:
    assert words(text) == expected.split()


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert Tokens(WORDS).numbers(b"\xff\xfe open \xc3\x28 file").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open the file", "open the file"),
        ("gethostbyname", "##get host ##by name"),
        ("zzget", "##get"),
        ("openxyfile", "open ##xy file"),
        ("42 421", "42"),
        ("x" * 33 + "open" * 9, ""),
        ("qqq", ""),
    ],
)
def test_unknown_words_are_put_together_from_the_longest_known_parts(text: str, expected: str) -> None:
    vocabulary = [*WORDS, *PIECES]
    assert [vocabulary[number] for number in Tokens(vocabulary).numbers(text.encode())] == expected.split()


def test_the_memo_is_bounded_and_forgetting_changes_nothing() -> None:
    tokens = Tokens([*WORDS, *PIECES])
    before = tokens.packed(b"openFile gethostname")
    for start in range(0, MEMO_RUNS + 2, 1000):
        tokens.packed(b" ".join(b"v%d" % number for number in range(start, start + 1000)))
    tokens.packed(b"one")
    assert len(tokens._memo) < MEMO_RUNS
    tokens.packed(b"a" * 100)
    assert b"a" * 100 not in tokens._memo
    assert tokens.packed(b"openFile gethostname") == before


def test_a_vocabulary_is_small_and_without_repeats() -> None:
    with pytest.raises(ValueError, match="different words"):
        Tokens(["a", "b", "a"])
    with pytest.raises(ValueError, match="65,536"):
        Tokens([str(number) for number in range(65_537)])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/main/java/org/shop/cart/CartService.java", "shop cart CartService"),
        ("a/b/c/d.test.ts", "b c d.test"),
        ("Makefile", "Makefile"),
        (".gitignore", ".gitignore"),
        ("windows\\style\\file.c", "windows style file"),
        ("", ""),
    ],
)
def test_of_a_path_what_is_near_the_file_counts(path: str, expected: str) -> None:
    assert path_words(path.encode()) == expected.encode()


def test_letters_are_plain_wherever_a_piece_ends() -> None:
    for text in ("é", "e\u0301", "ﬁ", "\u0315\u0300", "한", "½é"):
        for before in range(PIECE_LETTERS - 3, PIECE_LETTERS + 2):
            whole = "ö" * before + text * 5 + "a"
            letters = unicodedata.normalize("NFKD", whole)
            kept = "".join(letter for letter in letters if not unicodedata.combining(letter))
            assert plain(whole.encode()).decode() == "".join(each if each.isascii() else " " for each in kept)


def test_a_run_of_marks_takes_no_longer_than_its_length_says() -> None:
    marks = ("a" + "\u0315\u0300" * 250_000).encode()  # In one piece this took minutes.
    assert plain(marks) == b"a"
