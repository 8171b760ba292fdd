"""The rows that searches give: which pass the filters, and how many are fetched."""

import math
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

PAGED_ROWS = 10_000
"""Hits that are gone through at most while filters that only we know refuse some of them."""

MORE = 4
"""How many times as many hits the next page has."""

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


class Accepted(msgspec.Struct, frozen=True):
    """Hits that pass all filters, best first."""

    hits: list[RemoteHit]
    is_settled: bool
    """Whether these are enough, or all that the search gives."""


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


def conditions(wanted: Wanted, *, chosen: bool = False) -> sql.Composed:
    """What a file `f` must be like, with the names of `values`; `chosen` if it must be one of `files`, too."""
    needed: list[sql.Composable] = [sql.SQL("f.generations @> %(generation)s::int")]
    if chosen:
        needed.append(sql.SQL("c.file = ANY(%(files)s::bigint[])"))
    if wanted.languages:
        needed.append(sql.SQL("f.language = ANY(%(languages)s)"))
    if wanted.below and "" not in wanted.below:
        # Written out: of a list of ranges the planner thinks that hardly any file is in one, and begins with files.
        ranges = [
            sql.SQL("f.path >= {} AND f.path < {}").format(sql.Placeholder(first), sql.Placeholder(beyond))
            for first, beyond in map(_names_of_range, range(len(wanted.below)))
        ]
        needed.append(sql.SQL("({})").format(sql.SQL(" OR ").join(ranges)))
    return sql.SQL(" AND ").join(needed)


def values_of(repository: Known, where: Where, wanted: Wanted) -> dict[str, Any]:
    """The values behind these names."""
    values: dict[str, Any] = {
        "repository": repository.number,
        "generation": where.generation,
        "languages": list(wanted.languages),
    }
    for place, folder in enumerate(map(stored_path, wanted.below)):
        # `src/` to, and without, `src0`: zero follows the slash.
        values |= zip(_names_of_range(place), (folder + b"/", folder + b"0"), strict=True)
    return values


def _names_of_range(place: int) -> tuple[str, str]:
    return f"first{place}", f"beyond{place}"


def accepted(database: Database, query: sql.Composed, values: dict[str, Any], wanted: Wanted, shown: str) -> Accepted:
    """The best hits that the caller's own filter lets pass, none of them twice.

    The first page is all that is needed, unless filters refuse much of it; others follow while what has passed so far
    promises that two more are enough. To sort once for all pages would mean to sort everything; the best of it are
    found much quicker.
    """
    found: dict[tuple[str, int, int, bytes], RemoteHit] = {}
    fetched, size = 0, max(wanted.limit, 1)
    while True:
        page = database.execute(query + sql.SQL(" LIMIT {} OFFSET {}").format(size, fetched), values).fetchall()
        for row in page:
            go_on(wanted)
            hit = checked(row, StoredHit, shown)
            if not math.isfinite(hit.score):
                raise RemoteError(f"{shown} answered with a score that is no number; publish anew")
            path = shown_path(hit.path)
            if wanted.accepts(path, hit.language):
                place = RemoteHit(path, hit.first_line, hit.last_line, hit.score, hit.language, hit.content, hit.digest)
                found.setdefault((path, hit.first_line, hit.last_line, hit.digest), place)
        fetched += len(page)
        is_settled = len(found) >= wanted.limit or len(page) < size
        size = min(MORE * size, LARGEST_PAGE)
        is_promising = len(found) * (fetched + size + MORE * size) >= wanted.limit * fetched
        if is_settled or not is_promising or fetched >= PAGED_ROWS:
            return Accepted(list(found.values())[: wanted.limit], is_settled)


def go_on(wanted: Wanted) -> None:
    """Raise `Cancelled` if nobody waits any more."""
    if wanted.cancelled():
        raise Cancelled("the search was cancelled")
