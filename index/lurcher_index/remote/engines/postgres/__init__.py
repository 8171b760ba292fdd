"""The shared index in PostgreSQL with pgvector."""

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.postgres.limits import Limits, Password


def open_postgres(url: str, password: Password | None = None, limits: Limits | None = None) -> SharedIndex:
    """The shared index at an address; nothing is connected before it is used. The driver is loaded here, not before."""
    try:
        from lurcher_index.remote.engines.postgres.index import PostgresIndex
    except ImportError:
        raise RemoteError(
            "a shared index in PostgreSQL needs the driver psycopg; install it with: pip install 'lurcher[postgres]'"
        ) from None
    return PostgresIndex(url, password, limits)
