"""Searches of one generation. A search is one transaction that sees one state: a whole generation, or none."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
import numpy as np
from psycopg import sql

from lurcher_index.errors import Cancelled, RemoteUnknown
from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.reading import HashBytes, Number, PathBytes, shown_path
from lurcher_index.remote.engines.postgres.schema import checked
from lurcher_index.remote.engines.postgres.weighing import Numbering, asked_numbers, rarity, sparse_text
from lurcher_index.remote.engines.postgres.writing import stored_path
from lurcher_index.remote.interface import RemoteHit, Statistics, Wanted

CANDIDATES = 20_000
"""Chunks that are scored for one question, about: those that hold its rarest terms."""

EXACT_CHUNKS = 20_000
"""Up to so many chunks a repository's vectors are compared one by one, which misses nothing."""

MOST_ROWS = 50_000
"""Hits that are fetched while filters that only we know refuse them."""


LARGEST_PAGE = 5_000
"""Rows that are fetched at once, about a megabyte."""


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


def by_words(database: Database, where: Where, wanted: Wanted, shown: str) -> list[RemoteHit]:
    """The best chunks by BM25."""
    repository = known(database, where, shown)
    asked = dict(asked_numbers(wanted.terms, Numbering(repository.number)))
    holding = _holding(database, repository.number, list(asked))
    worth = {number: asked[number] * rarity(count, repository.chunks) for number, count in holding.items()}
    worth = {number: value for number, value in worth.items() if value > 0.0}
    if not worth:
        return []
    query = sql.SQL(
        "SELECT f.path, c.first_line, c.last_line, -(c.words <#> %(worth)s::sparsevec), f.language, f.content, c.digest"
        " FROM lurcher.chunks c JOIN lurcher.files f ON f.repository = c.repository AND f.number = c.file"
        " WHERE c.repository = %(repository)s AND c.terms && %(terms)s::int[] AND {}"
        " ORDER BY c.words <#> %(worth)s::sparsevec, f.path, c.ordinal"
    ).format(_conditions(wanted))
    values = _values(repository, where, wanted) | {"worth": sparse_text(worth), "terms": rarest(holding)}
    return _accepted(database, query, values, wanted, shown)


def by_meaning(database: Database, where: Where, wanted: Wanted, shown: str) -> list[RemoteHit]:
    """The chunks whose vectors are most alike."""
    repository = known(database, where, shown)
    if wanted.vector is None:
        return []
    exact = repository.chunks <= EXACT_CHUNKS
    for setting in () if exact else _BY_INDEX:
        database.execute(setting)
    query = sql.SQL(
        "SELECT f.path, c.first_line, c.last_line, -(c.vector <#> %(vector)s::halfvec), f.language, f.content, c.digest"
        " FROM lurcher.chunks c JOIN lurcher.files f ON f.repository = c.repository AND f.number = c.file"
        " WHERE c.repository = %(repository)s AND c.vector IS NOT NULL AND {} ORDER BY {}"
    ).format(
        _conditions(wanted),
        # An expression is not what the index is over: it is not used.
        sql.SQL(
            "(c.vector <#> %(vector)s::halfvec) + 0, f.path, c.ordinal" if exact else "c.vector <#> %(vector)s::halfvec"
        ),
    )
    vector = np.asarray(wanted.vector, np.float32).reshape(-1)
    text = "[" + ",".join(f"{number:.6g}" for number in vector) + "]"
    return _accepted(database, query, _values(repository, where, wanted) | {"vector": text}, wanted, shown)


def statistics(database: Database, where: Where, terms: Iterable[str], shown: str) -> Statistics:
    """How common terms are in bodies."""
    repository = known(database, where, shown)
    numbering = Numbering(repository.number)
    numbers = {term: numbering.number("body", term) for term in terms}
    holding = _holding(database, repository.number, list(numbers.values()))
    return Statistics(repository.chunks, {term: holding.get(number, 0) for term, number in numbers.items()})


def rarest(holding: dict[int, int]) -> list[int]:
    """The terms by which candidates are found: the rarest, as long as not too many chunks hold them, one at least."""
    chosen: list[int] = []
    candidates = 0
    for number, count in sorted(holding.items(), key=lambda item: (item[1], item[0])):
        candidates += count
        if chosen and candidates > CANDIDATES:
            break
        chosen.append(number)
    return chosen


_BY_INDEX = (
    "SET LOCAL hnsw.iterative_scan = strict_order",
    "SET LOCAL hnsw.ef_search = 100",
    "SET LOCAL hnsw.max_scan_tuples = 100000",
    "SET LOCAL enable_seqscan = off",
    "SET LOCAL enable_bitmapscan = off",
    "SET LOCAL enable_sort = off",
)
"""The search goes on along the index until enough hits pass the filters."""


def _holding(database: Database, repository: int, numbers: list[int]) -> dict[int, int]:
    found = database.execute(
        "SELECT term, chunks FROM lurcher.terms WHERE repository = %s AND term = ANY(%s) AND chunks > 0",
        (repository, numbers),
    )
    return {int(term): int(chunks) for term, chunks in found}


def _conditions(wanted: Wanted) -> sql.SQL:
    conditions = "f.generations @> %(generation)s::int"
    if wanted.languages:
        conditions += " AND f.language = ANY(%(languages)s)"
    if any(wanted.below):
        conditions += (
            " AND EXISTS (SELECT FROM unnest(%(first)s::bytea[], %(beyond)s::bytea[]) AS b(first, beyond)"
            " WHERE f.path >= b.first AND f.path < b.beyond)"
        )
    return sql.SQL(conditions)  # pyright: ignore


def _values(repository: Known, where: Where, wanted: Wanted) -> dict[str, Any]:
    below = [stored_path(folder) for folder in wanted.below if folder]
    return {
        "repository": repository.number,
        "generation": where.generation,
        "languages": list(wanted.languages),
        # `src/` to, and without, `src0`: zero follows the slash.
        "first": [folder + b"/" for folder in below],
        "beyond": [folder + b"0" for folder in below],
    }


def _accepted(
    database: Database, query: sql.Composed, values: dict[str, Any], wanted: Wanted, shown: str
) -> list[RemoteHit]:
    found: list[RemoteHit] = []
    for page in _pages(database, query, values, max(wanted.limit, 1)):
        if wanted.cancelled():
            raise Cancelled("the search was cancelled")
        for row in page:
            hit = checked(row, StoredHit, shown)
            path = shown_path(hit.path)
            if len(found) < wanted.limit and wanted.accepts(path, hit.language):
                found.append(
                    RemoteHit(path, hit.first_line, hit.last_line, hit.score, hit.language, hit.content, hit.digest)
                )
        if len(found) >= wanted.limit:
            break
    return found


def _pages(database: Database, query: sql.Composed, values: dict[str, Any], size: int) -> Iterator[list[Any]]:
    with database.cursor("hits") as cursor:
        cursor.execute(query, values)
        fetched = 0
        while fetched < MOST_ROWS:
            page = cursor.fetchmany(size)
            fetched += len(page)
            yield page
            if len(page) < size:
                return
            # Whoever refuses most of the best will refuse most of the next.
            size = min(2 * size, LARGEST_PAGE)
