"""The collections of a shared index, and whether those on a server are ours.

Milvus wants a vector in every collection, and has no numbers smaller than those of a float in all of its forms.
"""

from typing import Any

import msgspec

from lurcher_index.errors import RemoteBusy, RemoteError, RemoteUnknown
from lurcher_index.remote.engines.milvus.client import Client, Row
from lurcher_index.remote.engines.milvus.keys import KEY_LENGTH
from lurcher_index.remote.engines.milvus.notes import About, read_about, write_about

LAYOUT_VERSION = 1
"""Raise it when fields, keys or numbers of terms change."""

CHUNKS = "lurcher_chunks"
VERSIONS = "lurcher_versions"
COUNTS = "lurcher_counts"
NOTES = "lurcher_notes"

MOST_TEXT = 65_535
"""Longest text that Milvus takes, in bytes."""

MOST_NUMBERS = 32_768
"""Longest vector that Milvus takes; the shortest has 2 numbers."""

PLACEHOLDER = [0.0, 0.0]
"""The vector of rows that need none."""


def prepare(client: Client, dimension: int) -> None:
    """Create what is missing."""
    if not 0 <= dimension <= MOST_NUMBERS:
        raise RemoteError(f"{client.where} can hold vectors of up to {MOST_NUMBERS} numbers; choose another model")
    client.make_database()
    about = read_layout(client)
    if about is not None and dimension and about.dimension != dimension:
        if about.dimension or client.rows(CHUNKS, 'id != ""', ["id"], limit=1):
            raise RemoteError(
                f"{client.where} holds vectors of {about.dimension} numbers, and this model makes {dimension};"
                " publish with the model of the others, or into another database: put its name behind the address"
            )
        client.drop(CHUNKS)
        about = None
    elif about is not None:
        return
    for collection, fields, indexes in _collections(dimension):
        if not client.exists(collection):
            _create(client, collection, fields, indexes)
    # Last of all: whoever finds it finds everything.
    write_about(client, NOTES, About(LAYOUT_VERSION, dimension))


def _create(client: Client, collection: str, fields: list[dict[str, Any]], indexes: list[dict[str, Any]]) -> None:
    try:
        client.create(collection, fields, indexes)
    except RemoteError:
        if client.exists(collection):
            # Its indexes may not be there yet: whoever is creating it says when he is done.
            raise RemoteBusy(f"somebody else is preparing {client.where} just now; try again in a moment") from None
        raise


def read_layout(client: Client) -> About | None:
    """What the server holds; None if nothing. What another version of ours made is refused."""
    if not client.exists(NOTES):
        return None
    about = read_about(client, NOTES)
    if about is not None and about.version != LAYOUT_VERSION:
        raise RemoteError(
            f"the shared index in {client.where} has format {about.version}, this Lurcher knows {LAYOUT_VERSION}; "
            + (
                "update Lurcher here"
                if about.version > LAYOUT_VERSION
                else "drop its collections `lurcher_…` and publish anew"
            )
        )
    return about


def needed_layout(client: Client) -> About:
    """What the server holds, which has to be something."""
    about = read_layout(client)
    if about is None:
        raise RemoteUnknown(f"{client.where} holds no shared index; publish something first")
    return about


def checked(row: Row, kind: type[Any], where: str) -> Any:
    """A row that came back as a value of ours; a server may answer anything."""
    try:
        return msgspec.convert(row, kind, strict=True)
    except msgspec.ValidationError:
        raise RemoteError(f"{where} answered with something that no shared index holds; publish anew") from None


_KEY = {"name": "id", "type": "VARCHAR", "is_primary": True, "max_length": KEY_LENGTH + 16}
_REPOSITORY = {"name": "repository", "type": "VARCHAR", "is_partition_key": True, "max_length": KEY_LENGTH}
_VECTOR = {"name": "vector", "type": "FLOAT_VECTOR", "dim": len(PLACEHOLDER)}
_FLAT = {"field_name": "vector", "index_type": "FLAT", "metric_type": "IP"}
_HNSW = {"field_name": "vector", "index_type": "HNSW", "metric_type": "IP", "params": {"M": 16, "efConstruction": 200}}
_SPARSE = {"index_type": "SPARSE_INVERTED_INDEX", "metric_type": "IP"}


def _text(name: str, longest: int) -> dict[str, Any]:
    return {"name": name, "type": "VARCHAR", "max_length": longest}


def _numbers(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "type": "INT64"} for name in names]


def _collections(dimension: int) -> list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]:
    file = [_text("path", MOST_TEXT), _text("content", 128)]
    chunk = [
        *file,
        _text("language", 64),
        _text("digest", 128),
        *_numbers("first_line", "last_line", "since", "until"),
        {"name": "embedded", "type": "BOOL"},
        _VECTOR | {"dim": dimension or len(PLACEHOLDER)},
        {"name": "words", "type": "SPARSE_FLOAT_VECTOR"},
    ]
    counts = [*_numbers("bucket", "generation"), {"name": "folded", "type": "BOOL"}]
    return [
        (CHUNKS, [_KEY, _REPOSITORY, *chunk], [_HNSW, _SPARSE | {"field_name": "words"}]),
        (
            VERSIONS,
            [
                _KEY,
                _REPOSITORY,
                _text("file", KEY_LENGTH),
                *file,
                *_numbers("chunks", "since", "until", "state"),
                _VECTOR,
            ],
            [_FLAT],
        ),
        (
            COUNTS,
            [_KEY, _REPOSITORY, *counts, {"name": "counts", "type": "SPARSE_FLOAT_VECTOR"}],
            [_SPARSE | {"field_name": "counts"}],
        ),
        (NOTES, [_KEY, _REPOSITORY, _text("kind", 16), _text("body", MOST_TEXT), _VECTOR], [_FLAT]),
    ]
