import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

# Tests are imported one by one (importlib mode); this lets them share helper modules.
sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.remote.engines.conftest import milvus_server, postgres_server
from tests.remote.engines.postgres_server import PostgresServer
from tests.remote.faults.desks import Desk
from tests.remote.faults.publications import Publication, Work
from tests.remote.faults.sites import MilvusSite, PostgresSite, Site

__all__ = ["milvus_server", "postgres_server"]


SITES: dict[str, type[Site]] = {"postgres": PostgresSite, "milvus": MilvusSite}


@pytest.fixture(scope="session")
def works(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Work]:
    """By kind of engine what a calm publish gives: the same for all tests."""

    @cache
    def work(kind: str) -> Work:
        server = request.getfixturevalue(f"{kind}_server")
        return Work(SITES[kind](server), tmp_path_factory.mktemp(f"calm-{kind}"))

    return work


@pytest.fixture(params=list(SITES))
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """An engine behind a proxy; whatever a test did to it, it runs afterwards."""
    with SITES[request.param](request.getfixturevalue(f"{request.param}_server")) as made:
        yield made


@pytest.fixture
def publication(site: Site, works: Callable[[str], Work]) -> Publication:
    return Publication(site, works(site.kind))


@pytest.fixture
def postgres_site(postgres_server: PostgresServer) -> Iterator[PostgresSite]:
    with PostgresSite(postgres_server) as made:
        yield made


@pytest.fixture
def desk(site: Site, tmp_path: Path) -> Desk:
    return Desk(site, tmp_path)


@pytest.fixture
def postgres_desk(postgres_site: PostgresSite, tmp_path: Path) -> Desk:
    return Desk(postgres_site, tmp_path)
