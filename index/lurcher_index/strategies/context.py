"""One search: what is asked, what it is asked of, and the work that its strategies share."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from typing import Generic, ParamSpec, Protocol, TypeVar

from lurcher_index.asking import Ask
from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.errors import Cancelled, LurcherError
from lurcher_index.strategies.apart import apart
from lurcher_index.strategies.interface import WholeFile
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import WordQuery

P = ParamSpec("P")
R = TypeVar("R")

CANDIDATES = 100
"""How many chunks each retriever gives to the fusion: seed 003's figure."""


class View(Protocol):
    """One frozen state of the index and the open documents. Its methods block; they are called in threads."""

    @property
    def generation(self) -> Hashable:
        """Another one whenever the index or the open documents change."""
        ...

    @property
    def is_complete(self) -> bool:
        """Whether every file of the workspace is in it."""
        ...

    @property
    def vectors_ready(self) -> float:
        """Share of the chunks that have a vector, from 0 to 1."""
        ...

    def words(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        """The best chunks by words, best first."""
        ...

    def similar(self, vector: Vectors, filters: Filters, limit: int) -> list[Candidate]:
        """The nearest chunks among those with a vector, best first; the score is the cosine."""
        ...

    def similarities(self, vector: Vectors, candidates: Sequence[Candidate], embedder: Embedder) -> list[float | None]:
        """The cosine of each candidate, whose vector is computed if need be; None where its text is gone."""
        ...

    def file_count(self, filters: Filters, most: int) -> int:
        """How many files pass, counted up to `most`."""
        ...

    def whole_files(self, filters: Filters) -> tuple[list[WholeFile], list[str]]:
        """All files that pass, in the order of their paths, and the paths of those that could not be read."""
        ...


class Run(Protocol):
    """Has a blocking function done somewhere where it does not hold up the loop, as `asyncio.to_thread` does."""

    def __call__(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[R]:
        """Its result, when there is one."""
        ...


class Context:
    """What the strategies of one search have in common; made and closed by whoever runs the search."""

    def __init__(
        self,
        ask: Ask,
        query: WordQuery,
        view: View,
        embedder: Embedder | None = None,
        *,
        cancelled: Callable[[], bool] = lambda: False,
        run: Run | None = None,
        run_quick: Run | None = None,
    ) -> None:
        """`cancelled` tells whether the caller has lost interest; `run` is where blocking work is done, in threads if
        nothing is said, and `run_quick` where that is done which takes some milliseconds, as a look into the index."""
        self.ask = ask
        self.query = query
        self.view = view
        self.embedder = embedder
        self.run: Run = run or asyncio.to_thread
        self.run_quick: Run = run_quick or self.run
        self.run_apart: Run = run or apart
        """For work that waits for somebody else, and must not keep others from working."""
        self.is_asked_elsewhere = False
        """Whether somebody else is searching just now, who may know files that this index does not."""
        self._caller_cancelled = cancelled
        self._closed = False
        self._words = _Shared[tuple[Candidate, ...]]()
        self._vector = _Shared[Vectors]()

    @property
    def candidates(self) -> int:
        """How many chunks each retriever looks for: the usual number, or more if more are asked for, and beyond that as
        many as the caller may have already."""
        return max(CANDIDATES, 2 * self.ask.result_limit) + self.ask.most_seen

    def cancelled(self) -> bool:
        """Whether work for this search is in vain. Safe to ask from any thread, inside any loop."""
        return self._closed or self._caller_cancelled()

    def start(self) -> None:
        """Begin what nearly every strategy will ask for: words cost milliseconds, the vector is wanted by most."""
        self._refuse_if_closed()
        self._words.start(self._find_words)
        if self.embedder is not None:
            self._vector.start(self._embed_query)

    async def words(self) -> tuple[Candidate, ...]:
        """The best chunks by words, searched for once."""
        self._refuse_if_closed()
        return await self._words.result(self._find_words)

    def words_so_far(self) -> tuple[Candidate, ...] | None:
        """What the words have found, for an answer that can wait no longer; None if they are not done or failed."""
        return self._words.value

    async def query_vector(self) -> Vectors:
        """The question's vector, computed once."""
        self._refuse_if_closed()
        return await self._vector.result(self._embed_query)

    def vector_so_far(self) -> Vectors | None:
        """The question's vector, if it was made without failing."""
        return self._vector.value

    async def close(self) -> None:
        """Stop and await what is left. A thread cannot be stopped: what it runs can ask `cancelled`."""
        self._closed = True
        await self._words.stop()
        await self._vector.stop()

    async def _find_words(self) -> tuple[Candidate, ...]:
        return tuple(await self.run_quick(self.view.words, self.query, self.ask.filters, self.candidates))

    async def _embed_query(self) -> Vectors:
        if self.embedder is None:
            raise LurcherError("there is no embedding model")
        if self.embedder.is_quick and self.ask.is_usual:
            return self.embedder.embed_query(self.ask.text)
        return await self.run_apart(self.embedder.embed_query, self.ask.text)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise Cancelled("the search is over")


class _Shared(Generic[R]):
    """Work that is done once, however many wait for it, and whoever stops waiting.

    It does not hold the work itself: a search whose parts held each other would stay until the garbage collector comes,
    which stops all threads while it looks.
    """

    def __init__(self) -> None:
        self._task: asyncio.Task[R] | None = None

    @property
    def value(self) -> R | None:
        """The result, if there is one by now."""
        task = self._task
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result()

    def start(self, work: Callable[[], Coroutine[object, object, R]]) -> asyncio.Task[R]:
        """Begin, unless it has begun."""
        if self._task is None:
            self._task = asyncio.create_task(work())
            # A failure that no strategy waited for is nobody's business, and no reason for a warning.
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._task

    async def result(self, work: Callable[[], Coroutine[object, object, R]]) -> R:
        """Its result or its error. The shield keeps a strategy that is stopped from stopping the work for others."""
        return await asyncio.shield(self.start(work))

    async def stop(self) -> None:
        """Cancel it if it runs, and see it end."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])
