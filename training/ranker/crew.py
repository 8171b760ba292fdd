"""Trees are indexed and asked about in processes side by side; what is learned from the answers is learned in one."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import numpy as np

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import Model, read_model
from lurcher_index.dense.static.shipped import shipped_phrases
from training.query_map import Asked, Floats
from training.ranker.collect import Group, collect
from training.ranker.described import described_tree
from training.ranker.labels import Labelled, Tree
from training.ranker.turning import asked_of


class Task(NamedTuple):
    """A tree whose questions are asked."""

    tree: Tree
    query_map: Floats
    """What the model turns these questions by."""
    store: Path
    foreign: tuple[Labelled, ...] = ()
    """Questions about other trees."""
    copy: Path | None = None
    """Where a copy without documentation goes, which is asked about what the documentation said."""


class Crew:
    """Some processes that know one model."""

    def __init__(self, model: Path, processes: int) -> None:
        """Start when the first tree comes."""
        self._pool = ProcessPoolExecutor(processes, get_context("spawn"), _know, (model,))

    def __enter__(self) -> Self:
        """Ready."""
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever has begun is done; nothing else begins."""
        self._pool.shutdown(cancel_futures=True)

    def look_up(self, trees: Sequence[tuple[Tree, Sequence[Labelled], Path]]) -> list[Asked]:
        """For each tree with questions and a store: vectors of its chunks and which of them answer."""
        return list(self._pool.map(_look_up, trees))

    def collect(self, tasks: Sequence[Task]) -> Iterator[list[Group]]:
        """The clues of all questions of each tree, in the order of the tasks."""
        return self._pool.map(_collect, tasks)


_known: list[Model] = []
"""The model of this process."""


def _know(model: Path) -> None:
    _known[:] = [read_model(model)]


def _embedder(query_map: Floats) -> StaticEmbedder:
    return StaticEmbedder(msgspec.structs.replace(_known[0], query_map=query_map), shipped_phrases)


def _look_up(tree: tuple[Tree, Sequence[Labelled], Path]) -> Asked:
    found, questions, store = tree
    return asked_of(found, questions, _embedder(np.zeros_like(_known[0].query_map)), store)


def _collect(task: Task) -> list[Group]:
    tree = described_tree(task.tree, task.copy) if task.copy else task.tree
    return collect(tree, _embedder(task.query_map), task.store, task.foreign)
