"""A proxy on loopback that cuts connections, or lets them hang."""

import contextlib
import socket
import threading
from types import TracebackType


class CuttingProxy:
    """Hands on what it gets to a port of this machine, until it is told otherwise."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._left: int | None = None
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> "CuttingProxy":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        self._open.set()
        self._close_all()

    def cut_after(self, sent: int) -> None:
        """Cut all connections once so many more bytes went to the server."""
        self._left = sent

    def hold(self) -> None:
        """Keep connections, but hand nothing on."""
        self._open.clear()

    def mend(self) -> None:
        """New connections work again; those that hung are closed."""
        self._left = None
        self._close_all()
        self._open.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                with self._lock:
                    self._sockets += [client, server]
                threading.Thread(target=self._hand_on, args=(client, server, True), daemon=True).start()
                threading.Thread(target=self._hand_on, args=(server, client, False), daemon=True).start()

    def _hand_on(self, source: socket.socket, sink: socket.socket, counted: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(16_384):
                self._open.wait()
                if counted and self._left is not None:
                    self._left -= len(data)
                    if self._left <= 0:
                        self._close_all()
                        return
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _close_all(self) -> None:
        with self._lock:
            sockets, self._sockets = self._sockets, []
        for each in sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
