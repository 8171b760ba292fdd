import sys
from pathlib import Path

import pytest

# Tests are imported one by one (importlib mode); this lets them share helper modules.
sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.remote.engines.conftest import milvus_server, postgres_server
from tests.remote.engines.milvus_server import MilvusServer
from tests.remote.engines.postgres_server import PostgresServer
from tests.remote.whole.teams import Team

__all__ = ["milvus_server", "postgres_server"]


@pytest.fixture(params=["postgres", "milvus"])
def team(request: pytest.FixtureRequest, tmp_path: Path) -> Team:
    if request.param == "milvus":
        milvus: MilvusServer = request.getfixturevalue("milvus_server")
        return Team(tmp_path, "milvus", milvus.new_url())
    postgres: PostgresServer = request.getfixturevalue("postgres_server")
    return Team(tmp_path, "postgres", postgres.url(postgres.new_database()))
