"""Lines are measured and brackets counted alike by what is compiled and by Python, and both as one would by hand."""

import re
import sys
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled
from tests.native.texts import TEXTS, real_texts

from lurcher_index.chunking.guards import pure_is_deeper
from lurcher_index.chunking.lines import Lines, pure_measured
from lurcher_index.native import compiled

LINES = st.lists(
    st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b" ", b"\t", b"\x0b", b"\x0c", b"\0", b"\xc3\xa9", b"\x85"])
)
NESTED = st.text(alphabet="([{)]} ").map(str.encode)

Measured = tuple[list[int], list[int]]


def by_hand(data: bytes) -> Measured:
    lines = [line for line in re.split(rb"(?<=\n)|(?<=\r)(?!\n)", data) if line]
    sizes = [len(re.sub(rb"[ \t\x0b\x0c\r\n]", b"", line)) for line in lines]
    return list(accumulate(map(len, lines), initial=0)), list(accumulate(sizes, initial=0))


@given(st.one_of(LINES.map(b"".join), TEXTS))
def test_lines_are_measured_by_python(data: bytes) -> None:
    assert pure_measured(data) == by_hand(data)


@needs_compiled
@given(st.one_of(LINES.map(b"".join), TEXTS))
def test_lines_are_measured_by_what_is_compiled(data: bytes) -> None:
    assert compiled.measure_lines(data) == by_hand(data)


@needs_compiled
def test_real_texts_have_the_same_lines() -> None:
    for data in real_texts():
        for text in (data, data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r")):
            assert compiled.measure_lines(text) == pure_measured(text)


@given(LINES.map(b"".join))
def test_lines_are_what_was_measured(data: bytes) -> None:
    lines = Lines.of(data)
    assert (lines.starts, lines.sums) == by_hand(data)
    assert lines.data is data


@given(NESTED, st.integers(0, 6))
def test_brackets_are_counted_by_python(data: bytes, most: int) -> None:
    deepest = max(accumulate((byte in b"([{") - (byte in b")]}") for byte in data), default=0)
    assert pure_is_deeper(data, most) is (deepest > most)


@needs_compiled
@given(st.one_of(NESTED, TEXTS), st.integers(0, 6))
def test_brackets_are_counted_by_what_is_compiled(data: bytes, most: int) -> None:
    assert compiled.is_deeper(data, most) is pure_is_deeper(data, most)


@needs_compiled
def test_real_texts_are_as_deep() -> None:
    for data in real_texts():
        for most in (1, 3, 8):
            assert compiled.is_deeper(data, most) is pure_is_deeper(data, most)


@needs_compiled
@pytest.mark.parametrize(
    "wrong",
    [
        lambda: compiled.measure_lines("text"),  # type: ignore[arg-type]
        lambda: compiled.measure_lines(None),  # type: ignore[arg-type]
        lambda: compiled.measure_lines(bytearray(b"a")),  # type: ignore[arg-type]
        lambda: compiled.is_deeper("text", 1),  # type: ignore[arg-type]
        lambda: compiled.is_deeper(b"text", None),  # type: ignore[arg-type]
        lambda: compiled.is_deeper(b"text"),  # type: ignore[call-arg]
    ],
)
def test_wrong_arguments_are_refused(wrong: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        wrong()


@needs_compiled
def test_nothing_is_held_on_to() -> None:
    data = b"some\n text\r\n" * 1_000
    before = sys.getrefcount(data)
    for _ in range(10):
        assert _counted(compiled.measure_lines(data)) == _counted(pure_measured(data))
    assert sys.getrefcount(data) == before


def _counted(measured: Measured) -> set[tuple[int, int]]:
    """How often the lists and their numbers are referred to; small numbers are everybody's."""
    return {(sys.getrefcount(numbers), sys.getrefcount(number)) for numbers in measured for number in numbers[300:]}
