"""How well the name of a definition fits a question: the levels of seed 002."""

from collections.abc import Sequence

EXACT = 0.95
"""The name is the question: `parse_header`, `parseHeader` or `ParseHeader` for "parse header"."""

SUBSTRING = 0.85
"""The question stands in the name: `parse_header_line`."""

ALL_TERMS = 0.75
"""The name has every word of the question, in any order: `header_parser`."""

PARTIAL = 0.55
PARTIAL_RANGE = 0.15
"""The name has some of the words: at least the one, and the other for all of them."""

SUBSTRING_LETTERS = 3
"""Shortest question that is looked for inside names; two letters stand in very many."""


def flat(text: str) -> str:
    """Letters and digits alone, in lower case: what is left of a name however it is written."""
    return "".join(filter(str.isalnum, text)).casefold()


def symbol_score(question: str, stems: Sequence[str], name: str, parts: Sequence[str]) -> float:
    """The level of a name, from 0 to 0.95. `question` is flat; `stems` and `parts` are the words of both as stems."""
    own = flat(name)
    if not question or not own:
        return 0.0
    if own == question:
        return EXACT
    if len(question) >= SUBSTRING_LETTERS and question in own:
        return SUBSTRING
    there = sum(stem in parts for stem in stems)
    if not there:
        return 0.0
    return ALL_TERMS if there == len(stems) else PARTIAL + PARTIAL_RANGE * there / len(stems)
