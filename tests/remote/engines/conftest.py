import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Tests are imported one by one (importlib mode); this lets them share `tests.remote.engines`.
sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.remote.engines.milvus_server import MilvusServer
from tests.remote.engines.pieces import DIMENSION
from tests.remote.engines.postgres_server import PostgresServer
from tests.remote.engines.stores import MilvusStore, PostgresStore, Store

from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.postgres.index import PostgresIndex


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    """A database with the tables and nothing in them; to copy it is quicker than to create them."""
    return _prepared(postgres_server)


@pytest.fixture(scope="session")
def postgres_shared(postgres_server: PostgresServer) -> str:
    """A database that tests use one after the other."""
    return _prepared(postgres_server)


def _prepared(server: PostgresServer) -> str:
    name = server.new_database()
    index = PostgresIndex(server.url(name))
    index.prepare(DIMENSION)
    index.close()
    return name


@pytest.fixture(scope="session")
def milvus_server() -> Iterator[MilvusServer]:
    server = MilvusServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def milvus_prepared(milvus_server: MilvusServer) -> MilvusStore:
    """A database with the collections, which one test after the other uses."""
    prepared = MilvusStore(milvus_server)
    index = prepared.open()
    index.prepare(DIMENSION)
    index.close()
    return prepared


ENGINES = ["postgres", "milvus"]
"""Another engine is another parameter here, with a store in the two fixtures below."""


@pytest.fixture(params=ENGINES)
def empty_store(request: pytest.FixtureRequest) -> Store:
    """An engine that nobody has prepared."""
    if request.param == "milvus":
        return MilvusStore(request.getfixturevalue("milvus_server"))
    return PostgresStore(request.getfixturevalue("postgres_server"))


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest) -> Store:
    """An engine that is prepared for vectors of `DIMENSION` numbers."""
    if request.param == "milvus":
        prepared: MilvusStore = request.getfixturevalue("milvus_prepared")
        prepared.empty()
        return prepared
    store = PostgresStore(request.getfixturevalue("postgres_server"), request.getfixturevalue("postgres_shared"))
    store.clear()
    return store


@pytest.fixture
def shared_index(store: Store) -> Iterator[SharedIndex]:
    """A handle on it."""
    index = store.open()
    yield index
    index.close()


@pytest.fixture
def database(postgres_server: PostgresServer, postgres_shared: str) -> PostgresStore:
    store = PostgresStore(postgres_server, postgres_shared)
    store.clear()
    return store


@pytest.fixture
def own_database(postgres_server: PostgresServer, postgres_template: str) -> PostgresStore:
    """One whose tables may be changed."""
    return PostgresStore(postgres_server, postgres_server.new_database(postgres_template))


@pytest.fixture
def index(database: PostgresStore) -> Iterator[SharedIndex]:
    made = database.open()
    yield made
    made.close()
