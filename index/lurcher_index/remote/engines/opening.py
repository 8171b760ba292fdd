"""Opens the shared index that a connection names; the engine's package, and its driver, are loaded only then."""

from importlib import import_module
from typing import Protocol, cast

from lurcher_index.errors import RemoteError
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.engines.interface import SharedIndex

_OPENERS = {
    Kind.POSTGRES: ("lurcher_index.remote.engines.postgres", "open_postgres"),
    Kind.MILVUS: ("lurcher_index.remote.engines.milvus", "MilvusIndex"),
}
"""By kind the package and what opens it, given an address and a secret."""

_SCHEMES = {"postgresql": Kind.POSTGRES, "postgres": Kind.POSTGRES, "http": Kind.MILVUS, "https": Kind.MILVUS}


class Revealing(Protocol):
    """A password or token that is given away only on purpose."""

    def reveal(self) -> str:
        """The secret itself."""
        ...


class _Opener(Protocol):
    def __call__(self, url: str, secret: Revealing | None, /) -> SharedIndex: ...


def open_index(connection: Connection, secret: Revealing | None = None) -> SharedIndex:
    """A handle on it; nothing is connected yet."""
    if connection.kind not in _OPENERS:
        raise RemoteError(f"{connection.kind} holds no index of ours; publish to PostgreSQL or Milvus")
    package, name = _OPENERS[connection.kind]
    try:
        opener = cast(_Opener, getattr(import_module(package), name))
    except ImportError:
        extra = connection.kind.value
        raise RemoteError(
            f"a shared index in {extra} needs its driver; install it with: pip install 'lurcher[{extra}]'"
        ) from None
    return opener(connection.url, secret)


def kind_of(url: str) -> Kind:
    """The engine that an address means, if nobody says which."""
    scheme = url.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        raise RemoteError("the address names no engine; begin it with postgresql:// or https://, or say which --kind")
    return _SCHEMES[scheme]
