"""How a chunk is shown."""

import pytest

from lurcher_index.rendering import dedented, with_source


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("    a\n    b", "a\nb"),
        ("    a\n        b\n    c", "a\n    b\nc"),
        ("  a\nb\n    c", "  a\nb\n    c"),
        ("    a\n\n    b\n", "a\n\nb\n"),
        ("\ta\n\t\tb", "a\n\tb"),
        ("\ta\n    b", "\ta\n    b"),
        ("    a\r\n    b\r\n", "a\r\nb\r\n"),
        ("", ""),
        ("\n\n", "\n\n"),
    ],
)
def test_section_7_dedent_takes_shared_blanks_and_nothing_else(code: str, shown: str) -> None:
    assert dedented(code) == shown


def test_a_fence_is_longer_than_every_fence_inside() -> None:
    text = with_source("a.md", (1, 3), None, "markdown", "````py\nx\n````")
    assert text == "a.md:1-3\n`````markdown\n````py\nx\n````\n`````"


def test_one_line_is_named_by_one_number() -> None:
    assert with_source("a.py", (7, 7), None, "python", "x\n") == "a.py:7\n```python\nx\n```"
