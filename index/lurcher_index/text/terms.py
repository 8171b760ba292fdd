"""Text into search terms: whole identifiers, their parts, light stems, CJK bigrams.

Splitting is remembered per identifier: source code repeats its words so often that nearly all of the work is a
dictionary look-up, 20 times quicker than splitting every occurrence. All of this is there a second time, compiled.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from lurcher_index.native import compiled

MAX_TERM_CHARACTERS = 64
"""Longer words are data (hashes, base64), not names; they would only swell the dictionary."""

MEMO_ENTRIES = 300_000
"""Identifiers remembered before the memo starts anew; about 60 MB at most, per worker, and 40 MB if compiled."""

SEARCH_MEMO_ENTRIES = 50_000
"""Words of which the terms are kept apart, for searches: the words of the passages that recent answers came from."""

_WORD = re.compile(r"\w+(?:-\w+)*")
# The names in front are written against the rules of camelCase; cut by them, `OAuthClient` would hold no "oauth".
_ASCII_PART = re.compile(r"IPv(?=[46])|OAuth|iOS|macOS|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ASCII_PART_BYTES = re.compile(_ASCII_PART.pattern.encode())
_SEPARATOR = re.compile(r"[_-]+")
_KEBAB_PART = re.compile(r"[^\W\d_]\w+")
_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3100-\u318f\u31a0-\u31bf"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
_CJK_RUN = f"[{_CJK}\U00020000-\U0003134f]+"
_UNICODE_PART = rf"{_CJK_RUN}|[0-9]+|[^\W\d_]+|\d+"


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    """One of the two above: they take 6 ms each, which no process should pay that sees nothing but ASCII."""
    return re.compile(expression)


def words(text: str) -> list[str]:
    """The identifiers, words and numbers of a text, as they are written; kebab-case names stay whole."""
    return _WORD.findall(text)


def terms(data: bytes) -> str:
    """All search terms of a UTF-8 text, separated by single blanks, in the order of the text."""
    return _memo.between(data, (0, len(data)))


def terms_between(data: bytes, borders: Sequence[int]) -> str:
    """The terms of some ranges of a text, given as a start and an end in turns: no word goes across their ends."""
    return _memo.between(data, borders)


@lru_cache(SEARCH_MEMO_ENTRIES)
def word_terms(word: str | bytes) -> tuple[str, ...]:
    """The terms of one word."""
    return tuple(terms(word.encode() if isinstance(word, str) else word).split())


@lru_cache(SEARCH_MEMO_ENTRIES)
def name_terms(name: str) -> tuple[str, ...]:
    """The terms of a name or a path, each once; the same ones come up in many answers."""
    return tuple(dict.fromkeys([term for word in words(name) for term in word_terms(word)]))


def words_of(data: bytes) -> Sequence[str | bytes]:
    """The words of a UTF-8 text in order, in whatever form is quickest; `word_terms` takes both."""
    return _runs(data) if data.isascii() else words(data.decode("utf-8", "replace"))


def analyse(word: str) -> tuple[str, tuple[str, ...]]:
    """One word as (the term for the whole of it, the terms of its parts); the whole is "" where it is no name."""
    if len(word) > 4 * MAX_TERM_CHARACTERS:
        return "", tuple(_cjk_bigrams(word))
    pieces = [piece for piece in _SEPARATOR.split(word) if piece]
    whole = word.strip("-_").lower() if "-" in word else "_".join(pieces).lower()
    bigrams = _cjk_bigrams(word) if word and max(word) >= _CJK[0] else []
    found: dict[str, None] = {}
    for piece in pieces:
        parts = _parts_of_piece(piece, bool(bigrams))
        if len(pieces) > 1 and len(parts) > 1:
            found[piece.lower()] = None
        for part in parts:
            # A lone digit says nothing, and inside a name (utf8) it is found with its neighbour.
            if not (part.isdigit() and (len(part) < 2 or len(parts) > 1)):
                found[stem(part)] = None
    found.update(dict.fromkeys(bigrams))
    if not _is_name(word, whole, bool(bigrams)):
        whole = ""
    found.pop(whole, None)
    return whole, tuple(term for term in found if len(term) <= MAX_TERM_CHARACTERS)


def name_parts(name: str) -> list[str]:
    """The words that a name is made of, in lower case and not stemmed: `get`, `http`, `headers` of `getHTTPHeaders`."""
    if len(name) > MAX_TERM_CHARACTERS:
        return []
    if name.isascii() and name.islower() and name.replace("_", "").isalpha():
        # What most names look like, a third of the time.
        return name.replace("_", " ").split()
    return [part for piece in _SEPARATOR.split(name) if piece for part in _parts_of_piece(piece)]


@lru_cache(SEARCH_MEMO_ENTRIES)
def stem(word: str) -> str:
    """A light stem of a lower-case word: plural, -ing, -ed and a final e go, so that caching finds cache."""
    if len(word) < 4 or word[-1] not in _STEMMED_ENDS or not word.isascii():
        return word
    word = _without_plural(word)
    word = _without_participle(word)
    return word[:-1] if len(word) > 4 and word[-1] == "e" else word


class _Stems(dict[bytes, bytes]):
    """ASCII part of a name, in whatever case → a blank and its stem; names are made of few words again and again."""

    def __missing__(self, part: bytes) -> bytes:
        if len(self) > MEMO_ENTRIES:
            self.clear()
        found = self[part] = b" " + stem(part.lower().decode()).encode()
        return found


class _Memo(dict[bytes, bytes]):
    """Run of bytes (see `_runs`) → its terms, each with a blank before it, so that they are joined with nothing."""

    def __missing__(self, run: bytes) -> bytes:
        found = self[run] = _terms_of_name(run) or _terms_of_any(run)
        return found


class PureTerms:
    """The twin of the compiled `Terms`, for where there is none, and what that one is compared with."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._memo = _Memo()

    def __len__(self) -> int:
        """Number of the runs that are remembered."""
        return len(self._memo)

    def between(self, data: bytes, borders: Sequence[int]) -> str:
        """See `terms_between`."""
        memo = self._memo
        if len(memo) > self._most:
            memo.clear()
        ranges = zip(borders[::2], borders[1::2], strict=True)
        text = b" ".join([data[start:end] for start, end in ranges])
        return b"".join(map(memo.__getitem__, _runs(text)))[1:].decode()


def _terms_of_name(run: bytes) -> bytes:
    """What `_terms_of_any` gives for plain names and words, as most runs are, at a fraction of its cost; else b""."""
    if len(run) > MAX_TERM_CHARACTERS:
        return b""
    if run.isalpha():
        parts = [run] if run.islower() else _ASCII_PART_BYTES.findall(run)
        whole = run.lower()
    elif (run.islower() or run.isupper()) and run.replace(b"_", b"").isalpha():
        parts = run.lower().replace(b"_", b" ").split()
        whole = b"_".join(parts)
    else:
        return b" " + run if run.isdigit() and len(run) > 1 else b""
    if len(parts) == 1:
        stemmed = _stem_of(whole)
        return stemmed if stemmed[1:] == whole else b" " + whole + stemmed
    return b"".join((b" ", whole, *dict.fromkeys(map(_stem_of, parts))))


def _terms_of_any(run: bytes) -> bytes:
    text = run.decode("utf-8", "replace")
    if text.isalpha() and text[1:].islower() and len(text) < MAX_TERM_CHARACTERS // 2 and "\x7f" < max(text) < _CJK[0]:
        # Prose of most languages beyond English: a word, which may have a capital, is one term.
        return b" " + text.lower().encode()
    # Beyond ASCII a run can hold quotes and dashes, and it can begin or end with a hyphen.
    joined = "".join(map(_spelled, words(text))) if "-" in text or not text.isascii() else _spelled(text)
    return joined.encode()


def _spelled(word: str) -> str:
    whole, parts = analyse(word)
    return " ".join(("", whole, *parts) if whole else ("", *parts))


def _runs(data: bytes) -> list[bytes]:
    """What stands between the ASCII characters that are in no word: a word, or some words and what is between them."""
    # Turning those into blanks and splitting there is several times quicker than an expression.
    return blanked(data).split()


def blanked(data: bytes) -> bytes:
    """A UTF-8 text with blanks for all ASCII characters that are in no word."""
    return data.translate(_BLANK_UNLESS_WORD)


_stems = _Stems()
_stem_of = _stems.__getitem__
# The compiled one splits ASCII by itself and asks for all else.
_memo = compiled.Terms(_terms_of_any, MEMO_ENTRIES) if compiled else PureTerms(MEMO_ENTRIES)
_IN_WORDS = frozenset(byte for byte in range(256) if byte > 127 or chr(byte).isalnum() or chr(byte) in "_-")
_BLANK_UNLESS_WORD = bytes(byte if byte in _IN_WORDS else 32 for byte in range(256))


def _is_name(word: str, whole: str, has_cjk: bool) -> bool:
    """Whether the word as a whole is worth a term: `i-1`, a lone digit and a hash of 100 characters are not."""
    if len(whole) > MAX_TERM_CHARACTERS:
        return False
    if "-" in word:
        return all(_KEBAB_PART.fullmatch(part) for part in word.split("-"))
    if has_cjk and _compiled(_CJK_RUN).fullmatch(whole):
        return False
    return len(whole) > 1 or whole.isalpha()


def _parts_of_piece(piece: str, has_cjk: bool = True) -> list[str]:
    if piece.isascii():
        if piece.islower() and piece.isalpha():
            return [piece]
        return [part.lower() for part in _ASCII_PART.findall(piece)]
    if not has_cjk and piece.isalpha() and piece.islower():
        # Prose of most languages beyond English.
        return [piece]
    parts: list[str] = []
    for run in _compiled(_UNICODE_PART).findall(piece):
        parts += [] if has_cjk and _compiled(_CJK_RUN).match(run) else [part.lower() for part in _camel_humps(run)]
    return parts


def _camel_humps(run: str) -> list[str]:
    """`straßeÖffnen` at its capitals; an acronym keeps all but the capital that starts the next word."""
    if not any(map(str.isupper, run[1:])):
        return [run]
    cuts = [0]
    for at in range(1, len(run)):
        rises = run[at].isupper() and not run[at - 1].isupper()
        ends_acronym = run[at].isupper() and at + 1 < len(run) and run[at + 1].islower()
        if rises or ends_acronym:
            cuts.append(at)
    return [run[start:end] for start, end in zip(cuts, [*cuts[1:], len(run)], strict=True)]


def _cjk_bigrams(word: str) -> list[str]:
    """Chinese, Japanese and Korean have no blanks between words; pairs of characters find any substring."""
    bigrams: list[str] = []
    for run in _compiled(_CJK_RUN).findall(word):
        bigrams += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
    return bigrams


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]


_STEMMED_ENDS = frozenset("sgde")
"""Last letters of -s, -ing, -ed and -e: all other words are their own stems."""

_NOT_PARTICIPLES = frozenset({"embed", "shed", "hundred", "sacred", "string", "during", "nothing", "something"})
_DOUBLED = frozenset({"bb", "dd", "gg", "mm", "nn", "pp", "rr", "tt"})
_VOWELS = frozenset("aeiouy")


def _without_participle(word: str) -> str:
    if word in _NOT_PARTICIPLES or word.endswith("eed"):
        return word
    root = word[:-3] if word.endswith("ing") else word[:-2] if word.endswith("ed") else word
    if root == word or len(root) < 3 or _VOWELS.isdisjoint(root):
        return word
    return root[:-1] if root[-2:] in _DOUBLED else root
