"""Where a shared index can be tested: each kind of engine is one more `Store`."""

from typing import Protocol

from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.milvus import Limits, MilvusIndex
from lurcher_index.remote.engines.postgres.index import PostgresIndex
from tests.remote.engines.milvus_server import MilvusServer
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


class MilvusStore:
    """A new database of a server, prepared for vectors of so many numbers, if any are named."""

    def __init__(self, server: MilvusServer, dimension: int | None = None) -> None:
        self.server = server
        self.url = server.new_url()
        if dimension is not None:
            index = self.open()
            index.prepare(dimension)
            index.close()

    def open(self) -> SharedIndex:
        return MilvusIndex(self.url, limits=SHORT_CLAIMS)

    def opening(self) -> str:
        return (
            "from lurcher_index.remote.engines.milvus import Limits, MilvusIndex\n"
            f"index = MilvusIndex({self.url!r}, limits=Limits(claim={SHORT_CLAIMS.claim}))\n"
        )


SHORT_CLAIMS = Limits(claim=3.0)
"""A test that waits for a claim to run out should not wait for long."""
