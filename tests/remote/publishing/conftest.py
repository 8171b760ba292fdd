import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Tests are imported one by one (importlib mode); this lets them share `tests.remote` and `tests.history`.
sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.remote.engines.conftest import postgres_server  # noqa: F401
from tests.remote.engines.postgres_server import PostgresServer

from lurcher_index.dense.choice import own_model
from lurcher_index.remote.engines.postgres.index import PostgresIndex


@pytest.fixture(scope="session")
def published_template(postgres_server: PostgresServer) -> str:  # noqa: F811
    """A database with tables for vectors of our own model; to copy it is quicker than to create them."""
    name = postgres_server.new_database()
    index = PostgresIndex(postgres_server.url(name))
    index.prepare(own_model().dimension)
    index.close()
    return name


@pytest.fixture
def database_url(postgres_server: PostgresServer, published_template: str) -> str:  # noqa: F811
    return postgres_server.url(postgres_server.new_database(published_template))


@pytest.fixture
def postgres_index(database_url: str) -> Iterator[PostgresIndex]:
    index = PostgresIndex(database_url)
    yield index
    index.close()
