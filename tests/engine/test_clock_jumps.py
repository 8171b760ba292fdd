"""A clock that is set forward or back, before, between and while the index is used, loses nothing."""

import asyncio
import itertools
import os
import sqlite3
import time
from pathlib import Path

import pytest
from tests.engine.trees import at_rest, fresh, plant, read_index

from lurcher_index import Engine
from lurcher_index.asking import Ask

QUESTIONS = ["alpha", "heron", "zebra"]
FILES = {"a.py": "alpha = 1\n", "sub/b.py": "alpha = 2\n", "c.md": "# alpha\n"}

YEAR = 365 * 24 * 3600
JUMPS = pytest.mark.parametrize("seconds", [YEAR, -YEAR, 3600, -3600], ids=["year on", "year back", "on", "back"])


def set_clock_of_index(store: Path, seconds: int) -> None:
    """As if all files had been read when the clock was so far off."""
    (database,) = store.rglob("*.sqlite")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE file SET read_ns = read_ns + ?", (seconds * 10**9,))
    connection.close()


@JUMPS
def test_section_10_clock_jumps_between_two_sessions(tmp_path: Path, seconds: int) -> None:
    tree, store = plant(tmp_path / "tree", FILES), tmp_path / "store"
    with Engine.open([tree], store=store) as engine:
        assert engine.build()
    set_clock_of_index(store, seconds)
    plant(tree, {"a.py": "zebra = 1\n", "new.py": "heron\n"})
    (tree / "c.md").unlink()
    with Engine.open([tree], store=store) as engine:
        assert engine.build()
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)
        at_rest(engine)
    set_clock_of_index(store, -2 * seconds)
    with Engine.open([tree], store=store) as engine:
        plant(tree, {"sub/b.py": "heron = 2\n"})
        engine.update([tree / "sub/b.py"])
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


@JUMPS
def test_section_10_clock_jumps_of_what_is_saved(tmp_path: Path, seconds: int) -> None:
    """Files of the same size whose times go forward and back, as a wrong clock leaves them."""
    tree = plant(tmp_path / "tree", FILES)
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        for turn, word in enumerate(["zebra", "heron", "alpha", "zebra"]):
            plant(tree, {"a.py": f"{word} = 1\n"})
            moment = time.time() + seconds * (-1) ** turn
            os.utime(tree / "a.py", (moment, moment))
            if turn % 2:
                engine.update([tree / "a.py"])
            else:
                assert engine.build()
            assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


@pytest.mark.parametrize("ranker", ["learned", "rules"])
def test_section_10_clock_jumps_while_somebody_searches(
    tmp_path: Path, ranker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_all()

        def asked() -> list[str]:
            answer = asyncio.run(engine.ask(Ask(text="alpha", max_results=5, ranker=ranker)))
            assert (answer.strategy, answer.alerts, answer.complete) == ("embeddings", (), True)
            assert all(value >= 0 for value in answer.timings.values())
            assert all(0 <= chunk.score <= 1 for chunk in answer.chunks)
            return sorted(chunk.path for chunk in answer.chunks)

        before = asked()
        now, jump = time.time(), itertools.cycle([0, YEAR, -YEAR, 60 * YEAR, -50 * YEAR])
        monkeypatch.setattr(time, "time", lambda: now + next(jump))
        assert [asked() for _ in range(5)] == [before] * 5
