"""Keeps the memory of a server that runs for days from growing.

glibc raises the size from which on it gives memory back to the system whenever a larger piece is freed, up to 32 MB.
Pieces of some hundred kilobytes, such as the index of words takes while it is written, leave holes then that nothing
fits into: after 2,500 mixed requests the server had 229 MB, and was growing. With a fixed size it has 151.
"""

import ctypes

MMAP_THRESHOLD = -3
"""What glibc's `mallopt` calls that size."""

LARGE_BYTES = 512 * 1024
"""Pieces from this size on are given back when they are freed."""


def give_back_large_pieces() -> bool:
    """Fix that size; False where there is no such setting."""
    try:
        return bool(ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE_BYTES))
    except (AttributeError, OSError, TypeError):
        return False  # Another system, or another library.
