"""Forgetting: versions that no generation needs, and whole repositories, a batch of files at a time.

A batch is a transaction, so that whoever is interrupted has done a part of it for good, and no statement takes long.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from psycopg import sql

from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.writing import add_counts

BATCH = 256
"""Files deleted at once: some 2,500 chunks, about a second."""

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
        " (SELECT number FROM lurcher.files f WHERE repository = %s AND {} LIMIT %s) RETURNING number"
    ).format(condition)
    with database.transaction():
        gone = [int(file) for (file,) in database.execute(batch, (number, number, BATCH))]
        if not gone:
            return 0, 0
        counts: Counter[int] = Counter()
        chunks = 0
        for (terms,) in database.execute(
            "DELETE FROM lurcher.chunks WHERE repository = %s AND file = ANY(%s) RETURNING terms", (number, gone)
        ):
            counts.subtract(terms)
            chunks += 1
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
