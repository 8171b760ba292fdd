"""Server-sent events out of bytes, as they arrive."""

from collections.abc import Iterable, Iterator

import msgspec

from lurcher_index.errors import RemoteUnreachable

MAX_EVENT_BYTES = 16 << 20
"""Largest event that is kept in memory: Sourcegraph sends its matches in portions of far below a megabyte."""


class Event(msgspec.Struct, frozen=True):
    """One event."""

    name: str
    data: bytes


def events_of(blocks: Iterable[bytes], who: str) -> Iterator[Event]:
    """The events of a stream, each as soon as it is whole; half an event at the end is none."""
    name, data, size = "", list[bytes](), 0
    for line in _lines(blocks, who):
        if not line:
            if data:
                yield Event(name or "message", b"\n".join(data))
            name, data, size = "", [], 0
            continue
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"event":
            name = value[:64].decode("utf-8", "replace")
        elif field == b"data":
            size += len(value)
            data.append(value)
            if size > MAX_EVENT_BYTES:
                raise RemoteUnreachable(f"{who} sends an event of more than {MAX_EVENT_BYTES:,} bytes")


def _lines(blocks: Iterable[bytes], who: str) -> Iterator[bytes]:
    """Lines that end with a line feed, after a carriage return or not."""
    begun: list[bytes] = []
    size = 0
    for block in blocks:
        *whole, rest = block.split(b"\n")
        for line in whole:
            yield b"".join([*begun, line]).removesuffix(b"\r")
            begun, size = [], 0
        begun.append(rest)
        size += len(rest)
        if size > MAX_EVENT_BYTES:
            raise RemoteUnreachable(f"{who} sends a line of more than {MAX_EVENT_BYTES:,} bytes")
