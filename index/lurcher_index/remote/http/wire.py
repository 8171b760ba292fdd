"""One request and its answer over the wire: no retries, no redirects, and words for everything that can go wrong."""

import logging
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

import msgspec
import urllib3
from urllib3 import BaseHTTPResponse, exceptions

from lurcher_index.errors import Cancelled, RemoteUnreachable
from lurcher_index.remote.http.leash import Leash, pools_on
from lurcher_index.remote.http.proxies import Proxy
from lurcher_index.remote.http.reasons import is_lasting, reason_of
from lurcher_index.remote.http.refusals import Setback
from lurcher_index.remote.http.surroundings import Limits, Surroundings
from lurcher_index.remote.http.unpacking import Unreadable, blocks_of

# The library writes whole addresses to its log, and the words of a question are in them.
logging.getLogger("urllib3").setLevel(logging.CRITICAL)


class Request(msgspec.Struct, frozen=True):
    """What is asked for."""

    path: str
    """Below the server's address, with its question; or a whole address that the server gave."""
    accept: str = "application/json"
    kinds: tuple[str, ...] = ("application/json",)
    """Content types that an answer may have."""
    body: bytes | None = None
    """JSON to be posted; None to get."""
    headers: dict[str, str] = msgspec.field(default_factory=dict[str, str])

    @property
    def method(self) -> str:
        """How it is asked."""
        return "GET" if self.body is None else "POST"


class Wire:
    """Connections of one call: kept while it lasts, cut when its time is over."""

    def __init__(self, who: str, leash: Leash, proxy: Proxy | None, world: Surroundings) -> None:
        """`who` is asked, for messages."""
        self._who = who
        self._leash = leash
        self._proxy = proxy
        self._limits: Limits = world.limits
        timeout = urllib3.Timeout(connect=self._limits.connect, read=self._limits.read)
        if proxy is None:
            self._pools = urllib3.PoolManager(1, timeout=timeout, ssl_context=world.tls)
        else:
            self._pools = urllib3.ProxyManager(
                proxy.url, 1, proxy_headers=proxy.headers, timeout=timeout, ssl_context=world.tls
            )
        self._pools.pool_classes_by_scheme = pools_on(leash)

    def close(self) -> None:
        """Give up the connections."""
        self._pools.clear()

    @contextmanager
    def answer(self, request: Request, url: str, headers: Mapping[str, str]) -> Generator[BaseHTTPResponse]:
        """The answer to a request, its body unread. If there is none, a `Setback` says why."""
        with self._told():
            response = self._pools.request(
                request.method,
                url,
                body=request.body,
                headers=headers,
                preload_content=False,
                decode_content=False,
                redirect=False,
                retries=False,
            )
        try:
            self._look()
            yield response
        finally:
            # A connection whose answer was read to its end can be used again; any other one is closed by this.
            response.close()
            response.release_conn()

    def blocks(self, response: BaseHTTPResponse) -> Iterator[bytes]:
        """The body of an answer, as it arrives; a `Setback` if it breaks off."""
        with self._told():
            for block in blocks_of(response, self._limits.bytes):
                self._look()
                yield block
            # A body without a stated length that was cut looks as if it was whole.
            self._look()

    def start(self, response: BaseHTTPResponse, most: int) -> bytes:
        """The beginning of a body, or what can be had of it."""
        start = b""
        try:
            for block in self.blocks(response):
                start += block
                if len(start) >= most:
                    break
        except Setback:
            pass  # The status says enough.
        return start[:most]

    @contextmanager
    def _told(self) -> Generator[None]:
        """Whatever the library raises becomes a `Setback`."""
        try:
            yield
        except Unreadable as error:
            raise Setback(RemoteUnreachable(f"{self._who} cannot be used: {error}"), may_pass=error.may_pass) from None
        except (exceptions.HTTPError, OSError) as error:
            self._look()
            why = reason_of(error, self._proxy.shown if self._proxy else "")
            unreachable = RemoteUnreachable(f"{self._who} cannot be used: {why}")
            raise Setback(unreachable, may_pass=not is_lasting(error)) from None

    def _look(self) -> None:
        if self._leash.is_cancelled:
            raise Cancelled("the remote search is not wanted any more")
        if self._leash.is_late:
            raise Setback(RemoteUnreachable(f"{self._who} did not answer within {self._limits.overall:g} s"))
