"""One request to an endpoint and its answer, within bounds of time and size. Redirects are not followed."""

import http.client
import socket
import ssl
import threading
from email.utils import parsedate_to_datetime

import msgspec

from lurcher_index.dense.endpoint.address import Address
from lurcher_index.secret import Secret

MAX_ANSWER_BYTES = 32 << 20
"""Largest answer that is read: 32 texts of 4,096 numbers with 20 digits take 3 MB."""

MAX_WAIT_TEXT = 64
"""Longest `Retry-After` that is looked at."""

_BLOCK = 64 << 10


class Limits(msgspec.Struct, frozen=True):
    """Seconds that an exchange may take."""

    connect: float
    read: float
    """Longest silence of the server."""
    overall: float
    """From the first to the last byte, however busy the server looks."""


class Reply(msgspec.Struct, frozen=True):
    """What a server answered."""

    status: int
    kind: str
    """Content type, without parameters."""
    body: bytes
    retry_after: str = ""


class NoReply(Exception):
    """There was no whole answer; the text says why and holds nothing of what was sent."""


def post(address: Address, body: bytes, key: Secret | None, limits: Limits, tls: ssl.SSLContext | None = None) -> Reply:
    """Send a JSON body and read the answer."""
    connection = _Connection(address, limits)
    # Timeouts of a socket begin anew with every byte: one that comes every second would hold us for ever.
    alarm = threading.Timer(limits.overall, connection.cut)
    alarm.daemon = True
    alarm.start()
    try:
        connection.open(tls)
        reply = connection.exchange(body, key)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if connection.is_cut or isinstance(error, TimeoutError):
            raise NoReply(f"it did not answer within {limits.overall:g} s") from None
        raise NoReply(_reason(error)) from None
    finally:
        alarm.cancel()
        connection.close()
    if connection.is_cut:
        # A body of no stated length looks as if it had come to its end.
        raise NoReply(f"it did not answer within {limits.overall:g} s")
    return reply


class _Connection:
    """A connection for one exchange, which another thread may cut at any time."""

    def __init__(self, address: Address, limits: Limits) -> None:
        self.is_cut = False
        self._address = address
        self._limits = limits
        self._http = http.client.HTTPConnection(address.host, address.port)
        self._socket: socket.socket | None = None

    def open(self, tls: ssl.SSLContext | None) -> None:
        """Connect; that the connection is encrypted is agreed upon when it can be cut already."""
        address = self._address
        opened = socket.create_connection((address.host, address.port), timeout=self._limits.connect)
        if address.is_encrypted:
            context = tls or ssl.create_default_context()
            opened = context.wrap_socket(opened, server_hostname=address.host, do_handshake_on_connect=False)
        self._socket = self._http.sock = opened
        if isinstance(opened, ssl.SSLSocket):
            opened.do_handshake()
        if self.is_cut:
            raise TimeoutError
        opened.settimeout(self._limits.read)

    def exchange(self, body: bytes, key: Secret | None) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key.reveal()}"
        self._http.request("POST", self._address.target, body, headers)
        with self._http.getresponse() as response:
            return Reply(
                status=response.status,
                kind=response.headers.get_content_type(),
                body=_read(response),
                retry_after=response.headers.get("Retry-After", "")[:MAX_WAIT_TEXT],
            )

    def cut(self) -> None:
        """In another thread: whoever waits for the socket is woken."""
        self.is_cut = True
        if self._socket is not None:
            try:
                # The system's own shutdown: that of an encrypted socket changes it under the reader's feet.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                pass  # It is closed already.

    def close(self) -> None:
        self._http.close()
        if self._socket is not None:
            self._socket.close()


def _read(response: http.client.HTTPResponse) -> bytes:
    announced = response.length
    if announced is not None and announced > MAX_ANSWER_BYTES:
        raise ValueError(f"its answer is larger than {MAX_ANSWER_BYTES:,} bytes")
    parts: list[bytes] = []
    size = 0
    while block := response.read(_BLOCK):
        parts.append(block)
        size += len(block)
        if size > MAX_ANSWER_BYTES:
            raise ValueError(f"its answer is larger than {MAX_ANSWER_BYTES:,} bytes")
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)


def _reason(error: Exception) -> str:
    """What went wrong, without anything that was sent: texts of exceptions may quote it."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted ({error.verify_message})"
        case ssl.SSLError():
            return "no encrypted connection could be made"
        case socket.gaierror():
            return "its host is not known"
        case ConnectionRefusedError():
            return "nothing answers there"
        case http.client.IncompleteRead():
            return "its answer broke off"
        case ValueError():
            return str(error) if str(error).startswith("its answer") else "its answer cannot be read"
        case http.client.HTTPException():
            return "what it said is no answer"
        case _:
            return "the connection broke"


def seconds_to_wait(retry_after: str, now: float) -> float:
    """What a `Retry-After` asks for: seconds, or a moment; `now` is the time in seconds since 1970. 0 for nonsense."""
    if retry_after.isascii() and retry_after.strip().isdigit():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return 0.0
