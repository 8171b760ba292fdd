"""What a publish writes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import OPEN, Publication, SharedFile, Version
from lurcher_index.remote.engines.milvus import counting, notes, versions
from lurcher_index.remote.engines.milvus.client import Client, Row
from lurcher_index.remote.engines.milvus.keys import (
    chunk_keys,
    note_key,
    repository_key,
    stored_path,
    version_key,
)
from lurcher_index.remote.engines.milvus.layout import CHUNKS, COUNTS, MOST_TEXT, NOTES, VERSIONS
from lurcher_index.remote.engines.milvus.limits import BATCH_BYTES, BATCH_ROWS
from lurcher_index.remote.engines.milvus.versions import State, StoredVersion
from lurcher_index.remote.engines.milvus.weighing import Numbering, counted, measured, stored_weights
from lurcher_index.remote.engines.vectors import check_files

ROW_BYTES = 250
"""What a chunk's row takes beside its path, its vector and its words, about."""

_COPIED = ("path", "content", "language", "digest", "first_line", "last_line", "embedded", "vector", "words")


def insert(client: Client, repository: str, generation: int, files: Sequence[SharedFile], dimension: int) -> int:
    """Write versions with all their chunks, but for those that are there; the bytes that were sent, about."""
    _check(client, files, dimension)
    notes.use_generation(client, NOTES, repository, generation)
    there = reopen(client, repository, generation, [(each.path, each.content) for each in files])
    new = {(each.path, each.content): each for each in files if (each.path, each.content) not in there}
    if not new:
        return 0
    coming = [_version(repository, generation, each) for each in new.values()]
    rows = _chunk_rows(repository, generation, coming, list(new.values()), dimension)
    return _bring(client, repository, generation, coming, rows, measured(new.values()))


def reopen(
    client: Client, repository: str, generation: int, wanted: Iterable[tuple[str, bytes]]
) -> set[tuple[str, bytes]]:
    """Make stored versions be there again; those that are stored, and those that were there all the time."""
    found = versions.stored(client, repository, list(wanted))
    ended = [each for each in found.values() if each.until != OPEN]
    if ended:
        notes.use_generation(client, NOTES, repository, generation)
        shown = [each.generation for each in notes.read_publications(client, NOTES, repository)]
        # Where no generation that is shown lies between, a version is as good as never ended.
        kept = [each for each in ended if not any(each.until <= number < generation for number in shown)]
        versions.set_until(client, repository, kept, OPEN)
        still = {each.id for each in kept}
        for each in ended:
            if each.id not in still:
                _copy(client, repository, generation, each)
    return set(found)


def end(client: Client, repository: str, generation: int, gone: Sequence[Version]) -> None:
    """Make open versions end."""
    notes.use_generation(client, NOTES, repository, generation)
    found = versions.stored(client, repository, [(each.path, each.content) for each in gone])
    still_open = [each for each in found.values() if each.until == OPEN]
    # One that began with this generation belongs to none, and is collected some time.
    versions.set_until(client, repository, still_open, generation)


def show(client: Client, publication: Publication) -> None:
    """Make a generation visible: one row."""
    repository = publication.repository
    notes.use_generation(client, NOTES, repository, publication.generation)
    replaced = [
        note_key("publication", repository, each.commit)
        for each in notes.read_publications(client, NOTES, repository)
        if each.generation == publication.generation and each.commit != publication.commit
    ]
    client.upsert(NOTES, [notes.publication_note(publication)])
    client.delete(NOTES, replaced)


def tidy(client: Client, repository: str, generation: int, *, flush: bool) -> None:
    """What makes searches of a generation quick. It is shown already: if this fails, the next publish does it."""
    try:
        counting.fold(client, repository, generation)
        if flush:
            client.flush(CHUNKS)
    except RemoteError:
        pass


def collect(client: Client, repository: str, generations: Iterable[int]) -> tuple[int, int]:
    """Forget generations, and then all versions that belong to none; how many versions and chunks went."""
    forgotten = set(generations)
    publications = notes.read_publications(client, NOTES, repository)
    client.delete(
        NOTES,
        (note_key("publication", repository, each.commit) for each in publications if each.generation in forgotten),
    )
    left = [each.generation for each in publications if each.generation not in forgotten]
    latest = max((each.generation for each in publications), default=0)
    gone = gone_chunks = 0
    unneeded = [
        each
        for each in versions.find(client, repository, f"until < {OPEN} and state == {int(State.WHOLE)}")
        if not any(each.since <= number < each.until for number in left)
    ]
    for some in _batches(unneeded):
        words = [row["words"] for each in some for row in versions.chunk_rows(client, each, ["words"])]
        versions.delete(client, repository, some)
        counting.fold(client, repository, latest, counted(words))
        gone += len(some)
        gone_chunks += len(words)
    return gone, gone_chunks


def forget(client: Client, repository: str) -> None:
    """Delete a repository: first what is shown of it; whoever dies has begun something that the next one ends."""
    key = repository_key(repository)
    notes.write_numbers(client, NOTES, repository, notes.Numbers(0, forgetting=True))
    client.delete_where(NOTES, f'repository == "{key}" and kind == "publication"')
    for collection in (CHUNKS, VERSIONS, COUNTS):
        client.delete_where(collection, f'repository == "{key}"')
    client.delete(NOTES, [note_key("numbers", repository)])


def repair(client: Client, repository: str) -> None:
    """Bring to its end what somebody who died had begun."""
    numbers = notes.read_numbers(client, NOTES, repository)
    if numbers is not None and numbers.forgetting:
        forget(client, repository)
    versions.repair(client, repository)


def _bring(
    client: Client,
    repository: str,
    generation: int,
    coming: Sequence[StoredVersion],
    rows: Iterable[Row],
    lengths: Mapping[int, int],
) -> int:
    """Write versions that are not there yet: announced first, whole at last."""
    versions.write(client, repository, coming, State.COMING_OR_GOING)
    words: list[dict[int, float]] = []
    sent = 0
    for some, size in _by_bytes(rows):
        client.upsert(CHUNKS, some)
        words.extend(row["words"] for row in some)
        sent += size
    if words:
        batch = note_key("batch", *sorted(each.id for each in coming))
        counting.add(client, repository, generation, batch, {**counted(words), **lengths})
    versions.write(client, repository, coming, State.WHOLE)
    return sent


def _copy(client: Client, repository: str, generation: int, old: StoredVersion) -> None:
    """Make a version that was there, and then was not, be there again: its chunks are read and written anew, since
    Milvus cannot copy, but nobody has to make terms and vectors again."""
    version = old.version
    new = msgspec.structs.replace(
        old, id=version_key(repository, version.path, version.content, generation), since=generation, until=OPEN
    )
    place = {"repository": repository_key(repository), "since": generation, "until": OPEN}
    by_key = {row["id"]: row for row in versions.chunk_rows(client, old, _COPIED)}
    keys = zip(chunk_keys(old.id, old.chunks), chunk_keys(new.id, new.chunks), strict=True)
    rows = [{field: by_key[was][field] for field in _COPIED} | place | {"id": now} for was, now in keys]
    # Its lengths were counted when it was sent.
    _bring(client, repository, generation, [new], rows, {})


def _version(repository: str, generation: int, file: SharedFile) -> StoredVersion:
    key = version_key(repository, file.path, file.content, generation)
    return StoredVersion(key, stored_path(file.path), file.content.hex(), len(file.chunks), generation, OPEN)


def _chunk_rows(
    repository: str, generation: int, coming: Sequence[StoredVersion], files: Sequence[SharedFile], dimension: int
) -> Iterator[Row]:
    numbering = Numbering()
    key = repository_key(repository)
    nothing = [0.0] * max(dimension, 2)
    for version, file in zip(coming, files, strict=True):
        for ordinal, (name, chunk) in enumerate(zip(chunk_keys(version.id, version.chunks), file.chunks, strict=True)):
            yield {
                "id": name,
                "repository": key,
                "path": version.path,
                "content": version.content,
                "language": file.language,
                "digest": chunk.digest.hex(),
                "first_line": chunk.first_line,
                "last_line": chunk.last_line,
                "since": generation,
                "until": OPEN,
                "embedded": file.vectors is not None,
                "vector": nothing if file.vectors is None else file.vectors[ordinal],
                "words": stored_weights(file, chunk, numbering),
            }


def _by_bytes(rows: Iterable[Row]) -> Iterator[tuple[list[Row], int]]:
    some: list[Row] = []
    size = 0
    for row in rows:
        some.append(row)
        size += ROW_BYTES + len(row["path"]) + 4 * len(row["vector"]) + 8 * len(row["words"])
        if size >= BATCH_BYTES:
            yield some, size
            some, size = [], 0
    if some:
        yield some, size


def _batches(found: Sequence[StoredVersion]) -> Iterator[list[StoredVersion]]:
    for start in range(0, len(found), BATCH_ROWS):
        yield list(found[start : start + BATCH_ROWS])


def _check(client: Client, files: Sequence[SharedFile], dimension: int) -> None:
    check_files(files, dimension, client.where)
    for each in files:
        if len(stored_path(each.path).encode()) > MOST_TEXT:
            raise RemoteError(f"a path has more than {MOST_TEXT} bytes, which {client.where} does not take; exclude it")
