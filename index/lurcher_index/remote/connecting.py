"""Makes a provider of what a person set."""

from importlib import import_module
from typing import cast

from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.http.address import read_base
from lurcher_index.remote.interface import Provider
from lurcher_index.remote.providers.github import GitHub
from lurcher_index.remote.providers.sourcegraph import Sourcegraph
from lurcher_index.remote.providers.zoekt import Zoekt
from lurcher_index.secret import Secret


def provider_for(connection: Connection, secret: Secret | None) -> Provider:
    """The provider behind a connection. Nothing is sent yet; an address that cannot be used is a `RemoteError`."""
    match connection.kind:
        case Kind.ZOEKT:
            return Zoekt(read_base(connection.url), secret)
        case Kind.SOURCEGRAPH:
            return Sourcegraph(read_base(connection.url), secret)
        case Kind.GITHUB:
            return GitHub(read_base(connection.url), secret)
        case Kind.POSTGRES | Kind.MILVUS:
            return _shared(connection, secret)


def _shared(connection: Connection, secret: Secret | None) -> Provider:
    """A shared index of ours. Its engines bring libraries that nobody else needs: they are loaded for it alone."""
    opening = import_module("lurcher_index.remote.engines.opening")
    shared = import_module("lurcher_index.remote.providers.shared")
    return cast("Provider", shared.SharedProvider(opening.open_index(connection, secret)))
