"""The ranker's command from questions and trees to the files that are shipped, with rooms of our own index as trees."""

import ast
import json
import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest
from benchmarks.quality.labels import MISSING
from benchmarks.quality.unseen import INDEX_FILE, Parts
from training.ranker.__main__ import main
from training.ranker.heads import FOLDS
from training.ranker.release import NAME

from lurcher_index.dense.static.modelfile import read_model
from lurcher_index.ranking.learned import RankerData, read_ranker

INDEX = Path(__file__).resolve().parents[2] / "index" / "lurcher_index"
ROOMS = ("words", "query", "ranking", "files", "graph", "history", "locate")
"""One more than there are folds."""


def functions(room: Path) -> list[tuple[str, ast.FunctionDef, str]]:
    """The functions with a docstring: file, where it stands, first sentence."""
    found: list[tuple[str, ast.FunctionDef, str]] = []
    for path in sorted(room.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (said := ast.get_docstring(node)):
                found.append((path.name, node, said.split(".")[0]))
    return found


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Rooms as trees: what a docstring says is asked of lines, the words of a name of files, one thing of nobody."""
    data = tmp_path / "questions"
    (data / "queries").mkdir(parents=True)
    corpora: list[dict[str, str]] = []
    for room in ROOMS:
        shutil.copytree(INDEX / room, tmp_path / "trees" / room, ignore=shutil.ignore_patterns("__pycache__"))
        corpora.append(
            {
                "name": room,
                "language": "python",
                "registry": "pypi",
                "package": room,
                "version": "1",
                "packagePrefix": "",
                "repositoryPrefix": "",
                "indexRoot": ".",
            }
        )
        known = functions(INDEX / room)[:6]
        of_lines = [
            {
                "query": said,
                "category": "where",
                "answers": [{"path": file, "first_line": node.lineno, "last_line": node.end_lineno}],
                "alternatives": [],
            }
            for file, node, said in known[:4]
        ]
        nowhere = {"query": f"brew coffee for {room}", "category": "none", "answers": [], "alternatives": []}
        of_files = [
            {"query": node.name.replace("_", " "), "category": "semantic", "relevant": [file], "secondary": []}
            for file, node, _ in known[4:]
        ]
        (data / f"{room}.json").write_text(json.dumps([*of_lines, nowhere]), encoding="utf-8")
        (data / "queries" / f"{room}.json").write_text(json.dumps(of_files), encoding="utf-8")
    (data / "corpora.json").write_text(json.dumps(corpora), encoding="utf-8")
    return data


def test_model_ranker_and_cards_are_written(asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "not" / "there" / "yet"
    (asked / MISSING).write_text(f"{ROOMS[0]}\tbake bread\n", encoding="utf-8")
    unseen = tmp_path / "unseen"
    given = ["--questions", asked, "--question-trees", tmp_path / "trees", "--work", tmp_path / "work", "--out", out]
    assert main([*map(str, given), "--model-name", "taught-by-rooms", "--unseen", str(unseen)]) == 0
    ranker = msgspec.json.decode((out / "ranker.json").read_bytes(), type=RankerData)
    assert (ranker.name, ranker.model) == (NAME, "taught-by-rooms")
    model = read_model(out / "taught-by-rooms.safetensors")
    assert model.query_map.any()
    taught = model.facts.training["query_map"]
    assert isinstance(taught, dict)
    assert taught["repositories"] == len(ROOMS)
    assert "taught-by-rooms" in (out / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert NAME in (out / "RANKER_CARD.md").read_text(encoding="utf-8")
    said = capsys.readouterr()
    assert said.err.count("described ") == said.err.count("own ") == said.err.count("filed ") == len(ROOMS)
    assert json.loads(said.out.splitlines()[-1]).keys() == {"meaning", "words"}
    kept = msgspec.json.decode((unseen / INDEX_FILE).read_bytes(), type=dict[str, Parts])
    assert set(kept) == set(ROOMS)
    # One more room than folds: two of them share what has not seen them, and all others have their own.
    assert len({parts.ranker for parts in kept.values()}) == len({parts.query_map for parts in kept.values()}) == FOLDS
    for parts in kept.values():
        assert read_ranker((unseen / parts.ranker).read_bytes()).model == "taught-by-rooms"
        assert np.load(unseen / parts.query_map, allow_pickle=False).shape == model.query_map.shape
