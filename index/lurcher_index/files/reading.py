"""One file as a document: read once and whole, decoded, its secrets masked; or the reason why not."""

import errno
import os
import stat
from hashlib import blake2b
from pathlib import Path

from lurcher_index.config import MINIFIED_AVERAGE_CHARACTERS, MINIFIED_LINE_CHARACTERS, Settings
from lurcher_index.files.decoding import decode
from lurcher_index.files.secrets import mask, secret_file
from lurcher_index.model import Document, Reason, Skip
from lurcher_index.text.lines import may_have_line_of

READ_TRIES = 4
"""How often a file is read that changes while it is read."""

# O_NONBLOCK: a pipe in the file's place must not block. O_NOFOLLOW: a link in its place must not lead elsewhere.
_FLAG_NAMES = ("O_RDONLY", "O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY", "O_NOCTTY")
_FLAGS = sum(getattr(os, name, 0) for name in _FLAG_NAMES)

# Prose and tables have long lines by nature: one paragraph, one record. They are not minified.
_LONG_LINES = (
    *(".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".tex", ".bib", ".textile", ".wiki"),
    *(".csv", ".tsv", ".po", ".pot", ".srt", ".vtt"),
    *("readme", "license", "licence", "copying", "notice", "changelog", "changes", "authors", "contributors"),
)


def read_document(path: Path | str, name: str, settings: Settings) -> Document | Skip:
    """Read `path`. `name` is its path relative to the workspace folder, which decides whether it is secret."""
    rule = secret_file(name)
    if rule:
        return Skip(Reason.SECRET, rule)
    try:
        raw = _read_whole(path, settings.max_file_bytes)
    except OSError as error:
        return Skip(Reason.UNREADABLE, _in_words(error))
    except ValueError:
        return Skip(Reason.UNREADABLE, "its name cannot be a path")
    return raw if isinstance(raw, Skip) else _document(raw, name)


def decode_document(raw: bytes, name: str, settings: Settings) -> Document | Skip:
    """`read_document` for bytes at hand, such as the unsaved text of an editor."""
    rule = secret_file(name)
    if rule:
        return Skip(Reason.SECRET, rule)
    if len(raw) > settings.max_file_bytes:
        return _too_large(len(raw), settings.max_file_bytes)
    return _document(raw, name)


def _document(raw: bytes, name: str) -> Document | Skip:
    text = decode(raw)
    if isinstance(text, str):
        return Skip(Reason.BINARY, text)
    complaint = _minified(text.data, name)
    if complaint:
        return Skip(Reason.MINIFIED, complaint)
    data, masks = mask(text.data)
    return Document(data, blake2b(raw, digest_size=16).digest(), text.encoding, masks)


def _read_whole(path: Path | str, limit: int) -> bytes | Skip:
    for _ in range(READ_TRIES):
        number = os.open(path, _FLAGS)
        try:
            before = os.fstat(number)
            if not stat.S_ISREG(before.st_mode):
                return Skip(Reason.UNREADABLE, "it is not a regular file")
            if before.st_size > limit:
                return _too_large(before.st_size, limit)
            raw = _read(number, before.st_size + 1)
            after = os.fstat(number)
        finally:
            os.close(number)
        if len(raw) == after.st_size == before.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return raw
    return Skip(Reason.UNREADABLE, "it kept changing while it was read")


def _read(number: int, most: int) -> bytes:
    """Up to `most` bytes; one read can give less than was asked for."""
    raw = os.read(number, most)
    while 0 < len(raw) < most:
        more = os.read(number, most - len(raw))
        if not more:
            break
        raw += more
    return raw


def _minified(data: bytes, name: str) -> str:
    """Why the text is taken as minified; empty if it is not. Lengths count in characters."""
    size = len(data)
    if size <= MINIFIED_AVERAGE_CHARACTERS or name.lower().endswith(_LONG_LINES):
        return ""
    end = b"\n" if b"\n" in data else b"\r"
    lines = data.count(end) + (not data.endswith(end))
    # Bytes are never fewer than characters, so the exact count is needed only for what is long in bytes.
    if size > lines * MINIFIED_AVERAGE_CHARACTERS:
        average = (len(data.decode()) - data.count(end)) // lines
        if average > MINIFIED_AVERAGE_CHARACTERS:
            return f"its lines have {average:,} characters on average; the limit is {MINIFIED_AVERAGE_CHARACTERS:,}"
    if may_have_line_of(data, MINIFIED_LINE_CHARACTERS):
        longest = max(data.split(end), key=len)
        if (count := len(longest.decode())) > MINIFIED_LINE_CHARACTERS:
            return f"a line has {count:,} characters; the limit is {MINIFIED_LINE_CHARACTERS:,}"
    return ""


def _too_large(size: int, limit: int) -> Skip:
    return Skip(Reason.TOO_LARGE, f"{size:,} bytes; the limit is {limit:,}")


def _in_words(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "it is a symbolic link"
    return (error.strerror or str(error)).lower()
