"""A proxy on loopback that cuts connections, slows them down, or lets them hang."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType


class CuttingProxy:
    """Hands on what it gets to a port of this machine, until it is told otherwise."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._left: int | None = None
        self._then: Callable[[], object] | None = None
        self._pause = 0.0
        self._open = threading.Event()
        self._open.set()
        self._answering = threading.Event()
        self._answering.set()
        self.sent = 0
        """Bytes that went to the server so far."""
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._counting = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> "CuttingProxy":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Only a shutdown wakes who waits there for the next one.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._open.set()
        self._answering.set()
        self._close_all()

    def cut_after(self, sent: int, then: Callable[[], object] = lambda: None) -> None:
        """Cut all connections, and any new one, once so many more bytes went to the server; after that, do something:
        what crossed the line did not arrive."""
        self._then = then
        self._left = sent

    def slow_down(self, pause: float) -> None:
        """Wait so many seconds before each piece that is handed on, either way."""
        self._pause = pause

    def hold(self) -> None:
        """Keep connections, but hand nothing on."""
        self._open.clear()

    def hold_answers(self) -> None:
        """Half-open: what is sent arrives, but nothing comes back."""
        self._answering.clear()

    def mend(self) -> None:
        """New connections work again; those that hung are closed."""
        self._left = None
        self._pause = 0.0
        self._close_all()
        self._open.set()
        self._answering.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    # Nobody is there: that is what the client shall see.
                    client.close()
                    continue
                with self._lock:
                    self._sockets += [client, server]
                threading.Thread(target=self._hand_on, args=(client, server, True), daemon=True).start()
                threading.Thread(target=self._hand_on, args=(server, client, False), daemon=True).start()

    def _hand_on(self, source: socket.socket, sink: socket.socket, counted: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(16_384):
                self._open.wait()
                if not counted:
                    self._answering.wait()
                if self._pause:
                    time.sleep(self._pause)
                if counted and self._is_over(len(data)):
                    self._close_all()
                    return
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _is_over(self, more: int) -> bool:
        """Count what is about to be handed on; whether it must not be."""
        with self._counting:
            self.sent += more
            if self._left is None:
                return False
            self._left -= more
            if self._left > 0:
                return False
            then, self._then = self._then, None
            if then is not None:
                self._close_all()
                then()
            return True

    def _close_all(self) -> None:
        with self._lock:
            sockets, self._sockets = self._sockets, []
        for each in sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
