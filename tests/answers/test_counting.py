"""Sections 1 and 9: how much of the workspace an answer comes from, while an index is built or not trusted yet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.answers.asked import ask, opened
from tests.files.trees import plant

from lurcher_index import Engine
from lurcher_index.answers import Empty
from lurcher_index.engine import MEMORY

FILES: dict[str, str | bytes] = {f"pond/otter_{n:03}.py": f"def otter_{n}():\n    return {n}\n" for n in range(400)}


def after(answers: int) -> Callable[[], bool]:
    """Cancels a build when so many of its answers have been asked for."""
    left = iter(range(answers))
    return lambda: next(left, None) is None


def test_section_1_files_that_nobody_has_read_yet_are_pending(tmp_path: Path) -> None:
    with Engine.open([plant(tmp_path, FILES)], store=MEMORY) as engine:
        assert not engine.build(cancelled=after(150))
        status = engine.status()
        assert 0 < status.indexed < 400
        assert status.indexed + status.pending == 400
        assert not status.complete
        answer = ask(engine, "heron")
        assert (answer.freshness.indexed, answer.freshness.pending) == (status.indexed, status.pending)
        assert (answer.empty, answer.complete) == (Empty.NOT_INDEXED, False)
        assert f"{status.pending:,} of 400 files are not indexed yet; the answer may miss them" in answer.alerts
        assert engine.search("heron").pending == status.pending
        assert engine.build()
        assert (engine.status().indexed, engine.status().pending, engine.status().complete) == (400, 0, True)


def test_section_1_files_that_changed_and_were_not_read_again_are_pending_and_counted_once(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        plant(tmp_path, {path: f"{text!r}\n" for path, text in list(FILES.items())[:300]})
        assert not engine.build(cancelled=after(60))
        status = engine.status()
        assert 0 < status.pending <= 300
        assert status.indexed + status.pending == 400
        assert not status.complete
        assert not ask(engine, "otter", token_budget=100_000).is_full_workspace
        assert engine.build()
        assert engine.status().complete


def test_section_1_a_killed_build_is_known_to_the_next_process(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert not engine.build(cancelled=after(150))
        left = engine.status().pending
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.status().pending == left > 0


def test_section_1_nothing_is_counted_twice(tmp_path: Path) -> None:
    """Words that were lost have to be written once more for files that are known; and what is left out is no file."""
    with opened(tmp_path, FILES) as engine:
        engine.workspace.catalog.forget_postings()
        assert not engine.build(cancelled=after(0))
        status = engine.status()
        assert (status.indexed, status.pending, status.complete) == (0, 400, False)
        plant(tmp_path, {f"pond/otter_{n}.raw_": b"\0" * 64 for n in range(300)})
        assert engine.build()
        plant(tmp_path, {f"pond/otter_{n}.raw_": b"\0" * 65 for n in range(300)})
        assert not engine.build(cancelled=after(0))
        status = engine.status()
        assert (status.indexed, status.pending) == (400, 300)
        assert engine.build()
        assert (engine.status().pending, engine.status().complete) == (0, True)


@pytest.mark.parametrize("budget", [None, 100_000])
def test_section_1_an_index_that_was_not_compared_with_the_files_is_not_called_complete(
    tmp_path: Path, budget: int | None
) -> None:
    files = dict(list(FILES.items())[:5])
    with opened(tmp_path, files) as engine:
        assert ask(engine, "otter", max_results=5, token_budget=budget).complete
        engine.await_scan()
        plant(tmp_path, {"new.py": "def heron():\n    pass\n"})
        answer = ask(engine, "heron", max_results=5, token_budget=budget)
        assert (answer.empty, answer.complete, answer.is_full_workspace) == (Empty.NOT_INDEXED, False, False)
        assert any("not been compared" in alert for alert in answer.alerts)
        assert not engine.status().complete
        assert not engine.status().compared
        assert engine.build()
        answer = ask(engine, "heron", max_results=5, token_budget=budget)
        assert "new.py" in [chunk.path for chunk in answer.chunks]
        assert answer.complete
        assert answer.is_full_workspace is (budget is not None)
