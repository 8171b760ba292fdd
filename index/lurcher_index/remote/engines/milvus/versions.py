"""Versions of files, and the order in which they and their chunks change.

A server without transactions can die between two writes. So a version says first that it is about to change (`state`),
then its chunks change, then it says that all is well. What is found in between, by the next who claims the repository,
is brought to its end, or, where chunks were to come that nobody has any more, taken back.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import groupby
from typing import Annotated

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import OPEN, Version
from lurcher_index.remote.engines.milvus.client import Client, Row, among, batches
from lurcher_index.remote.engines.milvus.keys import chunk_keys, file_key, repository_key, shown_path
from lurcher_index.remote.engines.milvus.layout import CHUNKS, PLACEHOLDER, VERSIONS, checked
from lurcher_index.remote.engines.milvus.limits import BATCH_ROWS
from lurcher_index.remote.engines.milvus.notes import Generation

File = tuple[str, bytes]
"""Path and content."""

_FIELDS = ("id", "path", "content", "chunks", "since", "until", "state")


class State(IntEnum):
    """How far a version is."""

    WHOLE = 0
    COMING_OR_GOING = 1
    """Not all of its chunks are there, and none of them shall be if nobody goes on."""
    CHANGING = 2
    """All of its chunks are there; some may have another `until`."""


class StoredVersion(msgspec.Struct, frozen=True):
    """A row of `lurcher_versions`."""

    id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    path: Annotated[str, msgspec.Meta(max_length=65_535)]
    content: Annotated[str, msgspec.Meta(pattern="^([0-9a-f][0-9a-f])*$", max_length=128)]
    chunks: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    since: Generation
    until: Generation
    state: State = State.WHOLE

    @property
    def version(self) -> Version:
        """As the interface has it."""
        return Version(shown_path(self.path), bytes.fromhex(self.content), self.since, self.chunks)


def version_rows(repository: str, versions: Iterable[StoredVersion], state: State) -> list[Row]:
    """Versions as they are stored."""
    key = repository_key(repository)
    return [
        {
            "id": each.id,
            "repository": key,
            "file": file_key(shown_path(each.path), bytes.fromhex(each.content)),
            "path": each.path,
            "content": each.content,
            "chunks": each.chunks,
            "since": each.since,
            "until": each.until,
            "state": int(state),
            "vector": PLACEHOLDER,
        }
        for each in versions
    ]


def write(client: Client, repository: str, versions: Sequence[StoredVersion], state: State) -> None:
    """Write the rows of versions."""
    rows = version_rows(repository, versions, state)
    for start in range(0, len(rows), BATCH_ROWS):
        client.upsert(VERSIONS, rows[start : start + BATCH_ROWS])


def find(client: Client, repository: str, condition: str) -> Iterator[StoredVersion]:
    """All versions of a repository that meet a condition."""
    whole = f'repository == "{repository_key(repository)}" and {condition}'
    for page in client.pages(VERSIONS, whole, _FIELDS):
        for row in page:
            yield checked(row, StoredVersion, client.where)


def stored(client: Client, repository: str, files: Sequence[File]) -> dict[File, StoredVersion]:
    """Of some files with their contents, the version of each that is open or was so last."""
    by_key = {file_key(path, content): (path, content) for path, content in files}
    found: dict[File, StoredVersion] = {}
    for some in batches(list(by_key)):
        for each in find(client, repository, f"state == {int(State.WHOLE)} and {among('file', some)}"):
            named = (each.version.path, each.version.content)
            if named not in found or found[named].until < each.until:
                found[named] = each
    return {name: found[name] for name in by_key.values() if name in found}


def set_until(client: Client, repository: str, versions: Iterable[StoredVersion], until: int) -> None:
    """Make versions end at a generation, or be open again."""
    for some in _by_chunks(versions):
        changed = [msgspec.structs.replace(each, until=until) for each in some]
        write(client, repository, changed, State.CHANGING)
        _set_chunks(client, repository, changed)
        write(client, repository, changed, State.WHOLE)


def delete(client: Client, repository: str, versions: Sequence[StoredVersion]) -> None:
    """Delete versions with their chunks."""
    write(client, repository, versions, State.COMING_OR_GOING)
    client.delete(CHUNKS, (key for each in versions for key in chunk_keys(each.id, each.chunks)))
    client.delete(VERSIONS, (each.id for each in versions))


def repair(client: Client, repository: str) -> None:
    """Bring to its end what somebody who died had begun."""
    unfinished = sorted(find(client, repository, f"state > {int(State.WHOLE)}"), key=lambda each: each.state)
    for state, some in groupby(unfinished, key=lambda each: each.state):
        versions = list(some)
        if state is State.COMING_OR_GOING:
            delete(client, repository, versions)
        else:
            _set_chunks(client, repository, versions)
            write(client, repository, versions, State.WHOLE)


def open_versions(client: Client, repository: str) -> Iterator[Version]:
    """All versions that no generation has ended."""
    for each in find(client, repository, f"until == {OPEN} and state == {int(State.WHOLE)}"):
        yield each.version


def chunk_rows(client: Client, version: StoredVersion, fields: Sequence[str]) -> list[Row]:
    """The chunks of a version as they are stored."""
    keys = chunk_keys(version.id, version.chunks)
    found = [row for page in client.by_key(CHUNKS, keys, ["id", *fields]) for row in page]
    if {row.get("id") for row in found} != set(keys) or not all(row.keys() >= {*fields} for row in found):
        raise RemoteError(f"{client.where} has lost chunks; forget the repository there and publish it anew")
    return found


def _set_chunks(client: Client, repository: str, versions: Iterable[StoredVersion]) -> None:
    key = repository_key(repository)
    rows: list[Row] = [
        {"id": chunk, "repository": key, "until": each.until}
        for each in versions
        for chunk in chunk_keys(each.id, each.chunks)
    ]
    for start in range(0, len(rows), BATCH_ROWS):
        client.upsert(CHUNKS, rows[start : start + BATCH_ROWS], partial=True)


def _by_chunks(versions: Iterable[StoredVersion]) -> Iterator[list[StoredVersion]]:
    """Some versions at a time, with not too many chunks together."""
    some: list[StoredVersion] = []
    chunks = 0
    for each in versions:
        some.append(each)
        chunks += each.chunks
        if chunks >= BATCH_ROWS or len(some) >= BATCH_ROWS:
            yield some
            some, chunks = [], 0
    if some:
        yield some
