"""What the strategies of a search share is done once, and survives whoever stops waiting for it."""

import asyncio
import gc
import threading
from collections.abc import Awaitable, Callable

import pytest
from tests.race.views import FakeEmbedder, FakeView, Slow, chunk, context
from tests.race.virtual_clock import leftovers, now, run_virtual

from lurcher_index.asking import Ask
from lurcher_index.errors import Cancelled, LurcherError, StoreError
from lurcher_index.strategies.context import CANDIDATES, Context
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import WordQuery, understand


def check(body: Callable[[Context], Awaitable[None]], made: Context) -> None:
    """Use a context on the virtual clock; closing it leaves no task and no complaint."""
    complaints: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
        try:
            await body(made)
        finally:
            await made.close()
        assert not leftovers()

    run_virtual(main())
    gc.collect()
    assert not complaints


def test_section_2_one_query_embedding_and_one_search_by_words_for_all() -> None:
    view, embedder = FakeView(found=[chunk(1)]), FakeEmbedder()

    async def body(shared: Context) -> None:
        shared.start()
        await asyncio.gather(*[shared.query_vector() for _ in range(3)], *[shared.words() for _ in range(3)])
        assert await shared.words() == (chunk(1),)

    check(body, context(view, embedder))
    assert embedder.questions == ["open file"]
    assert view.calls == ["words"]


def test_section_2_both_start_at_once() -> None:
    async def body(shared: Context) -> None:
        shared.start()
        shared.start()
        await asyncio.sleep(3)
        await shared.words()
        await shared.query_vector()
        assert now() == 3

    check(body, context(FakeView(), FakeEmbedder(), run=Slow(words=2, embed_query=3)))


@pytest.mark.parametrize(("text", "seconds"), [("open file", 0), ("open file " * 250, 3)], ids=["usual", "long"])
def test_a_quick_model_needs_no_thread_for_a_usual_question(text: str, seconds: float) -> None:
    async def body(context: Context) -> None:
        context.start()
        await context.query_vector()
        assert now() == seconds

    ask = Ask(text=text, max_results=20)
    check(body, context(FakeView(), FakeEmbedder(is_quick=True), ask, run=Slow(embed_query=3)))


def test_words_give_at_most_the_candidates_of_a_retriever() -> None:
    async def body(shared: Context) -> None:
        assert len(await shared.words()) == CANDIDATES

    check(body, context(FakeView(found=[chunk(number) for number in range(CANDIDATES + 1)])))


def test_who_stops_waiting_does_not_stop_the_work() -> None:
    view = FakeView(found=[chunk(1)])

    async def body(shared: Context) -> None:
        impatient = asyncio.create_task(shared.words())
        await asyncio.sleep(1)
        impatient.cancel()
        with pytest.raises(asyncio.CancelledError):
            await impatient
        assert await shared.words() == (chunk(1),)
        assert now() == 5

    check(body, context(view, run=Slow(words=5)))
    assert view.calls == ["words"]


def test_a_failure_reaches_everybody_who_waits_and_is_not_tried_again() -> None:
    view = FakeView(found=StoreError("damaged"))

    async def body(shared: Context) -> None:
        shared.start()
        for outcome in await asyncio.gather(shared.words(), shared.words(), return_exceptions=True):
            assert isinstance(outcome, StoreError)
        assert shared.words_so_far() is None

    check(body, context(view))
    assert view.calls == ["words"]


class Broken(FakeView):
    """Makes its errors anew: who holds an error holds its task, and the loop complains only of tasks that are gone."""

    def words(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        raise StoreError(f"{limit} chunks for {query} in {filters} are too many")


def test_a_failure_that_nobody_waits_for_is_silent() -> None:
    complaints: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
        # Not closed: cancelling a task that has failed would already silence it.
        context(Broken()).start()
        await asyncio.sleep(1)

    run_virtual(main())
    gc.collect()
    assert not complaints


def test_words_so_far() -> None:
    async def body(shared: Context) -> None:
        assert shared.words_so_far() is None
        shared.start()
        await asyncio.sleep(1)
        assert shared.words_so_far() is None
        await asyncio.sleep(2)
        assert shared.words_so_far() == (chunk(1),)

    check(body, context(FakeView(found=[chunk(1)]), run=Slow(words=2)))


def test_without_a_model_there_is_no_vector() -> None:
    async def body(shared: Context) -> None:
        shared.start()
        with pytest.raises(LurcherError, match="no embedding model"):
            await shared.query_vector()

    check(body, context(FakeView()))


def test_closing_stops_what_is_left_and_says_so() -> None:
    view, embedder = FakeView(), FakeEmbedder()

    async def body(shared: Context) -> None:
        shared.start()
        await asyncio.sleep(1)
        assert not shared.cancelled()
        await shared.close()
        assert now() == 1
        assert shared.cancelled()
        assert not leftovers()
        assert shared.words_so_far() is None
        with pytest.raises(Cancelled):
            await shared.words()
        with pytest.raises(Cancelled):
            await shared.query_vector()
        with pytest.raises(Cancelled):
            shared.start()

    check(body, context(view, embedder, run=Slow(words=9, embed_query=9)))
    assert not view.calls
    assert not embedder.questions


def test_the_callers_flag_is_heard() -> None:
    flag = [False]
    ask = Ask(text="open file", max_results=1)
    made = Context(ask, understand(ask.text), FakeView(), cancelled=lambda: flag[0])
    assert not made.cancelled()
    flag[0] = True
    assert made.cancelled()


def test_blocking_work_is_done_in_a_thread() -> None:
    threads: list[threading.Thread] = []

    class Noting(FakeEmbedder):
        def calibrate(self, similarity: float) -> float:
            threads.append(threading.current_thread())
            return similarity

    async def main() -> None:
        ask = Ask(text="open file", max_results=1)
        made = Context(ask, understand(ask.text), FakeView(found=[chunk(1)]), Noting())
        assert await made.run(Noting().calibrate, 0.5) == 0.5
        assert await made.words() == (chunk(1),)
        await made.close()

    asyncio.run(main())
    assert threads
    assert threading.main_thread() not in threads
