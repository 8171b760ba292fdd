"""Connections: made when needed, a few kept, none waited for without an end.

psycopg_pool would keep threads of its own to reconnect; a client that asks now and then needs a stack.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import pq

from lurcher_index.errors import RemoteUnreachable
from lurcher_index.remote.engines.postgres.address import Address
from lurcher_index.remote.engines.postgres.failures import translated
from lurcher_index.remote.engines.postgres.limits import Limits, Password

Database = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")

_KEEPALIVES: dict[str, int] = {"keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 3}
"""A peer that vanished is noticed after 35 s, on either side: that is how long a dead publisher may keep its claim."""


class Connections:
    """The connections to one server. Thread-safe: each is lent to one thread at a time."""

    def __init__(self, address: Address, password: Password | None, limits: Limits) -> None:
        """Nothing is connected yet."""
        self.address = address
        self.limits = limits
        self._password = password
        self._idle: list[Database] = []
        self._lock = threading.Lock()
        self._closed = False

    def reading(self, work: Callable[[Database], T]) -> T:
        """Do some reading in one transaction that sees one state of the database, and changes nothing.

        A kept connection may have died long ago: if it turns out to be broken, a new one is tried.
        """
        database = self._kept()
        if database is not None:
            try:
                return self._used(database, work)
            except RemoteUnreachable:
                if not database.closed:
                    raise
                self._drop_idle()
        return self._used(self.connect(self.limits.search), work)

    def connect(self, seconds: float) -> Database:
        """A new connection whose statements may take so long each."""
        unverified = {} if self.address.is_verified or pq.version() < 160000 else {"require_auth": "!password"}
        try:
            database: Database = psycopg.connect(
                host=self.address.host,
                port=self.address.port,
                user=self.address.user,
                dbname=self.address.database,
                password=self._password.reveal() if self._password else None,
                connect_timeout=max(2, self.limits.connect),
                application_name="lurcher",
                client_encoding="utf8",
                gssencmode="disable",
                tcp_user_timeout=int(1000 * (self.limits.search + self.limits.grace)),
                autocommit=True,
                **_KEEPALIVES,
                **unverified,
                **self.address.options,
            )
        except psycopg.Error as error:
            raise translated(error, self.address.shown) from None
        try:
            with self.guarded(database, self.limits.search):
                _set_up(database, seconds)
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def guarded(self, database: Database, seconds: float) -> Iterator[None]:
        """Errors of the driver become ours; and whatever the server does, it ends: the connection is cut if the
        server's own limit did not help."""
        over = threading.Event()
        cut = threading.Thread(
            target=_cut_after, args=(database, seconds + self.limits.grace, over), name="lurcher-cut", daemon=True
        )
        cut.start()
        try:
            yield
        except psycopg.Error as error:
            raise translated(error, self.address.shown) from None
        finally:
            over.set()

    def close(self) -> None:
        """Give up what is kept; what is lent is closed when it comes back."""
        self._closed = True
        self._drop_idle()

    def _used(self, database: Database, work: Callable[[Database], T]) -> T:
        try:
            with self.guarded(database, self.limits.search), database.transaction():
                database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                result = work(database)
        finally:
            self._keep(database)
        return result

    def _kept(self) -> Database | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _keep(self, database: Database) -> None:
        with self._lock:
            if not self._closed and not database.closed and len(self._idle) < self.limits.idle:
                self._idle.append(database)
                return
        database.close()

    def _drop_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for database in idle:
            database.close()


def _set_up(database: Database, seconds: float) -> None:
    settings: dict[LiteralString, str] = {
        "statement_timeout": f"{max(1, int(1000 * seconds))}ms",
        "idle_in_transaction_session_timeout": "600s",
        "lock_timeout": "10s",
        "tcp_keepalives_idle": str(_KEEPALIVES["keepalives_idle"]),
        "tcp_keepalives_interval": str(_KEEPALIVES["keepalives_interval"]),
        "tcp_keepalives_count": str(_KEEPALIVES["keepalives_count"]),
    }
    for name, value in settings.items():
        database.execute("SELECT set_config(%s, %s, false)", (name, value))


def _cut_after(database: Database, seconds: float, over: threading.Event) -> None:
    if over.wait(seconds):
        return
    try:
        # A duplicate of the socket: the driver keeps its own, and reads the end of the stream there.
        with socket.fromfd(database.fileno(), socket.AF_INET, socket.SOCK_STREAM) as copy:
            copy.shutdown(socket.SHUT_RDWR)
    except (OSError, psycopg.Error):
        pass
