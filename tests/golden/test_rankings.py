"""What is found for some questions about `fixtures/languages`, in which order: ranking is reviewed by the difference.

`rules.txt` and `learned.txt` hold, for each question, the ranked chunks without their scores, a `*` at those of the
file that was meant, and in the first line what it all comes to. After a change run this file as a script to rewrite
them, and review the difference:

    .venv/bin/python tests/golden/test_rankings.py && git diff tests/golden
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from lurcher_index import Engine
from lurcher_index.asking import RANKERS, Ask
from lurcher_index.evaluation.measures import ranks_of, reciprocal_rank

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures" / "languages"
GOLDEN = Path(__file__).parent

SHOWN = 10
"""Results asked for, and kept in the golden files."""


class Golden(NamedTuple):
    """A question, and the file somebody who asks it means; nothing is meant where there is no answer."""

    query: str
    means: str = ""


QUESTIONS = (
    Golden("send a parcel to a depot and retry in python", "parcel.py"),
    Golden("async send with a receipt", "Parcel.cs"),
    Golden("where is the nearest depot looked up", "parcel.ts"),
    Golden("route_length", "parcel.c"),
    Golden("heavy_parcels", "parcel.sql"),
    Golden("ParcelList", "parcel.tsx"),
    Golden("openScale", "parcel.js"),
    Golden("macro_rules", "parcel.rs"),
    Golden("defimpl Trackable", "parcel.ex"),
    Golden("static method that reads parcels from JSON in ruby", "parcel.rb"),
    Golden("java annotation for things that break easily", "Parcel.java"),
    Golden("kotlin: keep every parcel in a registry", "Parcel.kt"),
    Golden("php trait with a static counter", "parcel.php"),
    Golden("lua metatable constructor", "parcel.lua"),
    Golden("union of a number and a text in zig", "parcel.zig"),
    Golden("swift extension that prints upper case", "Parcel.swift"),
    Golden("haskell instance for following a parcel", "Parcel.hs"),
    Golden("larger of two values, template", "parcel.cpp"),
    Golden("case class with the sides of a parcel", "Parcel.scala"),
    Golden("generic function that changes every item of a slice", "parcel.go"),
    Golden("fade in animation", "parcel.css"),
    Golden("load every line of a file in the shell script", "parcel.sh"),
    Golden("list of parcels with a filter box", "parcel.tsx"),
    Golden("which page loads the stylesheet", "parcel.html"),
    Golden("documentation: what to do with heavy parcels", "parcel.md"),
    Golden("tool settings for the shortest route", "parcel.toml"),
    Golden("payment by credit card"),
    Golden("retry after a database deadlock"),
)


@pytest.mark.parametrize("ranker", RANKERS)
def test_rankings(ranker: str, tmp_path: Path) -> None:
    assert described(ranker, tmp_path) == (GOLDEN / f"{ranker}.txt").read_text("utf-8"), "see the docstring above"


def test_every_file_that_is_meant_exists() -> None:
    assert all((FIXTURES / question.means).exists() for question in QUESTIONS)


def described(ranker: str, store: Path) -> str:
    """The golden file of one ranker."""
    with Engine.open([FIXTURES], store=store) as engine:
        engine.build_all()
        rankings = [_ranking(engine, question.query, ranker) for question in QUESTIONS]
    parts = [_in_short(rankings)]
    for question, places in zip(QUESTIONS, rankings, strict=True):
        marked = (f"{'*' if path == question.means else ' '} {path}:{lines}" for path, lines in places)
        parts.append("\n".join([f"== {question.query}", *marked]))
    return "\n\n".join(parts) + "\n"


def _ranking(engine: Engine, query: str, ranker: str) -> list[tuple[str, str]]:
    answer = asyncio.run(engine.ask(Ask(text=query, max_results=SHOWN, ranker=ranker)))
    return [(chunk.path, f"{chunk.first_line}-{chunk.last_line}") for chunk in answer.chunks]


def _in_short(rankings: Sequence[Sequence[tuple[str, str]]]) -> str:
    """How often the file that is meant comes first, and its mean reciprocal rank."""
    ranks = [
        ranks_of((question.means,), [path for path, _ in places])
        for question, places in zip(QUESTIONS, rankings, strict=True)
        if question.means
    ]
    first = sum(rank == (1,) for rank in ranks)
    mean = sum(map(reciprocal_rank, ranks)) / len(ranks)
    return f"first for {first} of {len(ranks)} questions, MRR {mean:.3f}"


if __name__ == "__main__":
    for name in RANKERS:
        with TemporaryDirectory() as folder:
            (GOLDEN / f"{name}.txt").write_text(described(name, Path(folder)), "utf-8")
