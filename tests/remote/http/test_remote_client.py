"""The client of remote searches: servers that behave, and short work with those that do not."""

import gzip
import logging
import threading
import traceback
import zlib
from collections.abc import Iterator

import msgspec
import pytest
from tests.remote.standins.certificates import Certificate
from tests.remote.standins.proxy_server import ProxyServer
from tests.remote.standins.serving import (
    Answer,
    Asked,
    Handler,
    StandIn,
    dribbling,
    endless,
    half,
    half_in_portions,
    hangs_up,
    no_http,
    packed,
    redirect,
    says,
    serving,
    silent,
    slow_head,
    status,
    wrong_kind,
)
from tests.remote.standins.world import NOW, World

from lurcher_index.errors import (
    Cancelled,
    RemoteBusy,
    RemoteDenied,
    RemoteError,
    RemoteUnknown,
    RemoteUnreachable,
)
from lurcher_index.remote.http.address import read_base, within
from lurcher_index.remote.http.client import ATTEMPTS, MOST_REDIRECTS, Client
from lurcher_index.remote.http.decoding import decoded
from lurcher_index.remote.http.wire import Request
from lurcher_index.secret import Secret

KEY = "swordfish-0123456789"
FINE = b'{"fine": true}'
ALWAYS = 99


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def server() -> Iterator[StandIn]:
    with serving(StandIn()) as server:
        yield server


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return Certificate(tmp_path_factory.mktemp("tls"))


def opened(url: str, world: World | None = None) -> Client:
    token = Secret(KEY)
    return Client("the server", read_base(url), lambda: f"Bearer {token.reveal()}", token, (world or World()).around())


def fetched(client: Client, request: Request | None = None) -> bytes:
    with client.call() as call:
        return call.fetch(request or Request("/x?q=parse")).body


def failure(client: Client, request: Request | None = None) -> RemoteError:
    """How it fails; and nothing of that gives the token or the question away."""
    with pytest.raises(RemoteError) as caught:
        fetched(client, request)
    told = "".join(traceback.format_exception(caught.value)) + repr(client) + repr(vars(client))
    assert "swordfish" not in told
    assert "parse" not in str(caught.value)
    return caught.value


# -- a server that behaves


def test_a_request_and_its_answer(server: StandIn) -> None:
    client = opened(server.url + "/below/")
    assert fetched(client) == FINE
    assert fetched(client, Request("/p", body=b"{}", headers={"X-Own": "1"})) == FINE
    get, post = server.asked
    assert (get.method, get.path, get.body) == ("GET", "/below/x?q=parse", b"")
    assert (post.method, post.path, post.body, post.headers["x-own"]) == ("POST", "/below/p", b"{}", "1")
    assert post.headers["content-type"] == "application/json"
    assert get.headers["authorization"] == f"Bearer {KEY}"
    assert (get.headers["user-agent"], get.headers["accept-encoding"]) == ("lurcher", "gzip")


def test_requests_of_one_call_share_a_connection(server: StandIn) -> None:
    ports: list[int] = []
    server.faults = [_noting(ports)] * 3
    with opened(server.url).call() as call:
        for _ in range(3):
            assert call.fetch(Request("/")).body == FINE
    assert len(ports) == 3 and len(set(ports)) == 1


def _noting(ports: list[int]) -> Answer:
    def behave(handler: Handler, asked: Asked) -> None:
        ports.append(handler.client_address[1])
        handler.reply(200, FINE)

    return behave


def test_packed_answers_are_unpacked(server: StandIn) -> None:
    server.faults = [packed(FINE), packed(FINE, packing="X-GZIP"), packed(b" " * 500_000 + FINE)]
    client = opened(server.url)
    assert [fetched(client).strip() for _ in range(3)] == [FINE] * 3


# -- one that does not

DEEP = b"[" * 200_000


@pytest.mark.parametrize(
    ("fault", "kind", "said", "asked"),
    [
        (status(401), RemoteDenied, "401", 1),
        (status(403), RemoteDenied, "403", 1),
        (status(404), RemoteUnknown, "404", 1),
        (status(410), RemoteUnknown, "410", 1),
        (status(418), RemoteError, "418", 1),
        (status(500), RemoteUnreachable, "500", ATTEMPTS),
        (status(503), RemoteUnreachable, "503", ATTEMPTS),
        (status(503, Retry_After="60"), RemoteUnreachable, "503", 1),
        (wrong_kind, RemoteUnreachable, "sign in", 1),
        (half(), RemoteUnreachable, "broke off", ATTEMPTS),
        (half_in_portions, RemoteUnreachable, "broke", ATTEMPTS),
        (hangs_up, RemoteUnreachable, "broke", ATTEMPTS),
        (no_http, RemoteUnreachable, "no answer", ATTEMPTS),
        (packed(FINE, cut=-4), RemoteUnreachable, "broke off", ATTEMPTS),
        (packed(b" " * (16 << 20)), RemoteUnreachable, "larger than 1,048,576 bytes", 1),
        (packed(FINE, packing="gzip, gzip"), RemoteUnreachable, "nobody asked for", 1),
        (packed(FINE, packing="br"), RemoteUnreachable, "nobody asked for", 1),
        (says(b" " * (2 << 20)), RemoteUnreachable, "larger than 1,048,576 bytes", 1),
        (endless(), RemoteUnreachable, "larger than 1,048,576 bytes", 1),
        (redirect("http://other.example/x"), RemoteUnreachable, "another host", 1),
        (redirect("/x"), RemoteUnreachable, "for ever", MOST_REDIRECTS + 1),
        (status(302), RemoteUnreachable, "for ever", MOST_REDIRECTS + 1),
    ],
)
def test_what_a_server_does_wrong_is_said(
    server: StandIn, fault: Answer, kind: type[RemoteError], said: str, asked: int
) -> None:
    server.faults = [fault] * ALWAYS
    world = World()
    error = failure(opened(server.url, world))
    assert type(error) is kind and said in str(error)
    assert len(server.asked) == asked, "only what may pass is tried again"
    assert world.slept == pytest.approx(1.5 if asked == ATTEMPTS else 0.0)


def test_a_packed_answer_that_is_not_or_has_something_behind_it(server: StandIn) -> None:
    server.faults = [
        lambda handler, _asked: handler.reply(200, b"plain", Content_Encoding="gzip"),
        lambda handler, _asked: handler.reply(200, gzip.compress(FINE) + b"more", Content_Encoding="gzip"),
    ]
    assert "not packed as it says" in str(failure(opened(server.url)))
    assert "after its end" in str(failure(opened(server.url)))


def test_a_bomb_of_nothing_is_bounded_too(server: StandIn) -> None:
    unpacker = zlib.compressobj(wbits=31)
    empty = b"".join(unpacker.flush(zlib.Z_FULL_FLUSH) or b"\0\0\0\xff\xff" for _ in range(300_000))
    assert len(empty) > 1 << 20
    server.faults = [lambda handler, _asked: handler.reply(200, empty, Content_Encoding="gzip")]
    assert "larger than 1,048,576 bytes" in str(failure(opened(server.url)))


@pytest.mark.parametrize("fault", [silent, slow_head, dribbling()])
def test_time_is_bounded_however_busy_a_server_looks(server: StandIn, fault: Answer) -> None:
    server.faults = [fault]
    assert "within 0.2 s" in str(failure(opened(server.url, World(0.2))))
    assert len(server.asked) <= 1


def test_a_server_that_is_silent_for_too_long_is_not_asked_again(server: StandIn) -> None:
    server.faults = [silent]
    assert "silent for too long" in str(failure(opened(server.url, World(silence=0.2))))
    assert len(server.asked) <= 1


def test_a_call_that_nobody_wants_any_more_ends(server: StandIn) -> None:
    stop = threading.Event()

    def stopping(handler: Handler, asked: Asked) -> None:
        stop.set()
        silent(handler, asked)

    server.faults = [stopping]
    client = opened(server.url)
    with pytest.raises(Cancelled), client.call(stop.is_set) as call:
        call.fetch(Request("/"))
    assert fetched(client) == FINE, "which says nothing about the server"


def test_a_pause_ends_when_nobody_wants_the_call(server: StandIn) -> None:
    server.faults = [status(500)] * ALWAYS
    stop = threading.Event()
    world = World()
    waited = threading.Event()

    def sleep(seconds: float) -> None:
        stop.set()
        waited.wait(0.1)  # Long enough for the leash to look; the clock of the test stands still.

    around = msgspec.structs.replace(world.around(), sleep=sleep)
    client = Client("the server", read_base(server.url), world=around)
    with pytest.raises(Cancelled), client.call(stop.is_set) as call:
        call.fetch(Request("/"))
    assert len(server.asked) == 1


def test_nothing_listens_there_and_hosts_that_nobody_knows() -> None:
    with serving(StandIn()) as server:
        url = server.url
    assert "nothing answers there" in str(failure(opened(url)))
    assert "host is not known" in str(failure(opened("https://nobody.invalid/")))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"fine": "yes"}',
        DEEP,
        b'{"fine": ' + DEEP,
        b'{"fine": true, "x": ' + DEEP,
        b'{"fine": true, "name": "\xff"}',
        b'{"fine": true, "size": 1e999}',
        b'{"fine": true, "size": ' + b"9" * 10_000 + b"}",
        b'{"fine": true, "name": "\\ud800"}',
        b"\xff\xfe{}",
    ],
)
def test_json_that_is_something_else(body: bytes) -> None:
    class Fine(msgspec.Struct):
        fine: bool
        size: int = 0
        name: str = ""

    with pytest.raises(RemoteUnreachable, match="something else"):
        decoded(body, Fine, "the server")


# -- again, and later


def test_attempts_are_further_and_further_apart(server: StandIn) -> None:
    server.faults = [status(503), status(502)]
    world = World()
    assert fetched(opened(server.url, world)) == FINE
    assert world.slept == pytest.approx(0.5 + 1.0)


def test_chance_shortens_a_pause_by_half_at_most(server: StandIn) -> None:
    server.faults = [status(503), status(503)]
    world = World()
    around = msgspec.structs.replace(world.around(), chance=lambda: 0.0)
    assert fetched(Client("the server", read_base(server.url), world=around)) == FINE
    assert world.slept == pytest.approx(0.25 + 0.5)


SOON = "Tue, 14 Nov 2023 22:13:22 GMT"
LATER = "Tue, 14 Nov 2023 22:14:20 GMT"


@pytest.mark.parametrize("number", [403, 429])
@pytest.mark.parametrize(
    ("headers", "slept", "wait"),
    [
        ({"Retry_After": "2"}, 2.0, None),
        ({"Retry_After": SOON}, 2.0, None),
        ({"Retry_After": "30"}, 0.0, 30.0),
        ({"Retry_After": LATER}, 0.0, 60.0),
        ({"Retry_After": "30", "X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) + 99)}, 0.0, 30.0),
        ({"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) + 42)}, 0.0, 42.0),
        ({"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) + 2)}, 2.0, None),
        ({"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": "soon"}, 0.5, None),
        ({"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": "9" * 300}, 0.0, 3_600.0),
        ({"Retry_After": "9" * 300}, 0.0, 3_600.0),
        ({"Retry_After": "never"}, 0.5, None),
    ],
)
def test_limits_of_rate_are_honoured(
    server: StandIn, number: int, headers: dict[str, str], slept: float, wait: float | None
) -> None:
    server.faults = [status(number, b"{}", **headers)]
    world = World()
    client = opened(server.url, world)
    if wait is None:
        assert fetched(client) == FINE
    else:
        error = failure(client)
        assert isinstance(error, RemoteBusy) and error.wait == pytest.approx(wait)
    assert world.slept == pytest.approx(slept)


def test_a_limit_that_only_the_text_tells(server: StandIn) -> None:
    server.faults = [status(403, b'{"message": "You have exceeded a secondary Rate Limit."}')] * ALWAYS
    error = failure(opened(server.url))
    assert isinstance(error, RemoteBusy) and error.wait == 60.0
    assert len(server.asked) == ATTEMPTS


def test_after_a_failure_it_fails_at_once_for_a_while(server: StandIn) -> None:
    server.faults = [status(500)] * ATTEMPTS
    world = World()
    client = opened(server.url, world)
    for _ in range(3):
        assert "500" in str(failure(client))
    assert len(server.asked) == ATTEMPTS
    world.time += 5.0
    assert fetched(client) == FINE
    assert fetched(client) == FINE


def test_a_trial_that_is_cancelled_leaves_the_next_one_to_others(server: StandIn) -> None:
    server.faults = [status(500)] * ATTEMPTS
    world = World()
    client = opened(server.url, world)
    failure(client)
    world.time += 5.0
    with pytest.raises(Cancelled), client.call():
        raise Cancelled("not wanted any more")
    assert fetched(client) == FINE


def test_a_page_on_another_host_is_not_asked_for(server: StandIn) -> None:
    with serving(StandIn()) as other:
        assert "another host" in str(failure(opened(server.url), Request(f"{other.url}/x")))
        assert not other.asked
    assert fetched(opened(server.url), Request(f"{server.url}/x")) == FINE


def test_who_asks_to_be_left_alone_is_left_alone(server: StandIn) -> None:
    server.faults = [status(429, Retry_After="100")]
    world = World()
    client = opened(server.url, world)
    failure(client)
    world.time += 60.0
    error = failure(client)
    assert isinstance(error, RemoteBusy) and error.wait == pytest.approx(40.0)
    assert len(server.asked) == 1
    world.time += 40.0
    assert fetched(client) == FINE


def test_a_refusal_is_no_failure_of_the_server(server: StandIn) -> None:
    server.faults = [status(404), status(401), status(400)]
    client = opened(server.url)
    for _ in range(3):
        failure(client)
    assert fetched(client) == FINE


# -- redirects


def test_redirects_within_a_host_are_followed(server: StandIn) -> None:
    server.faults = [redirect("/moved?a=b", 301), redirect(f"{server.url}/again", 308)]
    assert fetched(opened(server.url)) == FINE
    assert [each.path for each in server.asked] == ["/x?q=parse", "/moved?a=b", "/again"]


def test_what_is_posted_is_redirected_only_if_it_stays_posted(server: StandIn) -> None:
    post = Request("/", body=b"{}")
    server.faults = [redirect("/there", 307)]
    assert fetched(opened(server.url), post) == FINE
    assert [(each.method, each.body) for each in server.asked] == [("POST", b"{}")] * 2
    server.faults = [redirect("/there", 302)]
    assert "posted (302)" in str(failure(opened(server.url), post))


def test_a_token_goes_nowhere_else(server: StandIn) -> None:
    with serving(StandIn()) as other:
        for target in (other.url, f"//127.0.0.1:{other.port}/", other.url.replace("127.0.0.1", "localhost")):
            server.faults = [redirect(target, 307)]
            assert "another host" in str(failure(opened(server.url)))
        assert not other.asked


@pytest.mark.parametrize(
    ("base", "target", "is_followed"),
    [
        ("https://a.example", "/x", True),
        ("https://a.example", "https://a.example:443/x", True),
        ("https://a.example", "https://A.example/x", True),
        ("https://a.example", "http://a.example/x", False),
        ("https://a.example", "https://a.example:444/x", False),
        ("https://a.example", "https://b.a.example/x", False),
        ("https://a.example", "https://a.example@b.example/x", False),
        ("https://a.example", "https://me:pw@a.example/x", False),
        ("https://a.example", "//b.example", False),
        ("https://a.example", "\\\\b.example", True),
        ("https://a.example", "https://[::1", False),
        ("https://a.example", "javascript:alert(1)", False),
        ("https://a.example", "/x\r\nHost: b", False),
        ("http://localhost:80", "https://localhost/x", True),
        ("http://localhost:80", "https://localhost:8443/x", True),
        ("http://localhost:80", "http://localhost:81/x", False),
    ],
)
def test_where_redirects_may_lead(base: str, target: str, is_followed: bool) -> None:
    followed = within(read_base(base), f"{base}/from", target)
    assert (followed is not None) == is_followed


# -- addresses


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("https://code.example.com/", "https://code.example.com", ""),
        ("https://code.example.com:443/zoekt/", "https://code.example.com", "/zoekt"),
        ("http://localhost:6070", "http://localhost:6070", ""),
        ("http://[::1]:6070/a/b", "http://[::1]:6070", "/a/b"),
    ],
)
def test_addresses(url: str, origin: str, path: str) -> None:
    base = read_base(url)
    assert (base.origin, base.path) == (origin, path)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://code.example.com", "use https"),
        ("http://localhost.example.com", "use https"),
        ("http://0.0.0.0", "use https"),
        ("ftp://localhost", "no http"),
        ("code.example.com", "no http"),
        ("https://", "no http"),
        ("https://[::1", "no http"),
        ("https://a.example:99999", "no http"),
        ("https://a.example/\r\nX: y", "no http"),
        ("https://a.example/?q=1", "no http"),
        ("https://me:swordfish@a.example", "environment variable"),
    ],
)
def test_addresses_that_are_refused(url: str, said: str) -> None:
    with pytest.raises(RemoteError, match=said) as caught:
        read_base(url)
    assert "swordfish" not in str(caught.value)


# -- encrypted, and through a proxy


def test_an_encrypted_connection_to_somebody_who_is_trusted(certificate: Certificate) -> None:
    with serving(StandIn(certificate.server_side())) as server:
        assert fetched(opened(server.url, World(tls=certificate.trusting()))) == FINE


def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(certificate: Certificate) -> None:
    with serving(StandIn(certificate.server_side())) as server:
        assert "certificate is not trusted" in str(failure(opened(server.url)))
        wrong = server.url.replace("127.0.0.1", "localhost")
        assert "certificate is not trusted" in str(failure(opened(wrong, World(tls=certificate.trusting()))))
    assert not server.asked


def test_a_server_that_does_not_encrypt(server: StandIn) -> None:
    assert "no encrypted connection" in str(failure(opened(server.url.replace("http:", "https:"))))
    assert not server.asked


@pytest.mark.parametrize("fault", [slow_head, dribbling()])
def test_time_is_bounded_on_an_encrypted_connection_too(certificate: Certificate, fault: Answer) -> None:
    with serving(StandIn(certificate.server_side())) as server:
        server.faults = [fault]
        assert "within 0.3 s" in str(failure(opened(server.url, World(0.3, certificate.trusting()))))


@pytest.mark.parametrize("login", ["", "me:pw-mackerel"])
def test_through_a_proxy(certificate: Certificate, monkeypatch: pytest.MonkeyPatch, login: str) -> None:
    with serving(StandIn(certificate.server_side())) as server, serving(ProxyServer(server.port, login)) as proxy:
        at = f"{login}@" if login else ""
        monkeypatch.setenv("HTTPS_PROXY", f"http://{at}127.0.0.1:{proxy.port}")
        client = opened("https://code.example.com/", World(tls=certificate.trusting()))
        assert fetched(client) == FINE
        assert [(each.method, each.path) for each in proxy.asked] == [("CONNECT", "code.example.com:443")]
        assert "authorization" not in proxy.asked[0].headers, "what is for the server is not for the proxy"
        assert "proxy-authorization" not in server.asked[0].headers
        assert server.asked[0].headers["host"] == "code.example.com"


def test_a_proxy_that_refuses(certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(StandIn(certificate.server_side())) as server, serving(ProxyServer(server.port, "me:right")) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:wrong-mackerel@127.0.0.1:{proxy.port}")
        world = World(tls=certificate.trusting())
        said = str(failure(opened("https://code.example.com/", world)))
        assert f"127.0.0.1:{proxy.port} wants a name and password" in said
        proxy.login, proxy.is_closed = "", True
        refused = str(failure(opened("https://code.example.com/", world)))
        assert "does not let us through" in refused
        assert "mackerel" not in said + refused
    assert "proxy" in str(failure(opened("https://code.example.com/", world))), "nothing listens there any more"
    assert not server.asked


def test_a_proxy_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("socks5://me:mackerel@127.0.0.1:1", "http://[::1", "http://me:mack%0Aerel@127.0.0.1:1"):
        monkeypatch.setenv("HTTPS_PROXY", url)
        said = str(failure(opened("https://code.example.com/")))
        assert "the variable" in said and "mack" not in said


def test_hosts_that_need_no_proxy(server: StandIn, certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(ProxyServer(server.port)) as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert fetched(opened(server.url)) == FINE, "this machine is never behind a proxy"
        monkeypatch.setenv("NO_PROXY", "other.example,.invalid")
        assert "host is not known" in str(failure(opened("https://nobody.invalid/")))
        assert not proxy.asked


# -- secrets


def test_nothing_of_a_question_or_a_token_is_logged(server: StandIn, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.faults = [status(500)] * ATTEMPTS
    failure(opened(server.url))
    fetched(opened(server.url))
    assert "parse" not in caplog.text and KEY not in caplog.text


def test_what_a_server_says_is_quoted_with_care() -> None:
    client = opened("https://a.example")
    assert client.quoted(f"bad\n\ttoken {KEY}\x1b[31m!") == "bad token … [31m!"
    assert len(client.quoted("x" * 10_000)) == 200
