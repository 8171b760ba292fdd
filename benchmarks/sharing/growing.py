"""Fills milvus-lite with copies of a published repository, and asks after each one: it shows where the engine ends.

Chunks and counts of terms are read back and written under other names of a repository, each vector turned a little
towards another one, as `filling` does in PostgreSQL. Lists of versions are not copied: no question reads them.
"""

import sys
import time
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np
from benchmarks.client import percentile
from benchmarks.measure import QUERIES
from benchmarks.sharing.asking import wanted_of
from benchmarks.sharing.filling import TURN
from benchmarks.sharing.servers import Milvus

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.milvus import MilvusIndex, notes
from lurcher_index.remote.engines.milvus.address import read_address
from lurcher_index.remote.engines.milvus.client import Client, Row
from lurcher_index.remote.engines.milvus.keys import repository_key
from lurcher_index.remote.engines.milvus.layout import CHUNKS, COUNTS, NOTES
from lurcher_index.remote.engines.milvus.limits import BATCH_ROWS, Limits

ASKED = 8
"""Questions after each copy, each of them asked once before."""

PATIENT = Limits(search=600.0, write=600.0)
"""For the copies. Questions have the limits that people have."""


class Grown(msgspec.Struct, frozen=True):
    """An engine after one more copy."""

    chunks: int
    rate: float
    """Chunks a second while it was written, by the clock."""
    server_cpu: float
    """Milliseconds a chunk."""
    memory: int
    """Bytes that the server holds."""
    disk: int
    first: float
    """Seconds until the first question by words and by meaning was answered: indexes are made in memory."""
    words_p50: float
    words_p95: float
    meaning_p50: float
    meaning_p95: float
    """Milliseconds."""
    trouble: str = ""
    """Why it ends here."""


def grow(server: Milvus, repository: str, repositories: int, seconds: float, every: int) -> Iterator[Grown]:
    """The engine as it is, and after every so many copies, until there are enough, the time is over or it gives up.

    Copies that an earlier run has made are left as they are.
    """
    end = time.monotonic() + seconds
    client = Client(read_address(server.connection.url), None, PATIENT)
    try:
        (publication,) = notes.read_publications(client, NOTES, repository)[:1]
        rows = _read(client, repository)
        print(f"{len(rows):,} rows are read back", file=sys.stderr, flush=True)
        copies = range(1, repositories)
        made = [copy for copy in copies if notes.read_publications(client, NOTES, f"{repository}-{copy}")]
        total = len(rows) * (1 + len(made))
        yield _asked(server, repository, publication.generation, total, 0.0, 0.0)
        for copy in copies:
            if copy in made:
                continue
            name = f"{repository}-{copy}"
            began, cpu = time.perf_counter(), server.cpu()
            try:
                for some in _copies(rows, name, copy):
                    client.upsert(CHUNKS, some, claimed=False)
                    if time.monotonic() > end:
                        print(f"out of time at {total + len(rows):,} chunks or less", file=sys.stderr)
                        return
                _copy_counts(client, repository, name)
                client.flush(CHUNKS)
                client.upsert(NOTES, [notes.publication_note(msgspec.structs.replace(publication, repository=name))])
            except RemoteError as error:
                yield Grown(total, 0.0, 0.0, server.memory(), server.disk(), 0.0, 0.0, 0.0, 0.0, 0.0, str(error))
                return
            total += len(rows)
            spent = time.perf_counter() - began
            print(f"{total:,} chunks, {len(rows) / spent:.0f} a second", file=sys.stderr, flush=True)
            if copy % every and copy + 1 < repositories:
                continue
            grown = _asked(
                server,
                repository,
                publication.generation,
                total,
                len(rows) / spent,
                (server.cpu() - cpu) * 1000 / len(rows),
            )
            yield grown
            if grown.trouble:
                return
    finally:
        client.close()


def _read(client: Client, repository: str) -> list[Row]:
    condition = f'repository == "{repository_key(repository)}"'
    fields = ["id", "path", "content", "language", "digest", "first_line", "last_line", "since", "until", "embedded",
              "vector", "words"]  # fmt: skip
    rows: list[Row] = []
    for page in client.pages(CHUNKS, condition, fields):
        rows += [row | {"vector": np.asarray(row["vector"], np.float32)} for row in page]
    return rows


def _copies(rows: list[Row], name: str, copy: int) -> Iterator[list[Row]]:
    key = repository_key(name)
    for at in range(0, len(rows), BATCH_ROWS):
        made: list[Row] = []
        for place in range(at, min(at + BATCH_ROWS, len(rows))):
            row = rows[place]
            turned = row["vector"] + TURN * rows[place - copy * 97]["vector"]
            made.append(
                row
                | {
                    "id": blake2b(f"{copy} {row['id']}".encode(), digest_size=20).hexdigest(),
                    "repository": key,
                    "vector": turned / max(float(np.linalg.norm(turned)), 1e-9),
                }
            )
        yield made


def _copy_counts(client: Client, repository: str, name: str) -> None:
    fields = ["id", "bucket", "generation", "folded", "counts"]
    for page in client.pages(COUNTS, f'repository == "{repository_key(repository)}"', fields):
        key = repository_key(name)
        client.upsert(
            COUNTS,
            [
                row | {"repository": key, "id": blake2b(f"{name} {row['id']}".encode(), digest_size=16).hexdigest()}
                for row in page
            ],
            claimed=False,
        )


def _asked(server: Milvus, repository: str, generation: int, chunks: int, rate: float, server_cpu: float) -> Grown:
    where = Where(repository, generation)
    wanted = wanted_of(QUERIES[:ASKED])
    index: Any = MilvusIndex(server.connection.url)
    times: dict[str, list[float]] = {"by_words": [], "by_meaning": []}
    trouble = ""
    first = 0.0
    try:
        began = time.perf_counter()
        index.warm_up(where, lambda: False)
        first = time.perf_counter() - began
        for turn in range(2):
            for one in wanted:
                for way, taken in times.items():
                    began = time.perf_counter()
                    getattr(index, way)(where, one)
                    if turn:
                        taken.append((time.perf_counter() - began) * 1000)
    except RemoteError as error:
        trouble = str(error)
    finally:
        index.close()
    return Grown(
        chunks,
        rate,
        server_cpu,
        server.memory(),
        server.disk(),
        first,
        *_middle_and_slow(times["by_words"]),
        *_middle_and_slow(times["by_meaning"]),
        trouble,
    )


def _middle_and_slow(taken: list[float]) -> tuple[float, float]:
    return (percentile(taken, 0.5), percentile(taken, 0.95)) if taken else (0.0, 0.0)
