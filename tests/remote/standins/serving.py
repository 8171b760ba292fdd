"""A real HTTP server on loopback that behaves, unless it was told how to misbehave; it notes what it was asked."""

import gzip
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qs, urlsplit


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}


Answer = Callable[["Handler", Asked], None]


class Handler(BaseHTTPRequestHandler):
    """Hands every request to the next fault, or else to the server itself."""

    server: "StandIn"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        with self.server.turn:
            self.server.asked.append(asked)
            fault = self.server.faults.pop(0) if self.server.faults else None
        try:
            (fault or self.server.answer)(self, asked)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True  # The client had enough.

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

    def reply_json(self, value: object, status: int = 200, **headers: str) -> None:
        self.reply(status, json.dumps(value).encode(), "application/json; charset=utf-8", **headers)

    def begin(self, kind: str, **headers: str) -> None:
        """The head of an answer in portions."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def portion(self, data: bytes) -> None:
        """A portion; the last one is empty."""
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


class StandIn(ThreadingHTTPServer):
    """To be given an `answer` by those who inherit from it."""

    daemon_threads = True
    request_queue_size = 32

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.turn = threading.Lock()
        self.over = threading.Event()
        self.asked: list[Asked] = []
        self.faults: list[Answer] = []
        """How the next requests are answered, one each."""
        self.is_encrypted = tls is not None
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def answer(self, handler: Handler, asked: Asked) -> None:  # noqa: ARG002
        handler.reply_json({"fine": True})

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"{'https' if self.is_encrypted else 'http'}://127.0.0.1:{self.port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no news."""


Server = TypeVar("Server", bound=StandIn)


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


# -- how to misbehave


def status(number: int, body: bytes = b"{}", **headers: str) -> Answer:
    return lambda handler, _asked: handler.reply(number, body, **headers)


def redirect(to: str, number: int = 302) -> Answer:
    return status(number, b"", Location=to)


def wrong_kind(handler: Handler, asked: Asked) -> None:
    handler.reply(200, b"<html>please sign in</html>", "text/html")


def says(body: bytes, kind: str = "application/json") -> Answer:
    return lambda handler, _asked: handler.reply(200, body, kind)


def silent(handler: Handler, asked: Asked) -> None:
    handler.close_connection = True
    handler.server.over.wait(30)


def slow_head(handler: Handler, asked: Asked) -> None:
    """A byte now and then, each within the time that a server may be silent, and never a whole line."""
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b"X")


def dribbling(kind: str = "application/json") -> Answer:
    def behave(handler: Handler, asked: Asked) -> None:
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        while not handler.server.over.wait(0.02):
            handler.wfile.write(b":\n")

    return behave


def endless(kind: str = "application/json") -> Answer:
    def behave(handler: Handler, asked: Asked) -> None:
        handler.close_connection = True
        handler.begin(kind)
        while not handler.server.over.is_set():
            handler.portion(b" " * 65_536)

    return behave


def half(kind: str = "application/json", body: bytes = b'{"Result": {') -> Answer:
    def behave(handler: Handler, asked: Asked) -> None:
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body) + 1000))
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def half_in_portions(handler: Handler, asked: Asked) -> None:
    handler.close_connection = True
    handler.begin("application/json")
    handler.portion(b'{"fine"')


def hangs_up(handler: Handler, asked: Asked) -> None:
    handler.close_connection = True


def no_http(handler: Handler, asked: Asked) -> None:
    handler.close_connection = True
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


def packed(body: bytes, cut: int | None = None, packing: str = "gzip") -> Answer:
    return lambda handler, _asked: handler.reply(200, gzip.compress(body)[:cut], Content_Encoding=packing)
