"""Secrets inside a text: found by cheap probes first, replaced by asterisks of the same length."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator

from lurcher_index.files import secret_rules as shapes
from lurcher_index.files.secret_names import secret_file
from lurcher_index.model import Mask
from lurcher_index.native import compiled
from lurcher_index.text.lines import line_at, line_starts

__all__ = ["mask", "secret_file"]

Span = tuple[int, int, str]
"""Start, end and rule name of a secret."""

MIN_ENTROPY = 3.0
"""Bits per character that a value must have to look random; English words have about 2.5 at these lengths."""

_PLACEHOLDER = re.compile(
    rb"(?i:example|change.?me|placeholder|your|xxx|\*\*\*|dummy|fake|sample|test|passw|pass$|secret|token|foobar|"
    rb"1234|abcd|api.?key|redacted|default|insert|todo|none$|null$)|^[A-Z_.-]+$|<|\$\{|\{\{|%\(|\.\.\."
)


def mask(data: bytes) -> tuple[bytes, tuple[Mask, ...]]:
    """The text with every secret replaced, and what was found. The length and all line ends stay as they are."""
    spans = sorted(_find(data))
    if not spans:
        return data, ()
    starts = line_starts(data)
    result = bytearray(data)
    masks: list[Mask] = []
    covered = 0
    for start, end, rule in spans:
        if start < covered:
            continue
        result[start:end] = _NOT_LINE_END.sub(b"*", data[start:end])
        masks.append(Mask(rule, line_at(starts, start)))
        covered = end
    return bytes(result), tuple(masks)


_NOT_LINE_END = re.compile(rb"[^\r\n]")


_PEM = b"private key"
_MARKERS = tuple(rule.marker for rule in (*shapes.OTHER_RULES, *shapes.RUN_RULES))
_WORDS = tuple(dict.fromkeys((_PEM, b"://", *_MARKERS, *shapes.KEYWORDS)))
"""What a text must hold for a rule to be worth trying."""

_RUN_TABLE = bytes(97 if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))
_RUN = b"a" * shapes.RUN


# A search for one literal costs 6 µs per 10 KB, and there are forty. The skeleton of a text, which is the text in lower
# case without its most frequent characters, is a third as long, and a literal can only stand in a text if the
# literal's skeleton stands in the text's.
_DROP = bytes(
    byte
    for byte in range(256)
    if byte >= 128 or chr(byte) in " \t\r\n\"'`()[]{},;=<>*+#!&|?$%^~0123456789eaioudlmfbEAIOUDLMFB"
)
_FOLD = bytes(range(256)).lower()


def likely_words(data: bytes) -> Collection[bytes]:
    """All of `_WORDS` that stand in a text, in any case, and perhaps some that do not."""
    skeleton = _skeleton(data)
    return [word for word, probe in _PROBES if probe in skeleton]


def _skeleton(data: bytes) -> bytes:
    return data.translate(_FOLD, _DROP)


# A skeleton of one character stands in every text; such a marker (`AKIA`) is searched for as it is.
_PROBES = tuple((word, probe if len(probe) > 1 else b"") for word in _WORDS for probe in (_skeleton(word),))
_likely: Callable[[bytes], Collection[bytes]] = compiled.Needles(_WORDS).held if compiled else likely_words


def _find(data: bytes) -> Iterator[Span]:
    likely = _likely(data)
    if _PEM in likely:
        yield from _pem_blocks(data)
    rules = [rule for rule in shapes.OTHER_RULES if rule.marker in likely]
    runs = [rule for rule in shapes.RUN_RULES if rule.marker in likely]
    if runs and _RUN in data.translate(_RUN_TABLE):
        rules += runs
    for rule in rules:
        yield from _tokens(data, rule)
    if b"://" in likely and b"@" in data:
        yield from _url_passwords(data)
    keywords = [word for word in shapes.KEYWORDS if word in likely]
    if keywords:
        yield from _assignments(data, keywords)


def _pem_blocks(data: bytes) -> Iterator[Span]:
    """Private keys. A header that is only mentioned, with no key behind it, is left alone."""
    at = data.find(b"-----BEGIN ")
    while at >= 0:
        header = shapes.PEM_BEGIN.match(data, at)
        stop = at + 11
        if header:
            # The body ends at the next dashes, so every byte is looked at once however many headers there are.
            dashes = data.find(b"-----", header.end())
            body = shapes.PEM_BODY.match(data, header.end(), dashes if dashes >= 0 else len(data))
            stop = body.end() if body else header.end()
            if shapes.PEM_RUN.search(data, header.end(), stop):
                end = shapes.PEM_END.match(data, stop)
                yield at, end.end() if end else stop, "private key"
        at = data.find(b"-----BEGIN ", stop)


def _tokens(data: bytes, rule: shapes.TokenRule) -> Iterator[Span]:
    at = data.find(rule.marker)
    if at < 0:
        return
    regex = rule.regex
    while at >= 0:
        match = regex.match(data, at)
        if match and b"EXAMPLE" not in match[1] and len(set(match[1])) > len(rule.marker) + 3:
            yield match.start(1), match.end(1), rule.name
        at = data.find(rule.marker, match.end() if match else at + 1)


def _url_passwords(data: bytes) -> Iterator[Span]:
    at = data.find(b"://")
    while at >= 0:
        match = shapes.URL_PASSWORD.match(data, at)
        if match and not _PLACEHOLDER.search(match[1]) and match[1] not in match[0][: match.start(1) - at]:
            yield match.start(1), match.end(1), "password in a URL"
        at = data.find(b"://", at + 3)


def _assignments(data: bytes, keywords: list[bytes]) -> Iterator[Span]:
    lowered = data.lower()
    for word in keywords:
        at = lowered.find(word)
        while at >= 0:
            match = shapes.ASSIGNMENT.match(data, at)
            if match:
                group = "quoted" if match["quoted"] is not None else "bare"
                if _looks_random(match[group], 8 if group == "quoted" else 20):
                    yield match.start(group), match.end(group), "secret in an assignment"
            at = lowered.find(word, at + len(word))


def _looks_random(value: bytes, least: int) -> bool:
    """Whether a value is a secret and not a word, a name, a path or a stand-in."""
    if len(value) < least or not _DIGIT.search(value) or not _LETTER.search(value) or _PLACEHOLDER.search(value):
        return False
    kinds = sum(bool(kind.search(value)) for kind in (_LOWER, _UPPER, _DIGIT, _SYMBOL))
    if kinds < (3 if len(value) < 20 else 2) or _WORDY.fullmatch(value):
        return False
    return _entropy(value) >= (MIN_ENTROPY if len(value) < 20 else MIN_ENTROPY + 0.3)


_DIGIT, _LETTER = re.compile(rb"[0-9]"), re.compile(rb"[A-Za-z]")
_LOWER, _UPPER, _SYMBOL = re.compile(rb"[a-z]"), re.compile(rb"[A-Z]"), re.compile(rb"[^A-Za-z0-9_.-]")
# Identifiers, dotted names, paths, URLs and calls: words of letters with at most a short number behind each.
_WORDY = re.compile(
    rb"(?:https?://|[@/.])?(?:[A-Z]?[a-z]{2,}+\d{0,2}|[A-Z]{2,}+\d{0,2}|v?\d{1,4}|[_./:@(){}<>\[\]?&=#%$,+*!\\-])*+"
)


def _entropy(value: bytes) -> float:
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
