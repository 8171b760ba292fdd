"""What is particular to PostgreSQL: roles, formats, failures of the server, and large repositories."""

import contextlib
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
import psycopg
import pytest
from tests.remote.engines.cutting import CuttingProxy
from tests.remote.engines.pieces import DIMENSION, HOME, asking, file, found, paths, publication, publish, unit, version
from tests.remote.engines.postgres_server import PostgresServer
from tests.remote.engines.stores import PostgresStore

from lurcher_index.errors import (
    RemoteBusy,
    RemoteDenied,
    RemoteError,
    RemoteUnknown,
    RemoteUnreachable,
)
from lurcher_index.remote.engines.interface import SharedFile, SharedIndex, Where
from lurcher_index.remote.engines.postgres import open_postgres, searching, weighing
from lurcher_index.remote.engines.postgres.failures import translated
from lurcher_index.remote.engines.postgres.index import PostgresIndex
from lurcher_index.remote.engines.postgres.limits import Limits
from lurcher_index.words.candidates import WordFile
from lurcher_index.words.delta import Delta
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import Group, WordQuery

ONE = file("src/one.py", "alpha shared", vectors=unit(1))
TWO = file("src/two.py", "beta shared", vectors=unit(0, 1))
QUICK = Limits(connect=2, search=2.0, write=2.0, grace=0.5)


class Word:
    """A password as the rest of the program holds it."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value


@pytest.fixture
def database(postgres_server: PostgresServer, postgres_template: str) -> PostgresStore:
    return PostgresStore(postgres_server, postgres_server.new_database(postgres_template))


@pytest.fixture
def index(database: PostgresStore) -> Iterator[SharedIndex]:
    made = database.open()
    yield made
    made.close()


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A server that may be killed."""
    server = PostgresServer()
    yield server
    server.remove()


def test_it_is_opened_by_its_address(database: PostgresStore) -> None:
    index = open_postgres(database.url)
    publish(index, 1, [ONE])
    assert found(index, 1, "alpha") == {"src/one.py"}
    assert database.database in index.name
    index.close()


def test_without_the_driver_it_says_what_to_install() -> None:
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from lurcher_index.errors import RemoteError\n"
        "from lurcher_index.remote.engines.postgres import open_postgres\n"
        "try: open_postgres('postgresql://me@localhost/code')\n"
        "except RemoteError as error: print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "lurcher[postgres]" in told


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_names_that_are_no_text_are_refused(index: SharedIndex, name: str) -> None:
    for call in (lambda: index.publications(name), lambda: publish(index, 1, [ONE], repository=name)):
        with pytest.raises(RemoteError, match="no text"):
            call()


def test_paths_that_are_no_text_are_taken(index: SharedIndex) -> None:
    publish(index, 1, [file("a\udce9.py", "word"), file("b\0.py", "word")])
    assert found(index, 1, "word") == {"a\udce9.py", "b\0.py"}


# -- roles and passwords


def test_searching_needs_no_more_than_select(database: PostgresStore, index: SharedIndex) -> None:
    publish(index, 1, [ONE, TWO])
    role = f"reader_{database.database}"
    database.server.administer(
        f"CREATE ROLE {role} LOGIN",
        f"GRANT USAGE ON SCHEMA lurcher TO {role}",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA lurcher TO {role}",
        database=database.database,
    )
    reader = PostgresIndex(database.server.url(database.database, role))
    assert found(reader, 1, "shared") == {"src/one.py", "src/two.py"}
    wanted = msgspec.structs.replace(asking("x"), vector=unit(1))
    assert paths(reader.by_meaning(Where(HOME, 1), wanted)) == ["src/one.py", "src/two.py"]
    assert reader.statistics(Where(HOME, 1), ["shared"]).holding == {"shared": 2}
    assert [each.generation for each in reader.publications(HOME)] == [1]
    assert reader.repositories() == [HOME]
    assert len(list(reader.open_versions(HOME))) == 2
    with index.claim(HOME, "test"):
        assert reader.is_claimed(HOME)
    with reader.claim(HOME, "reader"), pytest.raises(RemoteDenied, match="SELECT"):
        reader.insert(HOME, 2, [ONE])
    reader.close()


def test_a_role_without_rights_is_denied(database: PostgresStore, index: SharedIndex) -> None:
    publish(index, 1, [ONE])
    role = f"nobody_{database.database}"
    database.server.administer(f"CREATE ROLE {role} LOGIN")
    nobody = PostgresIndex(database.server.url(database.database, role))
    with pytest.raises(RemoteDenied):
        nobody.publications(HOME)
    nobody.close()


def test_a_password_is_sent_and_never_shown(own_server: PostgresServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    own_server.administer("CREATE ROLE keeper LOGIN SUPERUSER PASSWORD 'right-word'")
    own_server.require_passwords()
    url = own_server.url("postgres", "keeper")
    right = PostgresIndex(url, Word("right-word"))
    right.prepare(DIMENSION)
    assert right.repositories() == []
    wrong = PostgresIndex(url, Word("wrong-word"))
    for refused in (wrong, PostgresIndex(url)):
        with pytest.raises(RemoteDenied) as caught:
            refused.repositories()
        assert "-word" not in f"{caught.value!r} {caught.value} {caught.value.__cause__}"
    assert "-word" not in f"{right!r} {right.name} {wrong!r} {caplog.text}"
    right.close()


# -- formats


def test_tables_of_another_version_are_refused(database: PostgresStore, index: SharedIndex) -> None:
    publish(index, 1, [ONE])
    for version_there, advice in ((99, "update Lurcher"), (0, "publish anew")):
        database.server.administer(f"UPDATE lurcher.about SET version = {version_there}", database=database.database)
        for call in (
            lambda: index.publications(HOME),
            lambda: index.prepare(DIMENSION),
            lambda: index.by_words(Where(HOME, 1), asking("alpha")),
        ):
            with pytest.raises(RemoteError, match=advice):
                call()


def test_another_dimension_is_refused(index: SharedIndex) -> None:
    with pytest.raises(RemoteError, match="holds vectors of 8 numbers"):
        index.prepare(DIMENSION + 1)
    with pytest.raises(RemoteError, match="another embedding model"):
        index.prepare(5000)
    wide = msgspec.structs.replace(ONE, vectors=np.ones((1, DIMENSION + 1), np.float32))
    with index.claim(HOME, "test"), pytest.raises(RemoteError, match="another shape"):
        index.insert(HOME, 1, [wide])


def test_vectors_may_come_later(postgres_server: PostgresServer) -> None:
    index = PostgresStore(postgres_server).open()
    index.prepare(0)
    publish(index, 1, [file("a.py", "alpha")])
    assert found(index, 1, "alpha") == {"a.py"}
    wanted = msgspec.structs.replace(asking("x"), vector=unit(1))
    assert index.by_meaning(Where(HOME, 1), wanted) == []
    index.prepare(DIMENSION)
    publish(index, 2, [file("b.py", "alpha", vectors=unit(1))])
    assert paths(index.by_meaning(Where(HOME, 2), wanted)) == ["b.py"]
    index.close()


def test_two_may_prepare_at_once(postgres_server: PostgresServer) -> None:
    store = PostgresStore(postgres_server)
    failures: list[Exception] = []

    def prepare() -> None:
        try:
            store.open().prepare(DIMENSION)
        except Exception as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    threads = [threading.Thread(target=prepare) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE lurcher.files SET path = decode(repeat('61', 9000), 'hex')",
        "UPDATE lurcher.files SET language = repeat('x', 100)",
        "UPDATE lurcher.chunks SET first_line = -5",
        "UPDATE lurcher.chunks SET digest = decode(repeat('00', 100), 'hex')",
    ],
)
def test_answers_that_no_index_gives_are_refused(database: PostgresStore, index: SharedIndex, damage: str) -> None:
    publish(index, 1, [ONE])
    database.server.administer(damage, database=database.database)
    with pytest.raises(RemoteError, match="no shared index holds"):
        index.by_words(Where(HOME, 1), asking("alpha"))


# -- failures


def test_a_question_of_another_model_is_refused(index: SharedIndex) -> None:
    publish(index, 1, [ONE])
    wanted = msgspec.structs.replace(asking("x"), vector=np.ones((1, DIMENSION + 1), np.float32))
    with pytest.raises(RemoteError, match="model that was published"):
        index.by_meaning(Where(HOME, 1), wanted)


def test_nobody_there() -> None:
    index = PostgresIndex("postgresql://me@127.0.0.1:1/code", limits=QUICK)
    for call in (lambda: index.publications(HOME), lambda: index.prepare(8)):
        with pytest.raises(RemoteUnreachable, match="check that it runs"):
            call()


def test_no_such_database(postgres_server: PostgresServer) -> None:
    with pytest.raises(RemoteUnknown, match="no such database"):
        PostgresIndex(postgres_server.url("absent")).publications(HOME)


def test_a_killed_server_loses_nothing_that_was_shown(own_server: PostgresServer) -> None:
    index = PostgresStore(own_server).open()
    index.prepare(DIMENSION)
    publish(index, 1, [ONE])
    with pytest.raises(RemoteUnreachable), index.claim(HOME, "test"):
        index.insert(HOME, 2, [TWO])
        own_server.kill()
        index.end(HOME, 2, [version(ONE)])
    with pytest.raises(RemoteUnreachable):
        index.publications(HOME)
    own_server.start()
    # The same handle, whose kept connections are all broken.
    assert [each.generation for each in index.publications(HOME)] == [1]
    assert found(index, 1, "shared") == {"src/one.py"}
    assert not index.is_claimed(HOME)
    assert {each.path for each in index.open_versions(HOME)} == {"src/one.py", "src/two.py"}
    publish(index, 3, [], [version(ONE)])
    assert found(index, 3, "shared") == {"src/two.py"}
    index.close()


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
    files = [file(f"f{number}.py", *(f"word{number} part{part}" for part in range(20))) for number in range(200)]
    with CuttingProxy(database.server.port) as proxy:
        index = PostgresIndex(f"postgresql://postgres@127.0.0.1:{proxy.port}/{database.database}", limits=QUICK)
        publish(index, 1, [ONE])
        with pytest.raises(RemoteUnreachable), index.claim(HOME, "test"):
            proxy.cut_after(100_000)
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
        ("53100", RemoteError, "no room on its disk"),
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


def test_a_full_disk_undoes_the_batch(database: PostgresStore, index: SharedIndex) -> None:
    """The server says so itself: a trigger raises what the server raises when it cannot extend a file."""
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


# -- concurrency


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


# -- words and vectors


def vocabulary_files(seed: int, count: int) -> list[SharedFile]:
    """Files whose terms are as unevenly common as words are."""
    random = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(400)]
    shares = 1.0 / np.arange(1, 401)
    shares /= shares.sum()
    made: list[SharedFile] = []
    for number in range(count):
        bodies = [" ".join(random.choice(words, size=int(random.integers(60, 190)), p=shares)) for _ in range(3)]
        names = " ".join(random.choice(words, size=9, p=shares))
        vectors = random.normal(size=(3, DIMENSION)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        made.append(file(f"d{number % 7}/f{number}.py", *bodies, names=names, vectors=vectors))
    return made


def exact_order(files: Sequence[SharedFile], terms: Sequence[str]) -> list[tuple[str, int]]:
    """The order of the index on this machine."""
    words = [
        WordFile(number, number, f"0/{each.path}", each.path_terms, "python", tuple(c.terms for c in each.chunks))
        for number, each in enumerate(files)
    ]
    query = WordQuery("x", tuple(Group(term, "", (term,)) for term in terms), "", False)
    found = Delta().with_changes(words, []).search(query, Filters(), 0, lambda _field, _term: 0)
    found.sort(key=lambda each: -each.score)
    return [(files[each.file_id].path, 1 + 10 * each.ordinal) for each in found]


@pytest.mark.parametrize("candidates", [20_000, 200])
def test_words_come_in_nearly_the_order_of_the_index_on_this_machine(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch, candidates: int
) -> None:
    monkeypatch.setattr(searching, "CANDIDATES", candidates)
    files = vocabulary_files(11, 200)
    publish(index, 1, files)
    random = np.random.default_rng(12)
    shares: list[float] = []
    for _ in range(20):
        terms = [f"w{number}" for number in random.choice(150, size=4, replace=False)]
        hits = index.by_words(Where(HOME, 1), asking(*terms, limit=20))
        exact = exact_order(files, terms)[:20]
        shares.append(len({(hit.path, hit.first_line) for hit in hits} & set(exact)) / len(exact))
    assert np.mean(shares) > 0.9


def test_common_terms_alone_are_found_too(index: SharedIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "CANDIDATES", 5)
    publish(index, 1, [file(f"f{number}.py", "usual common") for number in range(30)])
    assert len(index.by_words(Where(HOME, 1), asking("usual", "common"))) == 30


def test_what_the_index_of_vectors_misses_is_found_one_by_one(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "EXACT_CHUNKS", 0)
    monkeypatch.setattr(searching, "INDEX_STEP", 0)
    monkeypatch.setitem(searching._ALONG_INDEX, "hnsw.max_scan_tuples", "1")
    monkeypatch.setitem(searching._ALONG_INDEX, "hnsw.ef_search", "5")
    publish(index, 1, [*vocabulary_files(31, 100), file("one.go", "x", language="go", vectors=-unit(1))])
    wanted = msgspec.structs.replace(asking("x"), vector=unit(1), languages=("go",))
    assert paths(index.by_meaning(Where(HOME, 1), wanted)) == ["one.go"]


@pytest.mark.parametrize("below", [(), ("d3",)])
def test_a_large_repository_is_searched_along_the_index(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch, below: tuple[str, ...]
) -> None:
    files = vocabulary_files(21, 200)
    publish(index, 1, files)
    publish(index, 2, [], [version(each) for each in files[:50]])
    question = unit(*np.random.default_rng(22).normal(size=DIMENSION))
    wanted = msgspec.structs.replace(asking("x", limit=30), vector=question, below=below)
    exact = index.by_meaning(Where(HOME, 2), wanted)
    monkeypatch.setattr(searching, "EXACT_CHUNKS", 0)
    monkeypatch.setattr(searching, "INDEX_STEP", 0)
    along = index.by_meaning(Where(HOME, 2), wanted)
    assert len(along) == len(exact) == 30
    assert [hit.score for hit in along] == sorted((hit.score for hit in along), reverse=True)
    assert len({(hit.path, hit.first_line) for hit in along} & {(hit.path, hit.first_line) for hit in exact}) >= 28


def test_a_chunk_with_very_many_terms_is_taken(index: SharedIndex) -> None:
    publish(index, 1, [file("wide.py", " ".join(f"t{number}" for number in range(20_000)))])
    assert index.statistics(Where(HOME, 1), []).chunks == 1
    assert found(index, 1, "wide") == {"wide.py"}


def test_terms_have_numbers_of_their_own_in_every_repository() -> None:
    one, other = weighing.Numbering(1), weighing.Numbering(2)
    numbers = {one.number("body", "x"), one.number("names", "x"), one.number("body", "y"), other.number("body", "x")}
    assert len(numbers) == 4
    assert all(1 <= number <= weighing.MOST_TERMS for number in numbers)
