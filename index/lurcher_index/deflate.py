"""How small blobs are packed before they are stored."""

import zlib

TINY_BYTES = 256
"""Up to this a blob is kept as it is: packed it would be hardly smaller, for ten times the work."""

LARGE_BYTES = 16_384
"""From here on more memory for the work makes it quicker. Below, to clear that memory takes longer than the packing."""

_LEVEL = 1
"""The quickest: what is saved by the others is little."""

_WINDOW_BITS = 14
"""Half of the usual window, for the same reason: blobs of one or two KB are as small, in half of the time."""


def deflated(data: bytes) -> bytes:
    """The bytes as `zlib.decompress` takes them."""
    if len(data) < TINY_BYTES:
        packer = zlib.compressobj(0, zlib.DEFLATED, 9, 1)
    else:
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, 6 if len(data) < LARGE_BYTES else 8)
    return packer.compress(data) + packer.flush()
