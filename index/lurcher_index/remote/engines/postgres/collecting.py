"""Forgetting: versions that no generation needs, and whole repositories, a batch of files at a time.

A batch is a transaction, so that whoever is interrupted has done a part of it for good, and no statement takes long.
"""

from collections import Counter
from collections.abc import Iterable

from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.writing import add_counts

BATCH = 256
"""Files deleted at once: some 2,500 chunks, about a second."""


def collect(database: Database, repository: str, generations: Iterable[int]) -> tuple[int, int]:
    """Forget generations, and then all versions that belong to none; how many versions and chunks went."""
    number = _known(database, repository)
    if number is None:
        return 0, 0
    # Committed before the first version goes: from here on no search begins that could see half of them.
    database.execute(
        "DELETE FROM lurcher.publications WHERE repository = %s AND generation = ANY(%s)", (number, list(generations))
    )
    versions = chunks = 0
    while True:
        gone = _delete_batch(
            database,
            number,
            "NOT upper_inf(generations) AND NOT EXISTS (SELECT FROM lurcher.publications p"
            " WHERE p.repository = f.repository AND f.generations @> p.generation)",
        )
        if gone == (0, 0):
            return versions, chunks
        versions += gone[0]
        chunks += gone[1]


def forget(database: Database, repository: str) -> None:
    """Delete a repository: first what is shown of it, last its name, so that what is left can be deleted again."""
    number = _known(database, repository)
    if number is None:
        return
    database.execute("DELETE FROM lurcher.publications WHERE repository = %s", (number,))
    while _delete_batch(database, number, "true") != (0, 0):
        pass
    with database.transaction():
        database.execute("DELETE FROM lurcher.terms WHERE repository = %s", (number,))
        database.execute("DELETE FROM lurcher.repositories WHERE number = %s", (number,))


def _known(database: Database, repository: str) -> int | None:
    found = database.execute("SELECT number FROM lurcher.repositories WHERE name = %s", (repository,)).fetchone()
    return None if found is None else int(found[0])


def _delete_batch(database: Database, number: int, condition: str) -> tuple[int, int]:
    with database.transaction():
        gone = [
            int(file)
            for (file,) in database.execute(
                "DELETE FROM lurcher.files WHERE repository = %s AND number IN (SELECT number FROM lurcher.files f"  # pyright: ignore
                f" WHERE repository = %s AND {condition} LIMIT %s) RETURNING number",  # noqa: S608
                (number, number, BATCH),
            )
        ]
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
        return len(gone), chunks
