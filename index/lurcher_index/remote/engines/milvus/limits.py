"""How long and how much at once."""

from typing import Protocol

import msgspec

BATCH_BYTES = 4 << 20
"""Rows sent at once. Servers take 64 MB by default; what waits in their log travels in far smaller messages."""

BATCH_ROWS = 1000
"""Rows sent at once, however small, and keys named in one filter."""

ANSWER_BYTES = 64 << 20
"""Largest answer that is read: 16,384 hits take 10 MB."""

MOST_HITS = 16_384
"""More than this no Milvus gives for one search."""


class Limits(msgspec.Struct, frozen=True):
    """Seconds."""

    connect: float = 5.0
    search: float = 10.0
    """For one request of a search."""
    first: float = 600.0
    """For the first search of what was published, by whoever published it: milvus-lite takes a minute for 100,000
    chunks on a busy machine."""
    write: float = 60.0
    """For one request of a publish."""
    claim: float = 60.0
    """How long a claim outlives whoever held it. It is renewed three times as often. Clocks of those who publish to one
    repository must not differ by more than half of it."""


class Token(Protocol):
    """Something that keeps a secret until it is asked for."""

    def reveal(self) -> str:
        """The secret itself."""
        ...
