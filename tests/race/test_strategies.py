"""What each strategy needs, finds, and says when it cannot search."""

import asyncio
from typing import Any

import pytest
from tests.race.views import FakeEmbedder, FakeView, Slow, asking, chunk, context, file
from tests.race.virtual_clock import leftovers, now, run_virtual

from lurcher_index.asking import Ask
from lurcher_index.errors import StoreError
from lurcher_index.remote.states import RemoteState, Repository, RepositoryState, all_ready
from lurcher_index.strategies.code_search import CodeSearch
from lurcher_index.strategies.context import CANDIDATES, Context
from lurcher_index.strategies.embeddings import Embeddings
from lurcher_index.strategies.full_workspace import REMEMBERED, FullWorkspace
from lurcher_index.strategies.interface import MEANING, WORDS, Cannot, Ranking, Retrieved, Strategy
from lurcher_index.strategies.tfidf import Tfidf
from lurcher_index.strategies.tfidf_semantic import BATCH, SEMANTIC_SECONDS, TfidfSemantic
from lurcher_index.words.filters import Filters


def searched(strategy: Strategy, made: Context) -> Retrieved | Cannot:
    async def main() -> Retrieved | Cannot:
        try:
            await strategy.prepare(made)
            return await strategy.search(made)
        finally:
            await made.close()
            assert not leftovers()

    return run_virtual(main())


def check(strategy: Strategy, made: Context, expected: Retrieved | Cannot) -> None:
    assert searched(strategy, made) == expected


@pytest.mark.parametrize(
    ("strategy", "asked"),
    [
        (FullWorkspace(), {"file_count", "whole_files"}),
        (Embeddings(), {"words", "similar"}),
        (TfidfSemantic(), {"words", "similarities"}),
        (Tfidf(), {"words"}),
    ],
)
def test_section_1_what_is_asked_reaches_the_index(strategy: Strategy, asked: set[str]) -> None:
    filters, embedder = Filters(include=("*.py",), languages=("python",)), FakeEmbedder()
    view = FakeView(found=[chunk(1)], cosines={1: 0.5}, files=[file("a.py")])
    made = context(view, embedder, asking(100, filters))
    searched(strategy, made)
    expected = {
        "words": (made.query, filters),
        "similar": ([[1, 0]], filters),
        "similarities": ([[1, 0]], embedder),
        "file_count": (filters,),
        "whole_files": (filters,),
    }
    assert dict(zip(view.calls, view.given, strict=True)) == {name: expected[name] for name in asked}


# -- fullWorkspace


def whole(view: FakeView, budget: int | None, strategy: FullWorkspace | None = None, **filters: Any) -> Any:
    return searched(strategy or FullWorkspace(), context(view, ask=asking(budget, Filters(**filters))))


def test_section_2_full_workspace_returns_all_files_in_order() -> None:
    view = FakeView(files=[file("a.py"), file("b/c.py")])
    assert whole(view, 21) == Retrieved(files=(file("a.py"), file("b/c.py")))


@pytest.mark.parametrize(("count", "fits"), [(99, True), (100, False)])
def test_section_2_full_workspace_fails_at_100_files(count: int, fits: bool) -> None:
    view = FakeView(files=[file(f"{number:03}.py", tokens=0) for number in range(count)])
    found = whole(view, 1000)
    if fits:
        assert len(found.files) == count
    else:
        assert found == Cannot(
            "the workspace is too large to return whole: it has more than 99 files, and may have at most 99 files"
        )
        assert "whole_files" not in view.calls, "nothing is read that cannot be returned"


def test_section_2_unreadable_files_count() -> None:
    view = FakeView(files=[file(f"{number:03}.py") for number in range(99)], unreadable=["locked.py"])
    assert isinstance(whole(view, 100_000), Cannot)


@pytest.mark.parametrize(("budget", "fits"), [(31, True), (30, False), (29, False)])
def test_section_2_full_workspace_is_strictly_below_the_budget(budget: int, fits: bool) -> None:
    found = whole(FakeView(files=[file("a.py", 10), file("b.py", 20)]), budget)
    if fits:
        assert isinstance(found, Retrieved)
    else:
        limit = f"fewer tokens than the budget of {budget}"
        assert found == Cannot(f"the workspace is too large to return whole: it has 30 tokens, and may have {limit}")


def test_full_workspace_needs_a_budget_and_files() -> None:
    assert whole(FakeView(files=[file("a.py")]), None) == Cannot("whole files need a token budget, and none is given")
    assert whole(FakeView(), 100) == Cannot("no file passes the filters")


def test_section_2_an_unreadable_file_is_skipped_and_reported() -> None:
    found = whole(FakeView(files=[file("a.py")], unreadable=["b.py"]), 100)
    assert found == Retrieved(files=(file("a.py"),), alerts=("unreadable and left out: b.py",), missed=1)
    many = whole(FakeView(files=[file("a.py")], unreadable=list("bcdef")), 100)
    assert many.alerts == ("unreadable and left out: b, c, d and 2 more",)


def test_section_2_too_large_is_remembered_per_filters_generation_and_budget() -> None:
    view, strategy = FakeView(files=[file("a.py", 50)]), FullWorkspace()

    def looks(budget: int, **filters: Any) -> bool:
        view.calls.clear()
        whole(view, budget, strategy, **filters)
        return "file_count" in view.calls

    assert looks(40)
    assert not looks(40)
    assert not looks(30)
    assert not looks(50), "50 tokens are not strictly below 50"
    assert looks(51), "a larger budget is another question"
    assert looks(40, include=("*.py",))
    view.generation = 2
    assert looks(40)


def test_what_is_remembered_tells_the_same() -> None:
    strategy, view = FullWorkspace(), FakeView(files=[file("a.py", 50)])
    assert whole(view, 40, strategy) == whole(view, 40, strategy)
    many = FakeView(files=[file(f"{number:03}.py") for number in range(100)], generation=2)
    assert whole(many, 40, strategy) == whole(many, 10**9, strategy)
    assert many.calls == ["file_count"]


def test_the_memory_is_bounded_and_forgets_the_oldest() -> None:
    view, strategy = FakeView(files=[file("a.py", 50)]), FullWorkspace()
    for generation in range(REMEMBERED + 1):
        view.generation = generation
        whole(view, 40, strategy)
    view.calls.clear()
    view.generation = 1
    whole(view, 40, strategy)
    assert not view.calls
    view.generation = 0
    whole(view, 40, strategy)
    assert view.calls


# -- codeSearch


class FakeProvider:
    def __init__(self, state: RemoteState) -> None:
        self.state = state
        self.repositories: tuple[Repository, ...] = ()
        self.prepared: list[Ask] = []

    async def prepare(self, ask: Ask) -> None:
        self.prepared.append(ask)

    async def search(self, context: Context) -> Retrieved | Cannot:
        return Retrieved(alerts=(f"remote: {context.query.text}",))


def test_section_4_without_a_provider_nothing_leaves_the_machine() -> None:
    check(
        CodeSearch(),
        context(FakeView()),
        Cannot("remote code search is not configured; it sends nothing"),
    )


def test_a_provider_that_is_switched_off_is_not_asked_for_anything() -> None:
    provider = FakeProvider(RemoteState.DISABLED)
    check(
        CodeSearch(lambda: provider),
        context(FakeView()),
        Cannot("remote code search is switched off; it sends nothing"),
    )
    assert not provider.prepared


@pytest.mark.parametrize("state", [RemoteState.LOADING, RemoteState.LOADED])
def test_a_provider_is_prepared_and_asked(state: RemoteState) -> None:
    provider = FakeProvider(state)
    check(CodeSearch(lambda: provider), context(FakeView()), Retrieved(alerts=("remote: open file",)))
    assert provider.prepared == [asking()]


READY, BUILDING = Repository("a", RepositoryState.READY, "c0ffee"), Repository("b", RepositoryState.BUILDING)


@pytest.mark.parametrize(
    ("state", "repositories", "ready"),
    [
        (RemoteState.LOADED, [READY, READY], True),
        (RemoteState.LOADED, [READY, BUILDING], False),
        (RemoteState.LOADED, [], True),
        (RemoteState.LOADING, [], False),
        (RemoteState.LOADING, [READY], False),
        (RemoteState.DISABLED, [READY], False),
    ],
)
def test_section_2_remote_search_is_fast_when_loaded_and_every_repository_is_ready(
    state: RemoteState, repositories: list[Repository], ready: bool
) -> None:
    assert all_ready(state, repositories) is ready


# -- embeddings


def test_embeddings_rank_by_words_and_by_meaning() -> None:
    view = FakeView(found=[chunk(1, 9.0, first=True)], near=[chunk(2, 0.8), chunk(1, 0.7)])
    rankings = (Ranking(WORDS, (chunk(1, 9.0, first=True),)), Ranking(MEANING, (chunk(2, 0.8), chunk(1, 0.7))))
    check(Embeddings(), context(view, FakeEmbedder()), Retrieved(rankings, model="fake-1"))


def test_embeddings_cannot_search_without_a_model_or_enough_vectors() -> None:
    check(Embeddings(), context(FakeView()), Cannot("there is no embedding model"))
    check(
        Embeddings(),
        context(FakeView(vectors_ready=0.499), FakeEmbedder()),
        Cannot("only 49 % of the chunks have a vector yet, and 50 % are needed"),
    )


@pytest.mark.parametrize(("share", "alerts"), [(0.5, ("50 %",)), (0.999, ("99 %",)), (1.0, ())])
def test_section_5_the_ready_share_is_reported(share: float, alerts: tuple[str, ...]) -> None:
    found = searched(Embeddings(), context(FakeView(vectors_ready=share), FakeEmbedder()))
    assert isinstance(found, Retrieved)
    assert found.alerts == tuple(f"meaning search covers {said} of the chunks; the rest by words" for said in alerts)


def test_embeddings_go_on_without_words_but_not_without_vectors() -> None:
    view = FakeView(found=StoreError("damaged"), near=[chunk(2, 0.8)], vectors_ready=0.75)
    alerts = (
        "the words could not be searched: damaged",
        "meaning search covers 75 % of the chunks; the rest is not searched",
    )
    expected = Retrieved((Ranking(MEANING, (chunk(2, 0.8),)),), alerts=alerts, model="fake-1")
    check(Embeddings(), context(view, FakeEmbedder()), expected)
    with pytest.raises(StoreError):
        searched(Embeddings(), context(FakeView(near=StoreError("damaged")), FakeEmbedder()))
    with pytest.raises(ValueError, match="no memory"):
        searched(Embeddings(), context(FakeView(), FakeEmbedder(ValueError("no memory"))))


# -- tfidfSemantic


def test_section_6_words_are_reordered_by_meaning() -> None:
    found = (chunk(1, 9.0, first=True), chunk(2, 8.0), chunk(3, 7.0), chunk(4, 6.0))
    view = FakeView(found=list(found), cosines={1: 0.2, 2: 0.5, 3: None, 4: 0.5})
    near = (chunk(2, 0.5), chunk(4, 0.5), chunk(1, 0.2))
    expected = Retrieved((Ranking(WORDS, found), Ranking(MEANING, near)), model="fake-1")
    check(TfidfSemantic(), context(view, FakeEmbedder()), expected)


@pytest.mark.parametrize(
    ("cosines", "error", "why"),
    [
        (StoreError("no vectors"), None, "no vectors"),
        ({}, ValueError("no memory"), "ValueError: no memory"),
        ({}, TimeoutError(), "TimeoutError"),
        ({1: None}, None, "none of the chunks found could be compared with the question"),
    ],
)
def test_section_6_the_words_order_is_kept_with_an_alert_when_meaning_fails(
    cosines: Any, error: Exception | None, why: str
) -> None:
    view = FakeView(found=[chunk(1)], cosines=cosines)
    expected = Retrieved((Ranking(WORDS, (chunk(1),)),), alerts=(f"ordered by words only: {why}",))
    check(TfidfSemantic(), context(view, FakeEmbedder(error)), expected)


@pytest.mark.parametrize("slow", ["embed_query", "similarities"])
def test_words_do_not_wait_for_a_model_that_hangs(slow: str) -> None:
    alert = f"ordered by words only: no similarities within {SEMANTIC_SECONDS:g} s"
    made = context(FakeView(found=[chunk(1)]), FakeEmbedder(), run=Slow(**{slow: 1000}))
    check(TfidfSemantic(), made, Retrieved((Ranking(WORDS, (chunk(1),)),), alerts=(alert,)))


def test_no_words_found_is_a_result_that_needs_no_model() -> None:
    embedder = FakeEmbedder()
    check(TfidfSemantic(), context(FakeView(), embedder), Retrieved((Ranking(WORDS, ()),)))
    assert not embedder.questions


def test_tfidf_semantic_without_a_model_or_words() -> None:
    check(TfidfSemantic(), context(FakeView()), Cannot("there is no embedding model"))
    with pytest.raises(StoreError):
        searched(TfidfSemantic(), context(FakeView(found=StoreError("damaged")), FakeEmbedder()))


def test_a_search_that_is_stopped_computes_no_further_vectors() -> None:
    view = FakeView(found=[chunk(number) for number in range(CANDIDATES)])
    assert CANDIDATES > 2 * BATCH

    async def main() -> None:
        made = context(view, FakeEmbedder(), run=Slow(similarities=1))
        search = asyncio.create_task(TfidfSemantic().search(made))
        await asyncio.sleep(1.5)
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        assert now() == 1.5
        await made.close()

    run_virtual(main())
    assert view.calls.count("similarities") == 1


# -- tfidf


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([], []),
        ([8.0, 4.0, 2.0, 1.99], [8.0, 4.0, 2.0]),
        ([1.0, 0.25, 0.2499], [1.0, 0.25]),
    ],
)
def test_section_3_tfidf_keeps_a_quarter_of_the_best_inclusive(scores: list[float], kept: list[float]) -> None:
    found = [chunk(at, score) for at, score in enumerate(scores)]
    expected = tuple(found[: len(kept)])
    assert [candidate.score for candidate in expected] == kept
    check(Tfidf(), context(FakeView(found=found)), Retrieved((Ranking(WORDS, expected),)))


def test_chunks_with_every_word_are_never_cut_and_cut_no_others() -> None:
    found = [chunk(1, 100.0, first=True), chunk(2, 0.1, first=True), chunk(3, 4.0), chunk(4, 0.9)]
    check(Tfidf(), context(FakeView(found=found)), Retrieved((Ranking(WORDS, tuple(found[:3])),)))


def test_tfidf_fails_when_the_words_do() -> None:
    with pytest.raises(StoreError):
        searched(Tfidf(), context(FakeView(found=StoreError("damaged"))))
