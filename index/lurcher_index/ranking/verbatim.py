"""Whether a text says what was asked word for word: who pastes a message has found the place that it stands in."""

import re
from collections.abc import Sequence

from lurcher_index.query.error_text import without_places
from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.text.terms import blanked

IN_A_ROW = 3
"""Words that say something, one after the other, with those between them that do not. Of 804 questions of ours 116 have
such a chunk among ten, of 534 without an answer none, of 530 about other projects one. With two words it would be
chance."""

MOST_TEXTS = 2
"""Texts in which a run may stand: what stands in more is said everywhere, as an import is. A message is made in one
place, and its test may hold it too."""

LONG = 5
"""Words that say something in a row that may stand in any number of texts: nobody writes so many by chance, and a
message is in all tests of it."""

MOST_RUNS = 128
"""Runs of a question that are looked for; of a longer one, as of a pasted log, the first and the last ones: in a
traceback the message stands at one of its ends."""

LETTERS = 2
"""Of a word that says something: numbers of versions and addresses are no words."""

_FILLING = frozenset(word.encode() for word in QUESTION_WORDS)
_ADDRESS = re.compile(r"\b\w{1,12}://\S+|\b\w{1,60}(?:\.\w{1,60}){2,}")
"""Of the web, or of a module: parts of a dotted name are no words that somebody said."""

Run = tuple[bytes, ...]
"""Words one after the other."""


def runs_of(question: str) -> tuple[Run, ...]:
    """What has to stand in a text: each run of a question with so many telling words, and each long one."""
    message = _ADDRESS.sub(" ", without_places(question))
    words = _words(message.encode("utf-8", "replace").lower())
    telling = [at for at, word in enumerate(words) if _tells(word)]
    short, long = (
        [tuple(words[first : last + 1]) for first, last in zip(telling, telling[count - 1 :], strict=False)]
        for count in (IN_A_ROW, LONG)
    )
    return _outer(short) + _outer(long)


def said_by(texts: Sequence[bytes], runs: Sequence[Run]) -> list[str]:
    """What each of some texts says of a question that next to no other says, or at length; nothing if it says none of
    its runs."""
    said: dict[Run, list[int]] = {}
    for at, text in enumerate(texts):
        for run in _standing_in(text.lower(), runs):
            said.setdefault(run, []).append(at)
    found = [""] * len(texts)
    for run in runs:
        places = said.get(run, ())
        for at in places if len(places) <= MOST_TEXTS or _is_long(run) else ():
            found[at] = found[at] or b" ".join(run).decode("utf-8", "replace")
    return found


def _outer(runs: Sequence[Run]) -> tuple[Run, ...]:
    half = MOST_RUNS // 2
    return tuple(runs) if len(runs) <= MOST_RUNS else (*runs[:half], *runs[-half:])


def _standing_in(lower: bytes, runs: Sequence[Run]) -> list[Run]:
    # Most texts lack the words, and that is told much quicker than in which order they come.
    likely = [run for run in runs if run[0] in lower and run[-1] in lower]
    if not likely:
        return []
    said = _between_blanks(_words(lower))
    return [run for run in likely if _between_blanks(run) in said]


def _is_long(run: Run) -> bool:
    return sum(map(_tells, run)) >= LONG


def _tells(word: bytes) -> bool:
    return word not in _FILLING and sum(map(str.isalpha, word.decode("utf-8", "replace"))) >= LETTERS


def _words(text: bytes) -> list[bytes]:
    return blanked(text).split()


def _between_blanks(words: Sequence[bytes]) -> bytes:
    return b" %s " % b" ".join(words)
