"""Bad questions, folders and files: an answer or an error that says what to do, never a wrong index."""

import asyncio
import errno
import os
import random
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.engine.planted import QUESTIONS, check, opened, planted
from tests.engine.trees import fresh, plant, read_index

from lurcher_index import BadFolder, BadQuery, Engine, Outcome, Progress
from lurcher_index.asking import Ask
from lurcher_index.building.messages import Job, Parsed
from lurcher_index.building.pool import WorkerPool
from lurcher_index.building.progress import Phase
from lurcher_index.config import Settings
from lurcher_index.files.discovery import discover
from lurcher_index.files.listing import Listing
from lurcher_index.model import Reason, Skip
from lurcher_index.passages import read_passage
from lurcher_index.store.catalog import FileRow

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
    """It may come back: the index is kept whole, and says that nobody knows."""
    tree = planted(tmp_path)
    with opened(tmp_path) as engine:
        assert engine.build()
        before = read_index(engine, QUESTIONS)
        tree.rename(tmp_path / "elsewhere")
        for query in ("anchor", "nothing is called so"):
            with pytest.raises(BadFolder, match="no such file"):
                engine.search(query, max_results=3)
            with pytest.raises(BadFolder, match="no such file"):
                asyncio.run(engine.ask(Ask(text=query, max_results=3)))
        for work in (engine.build, lambda: engine.update([tree / "pkg/module_1.py", tree / "pkg"]), engine.tree):
            with pytest.raises(BadFolder):
                work()
        with pytest.raises(BadFolder):
            engine.workspace.correct([tree / "pkg/module_1.py"])
        with pytest.raises(BadFolder):
            engine.build_in_background()
        status = engine.status()
        assert status.indexed and not status.complete and any("cannot list" in alert for alert in status.alerts)
        (tmp_path / "elsewhere").rename(tree)
        hits = engine.search("anchor", max_results=3)
        assert hits.hits and not hits.complete, "nobody has looked since"
        assert engine.build()
        assert read_index(engine, QUESTIONS) == before
        assert engine.search("anchor").complete


def test_folder_that_vanishes_while_it_is_read(tmp_path: Path) -> None:
    tree = planted(tmp_path, 40)

    def sabotage(progress: Progress) -> None:
        if progress.phase is Phase.INDEXING and tree.exists():
            tree.rename(tmp_path / "elsewhere")

    with opened(tmp_path) as engine:
        with pytest.raises(BadFolder):
            engine.build(sabotage)
        assert not engine.status().complete
        (tmp_path / "elsewhere").rename(tree)
        assert engine.build()
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def test_folder_inside_that_cannot_be_opened_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are kept, counted as pending and left out of answers, which say so."""
    tree = plant(tmp_path / "tree", {"a.py": "anchor\n", "shut/b.py": "anchor\n", "shut/in/c.py": "anchor\n"})
    shut = tree / "shut"

    def listed(folder: Path, settings: Settings) -> Listing:
        found = discover(folder, settings)
        open_files = [file for file in found.files if not file.path.startswith("shut/")]
        return Listing(open_files, {"shut": Skip(Reason.UNREADABLE, "permission denied")}, found.lister)

    lstat = Path.lstat

    def refused(path: Path) -> os.stat_result:
        if path.is_relative_to(shut) and path != shut:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return lstat(path)

    with opened(tmp_path) as engine:
        assert engine.build()
        with monkeypatch.context() as patch:
            patch.setattr("lurcher_index.workspace.discover", listed)
            patch.setattr(Path, "lstat", refused)
            patch.setattr("lurcher_index.view.read_passage", _unless_below(shut))
            result = engine.search("anchor")
            assert [hit.path for hit in result.hits] == ["a.py"]
            assert any("2 files that match cannot be looked at" in alert for alert in result.alerts)
            answer = asyncio.run(engine.ask(Ask(text="anchor", max_results=9, strategies=("tfidf",))))
            assert [chunk.path for chunk in answer.chunks] == ["a.py"] and not answer.complete
            assert any("cannot be looked at" in alert for alert in answer.alerts)
            assert engine.update([shut / "b.py"], may_build=False).needs_scan
            for _ in range(2):
                assert engine.build() and engine.has_unseen()
                status = engine.status()
                assert (status.indexed, status.pending, status.unseen, status.complete) == (1, 2, 2, False)
                assert status.skipped == {Reason.UNREADABLE: 1}
        assert sorted(hit.path for hit in engine.search("anchor").hits) == ["a.py", "shut/b.py", "shut/in/c.py"]
        assert engine.build() and not engine.has_unseen()
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def _unless_below(shut: Path) -> Callable[..., bytes | None]:
    def read(folder: Path, row: FileRow, *rest: Any) -> bytes | None:
        return None if (folder / row.path).is_relative_to(shut) else read_passage(folder, row, *rest)

    return read


def test_a_file_that_could_not_be_read_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rights come back without a trace in size and time."""
    tree = plant(tmp_path / "tree", {"a.py": "anchor\n"})
    long_ago = time.time() - 1_000
    os.utime(tree / "a.py", (long_ago, long_ago))
    with Engine.open([tree], store=tmp_path / "store") as engine:
        with monkeypatch.context() as patch:
            patch.setattr(WorkerPool, "run", _all_unreadable)
            assert engine.build()
        assert engine.status().skipped == {Reason.UNREADABLE: 1}
        assert engine.build()
        assert [hit.path for hit in engine.search("anchor").hits] == ["a.py"]


def _all_unreadable(_: WorkerPool, jobs: Sequence[Job], *_rest: object) -> Iterator[Parsed]:
    for job in jobs:
        status = (Path(job.folder) / job.path).lstat()
        stamp = (status.st_size, status.st_mtime_ns, time.time_ns())
        yield Parsed(job.number, stamp, skip=Skip(Reason.UNREADABLE, "permission denied"))


def test_one_of_two_folders_vanishes(tmp_path: Path) -> None:
    one, two = plant(tmp_path / "one", {"a.py": "anchor\n"}), plant(tmp_path / "two", {"b.py": "anchor\n"})
    with Engine.open([one, two], store=tmp_path / "store") as engine:
        assert engine.build()
        one.rename(tmp_path / "elsewhere")
        for build in (engine.build, engine.build_in_background):
            assert build()
            found = engine.search("anchor")
            assert [hit.path for hit in found.hits] == ["b.py"]
            assert not found.complete and any("cannot list" in alert for alert in found.alerts)
            assert (engine.status().indexed, engine.status().pending) == (1, 1)
        (tmp_path / "elsewhere").rename(one)
        assert sorted(hit.path for hit in engine.search("anchor").hits) == ["a.py", "b.py"], "its files were kept"
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
