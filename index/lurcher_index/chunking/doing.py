"""How much a text decides and how much it remarks, counted roughly: no grammar is asked, so every language has it.

In C: `native/src/doing.c`.
"""

from lurcher_index.native import compiled

BRANCHES = (b"if ", b"if(")
"""Where a text decides, in nearly all languages; `elif` is among it, and so is an if in a comment."""

REMARKS = (b"//", b"/*", b" * ", b"# ", b"-- ")
"""What lines of comments begin with. Some of it is code in some languages; a few too many do no harm."""


def pure_counted(text: bytes) -> tuple[int, int]:
    """How often a text decides, and how many marks of comments it has; the twin of what is compiled."""
    return sum(map(text.count, BRANCHES)), sum(map(text.count, REMARKS))


counted = compiled.counted if compiled else pure_counted
