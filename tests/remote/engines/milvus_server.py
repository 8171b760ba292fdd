"""A real milvus-lite on loopback, in a folder of its own."""

import importlib.util
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest


class MilvusServer:
    """A server that can be killed and started again. Databases in it are cheap: one for each test."""

    def __init__(self) -> None:
        if importlib.util.find_spec("milvus_lite") is None or importlib.util.find_spec("pymilvus") is None:
            pytest.skip("there is no milvus-lite for this system")
        self.folder = Path(tempfile.mkdtemp(prefix="lurcher-milvus-"))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        arguments = ["server", "--host", "127.0.0.1", "--port", str(self.port), "--data-dir", str(self.folder / "data")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "milvus_lite", *arguments], stdout=log, stderr=log, cwd=self.folder
            )
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
        raise TimeoutError((self.folder / "log").read_text())

    def kill(self) -> None:
        """As if it had crashed."""
        self._process.kill()
        self._process.wait()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_url(self) -> str:
        """The address of a database that nobody has used, nor created."""
        return f"http://127.0.0.1:{self.port}/test_{secrets.token_hex(6)}"
