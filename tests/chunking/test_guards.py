"""What no grammar is given."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.chunking import guards
from lurcher_index.chunking.lines import Lines


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("(\n" * 1_000 + ")\n" * 1_000, False),
        ("(\n" * 1_001 + ")\n" * 1_001, True),
        ("()\n[{}]\n" * 5_000, False),
        (")\n" * 2_000 + "(\n" * 2_000, False),
        ("{[()()]}\n" * 5_000 + "(\n" * 1_001, True),
        (("(" * 20 + ")" * 20 + "\n") * 500, False),
    ],
)
def test_brackets_are_nested_a_thousand_deep_at_most(text: str, refused: bool) -> None:
    assert bool(guards.refusal(Lines.of(text.encode()), "python")) is refused


@given(st.text(alphabet="([{)]} "))
def test_the_quick_look_at_brackets_agrees_with_counting_them(text: str) -> None:
    deepest = max(accumulate((letter in "([{") - (letter in ")]}") for letter in text), default=0)
    with pytest.MonkeyPatch.context() as patch:
        for limit in (0, 1, 2, 3, 5):
            patch.setattr(guards, "MAX_DEPTH", limit)
            patch.setattr(guards, "_ROUNDS", 3)
            assert bool(guards.refusal(Lines.of(text.encode()), "python")) is (deepest > limit)
