"""Bytes as text: is it text at all, and in which encoding? Works at every size and without a byte-order mark."""

import codecs
from typing import NamedTuple

SAMPLE_BYTES = 65_536
"""How much is looked at for control characters; binary data shows them at once."""

CONTROL_SHARE = 0.10
"""More control characters than this and it is no text. Random bytes have about 0.10 of them, text nearly none."""

UNKNOWN_CONTROL_SHARE = 0.02
"""The same for bytes that are not UTF-8, where only their absence speaks for text."""

WIDE_SHARE = 0.25
"""Share of zero bytes on one side of the pairs that makes UTF-16 without a mark likely, as in text of mostly ASCII."""

# Tab, line feed, vertical tab, form feed, carriage return and escape (terminal colours) stand in real text.
_CONTROL = bytes(sorted({*range(32), 127} - {7, 8, 9, 10, 11, 12, 13, 27}))
_CONTROL_TEXT = dict.fromkeys(_CONTROL)
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Text(NamedTuple):
    """A text as UTF-8 without a byte-order mark, and the encoding it had."""

    data: bytes
    encoding: str


def decode(raw: bytes) -> Text | str:
    """The text, or in words why these bytes are none."""
    marked = _by_mark(raw)
    if marked is not None:
        return marked
    if b"\0" in raw:
        return _wide(raw) or "it contains zero bytes"
    if _is_utf8(raw):
        return "most of it is control characters" if _control_share(raw) > CONTROL_SHARE else Text(raw, "utf-8")
    if _control_share(raw) > UNKNOWN_CONTROL_SHARE:
        return "it is not UTF-8 and contains control characters"
    return _damaged(raw) or Text(_single_byte(raw).encode(), "cp1252")


def _by_mark(raw: bytes) -> Text | str | None:
    for mark, encoding in _MARKS:
        if not raw.startswith(mark):
            continue
        body = raw[len(mark) :]
        if encoding == "utf-8":
            rest = decode(body) if not body.startswith(codecs.BOM_UTF8) else Text(body, "utf-8")
            return Text(rest.data, "utf-8-sig") if isinstance(rest, Text) and rest.encoding == "utf-8" else rest
        try:
            return _checked(body.decode(encoding), encoding) or "it starts like text and contains control characters"
        except UnicodeDecodeError:
            if encoding.startswith("utf-16"):
                # A last half character, or one lone surrogate, does not make a text unreadable.
                return _checked(body.decode(encoding, "replace"), encoding) or "it is damaged UTF-16"
    return None


def _wide(raw: bytes) -> Text | None:
    """UTF-16 without a mark: nearly all the zeros of a text with ASCII in it stand on one side of its pairs."""
    if len(raw) % 2:
        return None
    sample = raw[:SAMPLE_BYTES]
    pairs = len(sample) // 2
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    few, many = sorted((even, odd))
    if many < pairs * WIDE_SHARE or few > pairs * 0.02:
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        return _checked(raw.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _checked(text: str, encoding: str) -> Text | None:
    sample = text[:SAMPLE_BYTES]
    control = len(sample) - len(sample.translate(_CONTROL_TEXT))
    if "\0" in text or control > len(sample) * UNKNOWN_CONTROL_SHARE:
        return None
    return Text(text.encode("utf-8", "replace"), encoding)


def _is_utf8(raw: bytes) -> bool:
    if raw.isascii():
        return True
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _control_share(raw: bytes) -> float:
    sample = raw[:SAMPLE_BYTES]
    return 1 - len(sample.translate(None, _CONTROL)) / len(sample) if sample else 0.0


def _damaged(raw: bytes) -> Text | None:
    """UTF-8 with a few bad bytes, which become question marks: one per byte, so that every offset stays right."""
    text = raw.decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= char <= "\udcff" for char in text)
    good = sum(char > "\x7f" for char in text) - bad
    return Text(text.encode("utf-8", "replace"), "utf-8") if good > 4 * bad else None


def _single_byte(raw: bytes) -> str:
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
