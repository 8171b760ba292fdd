"""All strategies together: their order, who may be chosen, and what a whole search comes to."""

import pytest
from tests.race.views import FakeEmbedder, FakeView, Slow, asking, chunk, context, file
from tests.race.virtual_clock import leftovers, now, run_virtual

from lurcher_index.errors import BadQuery, StoreError
from lurcher_index.race import Raced
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Retrieved
from lurcher_index.strategies.registry import chosen, default_strategies
from lurcher_index.strategies.running import run_race

IDS = ["fullWorkspace", "codeSearch", "embeddings", "tfidfSemantic", "tfidf"]


def run(made: Context) -> tuple[Raced[Retrieved], float]:
    async def main() -> tuple[Raced[Retrieved], float]:
        told, ended = await run_race(made, default_strategies()), now()
        await made.close()
        assert not leftovers()
        return told, ended

    return run_virtual(main())


def check(made: Context, winner: str | None, *outcomes: str, at: float = 0) -> Raced[Retrieved]:
    told, ended = run(made)
    assert told.winner == winner
    assert [str(row.outcome) for row in told.attempts] == list(outcomes)
    assert ended == at
    return told


def test_section_2_order_and_timeouts() -> None:
    strategies = default_strategies()
    assert [strategy.id for strategy in strategies] == IDS
    assert [strategy.timeout for strategy in strategies] == [None, 12.5, 8.0, None, None]


def test_chosen_keeps_the_order_of_the_chain_and_refuses_what_it_does_not_know() -> None:
    strategies = default_strategies()
    assert chosen(strategies, ()) == strategies
    assert [strategy.id for strategy in chosen(strategies, ["tfidf", "embeddings", "tfidf"])] == ["embeddings", "tfidf"]
    with pytest.raises(BadQuery, match=f"unknown strategy grep; there are {', '.join(IDS)}"):
        chosen(strategies, ["tfidf", "grep"])


def test_a_small_workspace_is_returned_whole() -> None:
    made = context(FakeView(files=[file("a.py")]), FakeEmbedder(), asking(100))
    check(made, "fullWorkspace", "won", *["not started"] * 4)


def test_vectors_are_used_when_there_are_any() -> None:
    made = context(FakeView(), FakeEmbedder())
    check(made, "embeddings", "cannot search", "cannot search", "won", "not started", "not started")


def test_without_a_model_words_answer_at_once() -> None:
    told = check(context(FakeView(found=[chunk(1)])), "tfidf", *["cannot search"] * 4, "won")
    assert told.failures == (
        "fullWorkspace: whole files need a token budget, and none is given; "
        "codeSearch: remote code search is not configured; it sends nothing; "
        "embeddings: there is no embedding model; tfidfSemantic: there is no embedding model"
    )


def test_a_model_that_hangs_leaves_the_words() -> None:
    """The strategy by meaning is given its 8 s, the one beside it its 4 s; then the words are the answer."""
    made = context(FakeView(found=[chunk(1)]), FakeEmbedder(), run=Slow(embed_query=1000))
    told = check(made, "tfidfSemantic", "cannot search", "cannot search", "timed out", "won", "not started", at=12)
    assert told.value is not None
    assert told.value.alerts == ("ordered by words only: no similarities within 4 s",)


def test_section_2_all_failed_joins_the_messages() -> None:
    view = FakeView(found=StoreError("damaged"), near=StoreError("no vectors"))
    told = check(context(view, FakeEmbedder()), None, "cannot search", "cannot search", "failed", "failed", "failed")
    assert told.failures.endswith("embeddings: no vectors; tfidfSemantic: damaged; tfidf: damaged")
    assert not told.deadline_hit


def test_section_2_at_the_deadline_the_words_so_far_are_left() -> None:
    made = context(FakeView(found=[chunk(1)]), FakeEmbedder(), run=Slow(file_count=1000), ask=asking(100))

    async def main() -> None:
        told = await run_race(made, default_strategies())
        assert told.deadline_hit
        assert now() == made.ask.deadline_seconds
        assert made.words_so_far() == (chunk(1),)
        await made.close()
        assert not leftovers()

    run_virtual(main())
