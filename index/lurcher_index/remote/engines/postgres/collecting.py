"""Forgetting: versions that no generation needs, and whole repositories, a batch of files at a time.

A batch is a transaction, so that whoever is interrupted has done a part of it for good, and no statement takes long.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from psycopg import sql

from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.writing import add_counts

BATCH = 256
"""Files deleted at once, if they are small."""

BATCH_CHUNKS = 2500
"""Chunks deleted at once, but for those of one file: about a second, while a batch has as long as a write. Files of
generated code have thousands each."""

Step = Callable[[Callable[[Database], Any]], Any]
"""Does one piece of work on the claim's connection, with a limit of its own."""

_UNNEEDED = sql.SQL(
    "NOT upper_inf(generations) AND NOT EXISTS (SELECT FROM lurcher.publications p"
    " WHERE p.repository = f.repository AND f.generations @> p.generation)"
)
_ALL = sql.SQL("true")


def collect(step: Step, repository: str, generations: Iterable[int]) -> tuple[int, int]:
    """Forget generations, and then all versions that belong to none; how many versions and chunks went."""
    # Committed before the first version goes: from here on no search begins that could see half of them.
    number = step(partial(_hide, repository=repository, generations=list(generations)))
    return (0, 0) if number is None else _delete_all(step, number, _UNNEEDED)


def forget(step: Step, repository: str) -> None:
    """Delete a repository: first what is shown of it, last its name, so that what is left can be deleted again."""
    number = step(partial(_hide, repository=repository, generations=None))
    if number is not None:
        _delete_all(step, number, _ALL)
        step(partial(_delete_name, number=number))


def _hide(database: Database, repository: str, generations: list[int] | None) -> int | None:
    """Forget some or all generations; the repository's number if there is any."""
    found = database.execute("SELECT number FROM lurcher.repositories WHERE name = %s", (repository,)).fetchone()
    if found is None:
        return None
    database.execute(
        "DELETE FROM lurcher.publications WHERE repository = %s AND (%s::int[] IS NULL OR generation = ANY(%s::int[]))",
        (found[0], generations, generations),
    )
    return int(found[0])


def _delete_all(step: Step, number: int, condition: sql.SQL) -> tuple[int, int]:
    versions = chunks = 0
    while True:
        gone: tuple[int, int] = step(partial(_delete_batch, number=number, condition=condition))
        if gone == (0, 0):
            return versions, chunks
        versions += gone[0]
        chunks += gone[1]


def _delete_batch(database: Database, number: int, condition: sql.SQL) -> tuple[int, int]:
    batch = sql.SQL(
        "DELETE FROM lurcher.files WHERE repository = %s AND number IN"
        " (SELECT number FROM (SELECT number, chunks, sum(chunks) OVER (ORDER BY number) AS upto"
        " FROM (SELECT number, chunks FROM lurcher.files f WHERE repository = %s AND {} ORDER BY number LIMIT %s) AS s)"
        " AS b WHERE upto - chunks < %s) RETURNING number, chunks"
    ).format(condition)
    with database.transaction():
        found = database.execute(batch, (number, number, BATCH, BATCH_CHUNKS)).fetchall()
        if not found:
            return 0, 0
        gone, chunks = [int(file) for file, _ in found], sum(int(held) for _, held in found)
        # Counted by the server: the terms of all these chunks would be many times what is left to say of them.
        counts = {
            int(term): -int(holding)
            for term, holding in database.execute(
                "WITH gone AS (DELETE FROM lurcher.chunks WHERE repository = %s AND file = ANY(%s) RETURNING terms)"
                " SELECT term, count(*) FROM gone, unnest(gone.terms) AS t(term) GROUP BY term",
                (number, gone),
            )
        }
        add_counts(database, number, counts, -chunks)
        database.execute(
            "DELETE FROM lurcher.terms WHERE repository = %s AND term = ANY(%s) AND chunks <= 0",
            (number, list(counts)),
        )
        return len(gone), chunks


def _delete_name(database: Database, number: int) -> None:
    with database.transaction():
        database.execute("DELETE FROM lurcher.terms WHERE repository = %s", (number,))
        database.execute("DELETE FROM lurcher.repositories WHERE number = %s", (number,))
