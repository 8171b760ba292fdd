"""The pieces of a question between blanks, with the punctuation around them taken off.

Everything here looks at one short token at a time: no text, however long or odd, makes an expression slow.
"""

import re
from functools import lru_cache
from typing import NamedTuple

MAX_TOKEN_CHARACTERS = 200
"""Longer tokens are data, not names; expressions that take the square of a token's length stay harmless."""

RECENT_TEXTS = 8
"""Texts whose tokens are remembered: the rules look at one question in turn, and each wants its tokens."""

_PIECE = re.compile(r"\S+")
_OPENING = "([{<\"'`“‘«¿¡"
_CLOSING = ")]}>\"'`”’»,;:!?.…"


class Token(NamedTuple):
    """A piece of text without the punctuation around it."""

    text: str
    start: int
    end: int
    """Where it stands in the question, punctuation included: what to cut if it goes."""
    ends_clause: bool
    """Whether a comma, a full stop or the like follows."""

    @property
    def lower(self) -> str:
        """In lower case, to be compared with words."""
        return self.text.lower()


@lru_cache(RECENT_TEXTS)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text; punctuation alone is none."""
    found: list[Token] = []
    for match in _PIECE.finditer(text):
        raw = match[0]
        bare = _stripped(raw)
        if bare:
            found.append(Token(bare, match.start(), match.end(), raw[-1] in ",;:!?.…"))
    return tuple(found)


def _stripped(raw: str) -> str:
    bare = raw.lstrip(_OPENING)
    while bare and bare[-1] in _CLOSING:
        # A pair of brackets belongs to the name it follows.
        if (bare[-1] == ")" and "(" in bare) or (bare[-1] == ">" and "<" in bare):
            break
        bare = bare[:-1]
    return bare
