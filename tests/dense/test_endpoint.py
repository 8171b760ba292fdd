"""An embedding endpoint: vectors from a server that behaves, and short work with one that does not."""

import base64
import copy
import json
import logging
import pickle
import ssl
import struct
import subprocess
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.dense.naughty import DIMENSION, Behaviour, Handler, Server, answers, data, says, served, vector, well

from lurcher_index.dense.endpoint import embedder as module
from lurcher_index.dense.endpoint import exchange
from lurcher_index.dense.endpoint.address import read_address
from lurcher_index.dense.endpoint.embedder import Endpoint, EndpointEmbedder, Surroundings
from lurcher_index.dense.endpoint.exchange import Limits
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.errors import BadSetting, EmbedderError
from lurcher_index.secret import Secret, secret_from

KEY = "sk-swordfish-0123456789"
TEXTS = ["a.py\nread file", "b.py\nwrite", "c.py\nsocket"]


class World:
    """A clock that moves when somebody sleeps, and no chance."""

    def __init__(self, seconds: float = 5.0) -> None:
        self.time = 1_000.0
        self.slept: list[float] = []
        self._limits = Limits(connect=seconds, read=seconds, overall=seconds)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds

    def around(self, tls: ssl.SSLContext | None = None) -> Surroundings:
        return Surroundings(
            clock=lambda: self.time,
            now=lambda: 1_000_000.0,
            sleep=self.sleep,
            chance=lambda: 1.0,
            tls=tls,
            query_limits=self._limits,
            document_limits=self._limits,
        )


def opened(server: Server, world: World | None = None, **how: Any) -> EndpointEmbedder:
    endpoint = Endpoint(server.url, "small", how.pop("dimensions", DIMENSION))
    return EndpointEmbedder(endpoint, Secret(KEY), (world or World()).around(**how))


def expected(texts: list[str]) -> Any:
    return unit_rows(np.array([vector(text) for text in texts], np.float32))


def failure(embedder: EndpointEmbedder) -> str:
    """What it says when it fails; and nothing of it gives the key or the text away."""
    with pytest.raises(EmbedderError) as caught:
        embedder.embed_documents(TEXTS)
    told = "".join(traceback.format_exception(caught.value)) + repr(embedder) + repr(vars(embedder))
    assert KEY not in told and "swordfish" not in told
    assert "read file" not in str(caught.value)
    return str(caught.value)


# -- a server that behaves


def test_vectors_come_in_the_order_of_the_texts_and_have_length_one() -> None:
    with served() as server:
        embedder = opened(server)
        assert np.allclose(embedder.embed_documents(TEXTS), expected(TEXTS))
        assert np.allclose(embedder.embed_query("aeiou"), expected(["aeiou"]))
        assert embedder.embed_documents([]).shape == (0, DIMENSION)
        assert embedder.name == f"small@127.0.0.1:{server.server_address[1]}:4"
    first = server.asked[0]
    assert first.path == "/v1/embeddings"
    assert first.headers["Authorization"] == f"Bearer {KEY}"
    assert first.body == {"input": TEXTS, "model": "small", "encoding_format": "float", "dimensions": 4}


def test_without_a_set_dimension_it_is_asked_for_and_without_a_key_none_is_sent() -> None:
    with served() as server:
        embedder = EndpointEmbedder(Endpoint(server.url, "small"), None, World().around())
        assert embedder.dimension == DIMENSION
        embedder.embed_documents(TEXTS)
    assert [asked.body["input"] for asked in server.asked] == [["a first text"], TEXTS]
    assert all("Authorization" not in asked.headers and "dimensions" not in asked.body for asked in server.asked)


def test_many_texts_are_many_requests() -> None:
    texts = [f"{number}.py\n{'a' * number}" for number in range(70)]
    with served() as server:
        assert np.allclose(opened(server).embed_documents(texts), expected(texts))
        large = ["x" * 30_000, *["y" * 20_000] * 25]
        opened(server).embed_documents(large)
    sizes = [[len(text) for text in asked.body["input"]] for asked in server.asked]
    assert [len(each) for each in sizes] == [32, 32, 6, 19, 7]
    assert all(sum(each) <= module.BATCH_CHARACTERS for each in sizes)
    assert max(map(max, sizes)) == module.TEXT_CHARACTERS, "cut at what models take"


def test_any_order_with_numbers_and_base64_are_understood() -> None:
    def packed(items: list[dict[str, Any]]) -> object:
        for item in items:
            item["embedding"] = base64.b64encode(struct.pack("<4f", *item["embedding"])).decode()
        return items[::-1]

    def bare(items: list[dict[str, Any]]) -> object:
        return [{"embedding": item["embedding"]} for item in items]

    with served(says(lambda items: items[::-1]), says(packed), says(bare)) as server:
        embedder = opened(server)
        for _ in range(3):
            assert np.allclose(embedder.embed_documents(TEXTS), expected(TEXTS))


def test_half_a_character_does_not_stop_it() -> None:
    with served() as server:
        assert opened(server).embed_query("read \ud83d").shape == (1, DIMENSION)


# -- one that does not


def silent(handler: Handler, body: Any) -> None:
    handler.wait()


def dribble(handler: Handler, body: Any) -> None:
    """A byte now and then, for ever: each within the time that a server may be silent."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b" ")


def dribbled_head(handler: Handler, body: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b"X")


def endless(handler: Handler, body: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    while not handler.server.over.is_set():
        handler.wfile.write(b" " * 65_536)


def broken_off(handler: Handler, body: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')


def hangs_up(handler: Handler, body: Any) -> None:
    handler.connection.close()


def no_http(handler: Handler, body: Any) -> None:
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


@pytest.mark.parametrize(
    ("behaviour", "said", "asked"),
    [
        (silent, "did not answer within 0.2 s", 4),
        (dribble, "did not answer within 0.2 s", 4),
        (dribbled_head, "did not answer within 0.2 s", 4),
        (broken_off, "broke off", 4),
        (hangs_up, "", 4),
        (no_http, "no answer", 4),
        (answers(200, b"<html>", "text/html"), "not JSON", 1),
        (answers(200, b'{"data": [{"embedding": [1.0'), "not what an embedding endpoint answers", 1),
        (answers(200, b"[" * 100_000), "not what an embedding endpoint answers", 1),
        (answers(200, b'{"error": "no"}'), "not what an embedding endpoint answers", 1),
        (answers(400), "400", 1),
        (answers(401, KEY.encode()), "does not accept the key", 1),
        (answers(403), "does not allow", 1),
        (answers(404), "endpoint_model", 1),
        (answers(418), "418", 1),
        (answers(429), "fewer requests", 4),
        (answers(500), "500", 4),
        (answers(503), "503", 4),
        (says(lambda items: items[1:]), "2 vectors for 3 texts", 1),
        (says(lambda items: items * 2), "6 vectors for 3 texts", 1),
        (says(lambda items: [{**item, "index": 0} for item in items]), "which vector belongs", 1),
        (says(lambda items: [{**item, "index": item["index"] + 1} for item in items]), "which vector belongs", 1),
        (says(lambda items: [{**item, "embedding": [1.0] * (2 + item["index"])} for item in items]), "lengths", 1),
        (says(lambda items: [{**item, "embedding": [1.0] * 5} for item in items]), "5 numbers instead of 4", 1),
        (says(lambda items: [{**item, "embedding": []} for item in items]), "0 numbers", 1),
        (says(lambda items: [{**item, "embedding": [float("nan")] * 4} for item in items]), "cannot be used", 1),
        (says(lambda items: [{**item, "embedding": [1e39] * 4} for item in items]), "not a number", 1),
        (says(lambda items: [{**item, "embedding": [3e38] * 4} for item in items]), "not a number", 1),
        (says(lambda items: [{**item, "embedding": "AAD/fwAA/38AAP9/AAD/fw=="} for item in items]), "not a number", 1),
        (says(lambda items: [{**item, "embedding": "%%%"} for item in items]), "base64", 1),
        (says(lambda items: [{**item, "embedding": "AAA="} for item in items]), "base64", 1),
        (says(lambda items: [{**item, "embedding": ["1"]} for item in items]), "not what an embedding", 1),
    ],
)
def test_what_a_server_does_wrong_is_said(behaviour: Behaviour, said: str, asked: int) -> None:
    with served(behaviour) as server:
        world = World(0.2 if "0.2 s" in said else 20.0)
        assert said in failure(opened(server, world))
        assert len(server.asked) == asked, "only what may pass is tried again"
        assert len(world.slept) == asked - 1


def test_an_endless_answer_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MAX_ANSWER_BYTES", 1 << 20)
    with served(endless) as server:
        assert "larger than 1,048,576 bytes" in failure(opened(server))
    with served(answers(200, b" " * (1 << 20) + b"{}")) as server:
        assert "larger than 1,048,576 bytes" in failure(opened(server))


def test_nothing_listens_there_and_hosts_that_nobody_knows() -> None:
    with served() as server:
        url = server.url
    embedder = EndpointEmbedder(Endpoint(url, "small", 4), Secret(KEY), World().around())
    assert "nothing answers there" in failure(embedder)


def test_a_redirect_is_not_followed() -> None:
    with served() as other, served(answers(307, Location=other.url + "/embeddings")) as server:
        assert "redirects (307)" in failure(opened(server))
    assert not other.asked, "neither key nor code went there"


def test_a_later_answer_of_another_dimension_is_an_error_and_passes() -> None:
    wider: Behaviour = lambda handler, body: handler.reply(  # noqa: E731
        200, json.dumps({"data": data(body["input"], 6)}).encode()
    )
    with served(well, wider, well) as server:
        world = World()
        embedder = opened(server, world, dimensions=None)
        assert "6 numbers instead of 4" in failure(embedder)
        world.time += 5.0
        assert embedder.embed_documents(TEXTS).shape == (3, 4)


# -- again


def test_attempts_are_further_and_further_apart() -> None:
    with served(answers(503), answers(502), answers(429), well) as server:
        world = World()
        assert np.allclose(opened(server, world).embed_documents(TEXTS), expected(TEXTS))
    assert world.slept == [0.5, 1.0, 2.0]


def test_chance_shortens_a_pause_by_half_at_most() -> None:
    with served(answers(503), answers(503), well) as server:
        world = World()
        around = msgspec.structs.replace(world.around(), chance=lambda: 0.0)
        EndpointEmbedder(Endpoint(server.url, "small", 4), None, around).embed_documents(TEXTS)
    assert world.slept == [0.25, 0.5]


@pytest.mark.parametrize(
    ("asked_for", "slept"),
    [("7", 7.0), ("Mon, 12 Jan 1970 13:46:50 GMT", 10.0), ("soon", 0.5), ("-3", 0.5), ("0", 0.5), ("9" * 400, None)],
)
def test_a_server_is_left_alone_for_as_long_as_it_asks(asked_for: str, slept: float | None) -> None:
    with served(answers(429, Retry_After=asked_for), well) as server:
        world = World()
        embedder = opened(server, world)
        if slept is None:
            assert "fewer requests" in failure(embedder)
            assert world.slept == []
        else:
            embedder.embed_documents(TEXTS)
            assert world.slept == [slept]


def test_one_that_asks_for_long_is_not_asked_before() -> None:
    with served(answers(503, Retry_After="600"), well) as server:
        world = World()
        embedder = opened(server, world)
        assert "503" in failure(embedder)
        world.time += 599.0
        assert "503" in failure(embedder)
        assert len(server.asked) == 1
        world.time += 1.0
        embedder.embed_documents(TEXTS)
        assert len(server.asked) == 2


def test_a_question_is_asked_once_and_a_server_that_failed_is_left_alone_for_a_while() -> None:
    with served(answers(500), answers(500), well) as server:
        world = World()
        embedder = opened(server, world)
        for _ in range(3):
            with pytest.raises(EmbedderError, match="500"):
                embedder.embed_query("read")
        assert (len(server.asked), world.slept) == (1, [])
        world.time += 5.0
        with pytest.raises(EmbedderError, match="500"):
            embedder.embed_query("read")
        world.time += 9.9
        with pytest.raises(EmbedderError, match="500"):
            embedder.embed_query("read")
        assert len(server.asked) == 2, "twice as long after the second failure"
        world.time += 0.1
        assert embedder.embed_query("read").shape == (1, 4)
        assert embedder.embed_query("read").shape == (1, 4)


# -- secrets and addresses


def test_a_key_is_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = Secret(KEY)
    assert KEY not in f"{secret} {secret!r}"
    for attempt in (lambda: pickle.dumps(secret), lambda: copy.copy(secret), lambda: msgspec.json.encode(secret)):
        with pytest.raises(TypeError) as caught:
            attempt()
        assert KEY not in str(caught.value)
    with served(answers(500)) as server:
        failure(opened(server))
    assert KEY not in caplog.text


@pytest.mark.parametrize("value", [KEY + "\nX: y", KEY + "\r", "", "a b" + KEY, KEY + "é", "x" * 5_000])
def test_a_key_that_cannot_be_sent_is_refused_without_being_quoted(value: str) -> None:
    with pytest.raises(BadSetting) as caught:
        Secret(value)
    assert "swordfish" not in str(caught.value)


def test_a_key_comes_from_the_variable_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    assert secret_from("MY_KEY").reveal() == KEY
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(BadSetting, match=r"'MY_KEY'.*not set"):
        secret_from("MY_KEY")


@pytest.mark.parametrize(
    ("url", "shown", "target"),
    [
        ("https://api.example.com/v1", "api.example.com", "/v1/embeddings"),
        ("https://api.example.com/v1/embeddings", "api.example.com", "/v1/embeddings"),
        ("https://api.example.com:444/x/?api-version=2", "api.example.com:444", "/x/embeddings?api-version=2"),
        ("http://localhost:8080", "localhost:8080", "/embeddings"),
        ("http://127.8.9.1", "127.8.9.1", "/embeddings"),
        ("http://[::1]:99/v1", "[::1]:99", "/v1/embeddings"),
    ],
)
def test_addresses(url: str, shown: str, target: str) -> None:
    address = read_address(url)
    assert (address.shown, address.target) == (shown, target)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://api.example.com/v1", "https"),
        ("http://localhost.example.com", "https"),
        ("http://10.0.0.1", "https"),
        ("http://0.0.0.0", "https"),
        ("ftp://localhost", "http"),
        ("file:///etc/passwd", "http"),
        ("localhost:8080", "http"),
        ("https://", "http"),
        ("https://[::1", "understood"),
        ("https://example.com:99999", "understood"),
        ("https://example.com/\r\nX: y", "http"),
        ("https://example.com/a b", "http"),
        ("https://example.com/v1#x", "http"),
        ("https://me:swordfish@example.com/v1", "variable"),
        ("https://swordfish@example.com/v1", "variable"),
    ],
)
def test_addresses_that_are_refused(url: str, said: str) -> None:
    with pytest.raises(EmbedderError, match=said) as caught:
        read_address(url)
    assert "swordfish" not in str(caught.value)


# -- encrypted


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of our own making for 127.0.0.1."""
    place = tmp_path_factory.mktemp("tls") / "own.pem"
    command = [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(place), "-out", str(place.with_suffix(".crt")),
    ]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("there is no openssl that can make a certificate")
    place.write_bytes(place.read_bytes() + place.with_suffix(".crt").read_bytes())
    return place


def server_side(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def test_an_encrypted_connection_to_somebody_who_is_trusted(certificate: Path) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate.with_suffix(".crt")))
    with served(tls=server_side(certificate)) as server:
        assert server.url.startswith("https")
        assert np.allclose(opened(server, tls=trusting).embed_documents(TEXTS), expected(TEXTS))


def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(certificate: Path) -> None:
    with served(tls=server_side(certificate)) as server:
        assert "certificate is not trusted" in failure(opened(server))
    assert not server.asked


def test_a_server_that_does_not_encrypt(certificate: Path) -> None:
    with served() as server:
        url = server.url.replace("http:", "https:")
        embedder = EndpointEmbedder(Endpoint(url, "small", 4), Secret(KEY), World(20.0).around())
        assert "no encrypted connection" in failure(embedder)
    assert not server.asked


@pytest.mark.parametrize("behaviour", [dribble, dribbled_head])
def test_time_is_bounded_on_an_encrypted_connection_too(certificate: Path, behaviour: Callable[..., None]) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate.with_suffix(".crt")))
    with served(behaviour, tls=server_side(certificate)) as server:
        assert "did not answer within 0.2 s" in failure(opened(server, World(0.2), tls=trusting))
