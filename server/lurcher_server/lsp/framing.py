"""Cuts a stream of bytes into LSP messages, and finds its way again after a broken header."""

import re
from collections.abc import Iterator

import msgspec

MAX_HEADER_BYTES = 8 * 1024
"""Largest header; real ones have 25 to 100 bytes, HTTP servers commonly allow 8 KiB."""

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""Largest message that is kept. A whole file of the largest indexed size, 1.5 MiB, is at most 9 MiB as escaped JSON."""

MAX_SKIPPED_BYTES = 1024 * 1024 * 1024
"""Largest message that is skipped; a length beyond this is taken for a broken header rather than waited for."""

_PLAIN = re.compile(rb"Content-Length: (\d{1,8})\r\n\r\n")
"""The header nearly every client sends, so that it costs one match."""

_END = re.compile(rb"\r?\n\r?\n")
_HEADER_START = re.compile(rb"content-length[ \t]{0,8}:[ \t]{0,8}\d", re.IGNORECASE)
_HEADER_START_BYTES = 32
"""At least the length of what `_HEADER_START` matches, so that one cut in two by the stream is still found."""

_HTTP = re.compile(rb"[A-Z]{3,7} [/*h]")
_CHARSET = re.compile(r"charset\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)
_CHARSETS = ("utf-8", "utf8")


class Rejected(msgspec.Struct, frozen=True):
    """A message that was left out, and why."""

    reason: str
    fatal: bool = False
    """The other side does not speak LSP at all; nothing more comes out of this stream."""


Frame = bytes | Rejected


def write_frame(body: bytes) -> bytes:
    """The body of a message with its header in front."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class FrameSplitter:
    """Takes bytes as they come and gives whole messages. Keeps at most one message and one chunk in memory."""

    def __init__(self, max_message_bytes: int = MAX_MESSAGE_BYTES) -> None:
        """Start at the beginning of a stream."""
        self._limit = max_message_bytes
        self._buffer = bytearray()
        self._at = 0
        self._length: int | None = None
        """Length of the body that is waited for; None while in a header."""
        self._skip = 0
        """Bytes of a rejected body that are still to come."""
        self._lost = False
        """The header was broken, and the next one has not been found yet."""
        self._dead = False

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The messages that `data` completes. Take them all before more is fed."""
        self._buffer += data
        while not self._dead and (frame := self._next()) is not None:
            yield frame
        del self._buffer[: self._at]
        self._at = 0

    def _next(self) -> Frame | None:
        if self._skip:
            dropped = min(self._skip, len(self._buffer) - self._at)
            self._at += dropped
            self._skip -= dropped
        if self._skip or (self._lost and not self._find_header()):
            return None
        if self._length is None:
            rejected = self._read_header()
            if self._length is None:
                return rejected
        end = self._at + self._length
        if len(self._buffer) < end:
            return None
        body = bytes(memoryview(self._buffer)[self._at : end])
        self._at = end
        self._length = None
        return body

    def _read_header(self) -> Rejected | None:
        """Learn the length of the next body, if its header is whole and good."""
        plain = _PLAIN.match(self._buffer, self._at)
        if plain is not None and int(plain[1]) <= self._limit:
            self._length = int(plain[1])
            self._at = plain.end()
            return None
        if _HTTP.match(self._buffer, self._at):
            # A web page can make a browser post to a local port; such a body must never be taken for a message.
            self._dead = True
            return Rejected("this is a language server, not a web server", fatal=True)
        end = _END.search(self._buffer, self._at, self._at + MAX_HEADER_BYTES)
        if end is None:
            too_long = len(self._buffer) - self._at > MAX_HEADER_BYTES
            return self._lose(f"no end of a header within {MAX_HEADER_BYTES} bytes") if too_long else None
        try:
            length, charset = _parse_header(bytes(memoryview(self._buffer)[self._at : end.start()]))
        except ValueError as error:
            return self._lose(str(error))
        self._at = end.end()
        if charset not in _CHARSETS:
            self._skip = length
            return Rejected(f"messages are UTF-8, not {charset}")
        if length > self._limit:
            self._skip = length
            return Rejected(f"a message of {length} bytes is larger than the limit of {self._limit}")
        self._length = length
        return None

    def _lose(self, reason: str) -> Rejected:
        self._lost = True
        # The search for the next header starts after the first byte of this one, so it always gets on.
        self._at += 1
        return Rejected(f"broken header: {reason}")

    def _find_header(self) -> bool:
        found = _HEADER_START.search(self._buffer, self._at)
        self._lost = found is None
        self._at = max(self._at, len(self._buffer) - _HEADER_START_BYTES) if found is None else found.start()
        return found is not None


def _parse_header(block: bytes) -> tuple[int, str]:
    """Length of the body and its charset; a ValueError says what is wrong."""
    length: int | None = None
    charset = _CHARSETS[0]
    for line in block.decode("latin-1").splitlines():
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError("a line without a colon")
        name = name.strip().lower()
        if name == "content-length":
            if length is not None:
                raise ValueError("two lengths")
            length = _parse_length(value.strip())
        elif name == "content-type" and (named := _CHARSET.search(value)) is not None:
            charset = named[1].lower()
    if length is None:
        raise ValueError("no Content-Length")
    return length, charset


def _parse_length(text: str) -> int:
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SKIPPED_BYTES))
    if not digits or int(text) > MAX_SKIPPED_BYTES:
        raise ValueError("a Content-Length that is no length")
    return int(text)
