"""Lines end as LSP says."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.text.lines import line_at, line_starts, may_have_line_of
from lurcher_index.text.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (b"", []),
        (b"one", [0]),
        (b"one\n", [0]),
        (b"one\ntwo", [0, 4]),
        (b"one\r\ntwo\r\n", [0, 5]),
        (b"one\rtwo", [0, 4]),
        (b"\n\n", [0, 1]),
        (b"a\r\r\nb", [0, 2, 4]),
    ],
)
def test_where_lines_start(text: bytes, starts: list[int]) -> None:
    assert line_starts(text) == starts


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b" "])).map(b"".join))
def test_every_byte_lies_on_the_line_that_the_line_ends_before_it_say(text: bytes) -> None:
    starts = line_starts(text)
    for offset in range(len(text)):
        before = len([end for end in re.finditer(rb"\r\n|\r|\n", text) if end.end() <= offset])
        assert line_at(starts, offset) == before + 1


def test_blanks_cost_no_tokens() -> None:
    assert count_tokens(b"    x = 1") == count_tokens(b"x=1")
    assert count_tokens(b"") == 0


@given(st.lists(st.integers(0, 30)), st.integers(2, 20))
def test_no_line_of_a_size_is_overlooked(lengths: list[int], size: int) -> None:
    data = b"\n".join(b"a" * length for length in lengths)
    if max(lengths, default=0) >= size:
        assert may_have_line_of(data, size)


def test_short_lines_are_told_at_once() -> None:
    assert not may_have_line_of(b"some code\n" * 1_000, 100)
    assert not may_have_line_of(b"a" * 40, 100)
