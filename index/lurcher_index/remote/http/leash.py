"""Holds the sockets of a call, and cuts them when its time is over or nobody wants it any more.

Timeouts of a socket begin anew with every byte: a server that sends one every second would hold us for ever.
"""

import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

LOOK_SECONDS = 0.05
"""How often it is looked whether a call is still wanted: what people do not notice."""


class Leash:
    """Cuts what it holds when the time is over. A context: nothing is cut or held after it."""

    def __init__(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        """`cancelled` is asked now and then, in a thread of its own."""
        self.is_cancelled = False
        self.is_late = False
        self._until = time.monotonic() + seconds
        self._cancelled = cancelled
        self._turn = threading.Lock()
        self._held: list[socket.socket] = []
        self._over = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    @property
    def is_cut(self) -> bool:
        """Whether nothing may go on."""
        return self.is_late or self.is_cancelled

    def hold(self, opened: socket.socket) -> socket.socket:
        """Hold a socket, which may be wrapped or closed by its owner as he likes: what is held is a second handle."""
        with self._turn:
            self._held.append(opened.dup())
        if self.is_cut:
            self._cut()
        return opened

    def __enter__(self) -> "Leash":
        """Begin to watch."""
        self._watch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go."""
        self._over.set()
        self._watch.join()
        for handle in self._held:
            handle.close()

    def _look(self) -> None:
        while not self._over.wait(max(0.0, min(LOOK_SECONDS, self._until - time.monotonic()))):
            self.is_late = time.monotonic() >= self._until
            self.is_cancelled = not self.is_late and self._cancelled()
            if self.is_cut:
                self._cut()
                return

    def _cut(self) -> None:
        with self._turn:
            for handle in self._held:
                try:
                    handle.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # The other side was quicker.


def pools_on(leash: Leash) -> dict[str, type[HTTPConnectionPool]]:
    """By scheme, kinds of connections whose sockets are on a leash from their first moment, before any handshake."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return leash.hold(super()._new_conn())

    class Encrypted(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return leash.hold(super()._new_conn())

    class PlainPool(HTTPConnectionPool):
        ConnectionCls: Any = Plain

    class EncryptedPool(HTTPSConnectionPool):
        ConnectionCls: Any = Encrypted

    return {"http": PlainPool, "https": EncryptedPool}
