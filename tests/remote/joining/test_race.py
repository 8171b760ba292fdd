"""The race with a remote search in it, on a clock that jumps: fast, slow, down, wrong. The searches are real."""

import asyncio

import pytest
from tests.history.repositories import needs_git
from tests.race.views import Slow, inline
from tests.race.virtual_clock import leftovers, now, run_virtual
from tests.remote.joining.shops import Shop

from lurcher_index.asking import Ask
from lurcher_index.errors import RemoteUnreachable
from lurcher_index.joining.searching import RemoteCodeSearch, Use
from lurcher_index.race import Raced
from lurcher_index.remote.interface import RemoteFound, RemoteHit
from lurcher_index.remote.states import RepositoryState
from lurcher_index.searched import Searched
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import WORDS, Retrieved
from lurcher_index.strategies.registry import default_strategies
from lurcher_index.strategies.running import run_race
from lurcher_index.words.query import understand

pytestmark = needs_git

QUESTION = "round a price to whole cents"


def race(shop: Shop, slow: Slow | None = None, deadline: float = 60.0) -> tuple[Raced[Retrieved], float]:
    """The race over everything, with an index here, and when it was over."""
    workspace = shop.engine.workspace
    meaning = shop.engine.meaning
    search = RemoteCodeSearch(shop.mirror, lambda: workspace, Use.ALWAYS)

    async def main() -> tuple[Raced[Retrieved], float]:
        ask = Ask(text=QUESTION, max_results=5, deadline_seconds=deadline)
        view = Searched(workspace, meaning)
        made = Context(ask, understand(ask.text), view, meaning.embedder, run=slow or inline)
        told, ended = await run_race(made, default_strategies(lambda: search)), now()
        await made.close()
        assert not leftovers()
        return told, ended

    return run_virtual(main())


def outcomes(told: Raced[Retrieved]) -> dict[str, str]:
    return {row.id: str(row.outcome) for row in told.attempts}


def best(shop: Shop, told: Raced[Retrieved]) -> str:
    """The file that the words rank first."""
    assert told.value is not None
    hit = next(each.hits[0] for each in told.value.rankings if each.retriever == WORDS)
    return shop.engine.workspace.catalog.files([hit.file_id])[hit.file_id].path


@pytest.fixture
def indexed(shop: Shop) -> Shop:
    shop.engine.build_all()
    return shop


def test_fast(indexed: Shop) -> None:
    told, ended = race(indexed, Slow(search=0.2))
    assert (told.winner, ended) == ("codeSearch", 0.2)
    assert best(indexed, told) == "shop/money.py"
    assert outcomes(told)["embeddings"] == "not started"


def test_slow_and_the_search_here_wins_at_once_after_12_and_a_half_seconds(indexed: Shop) -> None:
    told, ended = race(indexed, Slow(search=40))
    assert (told.winner, ended) == ("embeddings", 12.5)
    assert outcomes(told)["codeSearch"] == "timed out"
    assert best(indexed, told) == "shop/money.py"


def test_slow_but_sooner_than_the_slow_search_here(indexed: Shop) -> None:
    told, ended = race(indexed, Slow(search=13, similar=7))
    assert (told.winner, ended) == ("codeSearch", 13)
    told, ended = race(indexed, Slow(search=12.5))
    assert (told.winner, ended) == ("codeSearch", 12.5)


def test_down_and_the_search_here_starts_at_once(indexed: Shop) -> None:
    def fail(_found: RemoteFound) -> RemoteFound:
        raise RemoteUnreachable("nobody answers there")

    indexed.mirror.bend = fail
    told, ended = race(indexed, Slow(search=2))
    assert (told.winner, ended) == ("embeddings", 2)
    assert told.attempts[1].detail == "nobody answers there"


def test_wrong_and_the_search_here_answers(indexed: Shop) -> None:
    indexed.mirror.bend = lambda _found: RemoteFound((RemoteHit("no/such/file.py", 1, 9, 1.0, "python"),))
    told, ended = race(indexed, Slow(search=1))
    assert (told.winner, ended) == ("embeddings", 1)
    assert "names 1 files, none of which is here" in told.attempts[1].detail


def test_never_and_the_deadline_leaves_the_words(indexed: Shop) -> None:
    told, ended = race(indexed, Slow(search=1000, similar=1000), deadline=20)
    assert ended <= 20
    assert told.winner in (None, "tfidfSemantic")


def test_changed_files_that_take_too_long_are_left_out_and_said(shop: Shop) -> None:
    (shop.folder / "shop/mail.py").write_text("def other():\n    return 1\n")
    told, ended = race(shop, Slow(_read=100))
    assert (told.winner, ended) == ("codeSearch", 15)
    assert told.value is not None
    assert told.value.alerts == ("1 changed files could not be read within 15 s; some are missing",)
    assert told.value.is_covered is False


def test_meaning_of_changed_files_that_takes_too_long_leaves_their_words(shop: Shop) -> None:
    (shop.folder / "shop/mail.py").write_text("def round_price_again():\n    return 1\n")
    told, ended = race(shop, Slow(embed=100))
    assert (told.winner, ended) == ("codeSearch", 8)
    assert told.value is not None
    assert told.value.is_covered is True


def test_an_index_that_is_begun_is_waited_for_five_seconds(indexed: Shop) -> None:
    indexed.mirror.state = RepositoryState.NOT_YET_INDEXED
    indexed.mirror.can_begin = True
    told, ended = race(indexed)
    assert (told.winner, ended) == ("embeddings", 5)
    assert outcomes(told)["codeSearch"] == "cannot search"
    assert len(indexed.mirror.checks) == 6


def test_slow_looks_are_waited_for_eight_seconds(indexed: Shop) -> None:
    indexed.mirror.state = RepositoryState.NOT_YET_INDEXED
    indexed.mirror.can_begin = True
    told, ended = race(indexed, Slow(look=3))
    assert (told.winner, ended) == ("embeddings", 3 + 8)


def test_a_search_that_is_given_up_leaves_nothing_running(indexed: Shop) -> None:
    workspace, meaning = indexed.engine.workspace, indexed.engine.meaning
    search = RemoteCodeSearch(indexed.mirror, lambda: workspace, Use.ALWAYS)

    async def main() -> None:
        ask = Ask(text=QUESTION, max_results=5)
        run = Slow(search=1000)
        made = Context(ask, understand(ask.text), Searched(workspace, meaning), meaning.embedder, run=run)
        made.start()
        running = asyncio.create_task(search.search(made))
        await asyncio.sleep(3)
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        await made.close()
        assert not leftovers()

    run_virtual(main())


def test_after_one_search_that_waited_in_vain_nobody_waits_and_the_status_says_so(indexed: Shop) -> None:
    """Until the server was looked at again, in the background: that is not on this clock."""
    workspace, meaning = indexed.engine.workspace, indexed.engine.meaning
    changes: list[int] = []
    search = RemoteCodeSearch(indexed.mirror, lambda: workspace, Use.ALWAYS, lambda: changes.append(1))

    async def main(run: Slow) -> tuple[Raced[Retrieved], float]:
        ask = Ask(text=QUESTION, max_results=5)
        view = Searched(workspace, meaning)
        made = Context(ask, understand(ask.text), view, meaning.embedder, run=run)
        told, ended = await run_race(made, default_strategies(lambda: search)), now()
        await made.close()
        return told, ended

    for hanging in ({"search": 1000.0}, {"look": 1000.0}):
        search.check()
        assert [each.state for each in search.repositories] == [RepositoryState.READY]
        if "look" in hanging:
            search._knowing._due = 0.0  # pyright: ignore[reportPrivateUsage]
        before = len(changes)
        told, ended = run_virtual(main(Slow(**hanging)))
        assert (told.winner, ended, outcomes(told)["codeSearch"]) == ("embeddings", 12.5, "timed out")
        told, ended = run_virtual(main(Slow(search=1000)))
        assert (told.winner, ended, outcomes(told)["codeSearch"]) == ("embeddings", 0, "cannot search")
        assert "did not answer within 12.5 s" in told.attempts[1].detail
        (repository,) = search.repositories
        assert repository.state is RepositoryState.COULD_NOT_CHECK
        assert "did not answer within 12.5 s" in repository.detail
        assert len(changes) > before
    search.close()


def test_a_search_that_its_caller_gave_up_says_nothing_about_the_server(indexed: Shop) -> None:
    workspace, meaning = indexed.engine.workspace, indexed.engine.meaning
    search = RemoteCodeSearch(indexed.mirror, lambda: workspace, Use.ALWAYS)

    async def main() -> None:
        ask = Ask(text=QUESTION, max_results=5)
        made = Context(ask, understand(ask.text), Searched(workspace, meaning), None, run=Slow(search=1000))
        running = asyncio.create_task(search.search(made))
        await asyncio.sleep(3)
        running.cancel()
        await asyncio.wait([running])
        await made.close()

    run_virtual(main())
    assert [each.state for each in search.repositories] == [RepositoryState.READY]
    search.close()
