"""PostgreSQL fails, or several work at once: nothing is lost, nothing is half there, and the text says what to do."""

import contextlib
import threading
from typing import Any

import psycopg
import pytest
from tests.remote.engines.cutting import CuttingProxy
from tests.remote.engines.pieces import HOME, asking, file, found, publication, publish, unit, version
from tests.remote.engines.postgres_server import PostgresServer
from tests.remote.engines.stores import PostgresStore

from lurcher_index.errors import (
    RemoteBusy,
    RemoteDenied,
    RemoteError,
    RemoteUnknown,
    RemoteUnreachable,
)
from lurcher_index.remote.engines.interface import SharedIndex, Where
from lurcher_index.remote.engines.postgres import collecting
from lurcher_index.remote.engines.postgres.failures import translated
from lurcher_index.remote.engines.postgres.index import PostgresIndex
from lurcher_index.remote.engines.postgres.limits import Limits
from lurcher_index.remote.engines.postgres.schema import PARTITIONS

ONE = file("src/one.py", "alpha shared", vectors=unit(1))
TWO = file("src/two.py", "beta shared", vectors=unit(0, 1))
QUICK = Limits(connect=2, search=3.0, write=60.0, grace=0.5)


def test_nobody_there() -> None:
    index = PostgresIndex("postgresql://me@127.0.0.1:1/code", limits=QUICK)
    for call in (lambda: index.publications(HOME), lambda: index.prepare(8)):
        with pytest.raises(RemoteUnreachable, match="check that it runs"):
            call()


def test_no_such_database(postgres_server: PostgresServer) -> None:
    with pytest.raises(RemoteUnknown, match="no such database"):
        PostgresIndex(postgres_server.url("absent")).publications(HOME)


def test_a_killed_server_loses_nothing_that_was_shown(database: PostgresStore, index: SharedIndex) -> None:
    publish(index, 1, [ONE])
    with pytest.raises(RemoteUnreachable), index.claim(HOME, "test"):
        index.insert(HOME, 2, [TWO])
        database.server.kill()
        index.end(HOME, 2, [version(ONE)])
    with pytest.raises(RemoteUnreachable):
        index.publications(HOME)
    database.server.start()
    # The same handle, whose kept connections are all broken.
    assert [each.generation for each in index.publications(HOME)] == [1]
    assert found(index, 1, "shared") == {"src/one.py"}
    assert not index.is_claimed(HOME)
    assert {each.path for each in index.open_versions(HOME)} == {"src/one.py", "src/two.py"}
    publish(index, 3, [], [version(ONE)])
    assert found(index, 3, "shared") == {"src/two.py"}


def test_whoever_lost_the_claim_cannot_write(database: PostgresStore, index: SharedIndex) -> None:
    with index.claim(HOME, "first"):
        index.insert(HOME, 1, [ONE])
        database.server.administer(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{database.database}' AND application_name = 'lurcher first'"
        )
        other = database.open()
        with other.claim(HOME, "second"), pytest.raises(RemoteUnreachable):
            index.insert(HOME, 1, [TWO])
        other.close()
    assert {each.path for each in index.open_versions(HOME)} == {"src/one.py"}


def test_writing_needs_a_claim(index: SharedIndex) -> None:
    for call in (
        lambda: index.insert(HOME, 1, [ONE]),
        lambda: index.end(HOME, 1, [version(ONE)]),
        lambda: index.show(publication(1)),
        lambda: index.forget(HOME),
    ):
        with pytest.raises(RemoteError, match="not claimed"):
            call()
    assert index.publications(HOME) == []


def test_a_connection_that_is_cut_in_the_middle_writes_nothing(database: PostgresStore) -> None:
    files = [file(f"f{number}.py", *(f"word{number} part{part}" for part in range(20))) for number in range(50)]
    with CuttingProxy(database.server.port) as proxy:
        index = PostgresIndex(f"postgresql://postgres@127.0.0.1:{proxy.port}/{database.database}")
        publish(index, 1, [ONE])
        with pytest.raises(RemoteUnreachable), index.claim(HOME, "test"):
            proxy.cut_after(30_000)
            index.insert(HOME, 2, files)
        proxy.mend()
        assert {each.path for each in index.open_versions(HOME)} == {"src/one.py"}
        assert found(index, 1, "shared") == {"src/one.py"}
        publish(index, 2, files)
        assert index.statistics(Where(HOME, 2), ["word7"]).holding == {"word7": 20}
        index.close()


def test_a_server_that_stops_answering_is_given_up(database: PostgresStore) -> None:
    with CuttingProxy(database.server.port) as proxy:
        index = PostgresIndex(f"postgresql://postgres@127.0.0.1:{proxy.port}/{database.database}", limits=QUICK)
        publish(index, 1, [ONE])
        assert found(index, 1, "shared") == {"src/one.py"}
        proxy.hold()
        with pytest.raises(RemoteUnreachable):
            index.publications(HOME)
        proxy.mend()
        assert found(index, 1, "shared") == {"src/one.py"}
        index.close()


def test_a_statement_that_takes_too_long_is_stopped(database: PostgresStore, index: SharedIndex) -> None:
    publish(index, 1, [ONE])
    slow = PostgresIndex(database.url, limits=Limits(search=0.2, write=0.2, grace=5.0))
    with psycopg.connect(database.url) as locking:
        locking.execute("LOCK TABLE lurcher.publications IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(RemoteUnreachable, match="took too long"):
            slow.publications(HOME)
        locking.rollback()
    assert [each.generation for each in slow.publications(HOME)] == [1]
    slow.close()


@pytest.mark.parametrize(
    ("state", "kind", "text"),
    [
        ("53100", RemoteError, "no room on its disk; free some, as `lurcher collect` does"),
        ("53300", RemoteBusy, "too many connections"),
        ("53400", RemoteBusy, "lacks resources"),
        ("28P01", RemoteDenied, "password"),
        ("28000", RemoteDenied, "password"),
        ("42501", RemoteDenied, "SELECT"),
        ("57014", RemoteUnreachable, "took too long"),
        ("57P01", RemoteUnreachable, "stopping or starting"),
        ("57P03", RemoteUnreachable, "stopping or starting"),
        ("08006", RemoteUnreachable, "check that it runs"),
        ("40P01", RemoteBusy, "try again"),
        ("25006", RemoteDenied, "primary"),
        ("XX001", RemoteUnreachable, "log"),
        ("22P02", RemoteError, "SQLSTATE 22P02"),
    ],
)
def test_states_become_advice(state: str, kind: type[RemoteError], text: str) -> None:
    error = psycopg.errors.lookup(state)("secret detail of the server")
    told = translated(error, "PostgreSQL at here")
    assert type(told) is kind
    assert text in str(told)
    assert "secret detail" not in str(told)


def test_a_full_disk_undoes_the_batch(own_database: PostgresStore) -> None:
    """The server says so itself: a trigger raises what the server raises when it cannot extend a file."""
    database, index = own_database, own_database.open()
    publish(index, 1, [ONE])
    database.server.administer(
        "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$",
        "CREATE TRIGGER no_room BEFORE INSERT ON lurcher.terms FOR EACH ROW EXECUTE FUNCTION no_room()",
        database=database.database,
    )
    with index.claim(HOME, "test"), pytest.raises(RemoteError, match="no room on its disk"):
        index.insert(HOME, 2, [TWO])
    assert {each.path for each in index.open_versions(HOME)} == {"src/one.py"}
    assert found(index, 1, "shared") == {"src/one.py"}
    assert index.statistics(Where(HOME, 1), ["shared"]).chunks == 1
    index.close()


def test_somebody_who_keeps_the_tables_busy_does_not_keep_a_publish_back(database: PostgresStore) -> None:
    """As when another publisher lets the server count the rows of the same partition."""
    index = PostgresIndex(database.url, limits=Limits(lock=0.1))
    with psycopg.connect(database.url) as other, index.claim(HOME, "test"):
        index.insert(HOME, 1, [ONE])
        for part in range(PARTITIONS):
            other.execute(f"LOCK TABLE lurcher.chunks_{part} IN SHARE UPDATE EXCLUSIVE MODE".encode())
        index.show(publication(1))
        other.rollback()
    assert found(index, 1, "shared") == {"src/one.py"}
    index.close()


def test_large_files_are_forgotten_a_few_at_a_time(index: SharedIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "BATCH_CHUNKS", 5)
    sizes = [6, 1, 2, 2, 9, 0, 1]
    files = [file(f"{number}.py", *(f"word{n} all" for n in range(size))) for number, size in enumerate(sizes)]
    publish(index, 1, files)
    publish(index, 2, [ONE], [version(each) for each in files])
    batches: list[tuple[int, int]] = []
    delete = collecting._delete_batch

    def noted(*arguments: Any, **options: Any) -> tuple[int, int]:
        batches.append(delete(*arguments, **options))
        return batches[-1]

    monkeypatch.setattr(collecting, "_delete_batch", noted)
    with index.claim(HOME, "test"):
        assert index.collect(HOME, [1]) == (len(sizes), sum(sizes))
    assert batches == [(1, 6), (3, 5), (1, 9), (2, 1), (0, 0)]
    statistics = index.statistics(Where(HOME, 2), ["all", "shared"])
    assert (statistics.chunks, statistics.holding) == (1, {"all": 0, "shared": 1})


def test_searches_see_whole_generations_only(database: PostgresStore, index: SharedIndex) -> None:
    """While one publishes and collects, another searches: every file of a generation, or nothing of it."""
    size = 12
    seen: list[int] = []
    stop = threading.Event()
    failures: list[Exception] = []

    def search() -> None:
        reader = database.open()
        try:
            while not stop.is_set():
                for each in reader.publications(HOME):
                    with contextlib.suppress(RemoteUnknown):
                        hits = reader.by_words(Where(HOME, each.generation), asking("shared"))
                        bodies = {hit.path.split("/")[0] for hit in hits}
                        assert (len(hits), bodies) == (size, {f"g{each.generation}"})
                        seen.append(each.generation)
        except Exception as error:  # noqa: BLE001 - shown by the test
            failures.append(error)
        reader.close()

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    before: list[str] = []
    for generation in range(1, 12):
        files = [file(f"g{generation}/f{number}.py", f"shared of{generation}") for number in range(size)]
        with index.claim(HOME, "test"):
            there = [each for each in index.open_versions(HOME) if each.path in before]
            index.insert(HOME, generation, files[: size // 2])
            index.end(HOME, generation, there)
            index.insert(HOME, generation, files[size // 2 :])
            index.show(publication(generation))
            index.collect(HOME, [generation - 1])
        before = [each.path for each in files]
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(set(seen)) > 1


def test_threads_share_a_handle(index: SharedIndex) -> None:
    publish(index, 1, [file(f"f{number}.py", f"word{number} shared") for number in range(20)])
    wrong: list[object] = []

    def search(number: int) -> None:
        for _ in range(5):
            answer = found(index, 1, f"word{number}")
            if answer != {f"f{number}.py"}:
                wrong.append(answer)

    threads = [threading.Thread(target=search, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
