"""The shared index in PostgreSQL: the interface, over the modules that do the work."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

from lurcher_index.errors import RemoteUnknown
from lurcher_index.remote.engines.interface import Publication, SharedFile, Version, Where
from lurcher_index.remote.engines.postgres import collecting, reading, schema, searching, writing
from lurcher_index.remote.engines.postgres.address import read_address
from lurcher_index.remote.engines.postgres.claims import Claims, is_claimed
from lurcher_index.remote.engines.postgres.connecting import Connections, Database
from lurcher_index.remote.engines.postgres.limits import Limits, Password
from lurcher_index.remote.interface import RemoteHit, Statistics, Wanted

T = TypeVar("T")


class PostgresIndex:
    """A shared index in a PostgreSQL database. Implements `SharedIndex`; its docstrings are there."""

    def __init__(self, url: str, password: Password | None = None, limits: Limits | None = None) -> None:
        """Check the address; nothing is connected yet."""
        address = read_address(url)
        self._connections = Connections(address, password, limits or Limits())
        self._claims = Claims(self._connections)
        self._where = address.shown
        self._dimension: int | None = None

    @property
    def name(self) -> str:  # noqa: D102
        return self._where

    def __repr__(self) -> str:
        """Nothing secret."""
        return f"PostgresIndex({self._where})"

    def prepare(self, dimension: int) -> None:  # noqa: D102
        database = self._connections.connect(self._connections.limits.write)
        try:
            with self._connections.guarded(database, self._connections.limits.write):
                schema.prepare(database, dimension, self._where)
        finally:
            database.close()

    def publications(self, repository: str) -> list[Publication]:  # noqa: D102
        return self._read(lambda database: reading.publications(database, repository, self._where), [])

    def repositories(self) -> list[str]:  # noqa: D102
        return self._read(lambda database: reading.repositories(database, self._where), [])

    def is_claimed(self, repository: str) -> bool:  # noqa: D102
        return self._connections.reading(lambda database: is_claimed(database, repository))

    def open_versions(self, repository: str) -> Iterator[Version]:  # noqa: D102
        after = -1
        while True:
            last = after
            page = self._read(lambda database: reading.open_page(database, repository, last, self._where), [])
            yield from map(reading.version_of, page)
            if len(page) < reading.PAGE:
                return
            after = page[-1].number

    def last_generation(self, repository: str) -> int:  # noqa: D102
        return self._read(lambda database: reading.last_generation(database, repository), 0)

    def claim(self, repository: str, owner: str) -> AbstractContextManager[None]:  # noqa: D102
        return self._claims.claim(repository, owner)

    def insert(self, repository: str, generation: int, files: Sequence[SharedFile]) -> int:  # noqa: D102
        def work(database: Database) -> int:
            about = schema.read_about(database, self._where)
            return writing.insert(database, repository, generation, files, about.dimension if about else 0)

        return self._claims.writing(repository, work)

    def reopen(  # noqa: D102
        self, repository: str, generation: int, wanted: Iterable[tuple[str, bytes]]
    ) -> set[tuple[str, bytes]]:
        return self._claims.writing(repository, lambda d: writing.reopen(d, repository, generation, wanted))

    def end(self, repository: str, generation: int, versions: Sequence[Version]) -> None:  # noqa: D102
        self._claims.writing(repository, lambda d: writing.end(d, repository, generation, versions))

    def show(self, publication: Publication) -> None:  # noqa: D102
        self._claims.writing(publication.repository, lambda d: writing.show(d, publication))

    def collect(self, repository: str, generations: Iterable[int]) -> tuple[int, int]:  # noqa: D102
        return self._claims.writing(repository, lambda d: collecting.collect(d, repository, generations))

    def forget(self, repository: str) -> None:  # noqa: D102
        self._claims.writing(repository, lambda d: collecting.forget(d, repository))

    def by_words(self, where: Where, wanted: Wanted) -> list[RemoteHit]:  # noqa: D102
        return self._search(where, lambda d: searching.by_words(d, where, wanted, self._where))

    def by_meaning(self, where: Where, wanted: Wanted) -> list[RemoteHit]:  # noqa: D102
        return self._search(where, lambda d: searching.by_meaning(d, where, wanted, self._where))

    def statistics(self, where: Where, terms: Iterable[str]) -> Statistics:  # noqa: D102
        return self._search(where, lambda d: searching.statistics(d, where, terms, self._where))

    def close(self) -> None:  # noqa: D102
        self._connections.close()

    def _read(self, work: Callable[[Database], T], nothing: T) -> T:
        def checked(database: Database) -> T:
            return nothing if schema.read_about(database, self._where) is None else work(database)

        return self._connections.reading(checked)

    def _search(self, where: Where, work: Callable[[Database], T]) -> T:
        def checked(database: Database) -> T:
            if schema.read_about(database, self._where) is None:
                raise RemoteUnknown(f"{self._where} holds no shared index; publish {where.repository} there first")
            return work(database)

        return self._connections.reading(checked)
