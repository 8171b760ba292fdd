"""The right to publish a repository: a lock of the server that belongs to a connection.

Everything a publish writes goes through that connection. So whoever loses the claim, because the connection broke, can
no longer write either, and nobody has to compare clocks.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from hashlib import blake2b
from typing import TypeVar

from lurcher_index.errors import RemoteBusy, RemoteError
from lurcher_index.remote.engines.postgres.connecting import Connections, Database

T = TypeVar("T")


class Claims:
    """The claims of this process on one server. Thread-safe."""

    def __init__(self, connections: Connections) -> None:
        """None yet."""
        self._connections = connections
        self._held: dict[str, tuple[Database, threading.Lock]] = {}

    @contextmanager
    def claim(self, repository: str, owner: str) -> Generator[None]:
        """Hold the right to publish."""
        where = self._connections.address.shown
        database = self._connections.connect(self._connections.limits.write)
        try:
            with self._connections.guarded(database, self._connections.limits.search):
                database.execute("SELECT set_config('application_name', %s, false)", (f"lurcher {owner}"[:60],))
                got = database.execute("SELECT pg_try_advisory_lock(%s)", (lock_number(repository),)).fetchone()
            if got != (True,):
                raise RemoteBusy(f"somebody else is publishing {repository} to {where}; try again when they are done")
            self._held[repository] = (database, threading.Lock())
            try:
                yield
            finally:
                del self._held[repository]
                self._unlock(database, repository)
        finally:
            database.close()

    def writing(self, repository: str, work: Callable[[Database], T]) -> T:
        """Do some writing within a claim."""
        held = self._held.get(repository)
        if held is None:
            raise RemoteError(f"{repository} is not claimed; publish it within a claim")
        database, turn = held
        with turn, self._connections.guarded(database, self._connections.limits.write):
            return work(database)

    def _unlock(self, database: Database, repository: str) -> None:
        """Give the lock back at once: the server notices a closed connection a moment later."""
        try:
            with self._connections.guarded(database, self._connections.limits.search):
                database.execute("SELECT pg_advisory_unlock(%s)", (lock_number(repository),))
        except RemoteError:
            pass  # What broke the connection took the lock too.


def is_claimed(database: Database, repository: str) -> bool:
    """Whether anybody holds the lock."""
    number = lock_number(repository) % 2**64
    found = database.execute(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
        " AND classid = %s::bigint::oid AND objid = %s::bigint::oid"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
        (number >> 32, number & 0xFFFFFFFF),
    ).fetchone()
    return found == (True,)


def lock_number(repository: str) -> int:
    """The number of a repository's lock."""
    text = f"lurcher claim {repository}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)
