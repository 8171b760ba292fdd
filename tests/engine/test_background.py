"""Builds in a process of their own: the same index, told in the same words, and never in anybody's way."""

import os
import threading
import time
from pathlib import Path

import pytest
from tests.engine.trees import PATIENCE, plant, read_index, strike, until

from lurcher_index import Engine, Phase, Progress, Settings
from lurcher_index.background import build_in_background
from lurcher_index.errors import LurcherError

QUESTIONS = ["alpha", "beta"]


def children(of: int) -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{of}/task").iterdir():
        try:
            found |= {int(child) for child in (task / "children").read_text().split()}
        except OSError:
            continue
    return found


def test_the_index_is_the_same_as_one_built_here(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {f"f{number}.py": f"def alpha_{number}(): ...\n" for number in range(30)})
    with Engine.open([tree], store=tmp_path / "here") as engine:
        assert engine.build_all()
        expected = read_index(engine, QUESTIONS)
    told: list[Progress] = []
    with Engine.open([tree], store=tmp_path / "there") as engine:
        assert engine.build_in_background(told.append)
        assert read_index(engine, QUESTIONS) == expected
        assert engine.meaning.ready() == 1.0
    assert {progress.phase for progress in told} >= {Phase.SCANNING, Phase.INDEXING, Phase.DONE, Phase.EMBEDDING}


@pytest.mark.parametrize("kind", ["here", "in the background"])
def test_a_scan_that_is_asked_for_during_a_build_is_another_one(tmp_path: Path, kind: str) -> None:
    """The build may have looked already at what has changed only then."""
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        build = engine.build if kind == "here" else engine.build_in_background
        engine.await_scan()
        assert build(lambda progress: engine.await_scan() if progress.phase is Phase.INDEXING else None)
        assert engine.awaits_scan and not engine.status().complete
        assert build()
        assert not engine.awaits_scan and engine.status().complete


def test_a_search_goes_on_while_it_builds_and_sees_what_is_done(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_in_background()
        plant(tree, {"b.py": "alpha\n"})
        assert engine.build_in_background()
        assert sorted(hit.path for hit in engine.search("alpha").hits) == ["a.py", "b.py"]


def test_cancelling_keeps_what_is_done_and_leaves_no_process(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {f"f{n}.py": "def alpha(): ...\n" * 50 for n in range(1500)})
    before = children(os.getpid())
    stop = threading.Event()

    def heard(progress: Progress) -> None:
        if progress.phase is Phase.INDEXING and progress.done:
            stop.set()

    with Engine.open([tree], store=tmp_path / "store", settings=Settings(workers=1)) as engine:
        assert not engine.build_in_background(heard, stop.is_set)
        assert not engine.is_complete
        until(lambda: children(os.getpid()) <= before)
        assert engine.build_in_background()
        assert engine.status().indexed == 1500


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_build_that_is_killed_is_an_error_and_the_next_one_is_whole(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {f"f{n}.py": "def alpha(): ...\n" * 50 for n in range(800)})
    before = children(os.getpid())

    def kill(progress: Progress) -> None:
        if progress.phase is Phase.INDEXING and progress.done:
            for child in children(os.getpid()) - before:
                strike(child)

    with Engine.open([tree], store=tmp_path / "store") as engine:
        with pytest.raises(LurcherError):
            engine.build_in_background(kill)
        deadline = time.monotonic() + PATIENCE
        while not engine.build_in_background() and time.monotonic() < deadline:
            pass
        assert engine.status().indexed == 800


def test_an_index_in_memory_is_built_here(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    with Engine.open([tree], store=":memory:") as engine:
        assert engine.build_in_background()
        assert [hit.path for hit in engine.search("alpha").hits] == ["a.py"]


def test_no_vectors_beyond_the_limit_of_files(tmp_path: Path) -> None:
    """Section 5: caps exist as settings."""
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n", "b.py": "beta\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_in_background(embed_up_to=1)
        assert engine.meaning.ready() == 0.0
        assert engine.build_in_background(embed_up_to=2)
        assert engine.meaning.ready() == 1.0


def test_a_store_that_cannot_be_used_is_told_as_such(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    blocked = tmp_path / "store"
    blocked.write_text("a file where a folder should be")
    with pytest.raises(LurcherError, match="memory"):
        build_in_background([tree], Settings(), blocked, lambda _: None, lambda: False)
