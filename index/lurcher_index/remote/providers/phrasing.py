"""Words and filters of a question as patterns in which nothing that somebody wrote is an operator."""

from collections.abc import Iterable
from urllib.parse import quote

import msgspec

from lurcher_index.chunking.languages import LANGUAGES

MOST_CHARACTERS = 6_000
"""Longest list of words that is sent, as it would stand in an address: servers take 8,192 characters of one in all."""

SHORT_WORD = 3
"""Words below this many letters are left out if there are longer ones: these servers find text by its trigrams."""

_HEADERS = frozenset({"c", "cpp", "objective-c"})
"""Languages that `.h` may be; which one, only the text tells."""


class Phrased(msgspec.Struct, frozen=True):
    """Words that are sent."""

    words: tuple[str, ...]
    alerts: tuple[str, ...] = ()


def phrased(words: Iterable[str], most: int = MOST_CHARACTERS) -> Phrased:
    """The words that are worth sending, each once and in their order, as many as fit."""
    cleaned = dict.fromkeys(_cleaned(word) for word in words)
    whole = [word for word in cleaned if word]
    long = [word for word in whole if len(word) >= SHORT_WORD or not word.isascii()]
    kept: list[str] = []
    size = 0
    for word in long or whole:
        size += len(quote(literal(word), safe="")) + len("+or+")
        if size > most:
            return Phrased(tuple(kept), ("the question is too long for the remote search; its end was not sent",))
        kept.append(word)
    return Phrased(tuple(kept))


def literal(text: str, plain: str = "_") -> str:
    """A regular expression (RE2) that matches a text and has no character but letters, digits, `plain`, and escapes.

    So it holds neither blanks nor quotes, brackets, colons or hyphens, with which query languages are made.
    """
    return "".join(each if each.isalnum() or each in plain else f"\\x{{{ord(each):x}}}" for each in text)


def exactly(name: str) -> str:
    """A regular expression for one repository and no other."""
    return f"^{literal(name, '_/-')}$"


def below_folder(folder: str) -> str:
    """A regular expression for the paths in a folder."""
    return f"^{literal(folder.strip('/'), '_/-')}/"


def in_languages(languages: Iterable[str]) -> str:
    """A regular expression for the paths of files in some languages, by our own table; empty for all.

    Files that only their first line tells, as scripts without an ending, are not found by it.
    """
    wanted = set(languages)
    endings: list[str] = ["h"] if wanted & _HEADERS else []
    names: list[str] = []
    for row in LANGUAGES:
        if row.id in wanted:
            wanted.discard(row.id)
            endings += row.endings.split()
            names += row.files.split()
    if wanted or not (endings or names):
        return ""  # One that has no files of its own: whoever gets the answer filters.
    choices = [f"\\x{{2e}}{literal(ending)}" for ending in endings] + [f"(^|/){literal(name)}" for name in names]
    return f"({'|'.join(choices)})$"


def _cleaned(word: str) -> str:
    whole = word.encode("utf-8", "ignore").decode()
    return "".join(each if each.isprintable() else " " for each in whole).strip()
