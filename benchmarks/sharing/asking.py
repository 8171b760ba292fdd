"""The same questions asked of an index of this machine and of a shared one, in turn: the ratio counts."""

import asyncio
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from benchmarks.client import percentile
from benchmarks.measure import QUERIES, RESULTS
from benchmarks.sharing.servers import Server

from lurcher_index import Engine
from lurcher_index.asking import Ask
from lurcher_index.dense.static.released import shipped_embedder
from lurcher_index.remote.engines.interface import SharedIndex, Where
from lurcher_index.remote.engines.opening import open_index
from lurcher_index.remote.interface import Wanted
from lurcher_index.strategies.context import CANDIDATES
from lurcher_index.words.query import understand

PASSES = 3
"""How often each question is asked: for the first time, and again."""


class Times(msgspec.Struct, frozen=True):
    """Milliseconds of some questions."""

    what: str
    first: float
    """Of the very first question: connecting, finding out which commit, comparing the checkout."""
    new_p50: float
    new_p95: float
    """Of questions that were never asked before."""
    again_p50: float
    again_p95: float
    strategies: dict[str, int]
    """Who answered how often."""
    chunks: int
    """In all answers."""
    questions: int = len(QUERIES)
    """Different ones, each asked `PASSES` times."""
    load: float = 0.0


class Direct(msgspec.Struct, frozen=True):
    """Milliseconds of one call of the engine, and of CPU that it takes there."""

    what: str
    first: float
    p50: float
    p95: float
    server_cpu: float
    load: float
    questions: int = len(QUERIES)


def compare(checkout: Path, server: Server, repository: str, store: Path, questions: int = len(QUERIES)) -> list[Times]:
    """Local; remote with an empty index; remote with a whole one. `store` keeps the whole ones for another run."""
    index = open_index(server.connection)
    try:
        _warm_up(index, repository)
    finally:
        index.close()
    with Engine.open([checkout], store=store / "local") as engine:
        engine.build_all()
    shutil.rmtree(store / "joined", ignore_errors=True)
    shutil.copytree(store / "local", store / "joined")
    with (
        Engine.open([checkout], store=store / "local") as local,
        Engine.open([checkout], store=":memory:") as empty,
        Engine.open([checkout], store=store / "joined") as whole,
    ):
        local.warm()
        whole.warm()
        empty.set_remote(server.connection, use="always")
        whole.set_remote(server.connection, use="always")
        engines = {"local": local, "remote, nothing here": empty, "remote, all here": whole}
        return asyncio.run(_asked(engines, QUERIES[:questions]))


async def _asked(engines: dict[str, Engine], questions: Sequence[str]) -> list[Times]:
    times: dict[str, list[list[float]]] = {name: [[] for _ in range(PASSES)] for name in engines}
    who: dict[str, Counter[str]] = {name: Counter() for name in engines}
    chunks: Counter[str] = Counter()
    for turn in range(PASSES):
        for at, text in enumerate(questions):
            names = list(engines)
            # Each is the first in turn: whoever follows finds files in the system's cache.
            names = names[at % len(names) :] + names[: at % len(names)]
            for name in names:
                began = time.perf_counter()
                answer = await engines[name].ask(Ask(text=text, max_results=RESULTS))
                times[name][turn].append((time.perf_counter() - began) * 1000)
                who[name][answer.strategy] += 1
                chunks[name] += len(answer.chunks)
    return [
        Times(
            name,
            new[0],
            percentile(new[1:], 0.5),
            percentile(new[1:], 0.95),
            percentile(again := [ms for some in later for ms in some], 0.5),
            percentile(again, 0.95),
            dict(who[name]),
            chunks[name],
            len(questions),
            os.getloadavg()[0],
        )
        for name, (new, *later) in times.items()
    ]


def wanted_of(questions: Sequence[str]) -> list[Wanted]:
    """Questions as an engine gets them."""
    embedder = shipped_embedder()
    return [
        Wanted(
            words=tuple(text.split()),
            terms=understand(text).searched(),
            vector=embedder.embed_query(text),
            limit=CANDIDATES,
        )
        for text in questions
    ]


def _warm_up(index: SharedIndex, repository: str) -> Where:
    """As whoever publishes does: after a restart milvus-lite makes its indexes anew, for longer than people wait."""
    where = Where(repository, min(each.generation for each in index.publications(repository)))
    index.warm_up(where, lambda: False)
    return where


def ask_engine(server: Server, repository: str, questions: int = len(QUERIES)) -> list[Direct]:
    """What the engine alone takes, question by question."""
    index = open_index(server.connection)
    wanted = wanted_of(QUERIES[:questions])
    where = _warm_up(index, repository)
    calls: dict[str, Callable[[Wanted], object]] = {
        "by_words": lambda one: index.by_words(where, one),
        "by_meaning": lambda one: index.by_meaning(where, one),
        "statistics": lambda one: index.statistics(where, one.terms),
    }
    found: list[Direct] = []
    try:
        for name, call in calls.items():
            times: list[float] = []
            cpu = server.cpu()
            for turn in range(PASSES):
                for one in random.Random(turn).sample(wanted, len(wanted)):
                    began = time.perf_counter()
                    call(one)
                    times.append((time.perf_counter() - began) * 1000)
            spent = (server.cpu() - cpu) * 1000 / len(times)
            warm = times[len(wanted) :]
            found.append(
                Direct(
                    name,
                    times[0],
                    percentile(warm, 0.5),
                    percentile(warm, 0.95),
                    spent,
                    os.getloadavg()[0],
                    len(wanted),
                )
            )
    finally:
        index.close()
    return found
