"""The truth: files, contents, what is folded, and what happens to a database that is not ours or not whole."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from lurcher_index.errors import StoreBusy, StoreDamaged, StoreError
from lurcher_index.model import Chunk, Outline, Reason, Skip, Symbol, SymbolKind
from lurcher_index.store import catalog as catalog_module
from lurcher_index.store import database as database_module
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.database import Database
from lurcher_index.store.outlines import MAX_OUTLINE_BYTES, Content, pack, unpack

STAMP = (10, 20, 30)
OUTLINE = Outline("python", 3, (Chunk(1, 3, 0, 9, b"12345678"),), (), ())


def content(number: int) -> Content:
    return Content(bytes([number] * 16), "python", "utf-8", 1, pack(OUTLINE))


@pytest.fixture(params=["disk", "memory"])
def catalog(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalog]:
    with closing(Database(tmp_path / "index.sqlite" if request.param == "disk" else None, "one")) as database:
        yield Catalog(database)


def put(catalog: Catalog, path: str, held: Content | Skip, folder: str = "f") -> int:
    folder_id = catalog.folder_ids([Path(folder)])[Path(folder)]
    with catalog.write() as write:
        return write.file(folder_id, path, STAMP, write.content(held) if isinstance(held, Content) else held)


def test_equal_contents_are_kept_once(catalog: Catalog) -> None:
    one, two = put(catalog, "a.py", content(1)), put(catalog, "b.py", content(1))
    rows = catalog.files([one, two])
    assert rows[one].content_id == rows[two].content_id
    held = catalog.contents([rows[one].content_id or 0])
    assert next(iter(held.values())).outline == OUTLINE


def test_a_file_is_unfolded_until_its_present_content_is_marked(catalog: Catalog) -> None:
    file_id = put(catalog, "a.py", content(1))
    old = catalog.files([file_id])[file_id].content_id
    put(catalog, "a.py", content(2))
    catalog.mark_folded([(file_id, old)], [])
    assert [row.file_id for row in catalog.unfolded(9)[0]] == [file_id]
    now = catalog.files([file_id])[file_id].content_id or 0
    others = {(number, number) for number in range(10, 2_000)}
    for besides, count in (((), 1), (others, 1), ({(file_id, old or 0)}, 1), ({*others, (file_id, now)}, 0)):
        assert catalog.unfolded_count(besides) == count
    catalog.mark_folded([(file_id, catalog.files([file_id])[file_id].content_id)], [])
    assert catalog.unfolded(9) == ([], [])


def test_a_removed_file_leaves_a_tombstone_until_the_postings_follow(catalog: Catalog) -> None:
    file_id = put(catalog, "a.py", content(1))
    folder_id = catalog.folder_ids([Path("f")])[Path("f")]
    with catalog.write() as write:
        assert write.remove(folder_id, "a.py") == file_id
        assert write.remove(folder_id, "a.py") is None
    assert catalog.unfolded(9) == ([], [file_id])
    catalog.mark_folded([], [file_id])
    assert catalog.unfolded(9) == ([], [])
    assert put(catalog, "a.py", content(1)) != file_id, "numbers are never used again"


def test_a_file_that_is_left_out_keeps_its_reason(catalog: Catalog) -> None:
    file_id = put(catalog, "key.pem", Skip(Reason.SECRET, "key file"))
    assert catalog.files([file_id])[file_id].skip == Skip(Reason.SECRET, "key file")
    assert catalog.counts().skipped == {"secret": 1}


def test_paths_below_are_whole_segments(catalog: Catalog) -> None:
    for path in ("src/db", "src/db/a", "src/db/b/c", "src/db.py", "src/db_utils/a", "src/dba"):
        put(catalog, path, content(1))
    folder_id = catalog.folder_ids([Path("f")])[Path("f")]
    assert sorted(catalog.paths_below(folder_id, "src/db")) == ["src/db", "src/db/a", "src/db/b/c"]


def test_a_failed_write_leaves_nothing(catalog: Catalog) -> None:
    folder_id = catalog.folder_ids([Path("f")])[Path("f")]
    with pytest.raises(RuntimeError), catalog.write() as write:
        write.file(folder_id, "a.py", STAMP, write.content(content(1)))
        raise RuntimeError
    assert catalog.all_files() == []


def test_spare_contents_are_kept_for_a_while_and_not_for_ever(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog_module, "SPARE_CONTENTS", 2)
    for number in range(6):
        put(catalog, "a.py", content(number))
    catalog.drop_spare_contents()
    kept = catalog.contents(range(1, 7))
    assert sorted(kept) == [4, 5, 6], "the one in use and the two newest spare ones"


def test_another_process_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    with closing(Database(path, "one")) as mine, closing(Database(path, "one")) as other:
        before = mine.data_version()
        put(Catalog(other), "a.py", content(1))
        assert mine.data_version() != before
        assert len(Catalog(mine).all_files()) == 1


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.write_bytes(b"not a database, but long enough to be taken for one" * 50), "damaged"),
        (lambda path: _execute(path, "PRAGMA user_version = 99"), "format 99"),
        (lambda path: _execute(path, "UPDATE meta SET value = 'other' WHERE name = 'fingerprint'"), "another version"),
    ],
)
def test_a_database_that_cannot_be_used_is_made_anew(tmp_path: Path, damage: object, said: str) -> None:
    path = tmp_path / "index.sqlite"
    first = Database(path, "one")
    put(Catalog(first), "a.py", content(1))
    epoch = Catalog(first).epoch()
    first.close()
    assert callable(damage)
    damage(path)
    with closing(Database(path, "one")) as again:
        assert said in again.was_reset
        assert Catalog(again).all_files() == []
        assert Catalog(again).epoch() != epoch, "new postings belong to a new database"


@contextmanager
def about_to_make_tables(path: Path) -> Iterator[sqlite3.Connection]:
    """Another process that made the file a moment ago. SQLite refuses at once to change how such a file is logged."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_a_new_database_is_waited_for_while_another_process_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, pauses = tmp_path / "index.sqlite", list[float]()
    with about_to_make_tables(path) as other:

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 3:
                other.execute("ROLLBACK")

        monkeypatch.setattr("time.sleep", pause)
        with closing(Database(path, "one")) as database:
            assert database.read("PRAGMA journal_mode") == [("wal",)]
    assert len(pauses) == 3


def test_a_new_database_is_not_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.0)
    with about_to_make_tables(tmp_path / "index.sqlite"), pytest.raises(StoreBusy):
        Database(tmp_path / "index.sqlite", "one")


def test_a_place_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError):
        Database(tmp_path / "file" / "index.sqlite", "one")


def test_forged_outlines_are_refused() -> None:
    bomb = zlib.compress(bytes(MAX_OUTLINE_BYTES + 1))
    wrong = zlib.compress(msgspec.msgpack.encode(["python", "three", [], [], []]))
    for forged in (b"", b"junk", bomb, wrong, zlib.compress(b"\xc1"), pack(OUTLINE)[:-4]):
        with pytest.raises(StoreDamaged):
            unpack(forged)


def _execute(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql)


def test_names_are_read_in_order_and_from_where_one_was(catalog: Catalog) -> None:
    for number, name in ((1, "dig"), (2, "Sett")):
        symbol = Symbol(name, SymbolKind.FUNCTION, -1, 1, 1, 0, 9, 0, 3, 0, 9, 0, 0)
        packed = pack(msgspec.structs.replace(OUTLINE, symbols=(symbol, symbol)))
        put(catalog, f"{number}.py", msgspec.structs.replace(content(number), packed=packed))
    ((first, names),) = catalog.names_after(0, 1)
    assert names == ["dig", "dig"]
    ((second, others),) = catalog.names_after(first, 9)
    assert others == ["Sett", "Sett"]
    assert catalog.names_after(second, 9) == []
