"""The memo of the compiled part: what a function said, again, and nothing else."""

import gc
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled

from lurcher_index.native import compiled

pytestmark = needs_compiled


@given(st.lists(st.binary(max_size=20), max_size=60), st.integers(1, 8))
def test_answers_are_those_of_the_function(texts: list[bytes], count: int) -> None:
    memo = compiled.Memo(bytes.hex, count)
    assert [memo(text) for text in texts] == [text.hex() for text in texts]


def test_a_text_is_asked_about_once() -> None:
    asked: list[bytes] = []
    memo = compiled.Memo(asked.append, 100)
    for text in (b"", b"one", b"two", b"one", b"", b"longer than one word"):
        memo(text)
    assert asked == [b"", b"one", b"two", b"longer than one word"]


def test_of_more_texts_than_fit_the_oldest_are_forgotten() -> None:
    asked: list[bytes] = []
    memo = compiled.Memo(asked.append, 4)
    for text in (b"1", b"2", b"3", b"4", b"5", b"5", b"2", b"1"):
        memo(text)
    assert asked == [b"1", b"2", b"3", b"4", b"5", b"1"]


def test_long_texts_are_not_kept() -> None:
    asked: list[bytes] = []
    memo = compiled.Memo(asked.append, 4)
    for text in (b"a" * 256, b"a" * 256, b"a" * 257, b"a" * 257):
        memo(text)
    assert [len(text) for text in asked] == [256, 257, 257]


def test_an_error_is_handed_on_and_not_kept() -> None:
    answers = iter([None, "good"])

    def answer(text: bytes) -> str:
        if (told := next(answers)) is None:
            raise LookupError(text)
        return told

    memo = compiled.Memo(answer, 4)
    with pytest.raises(LookupError):
        memo(b"a")
    assert memo(b"a") == "good"


def test_a_function_may_ask_its_own_memo() -> None:
    def shorter(text: bytes) -> int:
        return 1 + memo(text[1:]) if text else 0

    memo = compiled.Memo(shorter, 4)
    assert memo(b"twenty bytes of text") == 20
    assert memo(b"bytes of text") == 13


def test_what_refers_to_its_own_memo_goes_away() -> None:
    class Answer:
        memo: object

        def __call__(self, text: bytes) -> tuple["Answer", bytes]:
            return self, text

    answer = Answer()
    answer.memo = memo = compiled.Memo(answer, 4)
    memo(b"a")
    gone = weakref.ref(answer)
    del answer, memo
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("count", [0, -1, 1 << 40])
def test_a_memo_has_a_size(count: int) -> None:
    with pytest.raises(ValueError, match="keeps"):
        compiled.Memo(bytes.hex, count)


def test_only_bytes_are_texts() -> None:
    with pytest.raises(TypeError):
        compiled.Memo(bytes.hex, 4)("text")  # type: ignore[arg-type]
