"""Fills an engine with many repositories: a real one, and others that the server makes from it.

A team's engine holds many repositories, and a search in one of them must not be slowed down by the rest. Whoever has
no ten repositories of a hundred thousand chunks at hand copies the rows of one inside the server, which is quicker than
to publish it ten times. Equal copies would flatter the engine: pgvector stores equal vectors once. So each vector of
a copy is turned a little towards another one. Terms are numbers that no two repositories share; those of a copy that
lies in the partition of the original, and is searched through with it, become others.
"""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec
import psycopg
from benchmarks.sharing.servers import Postgres
from psycopg import sql

from lurcher_index.remote.engines.postgres.schema import INDEXES, MOST_TERMS, PARTITIONS

TURN = 0.2
"""Length of what is added to a vector of length 1: the cosine of the two is about 0.98 then, as in a fork."""

SHIFT = 500_000_003
"""Added to the numbers of terms."""

WORKERS = 4
"""Copies that are made at once, and helpers of the server while it makes an index."""

_REPOSITORY = """
    INSERT INTO lurcher.repositories (number, name, last_generation, chunks, measured, body, names, path_terms)
    OVERRIDING SYSTEM VALUE
    SELECT %(copy)s, name || '-' || %(copy)s, last_generation, chunks, measured, body, names, path_terms
    FROM lurcher.repositories WHERE number = %(original)s"""

_FILES = """
    INSERT INTO lurcher.files SELECT %(copy)s, number + %(shift)s, key, path, content, language, chunks, generations
    FROM lurcher.files WHERE repository = %(original)s"""

_CHUNKS = """
    INSERT INTO lurcher.chunks (repository, file, ordinal, first_line, last_line, digest, terms, words, vector)
    SELECT %(copy)s, file + %(shift)s, ordinal, first_line, last_line, digest,
        CASE WHEN %(renumbered)s THEN ARRAY(SELECT 1 + (t + %(terms)s) %% %(most)s FROM unnest(terms) t ORDER BY 1)
             ELSE terms END,
        words,
        l2_normalize(vector::vector + array_fill(%(turn)s::real, ARRAY[vector_dims(vector::vector)])::vector
            * coalesce(lag(vector, %(copy)s * 97) OVER (), vector)::vector)::halfvec
    FROM lurcher.chunks WHERE repository = %(original)s"""

_COUNTS = """
    INSERT INTO lurcher.terms SELECT %(copy)s,
        CASE WHEN %(renumbered)s THEN 1 + (term + %(terms)s) %% %(most)s ELSE term END, chunks
    FROM lurcher.terms WHERE repository = %(original)s"""

_SHOWN = """
    INSERT INTO lurcher.publications SELECT %(copy)s, generation, commit, branch, model, shape, files, chunks, published
    FROM lurcher.publications WHERE repository = %(original)s"""


class Built(msgspec.Struct, frozen=True):
    """One step of filling."""

    what: str
    seconds: float
    server_cpu: float
    load: float


def fill(server: Postgres, repository: str, repositories: int, searched_alone: bool) -> list[Built]:
    """Make copies of a published repository; the indexes are dropped before and created afterwards.

    `searched_alone` makes them in the partition of the original alone, the only one that is searched then.
    """
    built: list[Built] = []

    def step(what: str, work: Callable[[], object]) -> None:
        began, cpu = time.perf_counter(), server.cpu()
        work()
        built.append(Built(what, time.perf_counter() - began, server.cpu() - cpu, os.getloadavg()[0]))
        print(built[-1], file=sys.stderr, flush=True)

    url = server.connection.url
    with psycopg.connect(url, autocommit=True) as database, ThreadPoolExecutor(WORKERS) as pool:
        for name in INDEXES:
            database.execute(sql.SQL("DROP INDEX IF EXISTS lurcher.{}").format(sql.Identifier(name)))
        original = _number(database, repository)
        part = _partition(database, original)
        # One copy at least lies beside the original.
        numbers = [n for n in range(original + 1, original + 1000) if _partition(database, n) == part][:1]
        numbers += [n for n in range(original + 1, original + 1000) if n not in numbers][: repositories - 2]
        copies = [partial(_copy, url, original, n, _partition(database, n) == part) for n in numbers]
        step("rows of the copies", lambda: [done.result() for done in list(map(pool.submit, copies))])
        database.execute(sql.SQL("SET max_parallel_maintenance_workers = {}").format(WORKERS))
        for name, statement in INDEXES.items():
            beside = statement.replace("lurcher.chunks", f"lurcher.chunks_{part}").replace(name, f"{name}_{part}")
            step(f"index {name}", partial(database.execute, (beside if searched_alone else statement).encode()))
        step("statistics for the planner", lambda: database.execute("ANALYZE"))
    return built


def _copy(url: str, original: int, copy: int, renumbered: bool) -> None:
    values = {
        "original": original,
        "copy": copy,
        "shift": copy * 10**9,
        "terms": SHIFT,
        "most": MOST_TERMS,
        "turn": TURN,
        "renumbered": renumbered,
    }
    with psycopg.connect(url) as database:
        for statement in (_REPOSITORY, _FILES, _CHUNKS, _COUNTS, _SHOWN):
            database.execute(statement, values)


def _number(database: psycopg.Connection[tuple[Any, ...]], repository: str) -> int:
    row = database.execute("SELECT number FROM lurcher.repositories WHERE name = %s", (repository,)).fetchone()
    if row is None:
        raise SystemExit("nothing is published to be copied; run the step `publish` before")
    return int(row[0])


def _partition(database: psycopg.Connection[tuple[Any, ...]], number: int) -> int:
    row = database.execute(
        "SELECT part FROM generate_series(0, %s) part"
        " WHERE satisfies_hash_partition('lurcher.chunks'::regclass, %s, part, %s::int)",
        (PARTITIONS - 1, PARTITIONS, number),
    ).fetchone()
    assert row is not None, "every number has a partition"
    return int(row[0])
