"""Bad questions, bad files, bad disks, bad moments: an answer or an error that says what to do, never a wrong index."""

import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.engine.trees import PATIENCE, Index, Peer, at_rest, fresh, peer_environment, plant, read_index, until

from lurcher_index import BadFolder, BadQuery, Engine, Outcome, Progress, Settings
from lurcher_index.building.pool import RESULTS_AHEAD
from lurcher_index.model import Reason
from lurcher_index.store.catalog import MAX_OUTLINE_BYTES
from lurcher_index.words.postings import Postings

QUESTIONS = ["anchor", "alpha", "word_3"]


def planted(top: Path, count: int = 12) -> Path:
    body = "    x = anchor + 'alpha'\n" * 30
    return plant(top / "tree", {f"pkg/module_{n}.py": f"def word_{n}():\n{body}" for n in range(count)})


def opened(top: Path, settings: Settings | None = None) -> Engine:
    return Engine.open([top / "tree"], store=top / "store", settings=settings)


def built(top: Path) -> Path:
    """A good index that nobody has open; the directory it lies in."""
    with opened(top) as engine:
        assert engine.build()
        return Path(engine.status().store)


_expected: dict[bytes, Index] = {}


def expected(tree: Path) -> Index:
    """What a fresh build gives; trees of the same files give the same."""
    files = [(path.relative_to(tree).as_posix(), path) for path in tree.rglob("*") if path.is_file()]
    key = repr([(name, path.is_symlink(), path.read_bytes()) for name, path in sorted(files)]).encode()
    if key not in _expected:
        _expected[key] = fresh([tree], QUESTIONS)
    return _expected[key]


def check(engine: Engine, top: Path, alert: str = "") -> None:
    """After a build the index is as good as new, and whatever happened was said."""
    assert engine.build()
    at_rest(engine)
    assert read_index(engine, QUESTIONS) == expected(top / "tree")
    alerts = engine.search("anchor").alerts
    assert any(alert in each for each in alerts) if alert else alerts == ()


# -- questions


def test_empty_questions_are_refused(tmp_path: Path) -> None:
    planted(tmp_path)
    with opened(tmp_path) as engine:
        for query in ("", "  ", "\n\t "):
            with pytest.raises(BadQuery, match="empty"):
                engine.search(query)
        for count in (0, -1):
            with pytest.raises(BadQuery, match="max_results"):
                engine.search("anchor", max_results=count)


def test_questions_without_words_find_nothing(tmp_path: Path) -> None:
    planted(tmp_path)
    with opened(tmp_path) as engine:
        assert engine.build()
        for query in ("?!", "...", "'\"--;", "(*)", "\0", "\ud800", "🐕", "_", "--"):
            assert engine.search(query).outcome is Outcome.NO_MATCH, query


def test_huge_questions(tmp_path: Path) -> None:
    planted(tmp_path)
    with opened(tmp_path) as engine:
        assert engine.build()
        result = engine.search("anchor " + " ".join(f"filler{n}" for n in range(100_000)))
        assert result.hits
        assert any("only the first" in alert for alert in result.alerts)
        assert engine.search("x" * 1_000_000).outcome is Outcome.NO_MATCH
        assert len(engine.search("anchor", max_results=10**12).hits) == engine.status().chunks


def test_filters_that_cannot_work_are_refused(tmp_path: Path) -> None:
    planted(tmp_path)
    with opened(tmp_path) as engine:
        assert engine.build()
        for glob in ("[z-a]", "\ud800", "a" * 5_000):
            with pytest.raises(BadQuery, match="filter"):
                engine.search("anchor", include=[glob])
            with pytest.raises(BadQuery, match="filter"):
                engine.search("anchor", exclude=[glob])


def test_odd_filters_never_break(tmp_path: Path) -> None:
    planted(tmp_path)
    globs = ("[", "]", "{", "}", "{a", "a}", "[]", "[!", "\\", "***", "{{a,b},c", "", "/", "!")
    with opened(tmp_path) as engine:
        assert engine.build()
        for turn, glob in enumerate(globs):
            (tmp_path / "tree/new.py").write_text(f"anchor {turn}\n")
            engine.update([tmp_path / "tree/new.py"])
            for kind in ("include", "exclude", "paths", "languages"):
                filters: dict[str, Any] = {kind: [glob]}
                before = [hit.path for hit in engine.search("anchor", max_results=99, **filters).hits]
                assert engine.workspace.fold()
                after = [hit.path for hit in engine.search("anchor", max_results=99, **filters).hits]
                assert sorted(after) == sorted(before), filters


# -- folders and paths


def test_folders_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    bad = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")
    os.mkdir(bad)
    for folders in (["nowhere/at/all"], [tmp_path / "file"], [], [tmp_path / "loop"], ["a\0b"], [bad]):
        with pytest.raises(BadFolder):
            Engine.open(folders, store=tmp_path / "store")


def test_folder_without_files(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    with opened(tmp_path) as engine:
        assert engine.search("anchor").outcome is Outcome.NOT_INDEXED
        assert engine.build()
        assert engine.search("anchor").outcome is Outcome.NOTHING_TO_SEARCH


def test_folder_that_vanishes(tmp_path: Path) -> None:
    planted(tmp_path)
    with opened(tmp_path) as engine:
        assert engine.build()
        (tmp_path / "tree").rename(tmp_path / "elsewhere")
        assert not engine.search("anchor", max_results=3).hits
        with pytest.raises(BadFolder):
            engine.build()


def test_one_of_two_folders_vanishes(tmp_path: Path) -> None:
    one, two = plant(tmp_path / "one", {"a.py": "anchor\n"}), plant(tmp_path / "two", {"b.py": "anchor\n"})
    with Engine.open([one, two], store=tmp_path / "store") as engine:
        assert engine.build()
        one.rename(tmp_path / "elsewhere")
        assert engine.build()
        assert [hit.path for hit in engine.search("anchor").hits] == ["b.py"]
        (tmp_path / "elsewhere").rename(one)
        assert engine.build()
        assert sorted(hit.path for hit in engine.search("anchor").hits) == ["a.py", "b.py"]


def test_updates_at_odd_paths(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    odd = ("nowhere.py", "a\0b.py", "x" * 5_000, "../a\0b/c.py", "..", "", "bad\udcff.py", "pkg/module_1.py/below.py")
    with opened(tmp_path) as engine:
        assert engine.build()
        for path in odd:
            engine.update([f"{tree}/{path}"])
            assert not engine.explain(f"{tree}/{path}").indexed
            check(engine, tmp_path)


# -- files


def test_files_that_are_hard_to_read(tmp_path: Path) -> None:
    tree = planted(tmp_path, 2)
    plant(
        tree,
        {
            "broken_utf8.py": "# größe größe größe größe größe anchor ".encode() + b"\xff\n",
            "latin.py": "# größe anchor\n".encode("latin-1"),
            "nul.py": b"anchor\0\0\0",
            "random.py": random.Random(1).randbytes(3_000),
            "utf16.txt": "anchor größe".encode("utf-16"),
            "utf16_cut.txt": "anchor größe".encode("utf-16")[:-1],
            "empty.py": b"",
            "blank.py": b" \n\t\n",
            "new\nline anchor.py": "anchor\n",
            "tab\there.py": "anchor\n",
            "back\\slash.py": "anchor\n",
            "emoji 🐕.py": "anchor\n",
            " spaces .py": "anchor\n",
            "-rf": "anchor\n",
            "one_line.txt": "anchor " * 20_000,
        },
    )
    (tree / "loop").symlink_to(tree / "loop")
    (tree / "circle").symlink_to(tree)
    (tree / "dangling").symlink_to(tree / "nowhere")
    os.mkfifo(tree / "pipe.py")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(tree / "sock.py"))
        Path(os.fsdecode(os.fsencode(tree) + b"/bad\xff.py")).write_text("anchor\n")
        with opened(tmp_path) as engine:
            check(engine, tmp_path)
            found = {hit.path for hit in engine.search("anchor", max_results=1_000).hits}
            skipped = engine.status().skipped
            engine.update(list(tree.iterdir()))
            assert {hit.path for hit in engine.search("anchor", max_results=1_000).hits} == found
    assert skipped == {Reason.BINARY: 2, Reason.UNREADABLE: 1}
    assert found == {
        "pkg/module_0.py",
        "pkg/module_1.py",
        "broken_utf8.py",
        "latin.py",
        "utf16.txt",
        "utf16_cut.txt",
        "new\nline anchor.py",
        "tab\there.py",
        "back\\slash.py",
        "emoji 🐕.py",
        " spaces .py",
        "-rf",
        "one_line.txt",
    }


def test_unreadable_file(tmp_path: Path) -> None:
    tree = planted(tmp_path, 2)
    with opened(tmp_path) as engine:
        assert engine.build()
        if os.geteuid() == 0:
            # Root reads everything; a name that is too long from the root of the disk cannot be read by anybody.
            deep = _dig(tree, 4_080)
            assert engine.build()
            assert engine.status().skipped == {Reason.UNREADABLE: 1}
            assert engine.explain(tree / deep).reason == Reason.UNREADABLE
        else:
            (tree / "pkg/module_1.py").chmod(0)
            os.utime(tree / "pkg/module_1.py")
            assert engine.build()
            assert engine.status().skipped == {Reason.UNREADABLE: 1}
            assert {hit.path for hit in engine.search("anchor").hits} == {"pkg/module_0.py"}
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def _dig(tree: Path, characters: int) -> str:
    """A file whose path in the folder has so many characters; made step by step, as no call takes such a path."""
    parts = ["d" * 200] * ((characters - 200) // 201)
    parts.append("e" * (characters - 201 * len(parts) - len("/deep.py")))
    top = os.open(tree, os.O_RDONLY)
    for each in parts:
        os.mkdir(each, dir_fd=top)
        below = os.open(each, os.O_RDONLY, dir_fd=top)
        os.close(top)
        top = below
    os.close(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=top))
    os.close(top)
    return "/".join([*parts, "deep.py"])


def test_files_that_change_kind_or_vanish_between_listing_and_reading(tmp_path: Path) -> None:
    tree = planted(tmp_path, 200)
    victims = iter(sorted(tree.rglob("*.py"))[::-5])

    def sabotage(progress: Progress) -> None:
        # Called after the listing and between answers: what comes late in the plan has not been read.
        for victim in (next(victims, None), next(victims, None)):
            if victim is not None:
                victim.unlink()
                if victim.name.endswith("5.py"):
                    victim.mkdir()
                elif victim.name.endswith("0.py"):
                    victim.symlink_to(tree / "pkg/module_1.py")

    with opened(tmp_path) as engine:
        engine.build(sabotage)
        assert all("anchor" in hit.text for hit in engine.search("anchor", max_results=1_000).hits)
        check(engine, tmp_path)


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
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA foreign_keys = 0")
        connection.execute("DROP TABLE folder")
    connection.close()


def _other_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _not_ours(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
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
    with sqlite3.connect(place / "index.sqlite") as connection:
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
    with sqlite3.connect(place / "index.sqlite") as connection:
        connection.execute("UPDATE content SET outline = ?", (forged,))
    connection.close()
    with opened(tmp_path) as engine:
        # A copy is looked up by its hash in the forged table: the worker must not believe it.
        plant(tree, {"copy.py": (tree / "pkg/module_3.py").read_bytes()})
        engine.update([tree / "copy.py"])
        engine.search("anchor")
        engine.audit()
        check(engine, tmp_path, "built anew")


# -- bad moments


@pytest.mark.parametrize("after", [0, 30])
def test_cancel_and_resume(tmp_path: Path, after: int) -> None:
    planted(tmp_path, 150)
    done = 0

    def report(progress: Progress) -> None:
        nonlocal done
        done = progress.done

    calls = 0

    def cancelled() -> bool:
        nonlocal calls
        calls += 1
        return calls > after

    with opened(tmp_path) as engine:
        assert not engine.build(report, cancelled)
        assert engine.status().indexed == done, "what was finished is kept"
        assert not engine.search("anchor").complete
        check(engine, tmp_path)


def test_ctrl_c_on_the_command_line(tmp_path: Path) -> None:
    tree = planted(tmp_path, 400)
    code = "import sys; from lurcher_server.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "index", str(tree), "--store", str(tmp_path / "store"), "--json"]

    def run() -> subprocess.Popen[bytes]:
        # A group of its own: Ctrl-C in a terminal reaches the workers too.
        return subprocess.Popen(
            command, env=peer_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )

    process = run()
    # The index appears when the build has begun.
    until(lambda: any((tmp_path / "store").rglob("words-*")))
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 130), errors.decode()
    assert b"Traceback" not in errors
    again = run()
    _, errors = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, errors.decode()
    with opened(tmp_path) as engine:
        at_rest(engine)
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


FILES_BEYOND_THE_QUEUE = RESULTS_AHEAD + 160
"""So many that workers still have some to read when the hundredth answer is taken, however quick they are."""


def _worker_processes() -> list[int]:
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            is_worker = b"lurcher_index.building.worker" in (entry / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue  # It ended just now.
        if parent == os.getpid() and is_worker:
            found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the workers in /proc")
def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
    planted(tmp_path, FILES_BEYOND_THE_QUEUE)
    kills = calls = 0

    def kill() -> bool:
        """Asked before every answer is taken, and never cancels."""
        nonlocal kills, calls
        calls += 1
        if calls in (5, 50, 100):
            for pid in _worker_processes():
                os.kill(pid, signal.SIGKILL)
                kills += 1
        return False

    with opened(tmp_path) as engine:
        assert engine.build(cancelled=kill)
        assert kills >= 1
        assert engine.status().skipped == {}
        check(engine, tmp_path)
        # Those that wait for work can die as well.
        for pid in _worker_processes():
            os.kill(pid, signal.SIGKILL)
        plant(tmp_path / "tree", {"new.py": "def zebra(): pass\n"})
        engine.update([tmp_path / "tree/new.py"])
        assert [hit.path for hit in engine.search("zebra").hits] == ["new.py"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the workers in /proc")
def test_workers_that_hang_are_replaced(tmp_path: Path) -> None:
    """No file is slow by nature any more; a worker that is stopped in the middle of one is."""
    planted(tmp_path, FILES_BEYOND_THE_QUEUE)
    stopped: list[int] = []
    calls = 0

    def freeze() -> bool:
        nonlocal calls
        calls += 1
        if calls == 5:
            stopped.extend(_worker_processes())
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
        return False

    with opened(tmp_path, Settings(file_seconds=3.0)) as engine:
        assert engine.build(cancelled=freeze)
        assert stopped
        assert not set(stopped) & set(_worker_processes())
        assert engine.status().skipped == {}, "what they were at was tried once more"
        check(engine, tmp_path)


def test_close_during_a_search_deletes_nothing(tmp_path: Path) -> None:
    planted(tmp_path)
    place = built(tmp_path)
    engine = opened(tmp_path)
    engine.search("anchor")
    engine.close()
    with pytest.raises(Exception, match="closed"):
        engine.search("anchor")
    assert (place / "index.sqlite").exists()
    with opened(tmp_path) as again:
        assert again.search("anchor").complete


def test_two_processes_when_one_finds_damage(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    place = built(tmp_path)
    with Peer(tree, tmp_path / "store") as peer:
        peer.hear()
        assert peer.ask("search", "anchor")["hits"]
        with opened(tmp_path) as engine:
            engine.clear()
            assert engine.build()
            peer.ask("search", "anchor")
            assert peer.ask("build")["complete"]
            assert peer.ask("search", "anchor")["hits"]
            check(engine, tmp_path)
    assert place.exists()
