"""What is special about Milvus: no transactions, no quoting of its own, a client that likes to talk."""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.remote.engines.milvus_server import MilvusServer
from tests.remote.engines.pieces import DIMENSION, HOME, asking, file, found, paths, publication, publish, unit, version
from tests.remote.engines.stores import MilvusStore

from lurcher_index.errors import RemoteBusy, RemoteError, RemoteUnknown, RemoteUnreachable
from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.milvus import Limits, MilvusIndex
from lurcher_index.remote.engines.milvus.address import read_address
from lurcher_index.remote.engines.milvus.claims import Claim, Claims
from lurcher_index.remote.engines.milvus.client import Client
from lurcher_index.remote.engines.milvus.connecting import Connecting, load_pymilvus
from lurcher_index.remote.engines.milvus.failures import translated
from lurcher_index.remote.engines.milvus.keys import shown_path, stored_path
from lurcher_index.remote.engines.milvus.layout import CHUNKS, NOTES, VERSIONS
from lurcher_index.remote.engines.milvus.notes import About, write_about

HERE = Where(HOME, 1)
ONE = file("src/one.py", "alpha shared", vectors=unit(1))
TWO = file("src/two.py", "gamma shared", "delta", vectors=None)


@pytest.fixture
def milvus(milvus_prepared: MilvusStore) -> Iterator[MilvusIndex]:
    milvus_prepared.empty()
    index = MilvusIndex(milvus_prepared.url)
    yield index
    index.close()


@pytest.fixture
def client(milvus_prepared: MilvusStore) -> Iterator[Client]:
    """What is beneath the index, to look at what it wrote and to spoil it."""
    opened = Client(read_address(milvus_prepared.url), None, Limits())
    yield opened
    opened.close()


@pytest.mark.parametrize(
    "folder",
    [
        *('quo"te', "back\\slash", "apo'strophe", 'x" or path != "', "new\nline", "tab\t", "per%cent", "under_score"),
        *("{t}", "\\", '\\"', "\ue01a", "日本", "bad\udc80byte", "nul\0"),
    ],
)
def test_hostile_folders_in_filters(milvus: MilvusIndex, folder: str) -> None:
    inside = file(f"{folder}/a.py", "word", vectors=unit(1))
    publish(
        milvus, 1, [inside, file("b.py", "word", vectors=unit(1)), file(f"{folder}x/c.py", "word", vectors=unit(1))]
    )
    wanted = msgspec.structs.replace(asking("word"), below=(folder,), vector=unit(1))
    assert paths(milvus.by_words(HERE, wanted)) == [inside.path]
    assert paths(milvus.by_meaning(HERE, wanted)) == [inside.path]
    nowhere = msgspec.structs.replace(wanted, languages=(f'{folder}"] or language in ["python',))
    assert milvus.by_words(HERE, nowhere) == []
    with milvus.claim(HOME, "test"):
        milvus.end(HOME, 2, [version(inside)])
        milvus.show(publication(2))
    assert inside.path not in found(milvus, 2, "word")


@pytest.mark.parametrize("path", ["a/b.py", "\x00\x1f\x7f", "\ue01a0041", "\udcff\ud800", "a\ue01a", ""])
def test_every_path_can_be_stored(path: str) -> None:
    stored_path(path).encode()
    assert shown_path(stored_path(path)) == path


def test_an_owner_that_is_gone_loses_its_claim(
    milvus: MilvusIndex, milvus_prepared: MilvusStore, client: Client
) -> None:
    clock = [1000.0]
    dead = Claims(client, NOTES, lambda: clock[0])
    dead.write(HOME, msgspec.structs.replace(dead.new("dead"), held=True))
    late = Claims(client, NOTES, lambda: clock[0])
    with pytest.raises(RemoteBusy) as busy, late.claim(HOME, "late"):
        pass
    assert 0 < busy.value.wait <= client.limits.claim
    assert late.alive(HOME)
    clock[0] += client.limits.claim + 1
    with late.claim(HOME, "late"):
        assert [each.owner for each in late.alive(HOME)] == ["late"]
        assert len(client.rows(NOTES, 'kind == "claim"', ["id"])) == 1, "what the dead one left is deleted"
    assert client.rows(NOTES, 'kind == "claim"', ["id"]) == []


def test_of_two_that_want_it_at_once_one_gets_it(client: Client) -> None:
    claims = Claims(client, NOTES)
    earlier = msgspec.structs.replace(claims.new("earlier"), started=1.0)
    claims.write(HOME, earlier)
    with pytest.raises(RemoteBusy), claims.claim(HOME, "later"):
        pass
    claims.delete(HOME, earlier.nonce)
    later = msgspec.structs.replace(earlier, started=earlier.expires)
    claims.write(HOME, later)
    with claims.claim(HOME, "earlier"):
        pass
    claims.delete(HOME, later.nonce)


def test_two_that_have_it_both_give_up(client: Client) -> None:
    """One writes that it has it between our two looks."""

    class Racing(Claims):
        def later(self, claim: Claim) -> Claim:
            rival = msgspec.structs.replace(claim, nonce="rival", held=True)
            self.write(HOME, rival)
            return super().later(claim)

    claims = Racing(client, NOTES)
    with pytest.raises(RemoteBusy), claims.claim(HOME, "test"):
        pass
    assert [each.nonce for each in claims.alive(HOME)] == ["rival"]
    claims.delete(HOME, "rival")


def test_a_claim_is_renewed(milvus_prepared: MilvusStore) -> None:
    milvus_prepared.empty()
    short = Client(read_address(milvus_prepared.url), None, Limits(claim=0.9))
    claims = Claims(short, NOTES)
    with claims.claim(HOME, "test"):
        (first,) = claims.alive(HOME)
        renewed = threading.Event()
        for _ in range(600):
            (now,) = claims.alive(HOME) or (first,)
            if now.expires > first.expires:
                renewed.set()
                break
        assert renewed.is_set()
    assert not any(thread.name == "lurcher-claim" for thread in threading.enumerate())
    short.close()


def test_whoever_slept_does_not_take_back_what_another_has(client: Client) -> None:
    clock = [1000.0]
    sleeping, other = (Claims(client, NOTES, lambda: clock[0]) for _ in range(2))
    with sleeping.claim(HOME, "sleeping"):
        clock[0] += client.limits.claim + 1
        with other.claim(HOME, "other"):
            assert not sleeping._held[HOME].renew()
            with pytest.raises(RemoteBusy):
                sleeping.check(HOME)
            assert [each.owner for each in other.alive(HOME)] == ["other"]


def test_a_claim_that_was_renewed_too_late_is_lost(client: Client) -> None:
    class Slow(Claims):
        seconds = 0.0

        def write(self, repository: str, claim: Claim) -> None:
            super().write(repository, claim)
            clock[0] += self.seconds

    clock = [1000.0]
    claims = Slow(client, NOTES, lambda: clock[0])
    with claims.claim(HOME, "test"):
        claims.seconds = client.limits.claim + 1
        claims._held[HOME].renew()
        claims.seconds = 0.0
        with pytest.raises(RemoteBusy):
            claims.check(HOME)


def test_every_write_needs_a_claim_that_lives(milvus: MilvusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """The claim runs out in the midst of what one call writes."""
    search = milvus._client.rows
    with pytest.raises(RemoteBusy, match="again"), milvus.claim(HOME, "test"):
        held = milvus._claims._held[HOME]

        def late(*arguments: Any, **options: Any) -> Any:
            held.claim = msgspec.structs.replace(held.claim, expires=1.0)
            return search(*arguments, **options)

        monkeypatch.setattr(milvus._client, "rows", late)
        milvus.insert(HOME, 1, [ONE])
    monkeypatch.undo()
    assert list(milvus.open_versions(HOME)) == []


class Scripted:
    """What pymilvus gives, as far as it is asked here."""

    def __init__(self, asked: threading.Event) -> None:
        self.is_closed = False
        self.asked = asked
        self.go_on = threading.Event()

    def search(self) -> None:
        raise load_pymilvus().MilvusException(2, "Deadline Exceeded")

    def query(self) -> str:
        self.asked.set()
        assert self.go_on.wait(60)
        return "cut" if self.is_closed else "answered"

    def close(self) -> None:
        self.is_closed = True


def test_a_call_that_fails_does_not_cut_off_those_of_others() -> None:
    made: list[Scripted] = []
    asked = threading.Event()

    class Scripting(Connecting):
        def _connect(self) -> Scripted:
            made.append(Scripted(asked))
            return made[-1]

    connecting = Scripting(read_address("http://127.0.0.1:1"), None, Limits())
    answers: list[str] = []
    patient = threading.Thread(target=lambda: answers.append(connecting.asked(lambda client: client.query())))
    patient.start()
    assert asked.wait(60)
    with pytest.raises(RemoteUnreachable):
        connecting.asked(lambda client: client.search())
    connecting.asked(lambda _: None)
    assert len(made) == 2, "what failed is not used again"
    made[0].go_on.set()
    patient.join()
    assert answers == ["answered"]
    assert [each.is_closed for each in made] == [True, False]
    connecting.close()
    assert made[1].is_closed


def test_nothing_is_written_without_a_claim_that_lives(milvus: MilvusIndex, milvus_prepared: MilvusStore) -> None:
    with pytest.raises(RemoteError, match="not claimed"):
        milvus.insert(HOME, 1, [ONE])
    overdue = MilvusIndex(milvus_prepared.url, limits=Limits(claim=0.0))
    with pytest.raises(RemoteBusy, match="again"), overdue.claim(HOME, "test"):
        overdue.insert(HOME, 1, [ONE])
    overdue.close()


class Secret:
    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value


class Dying(Exception):
    pass


def die_at(index: MilvusIndex, write: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the connection end with a write of its own choice, as a killed process does."""
    client: Client = index._client
    upsert, delete = client.upsert, client.delete
    left = [write]

    def counted(work: Any) -> Any:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            if left[0] == 0:
                raise Dying
            left[0] -= 1
            return work(*arguments, **options)

        return wrapped

    monkeypatch.setattr(client, "upsert", counted(upsert))
    monkeypatch.setattr(client, "delete", counted(delete))


@pytest.mark.parametrize("write", range(14))
def test_whoever_dies_between_two_writes_leaves_nothing_half(
    milvus: MilvusIndex, milvus_prepared: MilvusStore, write: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A publish is cut off at every one of its writes in turn, and another one publishes something else after it. The
    last of its thirteen writes withdraws the claim."""
    publish(milvus, 1, [ONE, TWO])
    dying = MilvusIndex(milvus_prepared.url)
    three = file("three.py", "shared", "shared more", vectors=None)
    died = False
    with monkeypatch.context() as patch:
        try:
            with dying.claim(HOME, "dying"):
                die_at(dying, write, patch)
                dying.insert(HOME, 2, [three])
                dying.end(HOME, 2, [version(ONE), version(TWO)])
                dying.show(publication(2))
        except Dying:
            died = True
    dying.close()
    assert died == (write < 13)
    assert found(milvus, 1, "shared") == {"src/one.py", "src/two.py"}
    shown = milvus.publications(HOME)[0].generation
    if shown == 2:
        assert sorted(each.first_line for each in milvus.by_words(Where(HOME, 2), asking("shared"))) == [1, 11]
    four = file("four.py", "shared", vectors=None)
    claims = Claims(milvus._client, NOTES)
    for each in claims.alive(HOME):
        claims.delete(HOME, each.nonce)
    with milvus.claim(HOME, "next"):
        generation = milvus.last_generation(HOME) + 1
        there = {(each.path, each.content): each for each in milvus.open_versions(HOME)}
        wanted = {(ONE.path, ONE.content), (TWO.path, TWO.content), (four.path, four.content)}
        again = milvus.reopen(HOME, generation, wanted - there.keys())
        assert again | there.keys() >= wanted - {(four.path, four.content)}
        milvus.insert(HOME, generation, [four])
        milvus.end(HOME, generation, [each for name, each in there.items() if name not in wanted])
        milvus.show(publication(generation))
    hits = milvus.by_words(Where(HOME, generation), asking("shared", "delta"))
    assert sorted((each.path, each.first_line) for each in hits) == [
        ("four.py", 1),
        ("src/one.py", 1),
        ("src/two.py", 1),
        ("src/two.py", 11),
    ]


def test_forgetting_that_was_cut_off_goes_on(
    milvus: MilvusIndex, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(milvus, 1, [ONE, TWO])
    with monkeypatch.context() as patch, pytest.raises(Dying), milvus.claim(HOME, "test"):
        delete = milvus._client.delete_where

        def dying(collection: str, condition: str) -> None:
            if collection == VERSIONS:
                raise Dying
            delete(collection, condition)

        patch.setattr(milvus._client, "delete_where", dying)
        milvus.forget(HOME)
    with milvus.claim(HOME, "next"):
        assert list(milvus.open_versions(HOME)) == []
        assert milvus.last_generation(HOME) == 0


def test_a_killed_server_is_unreachable_soon_and_found_again() -> None:
    own = MilvusServer()
    index = MilvusIndex(own.new_url(), limits=Limits(connect=2.0, search=5.0, write=5.0))
    try:
        index.prepare(DIMENSION)
        publish(index, 1, [ONE])
        own.kill()
        with pytest.raises(RemoteUnreachable, match="check that it runs"):
            index.by_words(HERE, asking("alpha"))
        with pytest.raises(RemoteUnreachable):
            index.publications(HOME)
        own.start()
        assert found(index, 1, "alpha") == {"src/one.py"}
    finally:
        index.close()
        own.remove()


def test_a_closed_index_stays_closed(milvus: MilvusIndex) -> None:
    before = set(threading.enumerate())
    publish(milvus, 1, [ONE])
    milvus.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(30.0)  # gRPC ends its threads in their own time, after the channel was closed
    assert set(threading.enumerate()) <= before
    milvus.close()
    with pytest.raises(RemoteUnreachable, match="closed"):
        milvus.publications(HOME)


def test_another_format_is_refused(milvus: MilvusIndex, client: Client) -> None:
    write_about(client, NOTES, About(2, DIMENSION))
    try:
        with pytest.raises(RemoteError, match="update Lurcher"):
            milvus.publications(HOME)
        with pytest.raises(RemoteError, match="format 2"):
            milvus.prepare(DIMENSION)
        write_about(client, NOTES, About(0, DIMENSION))
        with pytest.raises(RemoteError, match="publish anew"):
            milvus.by_words(HERE, asking("alpha"))
    finally:
        write_about(client, NOTES, About(1, DIMENSION))


def test_vectors_of_another_length_are_refused(milvus: MilvusIndex) -> None:
    with pytest.raises(RemoteError, match="another database"):
        milvus.prepare(DIMENSION + 1)
    milvus.prepare(0)
    with milvus.claim(HOME, "test"), pytest.raises(RemoteError, match="another shape"):
        milvus.insert(HOME, 1, [file("a.py", "word", vectors=np.ones((1, DIMENSION + 1), np.float32))])


def test_two_may_prepare_at_once(milvus_server: MilvusServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both look before either has created anything."""
    store = MilvusStore(milvus_server)
    first, second = MilvusIndex(store.url), MilvusIndex(store.url)
    database, exists = second._client._has_database, second._client.exists
    looks = [0]

    def before_the_database() -> bool:
        looks[0] += 1
        return looks[0] > 1 and database()

    monkeypatch.setattr(second._client, "_has_database", before_the_database)
    first.prepare(DIMENSION)
    seen: list[str] = []

    def before_the_collections(collection: str) -> bool:
        is_first_look = collection not in seen
        seen.append(collection)
        return not is_first_look and exists(collection)

    monkeypatch.setattr(second._client, "exists", before_the_collections)
    with pytest.raises(RemoteBusy, match="preparing"):
        second.prepare(DIMENSION)
    monkeypatch.undo()
    second.prepare(DIMENSION)
    publish(second, 1, [ONE])
    assert found(first, 1, "alpha") == {ONE.path}
    first.close()
    second.close()


def test_servers_are_not_asked_all_the_time_whether_they_are_there(
    milvus_prepared: MilvusStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gRPC servers cut whoever does so more often than every 300 s, in the midst of a call that takes long."""
    grpc, given = import_module("grpc"), dict[str, Any]()
    insecure_channel = grpc.insecure_channel

    def noted(target: str, options: Any) -> Any:
        given.update(options)
        return insecure_channel(target, options=options)

    monkeypatch.setattr(grpc, "insecure_channel", noted)
    index = milvus_prepared.open()
    index.publications(HOME)
    index.close()
    assert given["grpc.keepalive_time_ms"] > 300_000
    assert not given["grpc.keepalive_permit_without_calls"]


def test_vectors_that_came_later_are_found_without_a_restart(milvus_server: MilvusServer) -> None:
    store = MilvusStore(milvus_server)
    publisher, searcher = store.open(), store.open()
    publisher.prepare(0)
    wanted = msgspec.structs.replace(asking("x"), vector=unit(1))
    with pytest.raises(RemoteUnknown):
        searcher.by_meaning(HERE, wanted)
    publisher.prepare(DIMENSION)
    publish(publisher, 1, [ONE])
    assert paths(searcher.by_meaning(HERE, wanted)) == [ONE.path]
    publisher.close()
    searcher.close()


def test_the_first_search_may_take_long(milvus: MilvusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(milvus, 1, [ONE])
    search, asked = milvus._client.search, list[tuple[str, float]]()

    def noted(collection: str, field: str, *rest: Any, seconds: float, **options: Any) -> Any:
        asked.append((field, seconds))
        return search(collection, field, *rest, seconds=seconds, **options)

    monkeypatch.setattr(milvus._client, "search", noted)
    milvus.warm_up(HERE, lambda: False)
    assert asked == [("words", Limits().first), ("vector", Limits().first)]


def test_nobody_has_to_wait_for_the_first_search(milvus: MilvusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, answered = threading.Event(), threading.Event()

    def failing(*_: Any, **__: Any) -> Any:
        begun.set()
        assert answered.wait(60)
        raise RemoteUnreachable("it took too long")

    monkeypatch.setattr(milvus._client, "search", failing)
    milvus.warm_up(HERE, begun.is_set)
    (searching,) = (each for each in threading.enumerate() if each.name == "lurcher-warming")
    answered.set()
    searching.join()


@pytest.mark.parametrize("way", ["by_words", "by_meaning", "statistics"])
def test_what_is_forgotten_during_a_search_is_not_half_found(
    milvus: MilvusIndex, milvus_prepared: MilvusStore, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(milvus, 1, [ONE, TWO])
    publish(milvus, 2, [], [version(ONE), version(TWO)])
    client, other = milvus._client, milvus_prepared.open()

    def collected(asked: Any) -> Any:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            monkeypatch.undo()
            with other.claim(HOME, "collector"):
                assert other.collect(HOME, [1]) == (2, 3)
            return asked(*arguments, **options)

        return wrapped

    monkeypatch.setattr(milvus._searcher.counts, "of", collected(milvus._searcher.counts.of))
    monkeypatch.setattr(client, "search", collected(client.search))
    with pytest.raises(RemoteUnknown):
        if way == "statistics":
            milvus.statistics(HERE, ["shared"])
        else:
            getattr(milvus, way)(HERE, msgspec.structs.replace(asking("shared"), vector=unit(1)))
    other.close()


def test_nobody_publishes_to_an_unprepared_server(milvus_server: MilvusServer) -> None:
    index = MilvusIndex(milvus_server.new_url())
    with pytest.raises(RemoteUnknown, match="publish something first"), index.claim(HOME, "test"):
        pass
    index.close()


@pytest.mark.parametrize(
    ("field", "value"), [("path", "x"), ("first_line", 0), ("last_line", 2**40), ("digest", "zz"), ("content", "abc")]
)
def test_what_comes_back_is_looked_at(milvus: MilvusIndex, client: Client, field: str, value: Any) -> None:
    publish(milvus, 1, [ONE])
    (row,) = client.rows(CHUNKS, 'id != ""', ["id", "repository"])
    client.upsert(CHUNKS, [{**row, field: value}], partial=True)
    if field == "path":
        assert paths(milvus.by_words(HERE, asking("alpha"))) == ["x"]
    else:
        with pytest.raises(RemoteError, match="no shared index holds"):
            milvus.by_words(HERE, asking("alpha"))


@pytest.mark.parametrize("body", ["", "{", "[]", '{"generation": "1"}', "[" * 60_000, json.dumps({"repository": HOME})])
def test_notes_that_come_back_are_looked_at(milvus: MilvusIndex, client: Client, body: str) -> None:
    publish(milvus, 1, [ONE])
    (row,) = client.rows(NOTES, 'kind == "publication"', ["id", "repository"])
    client.upsert(NOTES, [{**row, "body": body}], partial=True)
    with pytest.raises(RemoteError, match="no shared index holds"):
        milvus.publications(HOME)


@pytest.mark.parametrize(
    "url",
    [
        "http://milvus.example.com:19530",
        "https://user:secret@milvus.example.com",
        "https://milvus.example.com/a/b",
        "https://milvus.example.com/?token=secret",
        "http://[::1]:19530",
        "http://127.0.0.1:99999999",
        "./local.db",
        "tcp://127.0.0.1:19530",
        "https://",
        "https://host/da ta",
    ],
)
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(RemoteError) as refused:
        MilvusIndex(url)
    assert "secret" not in str(refused.value)


def test_an_encrypted_address_is_taken_anywhere() -> None:
    address = read_address("https://milvus.example.com/team")
    assert (address.uri, address.database) == ("https://milvus.example.com:19530", "team")
    assert address.shown == "Milvus at milvus.example.com:19530 (database team)"


def test_the_token_is_shown_nowhere(
    milvus_prepared: MilvusStore, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    milvus_prepared.empty()
    caplog.set_level(logging.DEBUG)
    shy = MilvusIndex(milvus_prepared.url, Secret("root:hush-hush"))
    shy.repositories()
    lost = MilvusIndex("http://127.0.0.1:1", Secret("root:hush-hush"), Limits(connect=0.5))
    with pytest.raises(RemoteUnreachable) as failed:
        lost.repositories()
    shy.close()
    lost.close()
    output = "".join((*capfd.readouterr(), caplog.text, str(failed.value), repr(shy), shy.name))
    assert "hush" not in output
    assert "pymilvus" not in output and "Traceback" not in output


@pytest.mark.parametrize(
    ("code", "message", "kind"),
    [
        (8, "rate limit", "RemoteBusy"),
        (9, "memory quota exceeded", "RemoteBusy"),
        (100, "collection not found", "RemoteUnknown"),
        (800, "database not found", "RemoteUnknown"),
        (65535, "auth check failure, please check api key is correct", "RemoteDenied"),
        (1, "Cannot invoke RPC on closed channel!", "RemoteUnreachable"),
        (1, "something \x1b[31mnasty", "RemoteError"),
        (1, "[Errno 28] No space left on device", "RemoteError"),
    ],
)
def test_what_servers_say_becomes_an_error_of_ours(code: int, message: str, kind: str) -> None:
    error = translated(load_pymilvus().MilvusException(code, message), "Milvus at x")
    assert type(error).__name__ == kind
    assert "nasty" not in str(error)


def test_pymilvus_is_loaded_by_the_first_call_only() -> None:
    script = (
        "import sys, os\n"
        "from lurcher_index.remote.engines.milvus import MilvusIndex, Limits\n"
        "index = MilvusIndex('http://127.0.0.1:1', limits=Limits(connect=0.5))\n"
        "assert not {'pymilvus', 'pandas', 'grpc'} & sys.modules.keys()\n"
        "before = dict(os.environ)\n"
        "try:\n    index.repositories()\nexcept Exception as error:\n    print(type(error).__name__)\n"
        "assert 'pymilvus' in sys.modules and dict(os.environ) == before\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("RemoteUnreachable\n", "", 0)
