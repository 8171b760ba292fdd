"""Trees on disk, what an index knows of them in comparable form, and engines in processes of their own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from tests.files.trees import plant

from lurcher_index import Engine, Settings
from lurcher_index.building.order import usefulness
from lurcher_index.view import View
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import understand

__all__ = [
    "PATIENCE",
    "Index",
    "Peer",
    "at_rest",
    "contents",
    "fresh",
    "in_tree_order",
    "plant",
    "read_index",
    "strike",
    "until",
]

PATIENCE = 60.0
"""Seconds after which a test gives up; nothing passes or fails by being faster than that."""

ROOT = Path(__file__).parents[2]

Seen = tuple[int, str, int, int, str, bool]
"""Number of the folder, path, lines, text, and whether the chunk has all words."""


class Index(NamedTuple):
    """All that matters of an index, without numbers and times that differ between two equal ones."""

    truth: dict[tuple[int, str], object]
    """Folder and path → why it is left out, or its content's hash, encoding and outline."""
    found: dict[str, list[Seen]]
    """Question → every chunk of the answer."""


def strike(process: int, how: int = signal.SIGKILL) -> bool:
    """Send a signal to a process that may be gone by now; whether it was there."""
    try:
        os.kill(process, how)
    except ProcessLookupError:
        return False
    return True


def read_index(engine: Engine, questions: Iterable[str] = ()) -> Index:
    """What the engine holds and finds."""
    return Index(_truth(engine), {question: _found(engine, question) for question in questions})


def fresh(folders: Iterable[Path], questions: Iterable[str] = (), settings: Settings | None = None) -> Index:
    """The index that a first build gives."""
    with Engine.open(folders, settings=settings, store=":memory:") as engine:
        assert engine.build()
        return read_index(engine, questions)


def at_rest(engine: Engine) -> None:
    """After a build: the postings hold exactly the truth, nothing waits, nothing is left over."""
    catalog = engine.workspace.catalog
    assert catalog.unfolded(10) == ([], [])
    snapshot = engine.workspace.snapshot()
    assert not snapshot.delta.hidden()
    assert snapshot.pending == 0
    assert snapshot.postings.chunk_count == catalog.counts().chunks
    assert engine.status().complete


def in_tree_order(engine: Engine, questions: Iterable[str]) -> None:
    """Of equals the tree decides which comes first, and the first few are those of all."""
    view = View(engine.workspace)
    for question in questions:
        every = view.words(understand(question), Filters(), 10_000)
        rows = view.rows({each.file_id for each in every})
        order = [
            (not hit.first, hit.partly, -hit.score, usefulness(rows[hit.file_id].path), hit.ordinal) for hit in every
        ]
        assert order == sorted(order)
        for limit in (1, 2, 5):
            assert view.words(understand(question), Filters(), limit) == every[:limit]


def contents(engine: Engine) -> int:
    """How many contents the truth keeps."""
    database = engine.workspace.catalog._database
    return int(database.read("SELECT count(*) FROM content")[0][0])


def until(condition: Callable[[], bool], what: object = "") -> None:
    """Wait, but not for ever."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def _truth(engine: Engine) -> dict[tuple[int, str], object]:
    workspace = engine.workspace
    folders = {folder.folder_id: number for number, folder in enumerate(workspace.folders)}
    hashes = dict(workspace.catalog._database.read("SELECT content_id, hash FROM content"))
    truth: dict[tuple[int, str], object] = {}
    for row in workspace.catalog.all_files():
        key = folders[row.folder_id], row.path
        if row.content_id is None:
            truth[key] = row.skip
        else:
            truth[key] = (hashes[row.content_id], workspace.catalog.whole_outline(row.content_id))
    return truth


def _found(engine: Engine, question: str) -> list[Seen]:
    folders = {str(folder.path): number for number, folder in enumerate(engine.workspace.folders)}
    hits = engine.search(question, max_results=10_000).hits
    return sorted(
        (folders[hit.folder], hit.path, hit.first_line, hit.last_line, hit.text, "all words" in hit.reasons)
        for hit in hits
    )


class Peer:
    """An engine in a process of its own, which answers one question at a time."""

    def __init__(self, folder: Path, store: Path, **settings: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("peer.py")), str(folder), str(store), json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=peer_environment(),
        )

    def tell(self, *order: object) -> None:
        """Ask without waiting for the answer: a verb of `peer.py` and its arguments."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """The next answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the other process died"
        answer: Mapping[str, Any] = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer["answer"]

    def ask(self, *order: object) -> Any:
        self.tell(*order)
        return self.hear()

    def __enter__(self) -> "Peer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()


def peer_environment() -> dict[str, str]:
    """Where another process finds the packages."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("index", "server"))}
