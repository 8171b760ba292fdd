"""A small index in memory that does as it is told, a model that counts its calls, and contexts made of them."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

import numpy as np

from lurcher_index.asking import Ask
from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import WholeFile
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import WordQuery, understand

P = ParamSpec("P")
R = TypeVar("R")


def chunk(number: int, score: float = 1.0, first: bool = False) -> Candidate:
    return Candidate(file_id=number, content_id=number, ordinal=0, score=score, first=first)


def file(path: str, tokens: int = 10) -> WholeFile:
    return WholeFile("/tree", path, f"text of {path}", "python", tokens)


@dataclass
class FakeView:
    """Answers are fields, and exceptions in their place are raised; `calls` and `given` note what was asked."""

    found: list[Candidate] | Exception = field(default_factory=list[Candidate])
    near: list[Candidate] | Exception = field(default_factory=list[Candidate])
    cosines: dict[int, float | None] | Exception = field(default_factory=dict[int, float | None])
    files: list[WholeFile] = field(default_factory=list[WholeFile])
    unreadable: list[str] = field(default_factory=list[str])
    is_complete: bool = True
    vectors_ready: float = 1.0
    generation: Hashable = 1
    calls: list[str] = field(default_factory=list[str])
    given: list[object] = field(default_factory=list[object])

    def words(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        self._note("words", query, filters)
        return answered(self.found)[:limit]

    def similar(self, vector: Vectors, filters: Filters, limit: int) -> list[Candidate]:
        self._note("similar", vector.tolist(), filters)
        return answered(self.near)[:limit]

    def similarities(self, vector: Vectors, candidates: Sequence[Candidate], embedder: Embedder) -> list[float | None]:
        self._note("similarities", vector.tolist(), embedder)
        cosines = answered(self.cosines)
        return [cosines.get(candidate.file_id) for candidate in candidates]

    def file_count(self, filters: Filters, most: int) -> int:
        self._note("file_count", filters)
        return min(most, len(self.files) + len(self.unreadable))

    def whole_files(self, filters: Filters) -> tuple[list[WholeFile], list[str]]:
        self._note("whole_files", filters)
        return self.files, self.unreadable

    def _note(self, name: str, *given: object) -> None:
        self.calls.append(name)
        self.given.append(given)


@dataclass
class FakeEmbedder:
    error: Exception | None = None
    questions: list[str] = field(default_factory=list[str])
    name: str = "fake-1"
    dimension: int = 2
    trust: float = 1.0
    is_quick: bool = False
    floor: float = 0.0

    def embed_query(self, text: str) -> Vectors:
        self.questions.append(text)
        if self.error is not None:
            raise self.error
        return np.array([[1, 0]], dtype=np.float32)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 2), dtype=np.float32)

    def calibrate(self, similarity: float) -> float:
        return similarity


def answered(given: R | Exception) -> R:
    if isinstance(given, Exception):
        raise given
    return given


async def inline(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    return function(*args, **kwargs)


class Slow:
    """Runs what it is given after so many seconds each, by the function's name; others at once."""

    def __init__(self, **seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[R]:
        async def later() -> R:
            await asyncio.sleep(self.seconds.get(function.__name__, 0))
            return function(*args, **kwargs)

        return later()


def asking(budget: int | None = None, filters: Filters | None = None) -> Ask:
    return Ask(text="open file", max_results=20, token_budget=budget, filters=filters or Filters())


def context(
    view: FakeView, embedder: FakeEmbedder | None = None, ask: Ask | None = None, run: Slow | None = None
) -> Context:
    asked = ask or asking()
    return Context(asked, understand(asked.text), view, embedder, run=run or inline)
