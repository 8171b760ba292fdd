"""What is found for labelled questions through a shared index, with nothing indexed here, and by a whole index here."""

import asyncio
import statistics
from collections.abc import Sequence
from pathlib import Path

import msgspec
from benchmarks.quality.asking import RESULTS
from benchmarks.quality.corpora import to_stderr
from benchmarks.quality.labels import Question
from benchmarks.quality.running import Sources
from benchmarks.quality.scoring import Place, ndcg
from benchmarks.sharing.checkouts import checkout_of
from benchmarks.sharing.servers import Server

from lurcher_index import Engine, Settings
from lurcher_index.asking import Ask
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.remote.engines.opening import open_index


class Found(msgspec.Struct, frozen=True):
    """NDCG@10 of the questions about one corpus, in both ways."""

    corpus: str
    local: tuple[float, ...]
    remote: tuple[float, ...]
    files: int
    elsewhere: int
    """Questions that the shared index had a part in."""


def judge(data: Path, trees: Path, only: Sequence[str], server: Server, work: Path) -> list[Found]:
    """Publish each corpus and ask its questions twice. The corpora are asked as they lie in their repositories."""
    sources = Sources(data, None, trees, trees, only)
    return [
        _judged(corpus.name, corpus.root, corpus.root.relative_to(corpus.repository), questions, server, work)
        for corpus, labelled in sources.read(to_stderr)
        if (questions := [each for each in labelled if isinstance(each, Question)])
    ]


def mean(values: Sequence[float]) -> float:
    """Of all questions."""
    return statistics.fmean(values) if values else 0.0


def _judged(name: str, tree: Path, inside: Path, questions: Sequence[Question], server: Server, work: Path) -> Found:
    checkout = checkout_of(tree, f"corpora/{name}", work / "corpora" / name)
    index = open_index(server.connection)
    try:
        Publisher(index, f"code.example.com/corpora/{name}", find_commit(checkout), Settings()).publish()
    finally:
        index.close()
    with Engine.open([checkout], store=":memory:") as whole, Engine.open([checkout], store=":memory:") as empty:
        whole.build_all()
        empty.set_remote(server.connection, use="always")
        local, _ = asyncio.run(_scored(whole, inside, questions))
        remote, elsewhere = asyncio.run(_scored(empty, inside, questions))
        return Found(name, local, remote, whole.status().indexed, elsewhere)


async def _scored(engine: Engine, inside: Path, questions: Sequence[Question]) -> tuple[tuple[float, ...], int]:
    scores: list[float] = []
    elsewhere = 0
    for each in questions:
        answer = await engine.ask(Ask(text=each.text, max_results=RESULTS))
        elsewhere += bool(answer.remote)
        places = [Place((inside / chunk.path).as_posix(), chunk.first_line, chunk.last_line) for chunk in answer.chunks]
        scores.append(ndcg(each.targets, places))
    return tuple(scores), elsewhere
