"""What is searched for: a few texts out of the issue, and the structure of its code."""

import re
from collections.abc import Collection, Iterable
from itertools import count

from lurcher_index.locate.issue import Issue
from lurcher_index.locate.names import is_keyword
from lurcher_index.locate.signals import Signals
from lurcher_index.query.question_words import QUESTION_WORDS

MAX_PATTERNS = 5
"""Patterns that are tried at most; the rule's figure."""

FALLBACK_PATTERNS = 2
"""Of these, how many the fallback strategy tries; the rule's figure."""

MAX_WORDS, LEAST_WORD_CHARACTERS = 3, 4
"""If nothing else is found: so many words, longer than three characters; the rule's figures."""

LEAST_NAME_CHARACTERS = 3
"""Shorter names of functions that a snippet calls stand everywhere."""

MAX_PATTERN_CHARACTERS = 200
"""Longest text that is searched for; nobody writes a longer literal on one line."""

MAX_STRUCTURE_CHARACTERS = 2_000
"""Most code that a structure is made of."""

_WORD = re.compile(r"[^\W\d_][\w-]{3,60}")
_TOKEN = re.compile(
    r"(?P<text>\"(?:[^\"\\\n]|\\.){0,2000}\"|'(?:[^'\\\n]|\\.){0,2000}'|`(?:[^`\\]|\\.){0,2000}`)"
    r"|(?P<number>\b\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<other>\s+|.)",
    re.DOTALL,
)


def patterns_of(issue: Issue, signals: Signals, places: Collection[str] = ()) -> tuple[str, ...]:
    """Unique, never blank, at most five: literal texts, names of the prose, then what the snippet names.

    Paths among the `places` that a trace names are left out: no text holds where somebody's files lie.
    Code that names nothing is looked for by its longest line; an issue without any of this by its longer words.
    """
    named = (
        *signals.literals,
        *signals.symbols,
        *signals.variables,
        *signals.placeholders,
        *(name for name in signals.snippet_functions if len(name) >= LEAST_NAME_CHARACTERS),
        *signals.snippet_names,
    )
    longest = max(issue.snippet.splitlines(), key=len, default="") if signals.exact_code else ""
    wanted = [each for each in named if each.replace("\\", "/") not in places]
    return _distinct(wanted, MAX_PATTERNS) or _distinct([longest], 1) or _distinct(_words(issue), MAX_WORDS)


def structure_of(code: str) -> str:
    """Code with its strings, numbers and names replaced by placeholders, equal ones by equal ones.

    `if (user == "root") run(user)` becomes `if ($A == $B) $C($A)`. Empty if nothing but placeholders is left.
    """
    names = map(_letter, count())
    given: dict[str, str] = {}
    made: list[str] = []
    tells = False
    for match in _TOKEN.finditer(code.strip()[:MAX_STRUCTURE_CHARACTERS]):
        text = match[0]
        if match.lastgroup == "other" or (match.lastgroup == "name" and is_keyword(text)):
            made.append(text)
            tells = tells or not text.isspace()
            continue
        if text not in given:
            given[text] = f"${next(names)}"
        made.append(given[text])
    return "".join(made) if tells and given else ""


def plain(text: str) -> str:
    """One line of a text, without control characters: what every tool can be given as an argument."""
    line = next((line for line in re.split(r"[\r\n\0\v\f\x1c-\x1e\x85\u2028\u2029]", text) if line.strip()), "")
    shown = "".join(char for char in line if char.isprintable() or char == "\t")
    return shown.encode("utf-8", "ignore").decode()[:MAX_PATTERN_CHARACTERS].strip()


def _distinct(texts: Iterable[str], most: int) -> tuple[str, ...]:
    found: list[str] = []
    for pattern in map(plain, texts):
        if pattern and not any(_stands_in(pattern, other) for other in found):
            found.append(pattern)
            if len(found) == most:
                break
    return tuple(found)


def _stands_in(pattern: str, other: str) -> bool:
    """Whether a pattern is a whole word, or several, of another one: it would find nothing that the other does not."""
    at = other.find(pattern)
    if at < 0:
        return False
    around = other[at - 1 : at] + other[at + len(pattern) : at + len(pattern) + 1]
    return not re.search(r"\w", around)


def _words(issue: Issue) -> list[str]:
    """The longer words, those of the title first; what any sentence or any code has counts if there is nothing else."""
    words = [word for word in _WORD.findall(issue.prose) if len(word) >= LEAST_WORD_CHARACTERS]
    return [word for word in words if word.lower() not in QUESTION_WORDS and not is_keyword(word)] or words


def _letter(number: int) -> str:
    """A, B, … Z, A1, B1, …: names that ast-grep takes for placeholders."""
    turn, at = divmod(number, 26)
    return chr(ord("A") + at) + (str(turn) if turn else "")
