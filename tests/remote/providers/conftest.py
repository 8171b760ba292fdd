"""What the tests of all providers need."""

from collections.abc import Iterator

import pytest
from tests.remote.standins.corpus import Repository, sample
from tests.remote.standins.github_server import GitHubServer
from tests.remote.standins.serving import serving
from tests.remote.standins.sourcegraph_server import SourcegraphServer
from tests.remote.standins.zoekt_server import ZoektServer


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def _others() -> list[Repository]:
    """Whose files nobody asked for."""
    return [sample("github.com/owner/name-two"), sample("githubxcom/owner/name")]


@pytest.fixture
def zoekt_server() -> Iterator[ZoektServer]:
    with serving(ZoektServer(sample(), *_others())) as server:
        yield server


@pytest.fixture
def sourcegraph_server() -> Iterator[SourcegraphServer]:
    with serving(SourcegraphServer(sample(), *_others())) as server:
        yield server


@pytest.fixture
def github_server() -> Iterator[GitHubServer]:
    with serving(GitHubServer(sample(), sample("github.com/owner/name-two"))) as server:
        yield server
