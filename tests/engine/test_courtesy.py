"""What nobody waits for steps back while somebody is served, and comes to an end all the same."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.engine.trees import PATIENCE, plant, until

from lurcher_index import MEMORY, Engine, courtesy, featuring
from lurcher_index.asking import Ask
from lurcher_index.courtesy import Courtesy
from lurcher_index.view import View

FILES = {f"part{number}/file{number}.py": f"def do_{number}(): ...\n" for number in range(5)}


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody goes on before the others are done."""
    monkeypatch.setattr(courtesy, "PATIENCE_SECONDS", PATIENCE)


def in_a_thread(work: Courtesy) -> tuple[threading.Thread, threading.Event]:
    done = threading.Event()

    def step_back() -> None:
        work.step_back()
        done.set()

    thread = threading.Thread(target=step_back)
    thread.start()
    return thread, done


@pytest.mark.usefixtures("patient")
def test_it_goes_on_when_the_last_one_is_served() -> None:
    shared = Courtesy()
    shared.step_back()
    with shared.serving():
        with shared.serving():
            thread, done = in_a_thread(shared)
        assert not done.wait(0.05)
    assert done.wait(PATIENCE)
    thread.join()


def test_it_goes_on_after_a_while_and_after_failures() -> None:
    shared = Courtesy()
    with pytest.raises(ZeroDivisionError), shared.serving():
        shared.step_back()
        raise ZeroDivisionError
    shared.step_back()
    assert shared._nobody.is_set()


@pytest.mark.usefixtures("patient")
def test_the_feature_tree_grows_when_nobody_is_served(tmp_path: Path) -> None:
    with Engine.open([plant(tmp_path / "tree", FILES)], store=MEMORY) as engine:
        assert engine.build()
        behind, shared = engine.featuring, engine.workspace.courtesy
        with shared.serving():
            asyncio.run(engine.ask(Ask(text="do", max_results=5)))
            assert behind.tree_now is None
            # Who waits for the tree itself is served by nobody else.
            tree = threading.Thread(target=behind.catch_up, args=(View(engine.workspace),))
            tree.start()
            shared._nobody.set()  # The thread behind stands in a step back of a minute, in place of 50 ms.
            tree.join(PATIENCE)
            assert behind.tree_now is not None
        until(lambda: shared._nobody.is_set())


def test_the_feature_tree_rests_longer_while_the_index_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rests of no time and of a whole day one sees which of them was taken."""
    monkeypatch.setattr(featuring, "REST", 0)
    monkeypatch.setattr(featuring, "REST_WHILE_BUILT", 1e9)
    tree = plant(tmp_path / "tree", FILES)
    with Engine.open([tree], store=MEMORY) as engine:
        assert engine.build()
        behind, catalog = engine.featuring, engine.workspace.catalog
        behind.refresh_behind(View(engine.workspace))
        until(lambda: behind.tree_now is not None and not behind._refreshing)
        first = behind.tree_now
        (tree / "more.py").write_text("def more(): ...\n", encoding="utf-8")
        engine.update([tree / "more.py"])
        with monkeypatch.context() as building:
            building.setattr(catalog, "is_complete", lambda: False)
            behind.refresh_behind(View(engine.workspace))
            assert not behind._refreshing
            assert behind.tree_now is first
        behind.refresh_behind(View(engine.workspace))
        until(lambda: behind.tree_now is not first)


def test_a_search_and_typing_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with Engine.open([tree], store=MEMORY) as engine:
        assert engine.build()
        shared = engine.workspace.courtesy
        seen: list[bool] = []
        overlay, answers = engine.workspace.overlay, engine._answerer()
        show, search = overlay.show, answers._search

        def watched(work: Callable[..., object]) -> Callable[..., object]:
            def watching(*args: object, **kwargs: object) -> object:
                seen.append(shared._nobody.is_set())
                return work(*args, **kwargs)

            return watching

        monkeypatch.setattr(overlay, "show", watched(show))
        monkeypatch.setattr(answers, "_search", watched(search))
        assert engine.show(tree / "new.py", "def zebra(): ...\n", 1)
        assert asyncio.run(engine.ask(Ask(text="zebra", max_results=5))).chunks
        assert seen == [False, False]
        assert shared._nobody.is_set()
