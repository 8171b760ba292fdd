"""The body of an answer in blocks, unpacked, and no more of it than is wanted."""

import zlib
from collections.abc import Iterator

from urllib3 import BaseHTTPResponse

BLOCK = 64 << 10
"""Bytes that are read, and made of what was read, at a time."""


class Unreadable(Exception):
    """What is wrong with a body."""

    def __init__(self, why: str, *, may_pass: bool = False) -> None:
        """`may_pass`: another one may be right."""
        super().__init__(why)
        self.may_pass = may_pass


def blocks_of(response: BaseHTTPResponse, most: int) -> Iterator[bytes]:
    """The body as it arrives; an error beyond `most` bytes, packed or not: a small file can be made of terabytes."""
    packing = response.headers.get("content-encoding", "").strip().lower()
    raw = _bounded(_raw(response), most)
    if packing in ("", "identity"):
        return raw
    if packing in ("gzip", "x-gzip"):
        return _bounded(_gunzipped(raw), most)
    raise Unreadable("its answer is packed in a way that nobody asked for")


def _bounded(blocks: Iterator[bytes], most: int) -> Iterator[bytes]:
    size = 0
    for block in blocks:
        size += len(block)
        if size > most:
            raise Unreadable(f"its answer is larger than {most:,} bytes")
        yield block


def _raw(response: BaseHTTPResponse) -> Iterator[bytes]:
    while block := response.read1(BLOCK, decode_content=False):
        yield block


def _gunzipped(blocks: Iterator[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        for block in blocks:
            rest = block
            while rest:
                yield unpacker.decompress(rest, BLOCK)
                rest = unpacker.unconsumed_tail
            if unpacker.unused_data:
                raise Unreadable("its answer goes on after its end")
    except zlib.error:
        raise Unreadable("its answer is not packed as it says") from None
    if not unpacker.eof:
        raise Unreadable("its answer broke off", may_pass=True)
