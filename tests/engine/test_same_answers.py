"""Answers belong to the tree: in which order its files were read, and became known, does not show in them."""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from tests.engine.trees import plant

from lurcher_index import Engine
from lurcher_index.asking import RANKERS, Ask
from lurcher_index.building.messages import Job, Parsed
from lurcher_index.building.order import usefulness
from lurcher_index.building.pool import WorkerPool
from lurcher_index.view import View
from lurcher_index.words import postings
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import understand

NOTICE = "# Copyright of nobody at all, and no warranty for anything.\n"
QUESTIONS = ["copyright warranty", "anchor", "lift the anchor", "licence", "chain locker", "copyrig", "pyrigh"]
SHOWN = 12

Places = list[tuple[str, int]]


def harbour() -> dict[str, str]:
    """Many files that words, meaning or both cannot tell apart: copies, and texts of equal length with equal words."""
    tree = {f"deck/{number:03}/lift.py": NOTICE + "def lift():\n    return anchor\n" for number in range(90)}
    tree |= {f"hold/h{number:03}.py": f"{NOTICE}def chain{number:03}():\n    return locker\n" for number in range(90)}
    tree |= {f"docs/{number}.md": f"# Licence\n\nLift the anchor {number} times.\n" for number in range(9)}
    return tree


def shuffled(seed: int) -> Callable[..., Iterator[Parsed]]:
    """The answers of workers in another order, as if each took its own time."""
    run = WorkerPool.run

    def run_shuffled(
        pool: WorkerPool, jobs: Iterable[Job], cancelled: Callable[[], bool] = bool, workers: int | None = None
    ) -> Iterator[Parsed]:
        answers = list(run(pool, jobs, cancelled, workers))
        random.Random(seed).shuffle(answers)
        return iter(answers)

    return run_shuffled


def answers(engine: Engine) -> dict[str, Places]:
    """What every kind of search shows, in order."""
    found: dict[str, Places] = {}
    for text in QUESTIONS:
        found[f"words: {text}"] = [(h.path, h.first_line) for h in engine.search(text, max_results=SHOWN).hits]
        for ranker in RANKERS:
            answer = asyncio.run(engine.ask(Ask(text=text, max_results=SHOWN, ranker=ranker)))
            found[f"{ranker}: {text}"] = [(chunk.path, chunk.first_line) for chunk in answer.chunks]
    return found


def test_the_order_in_which_workers_finish_makes_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, harbour())
    seen: list[dict[str, Places]] = []
    for seed in range(3):
        with monkeypatch.context() as patched, Engine.open([tmp_path], store=":memory:") as engine:
            patched.setattr(WorkerPool, "run", shuffled(seed))
            engine.build_all()
            seen.append(answers(engine))
    assert all(any(places for name, places in seen[0].items() if name.endswith(text)) for text in QUESTIONS)
    assert seen[0] == seen[1] == seen[2]


def test_the_order_in_which_files_were_added_makes_no_difference(tmp_path: Path) -> None:
    whole = harbour()
    plant(tmp_path / "whole", whole)
    with Engine.open([tmp_path / "whole"], store=":memory:") as engine:
        engine.build_all()
        expected = answers(engine)
    paths = sorted(whole)
    random.Random(7).shuffle(paths)
    grown = tmp_path / "grown"
    plant(grown, {path: whole[path] for path in paths[:20]})
    with Engine.open([grown], store=":memory:") as engine:
        engine.build()
        for start in range(20, len(paths), 40):
            new = {path: whole[path] for path in paths[start : start + 40]}
            plant(grown, new)
            engine.update([grown / path for path in new])
            assert engine.workspace.fold()
        engine.build_all()
        assert answers(engine) == expected


@pytest.mark.parametrize("folded", [True, False], ids=["postings", "memory"])
def test_the_first_of_many_equals_are_those_of_all(tmp_path: Path, folded: bool) -> None:
    plant(tmp_path, {"a.py": "pass\n"})
    with Engine.open([tmp_path], store=":memory:") as engine:
        engine.build()
        plant(tmp_path, harbour())
        engine.update([tmp_path / path for path in reversed(harbour())])
        if folded:
            assert engine.workspace.fold()
        view = View(engine.workspace)
        for text in QUESTIONS:
            every = view.words(understand(text), Filters(), 1_000)
            rows = view.rows({each.file_id for each in every})
            for limit in (1, 7, 60, 150):
                assert view.words(understand(text), Filters(), limit) == every[:limit]
            same = [rows[each.file_id].path for each in every if each.score == every[0].score]
            assert same == sorted(same, key=usefulness)


def test_of_very_many_equals_not_all_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of copies must not make a search take as long as there are copies."""
    monkeypatch.setattr(postings, "MOST_EQUALS", 20)
    monkeypatch.setattr(postings, "SPARE_HITS", 5)
    plant(tmp_path / "tree", harbour())
    with Engine.open([tmp_path / "tree"], store=tmp_path / "store") as engine:
        assert engine.build()
        view = View(engine.workspace).snapshot.postings
        for text in ("copyright warranty", "lift", "anchor"):
            found = view.search(understand(text), Filters(), 10)
            assert 10 <= len(found) <= 30, text
        assert len(engine.search("copyright warranty", max_results=SHOWN).hits) == SHOWN
