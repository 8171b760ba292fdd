"""Asks one server: attempts, redirects, limits of rate, and a breaker that keeps a search from waiting for nothing."""

import ssl
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TypeVar

import msgspec
from urllib3 import BaseHTTPResponse

from lurcher_index.dense.breaker import Breaker
from lurcher_index.errors import Cancelled, RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable
from lurcher_index.remote.http.address import Base, within
from lurcher_index.remote.http.leash import LOOK_SECONDS, Leash
from lurcher_index.remote.http.proxies import proxy_for
from lurcher_index.remote.http.refusals import Refusal, Setback, setback_of
from lurcher_index.remote.http.surroundings import Surroundings
from lurcher_index.remote.http.waiting import backoff
from lurcher_index.remote.http.wire import Request, Wire
from lurcher_index.secret import Secret

ATTEMPTS = 3
"""How often a request is sent before its call gives up: a server that restarts behind a balancer answers the second."""

LONGEST_PAUSE_SECONDS = 3.0
"""Longest pause within a call. Who asks for more is left alone, and whoever asks meanwhile is told at once."""

MOST_REDIRECTS = 5
"""What browsers allow is more, but a server that moved needs one or two."""

SAID_CHARACTERS = 200
"""What is repeated of a server's own words."""

_REFUSAL_BYTES = 16 << 10
"""What is read of a refusal."""

Made = TypeVar("Made")

_MOVED = frozenset({301, 302, 303, 307, 308})
_SAME_METHOD = frozenset({307, 308})


class Reply(msgspec.Struct, frozen=True):
    """A whole answer."""

    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    url: str
    """Where it came from in the end."""


class Client:
    """Speaks to one server. Thread-safe: each call has connections of its own."""

    def __init__(
        self,
        who: str,
        base: Base,
        authorization: Callable[[], str] | None = None,
        token: Secret | None = None,
        world: Surroundings | None = None,
    ) -> None:
        """`who` is asked, for messages; `authorization` makes the line that holds the token."""
        self.who = who
        self.base = base
        self._authorization = authorization
        self._token = token
        self._world = trusting(world or Surroundings(), base)
        self._breaker = Breaker(self._world.clock)
        self._last: RemoteError = RemoteUnreachable("")

    def __repr__(self) -> str:
        """Where it is, and nothing of the token."""
        return f"Client({self.who!r})"

    def quoted(self, said: str) -> str:
        """A server's own words for people: one line, not too long, and without the token if it should be in them."""
        if self._token is not None:
            said = said.replace(self._token.reveal(), "…")
        line = " ".join("".join(each if each.isprintable() else " " for each in said[: 4 * SAID_CHARACTERS]).split())
        return line if len(line) <= SAID_CHARACTERS else line[: SAID_CHARACTERS - 1] + "…"

    @contextmanager
    def call(self, cancelled: Callable[[], bool] = lambda: False) -> Generator["Call"]:
        """One call of a few requests, within its time. After a failure it fails at once for a while."""
        if not self._breaker.allows():
            raise self._again()
        try:
            with Leash(self._world.limits.overall, cancelled) as leash:
                wire = Wire(self.who, leash, proxy_for(self.base), self._world)
                try:
                    yield Call(self, wire, leash, self._world)
                finally:
                    wire.close()
        except (RemoteBusy, RemoteUnreachable) as error:
            self._last = error
            self._breaker.failed(str(error), error.wait if isinstance(error, RemoteBusy) else 0.0)
            raise
        except (RemoteDenied, RemoteUnknown):
            self._breaker.succeeded()
            raise
        except BaseException:
            # Nothing is known of the server: whoever comes next may try.
            self._breaker.forgive()
            raise
        self._breaker.succeeded()

    def headers_of(self, request: Request) -> dict[str, str]:
        """The lines above a request."""
        headers = {"User-Agent": "lurcher", "Accept": request.accept, "Accept-Encoding": "gzip", **request.headers}
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if self._authorization is not None:
            headers["Authorization"] = self._authorization()
        return headers

    def _again(self) -> RemoteError:
        said = str(self._last)
        if isinstance(self._last, RemoteBusy):
            return RemoteBusy(said, self._breaker.remaining)
        return RemoteUnreachable(said)


class Call:
    """Requests to one server that share their time. For one thread."""

    def __init__(self, client: Client, wire: Wire, leash: Leash, world: Surroundings) -> None:
        """Begin with the whole of the time."""
        self._client = client
        self._wire = wire
        self._leash = leash
        self._world = world
        self._until = world.clock() + world.limits.overall

    def fetch(self, request: Request) -> Reply:
        """The whole answer to a request, however many attempts that takes."""
        return self._repeated(lambda: self._fetched(request))

    @contextmanager
    def stream(self, request: Request) -> Generator[Iterator[bytes]]:
        """The answer to a request while it arrives. What breaks on the way is not asked for again."""
        with ExitStack() as stack:
            response, _ = self._repeated(lambda: stack.enter_context(self._answer(request)))
            yield self._blocks(response)

    def _blocks(self, response: BaseHTTPResponse) -> Iterator[bytes]:
        try:
            yield from self._wire.blocks(response)
        except Setback as setback:
            raise setback.error from None

    def _fetched(self, request: Request) -> Reply:
        with self._answer(request) as (response, url):
            return Reply(_headers(response), b"".join(self._wire.blocks(response)), url)

    def _repeated(self, attempt: Callable[[], Made]) -> Made:
        for number in range(1, ATTEMPTS + 1):
            try:
                return attempt()
            except Setback as setback:
                pause = setback.wait or backoff(number, self._world.chance())
                is_too_long = pause > LONGEST_PAUSE_SECONDS or self._world.clock() + pause >= self._until
                if number == ATTEMPTS or not setback.may_pass or is_too_long:
                    raise setback.error from None
                self._sleep(pause)
        raise AssertionError("there is at least one attempt")

    def _sleep(self, seconds: float) -> None:
        """Pause, and wake up soon if nobody wants the call any more."""
        end = self._world.clock() + seconds
        while (left := end - self._world.clock()) > 0:
            if self._leash.is_cancelled:
                raise Cancelled("the remote search is not wanted any more")
            self._world.sleep(min(left, LOOK_SECONDS))

    @contextmanager
    def _answer(self, request: Request) -> Generator[tuple[BaseHTTPResponse, str]]:
        """The answer at the end of all redirects, if it is a success of a kind that was asked for."""
        base = self._client.base
        is_whole = request.path.startswith(("http://", "https://"))
        url = request.path if is_whole else f"{base.origin}{base.path}{request.path}"
        headers = self._client.headers_of(request)
        for _ in range(MOST_REDIRECTS + 1):
            if within(base, url, url) is None:
                raise Setback(RemoteUnreachable(f"{self._client.who} names a page on another host"))
            with self._wire.answer(request, url, headers) as response:
                if response.status not in _MOVED:
                    self._check(request, response)
                    yield response, url
                    return
                url = self._next(request, response, url)
        raise Setback(RemoteUnreachable(f"{self._client.who} redirects for ever; correct its address"))

    def _next(self, request: Request, response: BaseHTTPResponse, url: str) -> str:
        target = within(self._client.base, url, response.headers.get("location", ""))
        if target is not None and (request.body is None or response.status in _SAME_METHOD):
            return target
        what = "to another host" if target is None else f"what is posted ({response.status})"
        why = f"{self._client.who} redirects {what}, which is not followed; set its final address"
        raise Setback(RemoteUnreachable(why))

    def _check(self, request: Request, response: BaseHTTPResponse) -> None:
        who = self._client.who
        if not 200 <= response.status < 300:
            start = self._wire.start(response, _REFUSAL_BYTES)
            raise setback_of(who, Refusal(response.status, _headers(response), start), self._world.now())
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in request.kinds:
            asked = " or ".join(request.kinds)
            advice = "check its address, and whether it wants you to sign in"
            raise Setback(RemoteUnreachable(f"{who} answers with something else than {asked}; {advice}"))


def _headers(response: BaseHTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def trusting(world: Surroundings, base: Base) -> Surroundings:
    """Whom this machine trusts is read once: it takes longer than a request."""
    if world.tls is not None or base.scheme == "http":
        return world
    return msgspec.structs.replace(world, tls=ssl.create_default_context())
