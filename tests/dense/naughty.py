"""A real HTTP server on loopback that answers as it is told, and notes what it was asked."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

DIMENSION = 4


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


Behaviour = Callable[["Handler", Any], None]
"""Answers one request."""


class Handler(BaseHTTPRequestHandler):
    """Hands every request to the next behaviour; the last one stays."""

    server: "Server"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.turn:
            self.server.asked.append(Asked(self.path, dict(self.headers.items()), body))
            behaviours = self.server.behaviours
            behaviour = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
        try:
            behaviour(self, body)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass  # The client had enough.

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def reply(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def wait(self) -> None:
        """Be slow: until the test is over."""
        self.server.over.wait(30)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, behaviours: Sequence[Behaviour], tls: ssl.SSLContext | None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.turn = threading.Lock()
        self.over = threading.Event()
        self.asked: list[Asked] = []
        self.behaviours = list(behaviours)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    @property
    def url(self) -> str:
        scheme = "https" if isinstance(self.socket, ssl.SSLSocket) else "http"
        return f"{scheme}://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no news."""


@contextmanager
def served(*behaviours: Behaviour, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    server = Server(behaviours or [well], tls)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def vector(text: str, dimension: int = DIMENSION) -> list[float]:
    """Tells texts apart."""
    return [float(len(text)), *(float(text.count(letter)) for letter in "aeiouxyz"[: dimension - 1])]


def data(texts: Sequence[str], dimension: int = DIMENSION) -> list[dict[str, Any]]:
    return [{"object": "embedding", "index": at, "embedding": vector(text, dimension)} for at, text in enumerate(texts)]


def well(handler: Handler, body: Any) -> None:
    """As it should be."""
    handler.reply(200, json.dumps({"object": "list", "data": data(body["input"])}).encode())


def says(made: Callable[[list[dict[str, Any]]], object]) -> Behaviour:
    """A good answer after something was done to its data."""

    def behave(handler: Handler, body: Any) -> None:
        handler.reply(200, json.dumps({"data": made(data(body["input"]))}).encode())

    return behave


def answers(status: int, body: bytes = b"{}", kind: str = "application/json", **headers: str) -> Behaviour:
    """Always the same."""
    return lambda handler, _body: handler.reply(status, body, kind, **headers)
