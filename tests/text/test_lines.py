"""Lines end as LSP says."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.text.lines import line_at, line_starts
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
