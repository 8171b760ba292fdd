"""How quickly the index follows: on return from an update, and by itself while it watches the disk."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.engine.trees import PATIENCE, at_rest, fresh, plant, read_index, until

from lurcher_index import Engine
from lurcher_index.building.progress import never, unheard
from lurcher_index.errors import EmbedderError
from lurcher_index.following import Followed
from lurcher_index.workspace import DELTA_FILES, FOLD_FILES

QUESTIONS = ["anchor", "alpha", "zebra"]


def found(engine: Engine, query: str) -> list[str]:
    return sorted(hit.path for hit in engine.search(query, max_results=10_000).hits)


def test_updates_are_searchable_on_return(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n", "b.py": "alpha\n", "sub/c.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        for turn in range(10):
            now, before = ("zebra", "heron") if turn % 2 else ("heron", "zebra")
            plant(tree, {"a.py": f"{now}\n"})
            engine.update([tree / "a.py"])
            assert found(engine, now) == ["a.py"]
            assert found(engine, before) == []
        (tree / "b.py").unlink()
        plant(tree, {"new/deep/d.py": "alpha\n"})
        engine.update([tree / "b.py", tree / "new/deep/d.py"])
        assert found(engine, "alpha") == ["new/deep/d.py", "sub/c.py"]
        shutil.rmtree(tree / "sub")
        engine.update([tree / "sub"])
        assert found(engine, "alpha") == ["new/deep/d.py"]
        plant(tree, {".gitignore": "new/\n"})
        engine.update([tree / ".gitignore"])
        assert found(engine, "alpha") == []
        (tree / ".gitignore").unlink()
        engine.update([tree / ".gitignore"])
        assert found(engine, "alpha") == ["new/deep/d.py"]


def test_what_a_change_replaces_is_gone(tmp_path: Path) -> None:
    """Only the new path is told, as editors and version control do."""
    tree = plant(
        tmp_path / "tree", {"a/x.py": "alpha\n", "a/b/y.py": "alpha\n", "c": "alpha\n", "real/z.py": "alpha\n"}
    )
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        shutil.rmtree(tree / "a")
        plant(tree, {"a": "alpha now a file\n"})
        engine.update([tree / "a"])
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)
        (tree / "c").unlink()
        plant(tree, {"c/d/e.py": "alpha\n"})
        engine.update([tree / "c/d/e.py"])
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)
        shutil.rmtree(tree / "c")
        (tree / "c").symlink_to(tree / "real")
        engine.update([tree / "c/z.py", tree / "c/d/e.py"])
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def test_links_lead_nowhere(tmp_path: Path) -> None:
    outside = plant(tmp_path / "outside", {"o.py": "zebra\n"})
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    (tree / "link").symlink_to(outside)
    (tree / "direct.py").symlink_to(outside / "o.py")
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        engine.update([tree / "link/o.py", tree / "link", tree / "direct.py"])
        assert found(engine, "zebra") == []
        # A workspace that is itself reached through a link is another matter.
        (tmp_path / "alias").symlink_to(tree)
        plant(tree, {"b.py": "zebra\n"})
        engine.update([tmp_path / "alias/b.py"])
        assert found(engine, "zebra") == ["b.py"]


@pytest.mark.parametrize("count", [FOLD_FILES + 1, DELTA_FILES + 1])
def test_large_updates_leave_memory_by_themselves(tmp_path: Path, count: int) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        plant(tree, {f"f{n}.py": f"zebra {n}\n" for n in range(count)})
        engine.update([tree / f"f{n}.py" for n in range(count)])
        assert len(found(engine, "zebra")) == count
        at_rest(engine)


def test_what_is_searchable_is_not_called_pending(tmp_path: Path) -> None:
    """Neither when vectors are written after the words, nor by who has not searched yet, nor while another builds."""
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})

    def backlog(engine: Engine) -> tuple[int, int, bool]:
        status = engine.status()
        return status.indexed, status.pending, status.complete

    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_all()
        plant(tree, {"a.py": "zebra\n", "b.py": "def zebra():\n    pass\n"})
        engine.update([tree / "a.py", tree / "b.py"])
        assert engine.embed()
        assert backlog(engine) == (2, 0, True)
        with Engine.open([tree], store=tmp_path / "store") as other:
            with engine.workspace._writing(unheard, never):
                assert backlog(other) == (0, 2, False), "they are left to who builds"
                assert backlog(engine) == (2, 0, True)
            assert backlog(other) == (2, 0, True)
            assert found(other, "zebra") == ["a.py", "b.py"]
            with other.workspace._writing(unheard, never):
                plant(tree, {"c.py": "zebra\n"})
                engine.update([tree / "c.py"])
                assert engine.embed()
                assert backlog(engine) == (3, 0, True)


def test_changes_in_memory_survive_the_end(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        plant(tree, {"a.py": "zebra\n"})
        engine.update([tree / "a.py"])
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert found(engine, "zebra") == ["a.py"]
        at_rest(engine)


def test_changes_while_nobody_looked(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n", "b.py": "alpha\n", "c.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
    plant(tree, {"a.py": "zebra\n", "d.py": "alpha\n"})
    (tree / "b.py").unlink()
    (tree / "c.py").rename(tree / "e.py")
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        at_rest(engine)
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


@contextmanager
def followed(engine: Engine) -> Iterator[list[Followed]]:
    """The engine follows the disk on a thread; what it says."""
    stop, ready = threading.Event(), threading.Event()
    heard: list[Followed] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            engine.follow(stop, heard.append, ready)
        except BaseException as error:  # noqa: BLE001 - raised again below
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield heard
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert not failures


def test_following_real_events(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n", "sub/b.py": "alpha\n", "build/x.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        with followed(engine) as heard:
            plant(tree, {"a.py": "zebra\n"})
            until(lambda: found(engine, "zebra") == ["a.py"], heard)
            plant(tree, {"new/c.py": "zebra\n"})
            until(lambda: found(engine, "zebra") == ["a.py", "new/c.py"], heard)
            (tree / "new").rename(tree / "moved")
            until(lambda: found(engine, "zebra") == ["a.py", "moved/c.py"], heard)
            # What an editor does to save: a new file beside, then renamed over the old one.
            plant(tree, {"a.py.tmp": "alpha giraffe\n"})
            os.replace(tree / "a.py.tmp", tree / "a.py")
            until(lambda: found(engine, "giraffe") == ["a.py"], heard)
            plant(tree, {".gitignore": "build/\nsub/\n"})
            until(lambda: found(engine, "alpha") == ["a.py"], heard)
            shutil.rmtree(tree / "moved")
            until(lambda: found(engine, "zebra") == [], heard)
        assert engine.build()
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def test_what_changed_before_the_watch_began_is_followed(tmp_path: Path) -> None:
    """As `lurcher watch` does it: the first build has looked, and nobody watches yet."""
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n", "b.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        plant(tree, {"a.py": "zebra\n"})
        (tree / "b.py").unlink()
        with followed(engine) as heard:
            until(lambda: [each.note for each in heard] == ["the watch has begun"], heard)
            assert (found(engine, "zebra"), engine.status().indexed) == (["a.py"], 1)


def test_what_is_followed_gets_its_vectors(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "def alpha():\n    pass\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_all()
        with followed(engine) as heard:
            plant(tree, {"b.py": "def zebra():\n    pass\n"})
            until(lambda: found(engine, "zebra") == ["b.py"] and engine.status().vectors_ready == 1.0, heard)


def test_a_model_that_fails_does_not_end_the_watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "def alpha():\n    pass\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_all()

        def failing(*_: object, **__: object) -> bool:
            raise EmbedderError("it is gone")

        with followed(engine) as heard:
            with monkeypatch.context() as patched:
                patched.setattr(engine.models, "catch_up", failing)
                plant(tree, {"b.py": "def zebra():\n    pass\n"})
                until(lambda: found(engine, "zebra") == ["b.py"], heard)
            plant(tree, {"c.py": "def giraffe():\n    pass\n"})
            until(lambda: found(engine, "giraffe") == ["c.py"] and engine.status().vectors_ready == 1.0, heard)


def test_one_of_two_followed_folders_vanishes(tmp_path: Path) -> None:
    one, two = plant(tmp_path / "one", {"a.py": "alpha\n"}), plant(tmp_path / "two", {"b.py": "alpha\n"})
    with Engine.open([one, two], store=tmp_path / "store") as engine:
        assert engine.build()
        with followed(engine) as heard:
            shutil.rmtree(one)
            until(lambda: engine.status().indexed == 1, heard)
            until(lambda: plant(two, {"c.py": "zebra\n"}) is two and found(engine, "zebra") == ["c.py"], heard)


def test_a_followed_folder_vanishes_and_comes_back(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n", "sub/b.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        with followed(engine) as heard:
            tree.rename(tmp_path / "elsewhere")
            until(lambda: any("cannot list the workspace folder" in each.note for each in heard), heard)
            assert engine.workspace.counts().files == 2
            assert [each.rescanned for each in heard if "cannot list" in each.note] == [False], (
                "once, and nothing was read"
            )
            plant(tmp_path / "elsewhere", {"c.py": "zebra\n"})
            (tmp_path / "elsewhere").rename(tree)
            until(lambda: engine.status().complete and found(engine, "zebra") == ["c.py"], heard)
            assert found(engine, "alpha") == ["a.py", "sub/b.py"]


def test_a_storm_ends_equal_to_a_fresh_build(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {f"d{n % 10}/old{n}.txt": f"alpha anchor {n}\n" for n in range(200)})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        with followed(engine) as heard:
            for turn in range(2):
                plant(tree, {f"d{n % 10}/storm{n}.txt": f"zebra {turn} {n}\n" for n in range(2_500)})
            for number in range(0, 200, 2):
                (tree / f"d{number % 10}/old{number}.txt").unlink()
            (tree / "d3").rename(tree / "d33")
            shutil.rmtree(tree / "d4")
            expected = fresh([tree], QUESTIONS)
            until(lambda: engine.status().indexed == len(expected.truth) and not engine.status().pending, heard)
            until(lambda: read_index(engine, QUESTIONS) == expected, heard)
            assert any(each.rescanned for each in heard)
        assert engine.build()
        at_rest(engine)
        assert read_index(engine, QUESTIONS) == expected
