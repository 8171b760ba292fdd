"""Where a shared index can be tested: each kind of engine is one more `Store`."""

from typing import Protocol

from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.postgres.index import PostgresIndex
from tests.remote.engines.postgres_server import PostgresServer


class Store(Protocol):
    """An engine that holds no repository yet."""

    def open(self) -> SharedIndex:
        """A handle, as another process would have one."""
        ...

    def opening(self) -> str:
        """Python that makes `index`, such a handle, in another process."""
        ...


class PostgresStore:
    """A new database of a server; a copy of `template`, if one is named."""

    def __init__(self, server: PostgresServer, template: str = "template1") -> None:
        self.server = server
        self.database = server.new_database(template)
        self.url = server.url(self.database)

    def open(self) -> SharedIndex:
        return PostgresIndex(self.url)

    def opening(self) -> str:
        module = "lurcher_index.remote.engines.postgres.index"
        return f"from {module} import PostgresIndex\nindex = PostgresIndex({self.url!r})\n"
