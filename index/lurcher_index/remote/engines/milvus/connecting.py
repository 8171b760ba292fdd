"""The connection to a Milvus server. Only here is pymilvus known, and kept from writing to the error stream."""

import logging
import os
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module, invalidate_caches
from typing import Any, TypeVar

from lurcher_index.errors import RemoteError, RemoteUnreachable
from lurcher_index.hosts import is_this_machine
from lurcher_index.remote.engines.milvus.address import Address
from lurcher_index.remote.engines.milvus.failures import translated
from lurcher_index.remote.engines.milvus.limits import ANSWER_BYTES, Limits, Token

T = TypeVar("T")

QUIET_SECONDS = 330
"""How long a call may be silent until it is asked whether the server is still there. pymilvus asks every 10 s, even if
there is no call; gRPC servers as milvus-lite take that for an attack (300 s is the least they take), cut the
connection in the midst of a long call, and a complaint goes to the error stream. Every call has an end anyway."""


class Connecting:
    """Connects when it is first needed, and anew after a failure. Thread-safe: all threads share a connection."""

    def __init__(self, address: Address, token: Token | None, limits: Limits) -> None:
        """Nothing is connected yet."""
        self._address = address
        self._token = token
        self._limits = limits
        self._newest: _Connection | None = None
        self._closed = False
        self._turn = threading.Lock()

    def asked(self, question: Callable[[Any], T]) -> T:
        """What a question to a `MilvusClient` gives; its errors are ours."""
        milvus, grpc = load_pymilvus(), import_module("grpc")
        try:
            with self.lent() as client:
                return question(client)
        except (milvus.MilvusException, grpc.RpcError, ValueError, TypeError) as error:
            # What pymilvus cannot read in an answer ends in ValueErrors and TypeErrors.
            raise translated(error, self._address.shown) from None

    def close(self) -> None:
        """Disconnect for good; what is under way is cut."""
        with self._turn:
            self._closed = True
            newest, self._newest = self._newest, None
        if newest is not None:
            newest.client.close()

    @contextmanager
    def lent(self) -> Generator[Any]:
        """The connection, kept open meanwhile.

        One that failed is not used again, but others may be in the midst of their calls: it is closed by the last of
        them, for one who asked too much must not cut off all the rest.
        """
        with self._turn:
            if self._closed:
                raise RemoteUnreachable(f"the connection to {self._address.shown} was closed")
            if self._newest is None:
                self._newest = _Connection(self._connect())
            connection = self._newest
            connection.users += 1
        failed = False
        try:
            yield connection.client
        except Exception as error:
            failed = isinstance(translated(error, ""), RemoteUnreachable)
            raise
        finally:
            with self._turn:
                connection.users -= 1
                if failed and self._newest is connection:
                    self._newest = None
                is_last = self._newest is not connection and not connection.users
            if is_last:
                connection.client.close()

    def _connect(self) -> Any:
        options: dict[str, Any] = {
            "grpc.max_receive_message_length": ANSWER_BYTES,
            "grpc.keepalive_time_ms": QUIET_SECONDS * 1000,
            "grpc.keepalive_permit_without_calls": 0,
        }
        if is_this_machine(self._address.host):
            options["grpc.enable_http_proxy"] = 0
        # A dedicated connection is not shared under a global name, and closing it closes it.
        return load_pymilvus().MilvusClient(
            uri=self._address.uri,
            token=self._token.reveal() if self._token else "",
            db_name=self._address.database,
            timeout=self._limits.connect,
            dedicated=True,
            grpc_options=options,
        )


class _Connection:
    """One connection and how many calls are under way on it."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.users = 0


@cache
def load_pymilvus() -> Any:
    """The package, which takes most of a second to import."""
    with _loading:
        # It may have been installed since the last try.
        invalidate_caches()
        before = os.environ.get(_NO_DOTENV)
        # It reads an `.env` file that it finds above itself, which may be that of a workspace, into our environment.
        os.environ[_NO_DOTENV] = "1"
        try:
            milvus = import_module("pymilvus")
        except ImportError as error:
            raise RemoteError(
                f"the package 'pymilvus' for a shared index in Milvus is not there ({error});"
                " install it with: pip install 'lurcher[milvus]'"
            ) from None
        finally:
            if before is None:
                del os.environ[_NO_DOTENV]
            else:
                os.environ[_NO_DOTENV] = before
        for name in _LOGGERS:
            # It writes every failure with a traceback to the error stream; ours say what matters.
            logger = logging.getLogger(name)
            logger.handlers = [logging.NullHandler()]
            logger.propagate = False
            logger.setLevel(logging.CRITICAL + 1)
        return milvus


_loading = threading.Lock()
_NO_DOTENV = "PYTHON_DOTENV_DISABLED"
_LOGGERS = ("pymilvus", "pymilvus.milvus_client", "pymilvus.bulk_writer")
