"""Small workspaces with an engine over them, and answers of its graph as lines that are easy to compare."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from lurcher_index import Engine
from lurcher_index.engine import MEMORY
from lurcher_index.graph.graph import Graph
from lurcher_index.graph.values import Uses


def write(folder: Path, files: dict[str, str]) -> Path:
    """Put some files into a folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return folder


@contextmanager
def engine_over(*folders: Path) -> Generator[Engine]:
    """An engine in memory, built."""
    with Engine.open(folders, store=MEMORY, embeddings=False) as engine:
        engine.build()
        yield engine


@contextmanager
def graph_of(folder: Path, files: dict[str, str]) -> Generator[Graph]:
    """The graph of some files."""
    with engine_over(write(folder, files)) as engine:
        yield engine.graph()


def sources(uses: Uses) -> list[str]:
    """The ids of who uses it, in the order of the answer."""
    return [use.source.id for use in uses.uses]


def targets(uses: Uses) -> list[str]:
    """What is used, by id; by name if it is not in the workspace."""
    return [use.target.id if use.target is not None else f"({use.name})" for use in uses.uses]
