"""A proxy on loopback: it opens tunnels (CONNECT), all to one port of this machine whatever host is asked for."""

import socket
import threading
from base64 import b64encode

from tests.remote.standins.serving import Asked, Handler, StandIn


class ProxyServer(StandIn):
    """Notes every tunnel that is asked for. What is forwarded in plain text is noted too, and refused."""

    def __init__(self, port: int, login: str = "") -> None:
        """`login`: the name and password that it wants, as `name:password`."""
        super().__init__()
        self.RequestHandlerClass = _ProxyHandler
        self.target = port
        self.login = login
        self.is_closed = False
        """Whether it lets nobody through."""

    def answer(self, handler: Handler, asked: Asked) -> None:  # noqa: ARG002
        handler.reply(403, b"no plain text here", "text/plain")


class _ProxyHandler(Handler):
    server: ProxyServer

    def do_CONNECT(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append(Asked(self.command, self.path, headers, b""))
        wanted = f"Basic {b64encode(self.server.login.encode()).decode()}"
        if self.server.login and headers.get("proxy-authorization") != wanted:
            self.send_error(407)
            return
        if self.server.is_closed:
            self.send_error(403)
            return
        with socket.create_connection(("127.0.0.1", self.server.target)) as behind:
            self.send_response(200)
            self.end_headers()
            back = threading.Thread(target=_pump, args=(behind, self.connection))
            back.start()
            _pump(self.connection, behind)
            back.join()
        self.close_connection = True


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65_536):
            target.sendall(data)
    except OSError:
        pass  # One side had enough.
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # It is closed already.
