"""Connections: made when needed, a few kept, none waited for without an end.

psycopg_pool would keep threads of its own to reconnect; a client that asks now and then needs a stack.
"""

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakSet

import psycopg
from psycopg import pq

from lurcher_index.errors import RemoteError, RemoteUnreachable
from lurcher_index.remote.engines.postgres.address import Address
from lurcher_index.remote.engines.postgres.failures import translated
from lurcher_index.remote.engines.postgres.limits import Limits, Password

Database = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")

_KEEPALIVES: dict[str, int] = {"keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 3}
"""A peer that vanished is noticed after 35 s, on either side: that is how long a dead publisher may keep its claim."""


_REFUSING_LIBPQ = 160000
"""The first libpq that can refuse ways of signing in."""


class Connections:
    """The connections to one server. Thread-safe: each is lent to one thread at a time."""

    def __init__(self, address: Address, password: Password | None, limits: Limits) -> None:
        """Nothing is connected yet."""
        self.address = address
        self.limits = limits
        self._password = password
        self._idle: list[tuple[Database, float]] = []
        self._made: WeakSet[Database] = WeakSet()
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
        database = self.connect(self.limits.search)
        database.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        database.read_only = True
        return self._used(database, work)

    def connect(self, seconds: float) -> Database:
        """A new connection whose statements may take so long each."""
        if self._closed:
            raise RemoteUnreachable(f"the connection to {self.address.shown} was closed")
        try:
            database: Database = psycopg.connect(**self._parameters())
        except psycopg.Error as error:
            raise translated(error, self.address.shown) from None
        with self._lock:
            self._made.add(database)
        try:
            with self.guarded(database, self.limits.search):
                _set_up(database, seconds, self.limits.lock)
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def guarded(self, database: Database, seconds: float) -> Generator[None]:
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
        except UnicodeError:
            raise RemoteError(f"{self.address.shown} cannot take a name that is no text; rename it") from None
        finally:
            over.set()

    def close(self) -> None:
        """Give up what is kept, and cut what is lent: whoever waits there for an answer has no use for it any more."""
        self._closed = True
        self._drop_idle()
        with self._lock:
            lent = list(self._made)
        for database in lent:
            _cut(database)

    def _parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "host": self.address.host,
            "port": self.address.port,
            "user": self.address.user,
            "dbname": self.address.database,
            "password": self._password.reveal() if self._password else None,
            "connect_timeout": max(2, self.limits.connect),
            "application_name": "lurcher",
            "client_encoding": "utf8",
            "gssencmode": "disable",
            "tcp_user_timeout": int(1000 * (self.limits.search + self.limits.grace)),
            "autocommit": True,
            # A plan for any repository and any question is a bad one for most: it took 10 s instead of 20 ms.
            "prepare_threshold": None,
        }
        if not self.address.is_verified and pq.version() >= _REFUSING_LIBPQ:
            # Somebody who only pretends to be the server is not told the password in plain.
            parameters["require_auth"] = "!password"
        return parameters | _KEEPALIVES | self.address.options

    def _used(self, database: Database, work: Callable[[Database], T]) -> T:
        try:
            with self.guarded(database, self.limits.search), database.transaction():
                result = work(database)
        finally:
            self._keep(database)
        return result

    def _kept(self) -> Database | None:
        with self._lock:
            database, since = self._idle.pop() if self._idle else (None, 0.0)
        if database is None or time.monotonic() - since <= self.limits.kept:
            return database
        database.close()
        self._drop_idle()
        return None

    def _keep(self, database: Database) -> None:
        with self._lock:
            if not self._closed and not database.closed and len(self._idle) < self.limits.idle:
                self._idle.append((database, time.monotonic()))
                return
        database.close()

    def _drop_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for database, _ in idle:
            database.close()


def _set_up(database: Database, seconds: float, lock_seconds: float) -> None:
    settings = {
        "statement_timeout": f"{max(1, int(1000 * seconds))}ms",
        "idle_in_transaction_session_timeout": "600s",
        "lock_timeout": f"{max(1, int(1000 * lock_seconds))}ms",
        "tcp_keepalives_idle": str(_KEEPALIVES["keepalives_idle"]),
        "tcp_keepalives_interval": str(_KEEPALIVES["keepalives_interval"]),
        "tcp_keepalives_count": str(_KEEPALIVES["keepalives_count"]),
    }
    database.execute(
        "SELECT set_config(name, value, false) FROM unnest(%s::text[], %s::text[]) AS s(name, value)",
        (list(settings), list(settings.values())),
    )


def _cut_after(database: Database, seconds: float, over: threading.Event) -> None:
    if not over.wait(seconds):
        _cut(database)


def _cut(database: Database) -> None:
    try:
        # A duplicate of the socket: the driver keeps its own, and reads the end of the stream there.
        with socket.fromfd(database.fileno(), socket.AF_INET, socket.SOCK_STREAM) as copy:
            copy.shutdown(socket.SHUT_RDWR)
    except (OSError, psycopg.Error):
        pass
