"""The compiled way to terms gives what Python gives, whatever it is fed, and survives whom it asks."""

import gc
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled
from tests.native.texts import TEXTS, real_texts

from lurcher_index.native import compiled
from lurcher_index.text.terms import MAX_TERM_CHARACTERS, MEMO_ENTRIES, PureTerms, _terms_of_any

pytestmark = needs_compiled

PURE = PureTerms(MEMO_ENTRIES)
ASCII_WORDS = st.text(alphabet="abeginsdxAOSuthIPvc_-046", max_size=90)
SUFFIXED = st.builds(
    str.__add__,
    st.text(alphabet="aeioubdgsxhz", min_size=1, max_size=6),
    st.sampled_from(["s", "es", "ies", "sses", "xes", "ches", "shes", "zzes", "ing", "ings", "ed", "eed", "bbed", "e"]),
)


def check(data: bytes, *, most: int = MEMO_ENTRIES) -> None:
    """Twice: what was just split, and what is remembered."""
    memo = compiled.Terms(_terms_of_any, most)
    whole = (0, len(data))
    expected = PURE.between(data, whole)
    assert memo.between(data, whole) == expected
    assert memo.between(data, whole) == expected


@given(TEXTS)
def test_any_text_gives_the_same_terms(data: bytes) -> None:
    check(data)


@given(st.lists(st.one_of(ASCII_WORDS, SUFFIXED), max_size=20).map(" ".join))
def test_names_are_split_and_stemmed_alike(text: str) -> None:
    check(text.encode())


@pytest.mark.parametrize(
    "word",
    [
        *("embed", "shed", "hundred", "sacred", "string", "during", "nothing", "something", "Strings", "sheds", "ies"),
        *("IPv", "IPv4", "IPv5", "iPv4", "OAuth", "xOAuth", "XOAuth", "OAUTH", "iOS", "iOSx", "fooiOS", "macOSes"),
        *("-", "--", "_", "_-_", "a-", "-a", "a--b", "ab--cd", "_ab-cd", "ab-cd_", "ab-1c", "ab_-cd", "a__b-cd", "i-1"),
        *("0", "00", "a0", "a00", "0a", "x_0", "x_00", "a_A", "aA_aA", "A_a", "__init__", "utf8_decode2", "é-x", "-é-"),
        "a-\N{EM DASH}-b",
    ],
)
def test_odd_names_are_split_alike(word: str) -> None:
    check(word.encode())


@pytest.mark.parametrize("size", [1, 2, 1_000_000])
@pytest.mark.parametrize("piece", [b"a", b"A", b"_", b"-", b"7", b"a-", b"aB", b"a--", b"\xff", b"\0", "中".encode()])
def test_runs_of_any_length_give_the_same_terms(piece: bytes, size: int) -> None:
    check((piece * size)[:size])


@pytest.mark.parametrize("letters", ["a", "a_", "aB", "a1", "ab-", "abcdefghijklmnopqrstuvwxyz_", "é"])
def test_lengths_around_the_limits_give_the_same_terms(letters: str) -> None:
    for size in [*range(MAX_TERM_CHARACTERS - 3, MAX_TERM_CHARACTERS + 4), *range(250, 262)]:
        check((letters * size)[:size].encode())


def test_real_texts_give_the_same_terms() -> None:
    memo = compiled.Terms(_terms_of_any, MEMO_ENTRIES)
    for data in real_texts():
        assert memo.between(data, (0, len(data))) == PURE.between(data, (0, len(data)))


@given(TEXTS, st.lists(st.tuples(st.integers(-400, 400), st.integers(-(2**70), 2**70)), max_size=4))
def test_ranges_are_cut_as_python_cuts(data: bytes, ranges: list[tuple[int, int]]) -> None:
    borders = [border for both in ranges for border in both]
    assert compiled.Terms(_terms_of_any, 100).between(data, borders) == PURE.between(data, borders)


@given(TEXTS, st.integers(1, 5))
def test_a_memo_that_starts_anew_all_the_time_changes_nothing(data: bytes, most: int) -> None:
    check(data, most=most)


def test_the_memo_holds_no_more_than_it_may() -> None:
    memo = compiled.Terms(_terms_of_any, 1_000)
    seen: set[int] = set()
    for number in range(5_000):
        memo.between(b"name%d" % number, (0, 20))
        seen.add(len(memo))
    assert max(seen) == 1_000
    assert len(seen) == 1_000


def test_the_memo_bounds_its_bytes_as_well() -> None:
    # A run of 200 bytes gives terms of 3,000: the bytes are used up long before the entries.
    asked: list[bytes] = []

    def long_terms(run: bytes) -> bytes:
        asked.append(run)
        return b" " + b"x" * 3_000

    memo = compiled.Terms(long_terms, 1_000_000)
    for number in range(12_000):
        memo.between(b"\xc3\xa9%0197d" % number, (0, 200))
    assert len(memo) < 12_000 == len(asked)


def test_runs_that_collide_are_split_and_not_remembered() -> None:
    # The highest bit of eight bytes goes into the highest of both halves of the hash, and the next eight undo that.
    memo = compiled.Terms(lambda run: b" " + run.hex().encode(), 100_000)
    plain, changed = b"aaaaaaaabbbbbbbb", b"aaaaaaa\xe1bbb\xe2bbb\xe2"
    runs = [
        b"\xff" * 8 + b"".join(changed if number >> bit & 1 else plain for bit in range(10)) for number in range(1024)
    ]
    data = b" ".join(runs)
    for _ in range(2):
        assert memo.between(data, (0, len(data))) == " ".join(run.hex() for run in runs)
    if sys.byteorder == "little":
        assert len(memo) < 100


def test_what_the_asked_one_raises_is_raised() -> None:
    def broken(run: bytes) -> bytes:
        raise LookupError(run)

    memo = compiled.Terms(broken, 10)
    assert memo.between(b"plain text", (0, 10)) == "plain text"
    for _ in range(2):
        with pytest.raises(LookupError):
            memo.between("plain é text".encode(), (0, 20))
    assert memo.between(b"plain text", (0, 10)) == "plain text"


@pytest.mark.parametrize("answer", ["text", None, 3, bytearray(b" x"), [b" x"]])
def test_an_answer_that_is_no_bytes_is_refused(answer: Any) -> None:
    memo = compiled.Terms(lambda _: answer, 10)
    with pytest.raises(TypeError, match="must be bytes"):
        memo.between("é".encode(), (0, 2))
    assert len(memo) == 0


def test_an_answer_that_is_no_utf8_is_refused() -> None:
    memo = compiled.Terms(lambda _: b" \xff", 10)
    with pytest.raises(UnicodeDecodeError):
        memo.between("é".encode(), (0, 2))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda memo: memo.between(),
        lambda memo: memo.between(b"a"),
        lambda memo: memo.between("a", (0, 1)),
        lambda memo: memo.between(bytearray(b"a"), (0, 1)),
        lambda memo: memo.between(b"a", 1),
        lambda memo: memo.between(b"a", ("0", 1)),
        lambda memo: memo.between(b"a", (0, None)),
        lambda memo: type(memo)(),
        lambda memo: type(memo)(print, "many"),
    ],
)
def test_wrong_arguments_are_refused(wrong: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError):
        wrong(compiled.Terms(_terms_of_any, 10))


@pytest.mark.parametrize(
    ("missing", "most"), [(None, 10), (_terms_of_any, 0), (_terms_of_any, -1), (_terms_of_any, 2**40)]
)
def test_a_memo_of_no_use_is_refused(missing: Any, most: int) -> None:
    with pytest.raises(ValueError):
        compiled.Terms(missing, most)


def test_who_is_asked_may_ask_the_same_memo() -> None:
    def again(run: bytes) -> bytes:
        if len(run) > 2:
            for number in range(3_000):
                memo.between(b"n%d " % number + run[2:], (0, 100))
        return _terms_of_any(run)

    memo = compiled.Terms(again, 2_000)
    data = "é éé ééé éé é plain".encode()
    assert memo.between(data, (0, len(data))) == PURE.between(data, (0, len(data)))


def test_threads_share_a_memo() -> None:
    memo = compiled.Terms(_terms_of_any, 200)
    texts = real_texts()[:60]
    wrong: list[bytes] = []

    def split() -> None:
        wrong.extend(text for text in texts if memo.between(text, (0, len(text))) != PURE.between(text, (0, len(text))))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=split) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong


def test_nothing_is_held_on_to() -> None:
    answer, data, borders = b" some terms of one run", "é and more".encode(), [0, 3, 4, 11]

    def asked(_: bytes) -> bytes:
        return answer

    def failing(_: bytes) -> bytes:
        raise LookupError

    held = (answer, data, borders, asked, failing)
    before = [sys.getrefcount(thing) for thing in held]
    for _ in range(100):
        compiled.Terms(asked, 10).between(data, borders)
        for memo, wrong in ((compiled.Terms(failing, 10), borders), (compiled.Terms(asked, 10), [0, 3, 4])):
            with pytest.raises((LookupError, ValueError)):
                memo.between(data, wrong)
    del memo, wrong
    assert [sys.getrefcount(thing) for thing in held] == before


def test_a_memo_in_a_cycle_is_collected() -> None:
    class Asked:
        memo: object = None

        def __call__(self, run: bytes) -> bytes:
            return run

    asked = Asked()
    asked.memo = compiled.Terms(asked, 10)
    gone = weakref.ref(asked)
    del asked
    gc.collect()
    assert gone() is None


@pytest.mark.skipif(not hasattr(sys, "gettotalrefcount"), reason="only a debug build of Python counts all references")
def test_no_references_are_lost() -> None:
    memo = compiled.Terms(_terms_of_any, 10)
    counts: list[int] = []
    for _ in range(5):
        for text in real_texts()[:50]:
            memo.between(text, (0, len(text)))
        counts.append(sys.gettotalrefcount())  # type: ignore[attr-defined, unused-ignore]
    assert counts[-1] - counts[-2] < 50
