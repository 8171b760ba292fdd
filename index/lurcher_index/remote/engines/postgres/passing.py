"""What passes the filters of a search, found out before it: there are far fewer files than chunks to ask about."""

from typing import Annotated

import msgspec
from psycopg import sql

from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.hits import Known, conditions, go_on, values_of
from lurcher_index.remote.engines.postgres.reading import PathBytes, shown_path
from lurcher_index.remote.engines.postgres.schema import checked
from lurcher_index.remote.interface import Wanted

PAGE = 10_000
"""Files that are read at once, about a megabyte."""


class StoredFile(msgspec.Struct, frozen=True):
    """A row of `files`, as far as filters ask for it."""

    number: Annotated[int, msgspec.Meta(ge=0)]
    path: PathBytes
    language: Annotated[str, msgspec.Meta(max_length=64)]


class Passing(msgspec.Struct, frozen=True):
    """What some files hold together."""

    chunks: Annotated[int, msgspec.Meta(ge=0)]


def passing_files(database: Database, repository: Known, where: Where, wanted: Wanted, shown: str) -> list[int]:
    """Numbers of the files that pass all filters."""
    query = sql.SQL(
        "SELECT f.number, f.path, f.language FROM lurcher.files f"
        " WHERE f.repository = %(repository)s AND f.number > %(after)s AND {} ORDER BY f.number LIMIT {}"
    ).format(conditions(wanted), PAGE)
    values = values_of(repository, where, wanted)
    passing: list[int] = []
    after = -1
    while True:
        page = database.execute(query, values | {"after": after}).fetchall()
        for row in page:
            go_on(wanted)
            stored = checked(row, StoredFile, shown)
            after = stored.number
            if wanted.accepts(shown_path(stored.path), stored.language):
                passing.append(stored.number)
        if len(page) < PAGE:
            return passing


def passing_chunks(database: Database, repository: Known, where: Where, wanted: Wanted, shown: str) -> int:
    """How many chunks are in files that pass the filters that the server knows; without any, about how many."""
    if not wanted.languages and not wanted.below:
        return repository.chunks
    query = sql.SQL(
        "SELECT coalesce(sum(f.chunks), 0)::bigint FROM lurcher.files f WHERE f.repository = %(repository)s AND {}"
    ).format(conditions(wanted))
    return checked(database.execute(query, values_of(repository, where, wanted)).fetchone(), Passing, shown).chunks
