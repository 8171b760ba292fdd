"""What the owner and its worker processes say to each other, as length-prefixed MessagePack frames."""

import struct
from typing import IO

import msgspec

from lurcher_index.config import Settings
from lurcher_index.model import Skip, Value
from lurcher_index.store.outlines import Content
from lurcher_index.words.candidates import Terms

_LENGTH = struct.Struct("<I")


class Setup(Value, frozen=True, array_like=True):
    """The first frame a worker gets."""

    settings: Settings
    databases: tuple[str, ...]
    """Databases that may know a content already."""
    fingerprint: str
    niceness: int = 0
    """How far it steps back for other processes, as `nice` counts."""


class Job(Value, frozen=True, array_like=True):
    """A file to read. `number` is the owner's name for it."""

    number: int
    folder: str
    path: str
    known_hash: bytes = b""
    """Hash of the content the index has for the file; if it is still the same, nothing more is needed."""
    shown: bytes | None = None
    """The text an editor shows, as UTF-8, which counts in place of the file's."""


class Parsed(Value, frozen=True, array_like=True):
    """What became of a job. Exactly one of `content`, `skip`, `unchanged` and `gone` is set."""

    number: int
    stamp: tuple[int, int, int] = (0, 0, 0)
    """Size, modification time and time of reading, the last two in nanoseconds; taken before the file was read."""
    content: Content | None = None
    terms: tuple[Terms, ...] = ()
    data: bytes = b""
    """The document's text, if it was not read from disk: what an editor shows, with its secrets masked."""
    skip: Skip | None = None
    unchanged: bool = False
    gone: bool = False


class Jobs(Value, frozen=True, array_like=True):
    """Some jobs for one worker; it answers each by one `Parsed`, in order."""

    jobs: tuple[Job, ...]


def write_frame(stream: IO[bytes], message: msgspec.Struct) -> None:
    """Send one message."""
    body = msgspec.msgpack.encode(message)
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The bytes of the next message, or None when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None
