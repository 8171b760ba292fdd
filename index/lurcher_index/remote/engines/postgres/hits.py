"""The rows that searches give: which pass the filters, and how many are fetched."""

import math
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from psycopg import sql

from lurcher_index.errors import Cancelled, RemoteError, RemoteUnknown
from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.reading import HashBytes, Number, PathBytes, shown_path
from lurcher_index.remote.engines.postgres.schema import checked
from lurcher_index.remote.engines.postgres.writing import stored_path
from lurcher_index.remote.interface import RemoteHit, Wanted

MOST_ROWS = 50_000
"""Hits that are fetched while filters that only we know refuse them."""

LARGEST_PAGE = 10_000
"""Rows that are fetched at once, about two megabytes."""


class StoredHit(msgspec.Struct, frozen=True):
    """A row that a search gives."""

    path: PathBytes
    first_line: Number
    last_line: Number
    score: float
    language: Annotated[str, msgspec.Meta(max_length=64)]
    content: HashBytes
    digest: HashBytes


class Known(msgspec.Struct, frozen=True):
    """The repository of a search."""

    number: int
    chunks: int


def known(database: Database, where: Where, shown: str) -> Known:
    """The repository, if the generation is shown in the state that this transaction sees."""
    found = database.execute(
        "SELECT r.number, r.chunks FROM lurcher.repositories r JOIN lurcher.publications p ON p.repository = r.number"
        " WHERE r.name = %s AND p.generation = %s",
        (where.repository, where.generation),
    ).fetchone()
    if found is None:
        raise RemoteUnknown(
            f"{shown} has no generation {where.generation} of {where.repository} any more; ask it again what it has"
        )
    return checked(found, Known, shown)


def conditions(wanted: Wanted) -> sql.Composed:
    """What a file `f` must be like, with the names of `values`."""
    needed = [sql.SQL("f.generations @> %(generation)s::int")]
    if wanted.languages:
        needed.append(sql.SQL("f.language = ANY(%(languages)s)"))
    if wanted.below and "" not in wanted.below:
        needed.append(
            sql.SQL(
                "EXISTS (SELECT FROM unnest(%(first)s::bytea[], %(beyond)s::bytea[]) AS b(first, beyond)"
                " WHERE f.path >= b.first AND f.path < b.beyond)"
            )
        )
    return sql.SQL(" AND ").join(needed)


def values_of(repository: Known, where: Where, wanted: Wanted) -> dict[str, Any]:
    """The values behind these names."""
    below = [stored_path(folder) for folder in wanted.below]
    return {
        "repository": repository.number,
        "generation": where.generation,
        "languages": list(wanted.languages),
        # `src/` to, and without, `src0`: zero follows the slash.
        "first": [folder + b"/" for folder in below],
        "beyond": [folder + b"0" for folder in below],
    }


def accepted(
    database: Database, query: sql.Composed, values: dict[str, Any], wanted: Wanted, shown: str
) -> list[RemoteHit]:
    """The best hits that the caller's own filter lets pass, none of them twice."""
    found: dict[tuple[str, int, int, bytes], RemoteHit] = {}
    for page in _pages(database, query, values, max(wanted.limit, 1)):
        for row in page:
            if wanted.cancelled():
                raise Cancelled("the search was cancelled")
            hit = checked(row, StoredHit, shown)
            if not math.isfinite(hit.score):
                raise RemoteError(f"{shown} answered with a score that is no number; publish anew")
            path = shown_path(hit.path)
            if wanted.accepts(path, hit.language):
                place = RemoteHit(path, hit.first_line, hit.last_line, hit.score, hit.language, hit.content, hit.digest)
                found.setdefault((path, hit.first_line, hit.last_line, hit.digest), place)
        if len(found) >= wanted.limit:
            break
    return list(found.values())[: wanted.limit]


def _pages(database: Database, query: sql.Composed, values: dict[str, Any], size: int) -> Iterator[list[Any]]:
    """Hits in order, some at a time: the first page is all that is needed, unless filters refuse much of it.

    To sort once for all pages would mean to sort everything; the best of it are found much quicker.
    """
    fetched = 0
    while fetched < MOST_ROWS:
        paged = query + sql.SQL(" LIMIT {} OFFSET {}").format(size, fetched)
        page = database.execute(paged, values).fetchall()
        fetched += len(page)
        yield page
        if len(page) < size:
            return
        size = min(4 * size, LARGEST_PAGE)
