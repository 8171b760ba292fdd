"""Blobs come out of the store as they went in, whichever way their size has them packed."""

import random
import zlib

import pytest

from lurcher_index.deflate import LARGE_BYTES, TINY_BYTES, deflated


@pytest.mark.parametrize("size", [0, 1, TINY_BYTES - 1, TINY_BYTES, LARGE_BYTES - 1, LARGE_BYTES, 100_000])
@pytest.mark.parametrize("letters", [b"\0", b"abcd", bytes(range(256))])
def test_what_is_packed_comes_out_as_it_was(size: int, letters: bytes) -> None:
    data = bytes(random.Random(size).choices(letters, k=size))
    assert zlib.decompress(deflated(data)) == data


def test_what_repeats_itself_becomes_smaller_unless_it_is_tiny() -> None:
    assert len(deflated(b"name" * LARGE_BYTES)) < LARGE_BYTES / 10
    assert len(deflated(b"name" * 100)) < 100
    assert len(deflated(b"name" * 10)) > 40
