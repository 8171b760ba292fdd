"""A question from beginning to end: one view, one race, the stages after it, and an honest account."""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from lurcher_index.accounting import account
from lurcher_index.answers import Answer, AnswerChunk, Dropped
from lurcher_index.asking import Ask
from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import LurcherError, StoreDamaged, StoreError
from lurcher_index.finishing import Finished, Finisher
from lurcher_index.meaning import Meaning
from lurcher_index.race import Raced
from lurcher_index.searched import Searched
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import WORDS, Ranking, Retrieved, Strategy
from lurcher_index.strategies.registry import chosen
from lurcher_index.strategies.running import run_race
from lurcher_index.strategies.tfidf import Tfidf, within_spread
from lurcher_index.whole import is_seen_whole, whole_chunks
from lurcher_index.words.query import WordQuery, understand
from lurcher_index.workspace import Workspace

ROUNDS = 3
"""Searches made for one answer when files turn out to have changed; after that, changed ones are left out."""

MAX_QUERY_BYTES = 26_000
"""What is embedded of a question: about 8,192 tokens, the dense side's limit in the specification."""

Partial = Callable[[Answer], object]


class Told(NamedTuple):
    """What one round of searching came to."""

    searched: Searched
    query: WordQuery
    raced: Raced[Retrieved]
    strategy: str
    finished: Finished
    alerts: tuple[str, ...]
    timings: dict[str, float]


class Answerer:
    """Answers questions about one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        strategies: Sequence[Strategy],
        meaning: Meaning | None,
        alerts: Sequence[str] = (),
    ) -> None:
        """`alerts` are what every answer has to say, such as that the index is kept in memory."""
        self.workspace = workspace
        self._strategies = strategies
        self._meaning = meaning
        self._alerts = alerts

    async def answer(self, ask: Ask, partial: Partial | None = None) -> Answer:
        """The answer; `partial` gets what the words alone found, as soon as they have."""
        began = time.perf_counter()
        strategies = chosen(self._strategies, ask.strategies)
        ask, alerts = _embeddable(ask, self._alerts)
        query = understand(" ".join((ask.text, *ask.keywords)))
        told = await self._search(ask, query, strategies, partial)
        for _ in range(ROUNDS - 1):
            if not told.finished.changed:
                break
            # What was indexed is no longer what is on disk: never shown, but followed and searched again.
            problem = await asyncio.to_thread(_correct, self.workspace, told.finished.changed)
            if problem:
                alerts = (*alerts, problem)
                break
            told = await self._search(ask, query, strategies, None)
        return await asyncio.to_thread(_account, ask, told, alerts, began)

    async def _search(
        self, ask: Ask, query: WordQuery, strategies: Sequence[Strategy], partial: Partial | None
    ) -> Told:
        began = time.perf_counter()
        searched = await asyncio.to_thread(Searched, self.workspace, self._meaning)
        prepared = time.perf_counter()
        embedder = self._meaning.embedder if self._meaning else None
        context = Context(ask, query, searched, embedder)
        early = asyncio.create_task(self._early(context, partial)) if partial else None
        try:
            raced = await run_race(context, strategies)
            decided = time.perf_counter()
            strategy, retrieved = _best_so_far(raced, context)
            vector = context.vector_so_far() if any(row.retriever != WORDS for row in retrieved.rankings) else None
            finished = await asyncio.to_thread(self._finish, context, retrieved, strategy, vector)
        finally:
            if early is not None:
                # The words' answer is wanted even if the final one follows at once; but nobody waits for the words.
                if context.words_so_far() is None:
                    early.cancel()
                await asyncio.wait([early])
            await context.close()
        timings = _milliseconds(prepare=prepared - began, race=decided - prepared, finish=time.perf_counter() - decided)
        return Told(searched, query, raced, strategy, finished, retrieved.alerts, timings)

    async def _early(self, context: Context, partial: Partial) -> None:
        """Tell what the words found, while others are still searching."""
        began = time.perf_counter()
        try:
            found = Retrieved((Ranking(WORDS, within_spread(await context.words())),))
            finished = await asyncio.to_thread(self._finish, context, found, Tfidf.id, None)
        except LurcherError:
            return  # The race will say what is wrong.
        if finished.chunks:
            view = context.view
            assert isinstance(view, Searched)
            raced: Raced[Retrieved] = Raced(None, None, (), False)
            told = Told(view, context.query, raced, Tfidf.id, finished, (), {})
            partial(await asyncio.to_thread(_account, context.ask, told, (), began))

    def _finish(self, context: Context, retrieved: Retrieved, strategy: str, vector: Vectors | None) -> Finished:
        if retrieved.files is not None:
            chunks = whole_chunks(retrieved.files, strategy)
            unseen = tuple(chunk for chunk in chunks if not is_seen_whole(chunk, context.ask.seen))
            return Finished(unseen, Dropped(seen=len(chunks) - len(unseen)), (), _tokens(unseen), [])
        searched = context.view
        assert isinstance(searched, Searched)
        finisher = Finisher(searched.view, context.ask, context.query, self._meaning if vector is not None else None)
        return finisher.finish(retrieved.rankings, strategy, vector)


def _best_so_far(raced: Raced[Retrieved], context: Context) -> tuple[str, Retrieved]:
    """The winner's result or, if the time ran out, what the words have found by now."""
    if raced.winner is not None and raced.value is not None:
        return raced.winner, raced.value
    words = context.words_so_far() if raced.deadline_hit else None
    if words is None:
        return "", Retrieved()
    return Tfidf.id, Retrieved((Ranking(WORDS, within_spread(words)),))


def _account(ask: Ask, told: Told, alerts: Sequence[str], began: float) -> Answer:
    timings = told.timings | _milliseconds(total=time.perf_counter() - began)
    return account(
        ask,
        told.searched.view,
        told.query,
        told.raced,
        told.strategy,
        told.finished,
        (*alerts, *told.alerts),
        told.searched.vectors_ready,
        timings,
    )


def _correct(workspace: Workspace, changed: Sequence[Path]) -> str:
    """Follow changes that a search came across; what is wrong, if that cannot be done."""
    try:
        workspace.correct(changed)
    except StoreDamaged:
        raise
    except StoreError as error:
        # A full disk, say: what did not change can be found all the same.
        return f"{len(changed)} changed files are left out: {error}"
    return ""


def _embeddable(ask: Ask, alerts: Sequence[str]) -> tuple[Ask, tuple[str, ...]]:
    """The question, cut at a character's end if it is longer than what can be embedded."""
    encoded = ask.text.encode("utf-8", "replace")
    if len(encoded) <= MAX_QUERY_BYTES:
        return ask, tuple(alerts)
    text = encoded[:MAX_QUERY_BYTES].decode("utf-8", "ignore")
    note = f"the question is longer than {MAX_QUERY_BYTES:,} bytes; the rest was not searched for"
    return msgspec.structs.replace(ask, text=text), (*alerts, note)


def _tokens(chunks: Sequence[AnswerChunk]) -> int:
    return sum(chunk.tokens for chunk in chunks)


def _milliseconds(**seconds: float) -> dict[str, float]:
    return {stage: round(value * 1000.0, 2) for stage, value in seconds.items()}
