"""A provider out of what a person set."""

import sys
from types import ModuleType

import pytest

from lurcher_index.errors import RemoteError
from lurcher_index.remote.connecting import provider_for
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.secret import Secret


@pytest.mark.parametrize(
    ("kind", "url", "name"),
    [
        (Kind.ZOEKT, "https://code.example.com", "Zoekt at code.example.com"),
        (Kind.SOURCEGRAPH, "https://code.example.com:8443/sg", "Sourcegraph at code.example.com:8443"),
        (Kind.GITHUB, "https://github.com", "GitHub at github.com"),
    ],
)
def test_servers_of_others(kind: Kind, url: str, name: str) -> None:
    provider = provider_for(Connection(kind=kind, url=url), Secret("token-1"))
    assert provider.name == name
    provider.close()


@pytest.mark.parametrize("kind", [Kind.ZOEKT, Kind.SOURCEGRAPH, Kind.GITHUB])
def test_an_address_that_is_not_encrypted_is_refused(kind: Kind) -> None:
    with pytest.raises(RemoteError, match="use https"):
        provider_for(Connection(kind=kind, url="http://code.example.com"), None)


def test_a_shared_index_is_opened_with_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = ModuleType("opening")
    shared = ModuleType("shared")
    opening.open_index = lambda connection, secret: (connection, secret)  # type: ignore[attr-defined]
    shared.SharedProvider = lambda index: index  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lurcher_index.remote.engines.opening", opening)
    monkeypatch.setitem(sys.modules, "lurcher_index.remote.providers.shared", shared)
    connection = Connection(kind=Kind.MILVUS, url="https://host:19530")
    token = Secret("token-1")
    made: object = provider_for(connection, token)
    assert made == (connection, token)
