"""Where a shared index can be tested: each kind of engine is one more `Store`."""

from typing import Protocol

from tests.remote.engines.postgres_server import PostgresServer

from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.postgres.index import PostgresIndex


class Store(Protocol):
    """An engine that holds no repository yet."""

    def open(self) -> SharedIndex:
        """A handle, as another process would have one."""
        ...

    def opening(self) -> str:
        """Python that makes `index`, such a handle, in another process."""
        ...


class PostgresStore:
    """A database of a server: a new one, unless one is named."""

    def __init__(self, server: PostgresServer, database: str = "") -> None:
        self.server = server
        self.database = database or server.new_database()
        self.url = server.url(self.database)

    def open(self) -> SharedIndex:
        return PostgresIndex(self.url)

    def clear(self) -> None:
        """Nothing is left of earlier tests; to delete some rows is much quicker than to create a database."""
        tables = ("publications", "repositories", "files", "chunks", "terms")
        self.server.administer(*(f"DELETE FROM lurcher.{table}" for table in tables), database=self.database)

    def opening(self) -> str:
        module = "lurcher_index.remote.engines.postgres.index"
        return f"from {module} import PostgresIndex\nindex = PostgresIndex({self.url!r})\n"
