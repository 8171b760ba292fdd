"""Vectors out of what an endpoint answered. Nothing in it is believed before it was looked at."""

from base64 import b64decode
from binascii import Error as NotBase64

import msgspec
import numpy as np

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.vectors import unit_rows

MOST_NUMBERS = 65_536
"""Most numbers a vector may have; the largest models have 8,192."""


class BadAnswer(Exception):
    """What is wrong with an answer."""


class _Item(msgspec.Struct):
    embedding: list[float] | str
    index: int | None = None


class _Answer(msgspec.Struct):
    data: list[_Item]


def vectors_of(kind: str, body: bytes, count: int) -> Vectors:
    """The vectors of so many texts, in the order of the texts, each of length 1."""
    if kind != "application/json":
        raise BadAnswer("it is not JSON")
    try:
        items = msgspec.json.decode(body, type=_Answer).data
    except (msgspec.DecodeError, RecursionError):
        raise BadAnswer("it is not what an embedding endpoint answers") from None
    if len(items) != count:
        raise BadAnswer(f"it has {len(items)} vectors for {count} texts")
    rows = [_row(item.embedding) for item in _in_order(items)]
    if len({len(row) for row in rows}) > 1:
        raise BadAnswer("its vectors have different lengths")
    matrix = np.stack(rows) if rows else np.zeros((0, 0), np.float32)
    # The length of a row may be too large even if all its numbers are not.
    with np.errstate(over="ignore"):
        if not np.isfinite(np.linalg.norm(matrix, axis=1)).all():
            raise BadAnswer("its vectors hold what is not a number")
    return unit_rows(matrix)


def _in_order(items: list[_Item]) -> list[_Item]:
    if all(item.index is None for item in items):
        return items
    placed = {item.index: item for item in items}
    if placed.keys() != set(range(len(items))):
        raise BadAnswer("it does not say which vector belongs to which text")
    return [placed[at] for at in range(len(items))]


def _row(given: list[float] | str) -> Vectors:
    """One vector: a list of numbers or, in base64, 32 bits each."""
    if isinstance(given, str):
        try:
            decoded = b64decode(given, validate=True)
        except (NotBase64, ValueError):
            raise BadAnswer("its vectors are neither numbers nor base64") from None
        if len(decoded) % 4:
            raise BadAnswer("its vectors are neither numbers nor base64")
        row = np.frombuffer(decoded, dtype="<f4").astype(np.float32)
    else:
        with np.errstate(over="ignore"):
            row = np.array(given, dtype=np.float64).astype(np.float32)
    if not 0 < len(row) <= MOST_NUMBERS:
        raise BadAnswer(f"its vectors have {len(row)} numbers")
    return row
