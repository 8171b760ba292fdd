"""Text into the numbers of the model's vocabulary.

The words are cut the same way for ever, whatever becomes of the search terms in `text/`: the vectors were trained with
them. As there, splitting is remembered per run of bytes, since source code repeats its names.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

PIECE_MARK = "##"
"""Begins the pieces in a vocabulary, which have other vectors than words that are spelled alike."""

INNER_WORD_LETTERS = 4
"""Whole words from this length on are found inside unknown ones (`hostname` in `gethostname`); shorter ones stand there
by chance too often."""

MAX_WORD_LETTERS = 32
"""Unknown words beyond this length are data, not names."""

MEMO_RUNS = 200_000
"""Runs remembered before the memo starts anew; about 40 MB at most."""

MEMO_RUN_BYTES = 64
"""Longer runs are not remembered: they seldom come again."""

PIECE_LETTERS = 256
"""Letters of a run beyond ASCII that are taken apart at a time; hardly a word has more."""

MAX_VOCABULARY = 1 << 16
"""Numbers are kept in 16 bits."""

Ids = NDArray[np.uint16]

_IN_WORDS = frozenset(byte for byte in range(256) if byte > 127 or chr(byte).isalnum())
_BLANK_UNLESS_WORD = bytes(byte if byte in _IN_WORDS else 32 for byte in range(256))
_PART = re.compile(r"IPv(?=[46])|OAuth|iOS|macOS|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_OTHER_SCRIPTS = "\u0370", "\u1cff"
"""From Greek on: characters without any Latin letter in them, however they are taken apart."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def runs(data: bytes) -> list[bytes]:
    """The names and numbers of a UTF-8 text, cut at everything else in ASCII, underscores as well."""
    # Turning the rest into blanks and splitting there is several times quicker than an expression.
    return data.translate(_BLANK_UNLESS_WORD).split()


def words_of(run: bytes) -> list[str]:
    """The words of a run in lower case: cut at capitals and digits, without accents."""
    text = (run if run.isascii() else plain(run)).decode("ascii")
    if text.islower() and text.isalpha():
        return [text]
    return [part.lower() for part in _PART.findall(text)]


def plain(run: bytes) -> bytes:
    """Latin letters without their marks; letters of other scripts, which no vector is known for, become blanks."""
    text = run.decode("utf-8", "replace")
    if min(text) >= _OTHER_SCRIPTS[0] and max(text) <= _OTHER_SCRIPTS[1]:
        return b""
    # In pieces: to put a long run of marks in order takes as long as its length squared. They go anyway.
    pieces = [text[at : at + PIECE_LETTERS] for at in range(0, len(text), PIECE_LETTERS)]
    letters = "".join([unicodedata.normalize("NFKD", piece) for piece in pieces])
    return _NOT_ASCII.sub(" ", "".join([letter for letter in letters if not unicodedata.combining(letter)])).encode()


class Tokens:
    """Gives the numbers of a text's words; a word that is not in the vocabulary is put together from its pieces."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """A word's number is its place; pieces begin with `PIECE_MARK`."""
        numbers = {word: number for number, word in enumerate(vocabulary)}
        if len(numbers) != len(vocabulary) or len(vocabulary) > MAX_VOCABULARY:
            raise ValueError(f"a vocabulary has up to {MAX_VOCABULARY:,} different words")
        self._memo = _Memo(numbers)

    def numbers(self, data: bytes) -> Ids:
        """The numbers of the words of a UTF-8 text, in order."""
        return np.frombuffer(self.packed(data), dtype=np.uint16)

    def packed(self, data: bytes) -> bytes:
        """The same as bytes, two a number, which are joined quicker than anything else."""
        memo = self._memo
        if len(memo) > MEMO_RUNS:
            memo.clear()
        return b"".join(map(memo.__getitem__, runs(data)))


class _Memo(dict[bytes, bytes]):
    """Run of bytes → the numbers of its words, packed."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__()
        self._numbers = numbers
        self._longest = max(map(len, numbers), default=0)

    def __missing__(self, run: bytes) -> bytes:
        numbers = [number for word in words_of(run) for number in self._numbers_of(word)]
        found = np.array(numbers, dtype=np.uint16).tobytes()
        if len(run) <= MEMO_RUN_BYTES:
            self[run] = found
        return found

    def _numbers_of(self, word: str) -> Iterator[int]:
        number = self._numbers.get(word)
        if number is not None:
            yield number
        elif len(word) <= MAX_WORD_LETTERS and not word.isdigit():
            yield from self._pieces(word)

    def _pieces(self, word: str) -> Iterator[int]:
        """The longest known part first at every place; letters that begin none are left out."""
        at = 0
        while at < len(word):
            for end in range(min(len(word), at + self._longest), at, -1):
                part = word[at:end]
                number = self._numbers.get(part) if end - at >= INNER_WORD_LETTERS else None
                if number is None:
                    number = self._numbers.get(PIECE_MARK + part)
                if number is not None:
                    yield number
                    at = end
                    break
            else:
                at += 1
