"""Whether a text says what was asked word for word: who pastes a message has found the place that it stands in."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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

MOSTLY = 0.5
"""Share of the question's telling words from which a text that says them is what was asked for."""

MOST_RUNS = 128
"""Runs of a question that are looked for; of a longer one, as of a pasted log, the first and the last ones: in a
traceback the message stands at one of its ends."""

LETTERS = 2
"""Of a word that says something: numbers of versions and addresses are no words."""

MOST_NAMES = 1
"""Dotted names in a run, such as those of modules: code is full of them, and nobody made them up to say something."""

_FILLING = frozenset(word.encode() for word in QUESTION_WORDS)
_ADDRESS = re.compile(
    r"\b\w{1,12}://\S+|(?<![^\s('\"])[^\s/]{0,80}/[^\s/]{1,80}/\S*"
    # Of Windows: with a drive or a server, also where programs print each backslash twice. What has neither may as well
    # be text with line ends that are written as such.
    r"|(?<!\w)[A-Za-z]:[\\/]\S+|(?<![^\s('\"`\[<=])\\{2,4}[^\s\\]+\\\S+"
)
"""Of the web, or of a file that is not beside: what a program fills in, or where it is written."""
_DOTTED_NAME = re.compile(r"(\b\w{1,60}(?:\.\w{1,60}){2,})")


class Run(NamedTuple):
    """What has to stand in a text, word for word."""

    words: tuple[bytes, ...]
    telling: frozenset[int]
    """Which of the question's telling words it has, counted from 0."""
    is_long: bool


class Runs(NamedTuple):
    """What of a question may stand in a text word for word."""

    every: tuple[Run, ...] = ()
    telling: int = 0
    """How many words of the question say something."""


class Saying(NamedTuple):
    """What a text says of a question word for word."""

    words: str = ""
    """The first run of the question that stands in it; empty if none does."""
    share: float = 0.0
    """Of the question's telling words, those that stand in it in a row with others."""


class _Said(NamedTuple):
    """A word of a question, or a dotted name, whose parts are one thing that somebody said."""

    words: tuple[bytes, ...]
    tells: bool
    is_name: bool


def runs_of(question: str) -> Runs:
    """Each run of a question with so many telling words, and each long one. None goes over an address: what stands on
    its two sides was never said in a row."""
    pieces = [_said(piece) for piece in _ADDRESS.split(without_places(question))]
    short: list[Run] = []
    long: list[Run] = []
    before = 0
    for said in pieces:
        short += _rows(said, IN_A_ROW, before)
        long += _rows(said, LONG, before)
        before += sum(each.tells for each in said)
    return Runs(_outer(short) + _outer(long), before)


def said_by(texts: Sequence[bytes], runs: Runs) -> list[Saying]:
    """What each of some texts says of a question that next to no other says, or at length."""
    said: dict[Run, list[int]] = {}
    for at, text in enumerate(texts):
        for run in _standing_in(text.lower(), runs.every):
            said.setdefault(run, []).append(at)
    found: dict[int, list[Run]] = {}
    for run in runs.every:
        places = said.get(run, ())
        for at in places if len(places) <= MOST_TEXTS or run.is_long else ():
            found.setdefault(at, []).append(run)
    return [_saying(found[at], runs.telling) if at in found else Saying() for at in range(len(texts))]


def _saying(found: Sequence[Run], telling: int) -> Saying:
    told = frozenset[int]().union(*(run.telling for run in found))
    return Saying(b" ".join(found[0].words).decode("utf-8", "replace"), len(told) / telling)


def _said(text: str) -> list[_Said]:
    said: list[_Said] = []
    # Between names, which are every second part.
    for at, part in enumerate(_DOTTED_NAME.split(text)):
        words = _words(part.encode("utf-8", "replace").lower())
        if at % 2:
            said.append(_Said(tuple(words), any(map(_tells, words)), is_name=True))
        else:
            said += [_Said((word,), _tells(word), is_name=False) for word in words]
    return said


def _rows(said: Sequence[_Said], count: int, before: int) -> Iterator[Run]:
    """All that begin and end with a telling word and have so many of them; `before` were told before."""
    telling = [at for at, each in enumerate(said) if each.tells]
    for number, (first, last) in enumerate(zip(telling, telling[count - 1 :], strict=False), before):
        row = said[first : last + 1]
        if sum(each.is_name for each in row) <= MOST_NAMES:
            words = tuple(word for each in row for word in each.words)
            yield Run(words, frozenset(range(number, number + count)), count >= LONG)


def _outer(runs: Sequence[Run]) -> tuple[Run, ...]:
    half = MOST_RUNS // 2
    return tuple(runs) if len(runs) <= MOST_RUNS else (*runs[:half], *runs[-half:])


def _standing_in(lower: bytes, runs: Sequence[Run]) -> list[Run]:
    # Most texts lack the words, and that is told much quicker than in which order they come.
    likely = [run for run in runs if run.words[0] in lower and run.words[-1] in lower]
    if not likely:
        return []
    said = _between_blanks(_words(lower))
    return [run for run in likely if _between_blanks(run.words) in said]


def _tells(word: bytes) -> bool:
    return word not in _FILLING and sum(map(str.isalpha, word.decode("utf-8", "replace"))) >= LETTERS


def _words(text: bytes) -> list[bytes]:
    return blanked(text).split()


def _between_blanks(words: Sequence[bytes]) -> bytes:
    return b" %s " % b" ".join(words)
