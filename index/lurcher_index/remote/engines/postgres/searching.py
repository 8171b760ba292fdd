"""Searches of one generation. A search is one transaction that sees one state: a whole generation, or none."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from psycopg import sql

from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.hits import Known, accepted, conditions, known, values_of
from lurcher_index.remote.engines.postgres.passing import passing_chunks, passing_files
from lurcher_index.remote.engines.postgres.schema import checked
from lurcher_index.remote.engines.postgres.weighing import Numbering, sparse_text
from lurcher_index.remote.engines.vectors import asked_vector
from lurcher_index.remote.engines.weighing import asked_numbers, field_numbers, field_statistics, rarity
from lurcher_index.remote.interface import RemoteHit, Statistics, Wanted

CANDIDATES = 10_000
"""Chunks that are scored for one question, about: those that hold its rarest terms. Of the exact best hundred among
100,000 chunks 5,000 find 91.6 % and 20,000 91.9 %, in twice the time; the rest is a matter of lengths (0027)."""

EXACT_CHUNKS = 20_000
"""Up to so many chunks a repository's vectors are compared one by one, which misses nothing."""

INDEX_STEP = 8
"""How many comparisons one by one take as long as one step along the index of vectors, about."""


class Lengths(msgspec.Struct, frozen=True):
    """How many terms the chunks that were measured have together."""

    measured: int
    body: int
    names: int
    path_terms: int


def by_words(database: Database, where: Where, wanted: Wanted, shown: str) -> list[RemoteHit]:
    """The best chunks by BM25."""
    repository = known(database, where, shown)
    asked = dict(asked_numbers(wanted.terms, Numbering(repository.number)))
    holding = _holding(database, repository.number, list(asked))
    worth = {number: asked[number] * rarity(count, repository.chunks) for number, count in holding.items()}
    worth = {number: value for number, value in worth.items() if value > 0.0}
    if not worth:
        return []
    values = values_of(repository, where, wanted) | {"worth": sparse_text(worth), "terms": rarest(holding)}
    first = accepted(database, _by_words(conditions(wanted)), values, wanted, shown)
    if first.is_settled:
        return first.hits
    return _in_passing_files(database, _by_words, repository, where, values, wanted, shown)


def by_meaning(database: Database, where: Where, wanted: Wanted, dimension: int, shown: str) -> list[RemoteHit]:
    """The chunks whose vectors are most alike."""
    repository = known(database, where, shown)
    vector = asked_vector(wanted, dimension, shown)
    if vector is None:
        return []
    text = "[" + ",".join(f"{number:.6g}" for number in vector) + "]"
    values = values_of(repository, where, wanted) | {"vector": text}
    passing = passing_chunks(database, repository, where, wanted, shown)
    if _is_worth_the_index(database, repository, passing, wanted.limit):
        _set_for_transaction(database, _ALONG_INDEX)
        first = accepted(database, _by_meaning(conditions(wanted), _IN_INDEX), values, wanted, shown)
        if len(first.hits) >= wanted.limit:
            return first.hits
        # Filters let little pass, or the index gave up before it had seen everything.
        _set_for_transaction(database, _COMPARING)
    else:
        _set_for_transaction(database, _COMPARING)
        first = accepted(database, _one_by_one(conditions(wanted)), values, wanted, shown)
        if first.is_settled:
            return first.hits
    return _in_passing_files(database, _one_by_one, repository, where, values, wanted, shown)


def statistics(database: Database, where: Where, terms: Iterable[str], shown: str) -> Statistics:
    """How common terms are in each field."""
    repository = known(database, where, shown)
    numbers = field_numbers(terms, Numbering(repository.number))
    holding = _holding(database, repository.number, [number for each in numbers.values() for number in each.values()])
    lengths = checked(
        database.execute(
            "SELECT measured, body, names, path_terms FROM lurcher.repositories WHERE number = %s", (repository.number,)
        ).fetchone(),
        Lengths,
        shown,
    )
    return field_statistics(
        repository.chunks,
        numbers,
        lambda number: holding.get(number, 0),
        lengths.measured,
        {"body": lengths.body, "names": lengths.names, "path_terms": lengths.path_terms},
    )


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


_ALONG_INDEX = {
    "hnsw.iterative_scan": "strict_order",
    "hnsw.ef_search": "1000",
    "hnsw.max_scan_tuples": "50000",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_sort": "off",
}
"""The search goes on along the index until enough hits pass the filters. A list of 1,000, pgvector's longest, finds
99.9 % of the true best hundred among 20,000 chunks, one of 400 98 %, one of 100 85 % and for some questions next to
nothing: code is full of near-duplicates, in whose midst a short list is caught."""

_COMPARING = {
    "enable_seqscan": "on",
    "enable_bitmapscan": "on",
    "enable_sort": "on",
    "enable_incremental_sort": "off",
    "random_page_cost": "1.1",
}
"""The server thinks of disks with a head, and that the first rows in order will do: so for the files of one folder it
reads and sorts the whole repository, which takes ten times as long."""

_IN_INDEX = sql.SQL("c.vector <#> %(vector)s::halfvec")
_ONE_BY_ONE = sql.SQL("(c.vector <#> %(vector)s::halfvec) + 0, f.path, c.ordinal")
"""An expression is not what the index is over: it is not used."""


def _by_words(needed: sql.Composed) -> sql.Composed:
    return sql.SQL(
        "SELECT f.path, c.first_line, c.last_line, -(c.words <#> %(worth)s::sparsevec), f.language, f.content, c.digest"
        " FROM lurcher.chunks c JOIN lurcher.files f ON f.repository = c.repository AND f.number = c.file"
        " WHERE c.repository = %(repository)s AND c.terms && %(terms)s::int[] AND {}"
        " ORDER BY c.words <#> %(worth)s::sparsevec, f.path, c.ordinal"
    ).format(needed)


def _one_by_one(needed: sql.Composed) -> sql.Composed:
    return _by_meaning(needed, _ONE_BY_ONE)


def _by_meaning(needed: sql.Composed, order: sql.SQL) -> sql.Composed:
    return sql.SQL(
        "SELECT f.path, c.first_line, c.last_line, -(c.vector <#> %(vector)s::halfvec), f.language, f.content, c.digest"
        " FROM lurcher.chunks c JOIN lurcher.files f ON f.repository = c.repository AND f.number = c.file"
        " WHERE c.repository = %(repository)s AND c.vector IS NOT NULL AND {} ORDER BY {}"
    ).format(needed, order)


def _in_passing_files(
    database: Database,
    search: Callable[[sql.Composed], sql.Composed],
    repository: Known,
    where: Where,
    values: dict[str, Any],
    wanted: Wanted,
    shown: str,
) -> list[RemoteHit]:
    """The best hits in the files that pass all filters, and no others: nothing is fetched in vain."""
    files = passing_files(database, repository, where, wanted, shown)
    if not files:
        return []
    return accepted(database, search(conditions(wanted, chosen=True)), values | {"files": files}, wanted, shown).hits


def _is_worth_the_index(database: Database, repository: Known, passing: int, limit: int) -> bool:
    """Whether to go along the index is quicker than to compare those that pass: others are in the same partition."""
    if passing <= EXACT_CHUNKS:
        return False
    rows = database.execute(
        "SELECT greatest(reltuples, 1) FROM pg_class WHERE oid ="
        " (SELECT tableoid FROM lurcher.chunks WHERE repository = %s LIMIT 1)",
        (repository.number,),
    ).fetchone()
    share = passing / max(float(rows[0]) if rows else 1.0, repository.chunks)
    return INDEX_STEP * limit / share < passing


def _set_for_transaction(database: Database, settings: dict[str, str]) -> None:
    database.execute(
        "SELECT set_config(name, value, true) FROM unnest(%s::text[], %s::text[]) AS s(name, value)",
        (list(settings), list(settings.values())),
    )


def _holding(database: Database, repository: int, numbers: list[int]) -> dict[int, int]:
    found = database.execute(
        "SELECT term, chunks FROM lurcher.terms WHERE repository = %s AND term = ANY(%s) AND chunks > 0",
        (repository, numbers),
    )
    return {int(term): int(chunks) for term, chunks in found}
