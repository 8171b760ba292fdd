"""A place for the index that is full, damaged, forged or not ours: it is built anew or kept in memory, and says so."""

import os
import random
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.engine.planted import QUESTIONS, built, check, expected, opened, planted
from tests.engine.trees import PATIENCE, peer_environment, plant, read_index

from lurcher_index import Engine, Outcome
from lurcher_index.store.outlines import MAX_OUTLINE_BYTES
from lurcher_index.words.postings import Postings

# -- the place where the index is kept


def test_store_that_cannot_be_used(tmp_path: Path) -> None:
    planted(tmp_path)
    (tmp_path / "store").write_text("a file where the directory should be")
    with opened(tmp_path) as engine:
        assert engine.status().store == "memory"
        check(engine, tmp_path, "kept in memory")
    with Engine.open([tmp_path / "tree"], store="/proc/lurcher") as engine:
        check(engine, tmp_path, "kept in memory")


@pytest.mark.parametrize("kilobytes", [40, 150])
def test_full_disk(tmp_path: Path, kilobytes: int) -> None:
    """Files of the process cannot grow beyond a limit, which is how a full disk looks to those who write them."""
    planted(tmp_path, 250)
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({kilobytes} * 1024, resource.RLIM_INFINITY))\n"
        "from lurcher_index import Engine\n"
        "with Engine.open([sys.argv[1]], store=sys.argv[2]) as engine:\n"
        "    assert engine.build()\n"
        "    result = engine.search('anchor', max_results=1000)\n"
        "    assert engine.status().store == 'memory', engine.status()\n"
        "    assert any('kept in memory' in alert for alert in result.alerts), result.alerts\n"
        "    assert len({hit.path for hit in result.hits}) == 250, len(result.hits)\n"
        "    assert [hit.path for hit in engine.search('word_77', max_results=1).hits] == ['pkg/module_77.py']\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "tree"), str(tmp_path / "store")]
    done = subprocess.run(command, env=peer_environment(), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr[-3_000:]
    with opened(tmp_path) as engine:
        check(engine, tmp_path)


def test_disk_full_while_searching(tmp_path: Path) -> None:
    """The index is good and cannot grow: what did not change is found, what changed is left out, and that is said."""
    tree = planted(tmp_path, 30)
    built(tmp_path)
    (tree / "pkg/module_3.py").write_text("changed_word = 1\n")
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from lurcher_index import Engine\n"
        "with Engine.open([sys.argv[1]], store=sys.argv[2]) as engine:\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))\n"
        "    result = engine.search('anchor', max_results=1000)\n"
        "    assert {hit.path for hit in result.hits} == {f'pkg/module_{n}.py' for n in range(30) if n != 3}\n"
        "    assert any('left out' in alert for alert in result.alerts), result.alerts\n"
    )
    command = [sys.executable, "-c", code, str(tree), str(tmp_path / "store")]
    done = subprocess.run(command, env=peer_environment(), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr[-3_000:]
    with opened(tmp_path) as engine:
        check(engine, tmp_path)


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


def _scramble(path: Path) -> None:
    path.write_bytes(random.Random(2).randbytes(path.stat().st_size))


def _scramble_pages(path: Path) -> None:
    """Everything behind the first page: it opens, and breaks when it is used."""
    raw = path.read_bytes()
    path.write_bytes(raw[:4096] + random.Random(3).randbytes(len(raw) - 4096))


def _scramble_late_pages(path: Path) -> None:
    raw = path.read_bytes()
    keep = len(raw) // 8192 * 4096
    path.write_bytes(raw[:keep] + random.Random(4).randbytes(len(raw) - keep))


def _drop_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = 0")
        connection.execute("DROP TABLE folder")
    connection.close()


def _other_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _not_ours(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute('CREATE TABLE "some""body" (x)')
    connection.close()


DAMAGES = [_cut, _empty, _scramble, _scramble_pages, _scramble_late_pages, _drop_a_table, _other_version, _not_ours]


# Half of them meet a search first, the other half a build.
@pytest.mark.parametrize(("damage", "search_first"), list(zip(DAMAGES, [False, True] * 4, strict=True)))
def test_damaged_database(tmp_path: Path, damage: Callable[[Path], None], search_first: bool) -> None:
    planted(tmp_path)
    place = built(tmp_path)
    damage(place / "index.sqlite")
    with opened(tmp_path) as engine:
        if search_first:
            assert engine.search("anchor").outcome in (Outcome.NOT_INDEXED, Outcome.FOUND)
        check(engine, tmp_path, "" if damage is _empty else "anew")
        assert engine.status().store == str(place)
    with opened(tmp_path) as engine:
        assert engine.search("anchor").complete
        check(engine, tmp_path)


def test_database_damaged_while_it_is_open(tmp_path: Path) -> None:
    planted(tmp_path, 250)
    with opened(tmp_path) as engine:
        assert engine.build()
        engine.workspace._database._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database = Path(engine.status().store) / "index.sqlite"
        with database.open("r+b") as file:
            file.seek(4096)
            file.write(random.Random(5).randbytes(database.stat().st_size - 4096))
        os.utime(tmp_path / "tree/pkg/module_1.py")
        engine.update([tmp_path / "tree/pkg/module_1.py"])
        engine.search("anchor")
        assert engine.build()
        assert read_index(engine, QUESTIONS) == expected(tmp_path / "tree")


def _remove_all(words: Path) -> None:
    for path in words.iterdir():
        path.unlink()
    words.rmdir()


def _remove_segments(words: Path) -> None:
    for path in words.iterdir():
        if "meta" not in path.name and "managed" not in path.name:
            path.unlink()


def _remove_meta(words: Path) -> None:
    (words / "meta.json").unlink()


def _cut_meta(words: Path) -> None:
    _cut(words / "meta.json")


def _cut_segments(words: Path) -> None:
    for path in words.iterdir():
        if path.suffix != ".json" and path.stat().st_size > 10:
            _cut(path)


def _empty_segments(words: Path) -> None:
    for path in words.iterdir():
        if path.suffix != ".json" and path.stat().st_size > 10:
            _empty(path)


def _scramble_segments(words: Path) -> None:
    for path in words.iterdir():
        if path.suffix != ".json" and path.stat().st_size > 10:
            _scramble(path)


def _replace_by_file(words: Path) -> None:
    _remove_all(words)
    words.write_text("in the way")


WORDS = [
    *(_remove_all, _remove_meta, _remove_segments, _cut_meta),
    *(_cut_segments, _empty_segments, _scramble_segments, _replace_by_file),
]


@pytest.mark.parametrize(("damage", "search_first"), list(zip(WORDS, [True, False] * 4, strict=True)))
def test_damaged_postings(tmp_path: Path, damage: Callable[[Path], None], search_first: bool) -> None:
    planted(tmp_path)
    place = built(tmp_path)
    (words,) = place.glob("words-*")
    damage(words)
    with opened(tmp_path) as engine:
        if search_first:
            engine.search("anchor")
        assert engine.build()
        assert read_index(engine, QUESTIONS) == expected(tmp_path / "tree")
    if damage is not _replace_by_file:
        with opened(tmp_path) as engine:
            check(engine, tmp_path)
            assert engine.status().store == str(place)


def test_killed_after_empty_postings_were_made(tmp_path: Path) -> None:
    """The truth must know that they are empty before they exist, or every file would pass for indexed."""
    planted(tmp_path)
    place = built(tmp_path)
    (words,) = place.glob("words-*")
    _remove_all(words)

    class Killed(BaseException):
        pass

    def forget() -> None:
        raise Killed

    with pytest.raises(Killed):
        Postings(words, forget)
    with opened(tmp_path) as engine:
        check(engine, tmp_path)


def test_other_fingerprint(tmp_path: Path) -> None:
    planted(tmp_path)
    place = built(tmp_path)
    with closing(sqlite3.connect(place / "index.sqlite")) as connection, connection:
        connection.execute("UPDATE meta SET value = 'chunks-0' WHERE name = 'fingerprint'")
    connection.close()
    with opened(tmp_path) as engine:
        assert engine.status().indexed == 0
        check(engine, tmp_path, "another version")


BOMB = zlib.compress(b"\0" * (MAX_OUTLINE_BYTES + 1), 9)
FORGED = [
    BOMB,
    b"no zlib",
    zlib.compress(b"no msgpack"),
    zlib.compress(msgspec.msgpack.encode(["python", 1, [[1, 1, 0, 5, b"x", "more"]], 7, []])),
    "text instead of bytes",
]


@pytest.mark.parametrize("forged", FORGED, ids=range(len(FORGED)))
def test_forged_outlines(tmp_path: Path, forged: object) -> None:
    tree = planted(tmp_path)
    place = built(tmp_path)
    with closing(sqlite3.connect(place / "index.sqlite")) as connection, connection:
        connection.execute("UPDATE content SET outline = ?", (forged,))
    connection.close()
    with opened(tmp_path) as engine:
        # A copy is looked up by its hash in the forged table: the worker must not believe it.
        plant(tree, {"copy.py": (tree / "pkg/module_3.py").read_bytes()})
        engine.update([tree / "copy.py"])
        engine.search("anchor")
        engine.audit()
        check(engine, tmp_path, "built anew")
