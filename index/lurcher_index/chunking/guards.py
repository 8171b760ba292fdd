"""Texts that no grammar should be given, found before the parse by means that cannot fail themselves."""

import re
from itertools import accumulate, pairwise

from lurcher_index.chunking.lines import Lines
from lurcher_index.config import MINIFIED_LINE_CHARACTERS
from lurcher_index.native import compiled
from lurcher_index.text.lines import may_have_line_of

MAX_DEPTH = 1_000
"""Deepest nesting of brackets that is parsed: a guess far above what people write; at 750,000 a query ran over 15 s."""

YAML_COLUMNS = 120
"""Widest indentation that is given to the YAML grammar: it passed 250 levels, crashed the process at 400, and
a column can open two."""

_YAML_DEEP = re.compile(rb"^[ ?:-]{%d}" % YAML_COLUMNS, re.MULTILINE)
_OPEN, _CLOSE = b"([{", b")]}"
_STEPS = bytes.maketrans(_OPEN + _CLOSE, b"\2\2\2\0\0\0")
_PAIR = b"\2\0"
_ROUNDS = 12
_OTHERS = bytes(set(range(256)) - set(_OPEN + _CLOSE))


def refusal(lines: Lines, language: str) -> str:
    """Why a text is chunked by lines although its language has a grammar; empty if nothing speaks against a parse."""
    if _has_long_line(lines):
        return f"a line is longer than {MINIFIED_LINE_CHARACTERS:,} characters"
    if _is_deeper(lines.data, MAX_DEPTH):
        return f"brackets are nested more than {MAX_DEPTH:,} deep"
    if language == "yaml" and _YAML_DEEP.search(lines.data):
        return f"indented more than {YAML_COLUMNS} columns"
    return ""


def _has_long_line(lines: Lines) -> bool:
    """A line that files/ would refuse, too: 20 KB of `/* a ` as Python parsed for over 15 s, past a limit of 2 s."""
    starts = lines.starts
    return may_have_line_of(lines.data, MINIFIED_LINE_CHARACTERS) and any(
        end - start > MINIFIED_LINE_CHARACTERS
        and len(lines.data[start:end].decode("utf-8", "replace")) > MINIFIED_LINE_CHARACTERS
        for start, end in pairwise(starts)
    )


def pure_is_deeper(data: bytes, most: int) -> bool:
    """Whether more than `most` brackets, of whatever kinds, are open anywhere; the twin of what is compiled."""
    if sum(map(data.count, (b"(", b"[", b"{"))) <= most:
        return False
    steps = data.translate(_STEPS, _OTHERS)
    # Without its innermost pairs a text is one level less deep, and of code hardly anything is left after a few rounds.
    for taken in range(1, _ROUNDS):
        steps = steps.replace(_PAIR, b"")
        if steps.count(_PAIR[:1]) + taken <= most:
            return False
    steps = data.translate(_STEPS, _OTHERS)
    return max(accumulate(step - 1 for step in steps), default=0) > most


_is_deeper = compiled.is_deeper if compiled else pure_is_deeper
