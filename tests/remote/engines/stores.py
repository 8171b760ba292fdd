"""Where a shared index can be tested: each kind of engine is one more `Store`."""

from typing import Protocol

from tests.remote.engines.milvus_server import MilvusServer
from tests.remote.engines.postgres_server import PostgresServer

from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.milvus import Limits, MilvusIndex
from lurcher_index.remote.engines.milvus.address import read_address
from lurcher_index.remote.engines.milvus.client import Client
from lurcher_index.remote.engines.milvus.layout import CHUNKS, COUNTS, NOTES, VERSIONS
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


class MilvusStore:
    """A new database of a server, or one that was used before."""

    def __init__(self, server: MilvusServer, url: str = "") -> None:
        self.server = server
        self.url = url or server.new_url()

    def empty(self) -> None:
        """Delete all that is in it: to prepare another one takes two seconds."""
        client = Client(read_address(self.url), None, Limits())
        for collection in (CHUNKS, VERSIONS, COUNTS):
            client.delete_where(collection, 'id != ""')
        client.delete_where(NOTES, 'kind != "about"')
        client.close()

    def open(self) -> SharedIndex:
        return MilvusIndex(self.url)

    def opening(self) -> str:
        # A test that waits for the claim of a dead process should not wait for long.
        return (
            "from lurcher_index.remote.engines.milvus import Limits, MilvusIndex\n"
            f"index = MilvusIndex({self.url!r}, limits=Limits(claim=2.0))\n"
        )
