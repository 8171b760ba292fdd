"""Texts without syntax are cut alike by the compiled part and by its twin in Python; with syntax, see test_reader."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled
from tests.native.texts import TEXTS, real_texts

from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.plain import plain_chunks, plain_chunks_in_python
from lurcher_index.chunking.segments import Limits
from lurcher_index.native import compiled

pytestmark = needs_compiled
INDENTED = st.lists(
    st.tuples(
        st.sampled_from(["", " ", "    ", "\t", "\f "]), st.sampled_from(["word", "", "a, b; c", "é" * 9, "x" * 40])
    ),
    max_size=40,
).map(lambda rows: "\n".join(indent + text for indent, text in rows).encode())


def check(data: bytes, tokens: int) -> None:
    lines, limits = Lines.of(data), Limits.of(tokens)
    assert plain_chunks(lines, limits) == plain_chunks_in_python(lines, limits)


@given(TEXTS | INDENTED, st.integers(1, 40))
@example(b"", 1)
@example(b"\n \n", 1)
@example("é".encode() * 50, 1)
@example(b"\x80" * 50, 1)
@example(b"a" * 500 + b" " * 500 + b"a\r\n", 5)
def test_texts_are_cut_alike(data: bytes, tokens: int) -> None:
    check(data, tokens)


def test_real_files_are_cut_alike() -> None:
    for text in real_texts():
        check(text, 250)
        check(text, 20)


@pytest.mark.parametrize(
    ("starts", "sums"),
    [
        ([], []),
        ([0], [0]),
        ([0, 5], [0, 4]),
        ([0, 5, 11], [0, 4, 8]),
        ([1, 5, 10], [0, 4, 8]),
        ([0, 12, 10], [0, 4, 8]),
        ([0, 5, 10], [0, 4]),
        ([0, 5, 10], [0, 9, 8]),
        ([0, "5", 10], [0, 4, 8]),
        ([0, 5, 10], [0, 2**70, 8]),
    ],
)
def test_lines_that_are_not_those_of_the_text_are_refused(starts: list[int], sums: list[int]) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        compiled.ranges(b"f(x)\nf(y)\n", starts, sums, {}, 3, 1, 4)


def test_chunks_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="not the lines"):
        compiled.ranges(b"f(x)\nf(y)\n", [0, 5, 10], [0, 4, 8], {}, 0, 0, 0)
