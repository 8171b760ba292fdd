"""Rows of chunks as COPY takes them in PostgreSQL's binary format: text would take ten times as long to write."""

import struct
from collections.abc import Mapping

import numpy as np

from lurcher_index.dense.embedder import Vectors
from lurcher_index.remote.engines.postgres.schema import MOST_TERMS

HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)
TRAILER = struct.pack("!h", -1)

_INT4 = 23
"""PostgreSQL's number of the type int4."""


def row(*fields: bytes | None) -> bytes:
    """One row of fields in their binary form."""
    parts = [struct.pack("!h", len(fields))]
    for field in fields:
        parts.append(struct.pack("!i", -1) if field is None else struct.pack("!i", len(field)) + field)
    return b"".join(parts)


def int4(value: int) -> bytes:
    """An int."""
    return struct.pack("!i", value)


def int8(value: int) -> bytes:
    """A bigint."""
    return struct.pack("!q", value)


def int4_array(values: Mapping[int, float]) -> bytes:
    """The keys as an int[]."""
    items = np.empty((len(values), 2), ">i4")
    items[:, 0] = 4
    items[:, 1] = list(values)
    return (
        struct.pack("!iiiii", 1, 0, _INT4, len(values), 1) + items.tobytes()
        if values
        else struct.pack("!iii", 0, 0, _INT4)
    )


def sparse(values: Mapping[int, float]) -> bytes:
    """A sparsevec; numbers count from 0 in this form."""
    numbers = np.fromiter(values, ">i4", len(values)) - np.int32(1)
    return (
        struct.pack("!iii", MOST_TERMS, len(values), 0)
        + numbers.astype(">i4").tobytes()
        + np.fromiter(values.values(), ">f4", len(values)).tobytes()
    )


def half(vector: Vectors) -> bytes:
    """A halfvec."""
    return struct.pack("!HH", len(vector), 0) + vector.astype(">f2").tobytes()
