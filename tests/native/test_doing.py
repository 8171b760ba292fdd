"""Branches and marks of comments are counted alike by what is compiled and by Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled
from tests.native.texts import TEXTS, real_texts

from lurcher_index.chunking.doing import pure_counted
from lurcher_index.native import compiled

MARKS = st.lists(st.sampled_from([b"i", b"f", b" ", b"(", b"/", b"*", b"#", b"-", b"\n", b"\0", b"\xc3\xa9"]))


@needs_compiled
@given(st.one_of(MARKS.map(b"".join), TEXTS))
def test_counted_by_what_is_compiled(text: bytes) -> None:
    assert compiled.counted(text) == pure_counted(text)


@needs_compiled
def test_real_texts_have_the_same_counts() -> None:
    for text in real_texts():
        assert compiled.counted(text) == pure_counted(text)


@needs_compiled
def test_only_bytes_are_counted() -> None:
    with pytest.raises(TypeError, match="in bytes"):
        compiled.counted("text")  # type: ignore[arg-type]
