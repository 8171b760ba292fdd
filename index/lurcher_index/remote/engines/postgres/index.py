"""The shared index in PostgreSQL: the interface, over the modules that do the work."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeVar

from lurcher_index.remote.engines.interface import Publication, SharedFile, Version, Where
from lurcher_index.remote.engines.postgres import collecting, reading, schema, searching, writing
from lurcher_index.remote.engines.postgres.address import read_address
from lurcher_index.remote.engines.postgres.claims import Claims, is_claimed
from lurcher_index.remote.engines.postgres.connecting import Connections, Database
from lurcher_index.remote.engines.postgres.failures import Unprepared
from lurcher_index.remote.engines.postgres.limits import Limits, Password
from lurcher_index.remote.engines.vectors import check_files
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

    @property
    def name(self) -> str:
        return self._where

    def __repr__(self) -> str:
        """Nothing secret."""
        return f"PostgresIndex({self._where})"

    def prepare(self, dimension: int) -> None:
        database = self._connections.connect(self._connections.limits.write)
        try:
            with self._connections.guarded(database, self._connections.limits.write):
                schema.prepare(database, dimension, self._where)
        finally:
            database.close()

    def publications(self, repository: str) -> list[Publication]:
        return self._read(lambda database: reading.publications(database, repository, self._where), [])

    def repositories(self) -> list[str]:
        return self._read(lambda database: reading.repositories(database, self._where), [])

    def is_claimed(self, repository: str) -> bool:
        return self._connections.reading(lambda database: is_claimed(database, repository))

    def open_versions(self, repository: str) -> Iterator[Version]:
        page = self._open_page(repository, -1)
        while page:
            yield from map(reading.version_of, page)
            page = self._open_page(repository, page[-1].number) if len(page) == reading.PAGE else []

    def last_generation(self, repository: str) -> int:
        return self._read(lambda database: reading.last_generation(database, repository), 0)

    def claim(self, repository: str, owner: str) -> AbstractContextManager[None]:
        return self._claims.claim(repository, owner)

    def insert(self, repository: str, generation: int, files: Sequence[SharedFile]) -> int:
        def work(database: Database) -> int:
            dimension = schema.read_about(database, self._where).dimension
            check_files(files, dimension, self._where)
            return writing.insert(database, repository, generation, files, dimension)

        return self._claims.writing(repository, work)

    def reopen(self, repository: str, generation: int, wanted: Iterable[tuple[str, bytes]]) -> set[tuple[str, bytes]]:
        return self._claims.writing(repository, lambda d: writing.reopen(d, repository, generation, wanted))

    def end(self, repository: str, generation: int, versions: Sequence[Version]) -> None:
        self._claims.writing(repository, lambda d: writing.end(d, repository, generation, versions))

    def show(self, publication: Publication) -> None:
        self._claims.writing(publication.repository, lambda d: writing.show(d, publication))

    def collect(self, repository: str, generations: Iterable[int]) -> tuple[int, int]:
        return collecting.collect(partial(self._claims.writing, repository), repository, generations)

    def forget(self, repository: str) -> None:
        collecting.forget(partial(self._claims.writing, repository), repository)

    def by_words(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        return self._search(lambda d: searching.by_words(d, where, wanted, self._where))

    def by_meaning(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        def work(database: Database) -> list[RemoteHit]:
            dimension = schema.read_about(database, self._where).dimension
            return searching.by_meaning(database, where, wanted, dimension, self._where)

        return self._connections.reading(work)

    def statistics(self, where: Where, terms: Iterable[str]) -> Statistics:
        return self._search(lambda d: searching.statistics(d, where, terms, self._where))

    def warm_up(self, where: Where, cancelled: Callable[[], bool]) -> None:
        """Nothing: `show` has everything sorted in."""

    def close(self) -> None:
        self._connections.close()

    def _open_page(self, repository: str, after: int) -> list[reading.StoredVersion]:
        return self._read(lambda database: reading.open_page(database, repository, after, self._where), [])

    def _read(self, work: Callable[[Database], T], nothing: T) -> T:
        try:
            return self._search(work)
        except Unprepared:
            return nothing

    def _search(self, work: Callable[[Database], T]) -> T:
        def checked(database: Database) -> T:
            schema.read_about(database, self._where)
            return work(database)

        return self._connections.reading(checked)
