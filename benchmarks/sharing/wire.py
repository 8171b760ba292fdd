"""Counts the bytes that go to a server and come back: a relay on loopback, in a process of its own.

Its own process, so that the time it takes is nobody's whose CPU time is measured.
"""

import multiprocessing
import socket
import threading
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from types import TracebackType
from typing import NamedTuple, Self

_PIECE = 1 << 16


class Bytes(NamedTuple):
    """What went over the wire, in both directions, without the headers of TCP."""

    sent: int
    received: int

    def since(self, earlier: "Bytes") -> "Bytes":
        """What was added."""
        return Bytes(self.sent - earlier.sent, self.received - earlier.received)


class Wire:
    """A relay to a port of this machine."""

    def __init__(self, target: int) -> None:
        """Start it."""
        context = multiprocessing.get_context("spawn")
        self._sent: Synchronized[int] = context.Value("q", 0)
        self._received: Synchronized[int] = context.Value("q", 0)
        theirs, ours = context.Pipe()
        self._process = context.Process(
            target=_relay, args=(target, theirs, self._sent, self._received), name="wire", daemon=True
        )
        self._process.start()
        self.port: int = ours.recv()

    def bytes(self) -> Bytes:
        """So far."""
        return Bytes(self._sent.value, self._received.value)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cut every connection."""
        self._process.terminate()
        self._process.join()


def _relay(
    target: int,
    told: "Connection[int, None]",
    sent: "Synchronized[int]",
    received: "Synchronized[int]",
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        told.send(int(listening.getsockname()[1]))
        while True:
            near, _ = listening.accept()
            far = socket.create_connection(("127.0.0.1", target))
            for source, sink, counter in ((near, far, sent), (far, near, received)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=_pump, args=(source, sink, counter), daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket, counter: "Synchronized[int]") -> None:
    try:
        while piece := source.recv(_PIECE):
            sink.sendall(piece)
            with counter.get_lock():
                counter.value += len(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        return
