"""How much a text decides and remarks."""

import pytest

from lurcher_index.chunking.doing import counted
from lurcher_index.chunking.outline import outline


@pytest.mark.parametrize(
    ("text", "branches", "remarks"),
    [
        (b"", 0, 0),
        (b"if (a) {\n} else if(b) {\n}\n", 2, 0),
        (b"elif x:\n    # why\n", 1, 1),
        (b"/** tells\n * of it\n */\nint a; // the first\n", 0, 3),
        (b"-- counts\nlocal different = 1\n", 0, 1),
        (b"notify(x)\n", 0, 0),
    ],
)
def test_branches_and_marks_of_comments_are_counted(text: bytes, branches: int, remarks: int) -> None:
    assert counted(text) == (branches, remarks)


def test_each_chunk_has_its_own() -> None:
    source = b"def f(a):\n    if a:\n        return 1\n    return 2\n\n\n# Tells of g.\ndef g():\n    return 3\n"
    first, second = outline(source, "python", chunk_tokens=14).chunks
    assert (first.branches, first.remarks) == (1, 0)
    assert (second.branches, second.remarks) == (0, 1)
