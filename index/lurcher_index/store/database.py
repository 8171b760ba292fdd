"""One SQLite database: opening, versions, transactions. It knows nothing of what the tables mean."""

import os
import sqlite3
import threading
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lurcher_index.errors import StoreBusy, StoreClosed, StoreDamaged, StoreError, StoreReplaced

SCHEMA_VERSION = 4
"""Raised whenever a table changes; an index of another version is built anew."""

BUSY_SECONDS = 30.0
"""How long a statement waits for another process's transaction; ours last milliseconds."""

BUSY_PAUSE = 0.005
"""Between two attempts, where SQLite refuses at once instead of waiting."""

PARAMETERS = 900
"""Values per statement; SQLite's old limit is 999."""

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE folder (folder_id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE content (
    content_id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL,
    language TEXT NOT NULL,
    encoding TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    outline BLOB NOT NULL,
    UNIQUE (hash, language)
);
CREATE TABLE file (
    file_id INTEGER PRIMARY KEY AUTOINCREMENT,
    folder_id INTEGER NOT NULL REFERENCES folder,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    read_ns INTEGER NOT NULL,
    content_id INTEGER REFERENCES content,
    reason TEXT,
    detail TEXT,
    folded INTEGER NOT NULL DEFAULT 0,
    UNIQUE (folder_id, path)
);
CREATE INDEX file_unfolded ON file (file_id) WHERE folded = 0;
CREATE INDEX file_by_content ON file (content_id);
CREATE TABLE link (content_id INTEGER PRIMARY KEY, links BLOB NOT NULL);
CREATE TABLE name (content_id INTEGER PRIMARY KEY, defined BLOB NOT NULL, used BLOB NOT NULL);
CREATE TABLE tombstone (file_id INTEGER PRIMARY KEY);
CREATE TABLE feature (content_id INTEGER PRIMARY KEY, digest BLOB NOT NULL, phrases BLOB NOT NULL);
CREATE TABLE vector (
    vector_id INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    content_id INTEGER NOT NULL,
    words BLOB,
    rows BLOB NOT NULL,
    UNIQUE (model, content_id)
);
"""
# AUTOINCREMENT keeps numbers from being used again: a stale document in the postings must never point at another file.


class Database:
    """A connection for writing and one per thread for reading; in memory, one for both."""

    def __init__(self, path: Path | None, fingerprint: str) -> None:
        """Open or create the database. One that is broken, of another version or of other settings is emptied."""
        self.path = path
        self.was_reset = ""
        self._lock = threading.RLock()
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._version_turn = threading.Lock()
        self._gate = threading.Condition()
        self._users = 0
        self._closed = False
        with translated_errors(path):
            self._writer = self._open_valid(fingerprint)
            # Versions of two connections cannot be compared, so all threads ask through the same one.
            self._versions = self._open_reader() if path is not None else self._writer
        self._identity = _identity(path) if path is not None else None

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query, as of the last commit."""
        with self._open(), translated_errors(self.path):
            if self.path is None:
                with self._lock:
                    return self._writer.execute(sql, parameters).fetchall()
            return self._reader().execute(sql, parameters).fetchall()

    def read_among(self, sql: str, numbers: Iterable[int]) -> list[tuple[Any, ...]]:
        """All rows of a query that ends in `IN`, for any number of numbers."""
        wanted = list(numbers)
        rows: list[tuple[Any, ...]] = []
        for at in range(0, len(wanted), PARAMETERS):
            part = wanted[at : at + PARAMETERS]
            rows += self.read(f"{sql} ({','.join('?' * len(part))})", part)
        return rows

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """A transaction that is committed at the end of the block and rolled back by an exception."""
        with self._open(), self._lock, translated_errors(self.path):
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                self._writer.rollback()
                raise
            self._writer.commit()

    def data_version(self) -> int:
        """A number that changes when another connection, of this or another process, has committed."""
        if self.path is not None and _identity(self.path) != self._identity:
            # Connections go on to work on a file that was deleted, and would never hear of anything again.
            raise StoreReplaced(f"the index {self.path} was deleted by another process")
        with self._open(), self._version_turn, translated_errors(self.path):
            if self.path is None:
                return self._writer.total_changes
            return int(self._versions.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Close every connection; the write-ahead log is folded into the file.

        A connection that is closed while another thread works with it takes the process down, so those are waited for.
        """
        with self._gate:
            self._closed = True
            self._gate.wait_for(lambda: self._users == 0)
        for connection in (*self._readers, self._writer):
            connection.close()

    @contextmanager
    def _open(self) -> Generator[None]:
        """Keep the connections open for the duration of the block."""
        with self._gate:
            if self._closed:
                raise StoreClosed(f"the index {self.path} has been closed")
            self._users += 1
        try:
            yield
        finally:
            with self._gate:
                self._users -= 1
                if self._closed:
                    self._gate.notify_all()

    def _reader(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._open_reader()
        return connection

    def _open_reader(self) -> sqlite3.Connection:
        connection = _connect(self.path)
        connection.execute("PRAGMA query_only = 1")
        self._readers.append(connection)
        return connection

    def _open_valid(self, fingerprint: str) -> sqlite3.Connection:
        try:
            connection, self.was_reset = _open_prepared(self.path, fingerprint)
        except sqlite3.DatabaseError as error:
            if self.path is None or not _is_damage(error):
                raise
            _delete(self.path)
            connection, _ = _open_prepared(self.path, fingerprint)
            self.was_reset = f"the index was damaged ({error})"
        return connection


@contextmanager
def translated_errors(path: Path | None) -> Generator[None]:
    """SQLite's errors as ours, with the file they are about."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(f"another process is writing the index {path}: {error}") from error
        if _is_damage(error):
            raise StoreDamaged(f"the index {path} is damaged: {error}") from error
        raise StoreError(f"the index {path} cannot be used: {error}") from error


def _code(error: sqlite3.Error) -> int:
    # What Python's module itself refuses, such as the use of a closed connection, has no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is not what we wrote. Our SQL is fixed, so an error in it means that the tables are not ours."""
    return _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def _connect(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"the index directory {path.parent} cannot be made: {error}") from error
    connection = sqlite3.connect(
        path or ":memory:", timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _log_ahead(connection)
        # With a write-ahead log NORMAL loses at most the last transactions in a power cut and never damages the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        # A stored outline must not be able to run anything when it is read.
        connection.execute("PRAGMA trusted_schema = 0")
    except BaseException:
        connection.close()
        raise
    return connection


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Use a write-ahead log. A new file is switched to it, and of processes that do so at once all but one may fail.

    SQLite does not wait there: two that both read and both want to write would wait for each other.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(BUSY_PAUSE)
        else:
            return


def _open_prepared(path: Path | None, fingerprint: str) -> tuple[sqlite3.Connection, str]:
    """A connection to a database with our tables, and why they were made anew, if they were."""
    connection = _connect(path)
    try:
        return connection, _prepare(connection, fingerprint)
    except BaseException:
        connection.close()
        raise


def _prepare(connection: sqlite3.Connection, fingerprint: str) -> str:
    """Make the tables, anew if they are of another version or fingerprint; says why they were made anew.

    All in one transaction on the same file: another process that has it open sees either state, never none.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        why = _why_unusable(connection, fingerprint)
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        own = [name for name in tables if not name.startswith("sqlite_")]
        if why or not own:
            for name in own:
                connection.execute('DROP TABLE "{}"'.format(name.replace('"', '""')))
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            epoch = os.urandom(8).hex()
            connection.execute("INSERT INTO meta VALUES ('fingerprint', ?), ('epoch', ?)", (fingerprint, epoch))
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION:d}")
    except BaseException:
        connection.rollback()
        raise
    connection.commit()
    return why


def _why_unusable(connection: sqlite3.Connection, fingerprint: str) -> str:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return ""
    if version != SCHEMA_VERSION:
        return f"the index had format {version}, this version writes {SCHEMA_VERSION}"
    found = connection.execute("SELECT value FROM meta WHERE name = 'fingerprint'").fetchone()
    return "" if found and found[0] == fingerprint else "the index was made by another version"


def _identity(path: Path) -> tuple[int, int] | None:
    """Tells one file from another that has its name."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _delete(path: Path) -> None:
    for name in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        name.unlink(missing_ok=True)
