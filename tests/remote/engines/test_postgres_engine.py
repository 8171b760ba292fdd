"""What is particular to PostgreSQL: roles, passwords and formats."""

import logging
import secrets
import subprocess
import sys
import threading

import msgspec
import numpy as np
import pytest
from tests.remote.engines.pieces import DIMENSION, HOME, asking, file, found, paths, publish, unit
from tests.remote.engines.postgres_server import PostgresServer
from tests.remote.engines.stores import PostgresStore

from lurcher_index.errors import (
    RemoteDenied,
    RemoteError,
)
from lurcher_index.remote.engines.interface import SharedIndex, Where
from lurcher_index.remote.engines.postgres import open_postgres
from lurcher_index.remote.engines.postgres.index import PostgresIndex

ONE = file("src/one.py", "alpha shared", vectors=unit(1))
TWO = file("src/two.py", "beta shared", vectors=unit(0, 1))


class Word:
    """A password as the rest of the program holds it."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value


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


def test_searching_needs_no_more_than_select(database: PostgresStore, index: SharedIndex) -> None:
    publish(index, 1, [ONE, TWO])
    role = f"reader_{secrets.token_hex(6)}"
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
    role = f"nobody_{secrets.token_hex(6)}"
    database.server.administer(f"CREATE ROLE {role} LOGIN")
    nobody = PostgresIndex(database.server.url(database.database, role))
    with pytest.raises(RemoteDenied):
        nobody.publications(HOME)
    nobody.close()


def test_a_password_is_sent_and_never_shown(database: PostgresStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    role = f"keeper_{secrets.token_hex(6)}"
    database.server.administer(f"CREATE ROLE {role} LOGIN SUPERUSER PASSWORD 'right-word'")
    database.server.require_password(role)
    url = database.server.url(database.database, role)
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


def test_tables_of_another_version_are_refused(own_database: PostgresStore) -> None:
    database, index = own_database, own_database.open()
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
    index.close()


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
        "UPDATE lurcher.files SET path = decode(repeat('61', 70000), 'hex')",
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
