"""What is there: publications, repositories and versions."""

from typing import Annotated

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import Publication, Version
from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.schema import checked

PAGE = 5000
"""Versions that are read at once."""

MOST_PATH_BYTES = 65_535
"""Far beyond what is published; a server may send anything."""

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
PathBytes = Annotated[bytes, msgspec.Meta(max_length=MOST_PATH_BYTES)]
HashBytes = Annotated[bytes, msgspec.Meta(max_length=64)]


class StoredVersion(msgspec.Struct, frozen=True):
    """A row of `files`, as far as it is compared with a commit."""

    number: Annotated[int, msgspec.Meta(ge=0)]
    path: PathBytes
    content: HashBytes
    since: Number
    chunks: Number


def publications(database: Database, repository: str, where: str) -> list[Publication]:
    """The generations of a repository that are shown, newest first."""
    found = database.execute(
        "SELECT r.name, p.generation, p.commit, p.branch, p.model, p.shape, p.files, p.chunks, p.published"
        " FROM lurcher.publications p JOIN lurcher.repositories r ON r.number = p.repository"
        " WHERE r.name = %s ORDER BY p.generation DESC",
        (repository,),
    ).fetchall()
    return [checked(row, Publication, where) for row in found]


def repositories(database: Database, where: str) -> list[str]:
    """All that have something to show."""
    found = database.execute(
        "SELECT name FROM lurcher.repositories r WHERE EXISTS"
        " (SELECT FROM lurcher.publications p WHERE p.repository = r.number) ORDER BY name"
    ).fetchall()
    try:
        return [name for (name,) in msgspec.convert(found, list[tuple[str]])]
    except msgspec.ValidationError:
        raise RemoteError(f"{where} answered with something that no shared index holds; publish anew") from None


def last_generation(database: Database, repository: str) -> int:
    """The largest number that any write of the repository has used."""
    found = database.execute(
        "SELECT last_generation FROM lurcher.repositories WHERE name = %s", (repository,)
    ).fetchone()
    return 0 if found is None else int(found[0])


def open_page(database: Database, repository: str, after: int, where: str) -> list[StoredVersion]:
    """Some open versions, in the order of their numbers."""
    found = database.execute(
        "SELECT f.number, f.path, f.content, r.since, f.chunks FROM lurcher.files f,"
        " LATERAL (SELECT max(lower(part)) AS since FROM unnest(f.generations) AS part) AS r"
        " WHERE f.repository = (SELECT number FROM lurcher.repositories WHERE name = %s) AND f.number > %s"
        " AND upper_inf(f.generations) ORDER BY f.number LIMIT %s",
        (repository, after, PAGE),
    ).fetchall()
    return [checked(row, StoredVersion, where) for row in found]


def version_of(stored: StoredVersion) -> Version:
    """The same as the interface has it."""
    return Version(shown_path(stored.path), stored.content, stored.since, stored.chunks)


def shown_path(path: bytes) -> str:
    """A stored path as text."""
    try:
        return path.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return path.decode("utf-8", "replace")
