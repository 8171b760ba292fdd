"""Remote searches that misbehave, and workspaces that change under them: what is shown stays true."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from tests.history.repositories import needs_git
from tests.remote.joining.shops import FILES, Shop, paths

from lurcher_index.answers import Answer
from lurcher_index.asking import Ask
from lurcher_index.errors import EmbedderError
from lurcher_index.remote.interface import RemoteFound, RemoteHit, Statistics

pytestmark = needs_git


def test_no_more_hits_are_looked_at_than_were_asked_for(shop: Shop) -> None:
    shop.use()
    many = tuple(RemoteHit(f"filler/part{at % 12}.py", at, at, 1.0, "python") for at in range(1_000))
    late = RemoteHit("shop/money.py", 1, 3, 1.0, "python")
    shop.mirror.bend = lambda _found: RemoteFound((*many, late), (*many, late))
    shop.ask("round a price")
    assert "shop/money.py" not in [row.path for row in shop.engine.workspace.catalog.all_files()]


@pytest.mark.parametrize("lines", [(-5, -1), (0, 0), (3, 1), (2**70, 2**70), (-(2**70), 2**70)])
def test_absurd_lines_and_figures(shop: Shop, lines: tuple[int, int]) -> None:
    shop.use()
    shop.mirror.bend = lambda found: RemoteFound(
        (RemoteHit("shop/money.py", *lines, float("nan"), "python"),),
        (),
        Statistics(-3, dict.fromkeys(found.statistics.holding if found.statistics else (), 10**30)),
    )
    answer = shop.ask("round a price")
    assert (answer.strategy, paths(answer)) == ("codeSearch", ["shop/money.py"])


@pytest.mark.parametrize("length", [0.0, -1.0, float("nan"), float("inf"), 1e300])
def test_absurd_lengths_are_not_believed(shop: Shop, length: float) -> None:
    shop.use()
    before = shop.ask("round a price")

    def bend(found: RemoteFound) -> RemoteFound:
        assert found.statistics is not None
        lengths = dict.fromkeys(("body", "names", "path_terms"), length)
        return msgspec.structs.replace(found, statistics=msgspec.structs.replace(found.statistics, lengths=lengths))

    shop.mirror.bend = bend
    assert paths(shop.ask("round a price")) == paths(before)


def test_a_repository_inside_that_git_does_not_open_is_not_covered(shop: Shop) -> None:
    """As after a submodule was moved: its files belong to nobody, so nobody else has searched them."""
    (shop.folder / "shop/.git").write_text("gitdir: ../.git/modules/moved\n")
    shop.use()
    answer = shop.ask("round a price")
    assert not answer.complete
    assert any("not known elsewhere" in alert for alert in answer.alerts)


def test_an_index_that_is_cleared_and_filled_anew(shop: Shop) -> None:
    """Numbers begin anew: what was remembered of a file must not count for another one."""
    shop.use()
    shop.mirror.bend = lambda found: msgspec.structs.replace(found, meaning=())

    def first_by_words(text: str) -> tuple[str, int | None]:
        shop.ask(text)
        shop.engine.workspace.fold()  # What is in memory anyway is not remembered.
        chunk = shop.ask(text).chunks[0]
        return chunk.path, chunk.trace.keyword_rank

    assert first_by_words("checkPassword") == ("web/login.ts", 1)
    shop.engine.clear()
    assert first_by_words("round_price") == ("shop/money.py", 1)


def test_an_embedder_that_fails_for_the_files_leaves_their_words(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise EmbedderError("the model sleeps")

    shop.use()
    monkeypatch.setattr(type(shop.engine.meaning), "embed_some", fail)
    answer = shop.ask("round_price")
    assert (answer.strategy, paths(answer)[0]) == ("codeSearch", "shop/money.py")
    assert "some files were searched by words only: the model sleeps" in answer.alerts


def test_a_server_that_does_not_answer_leaves_the_threads_of_this_machine_free(shop: Shop) -> None:
    answers = threading.Event()
    shop.mirror.on_check = lambda: assert_is_set(answers)
    shop.use()

    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        searches = [asyncio.create_task(shop.engine.ask(Ask(text="round", max_results=3))) for _ in range(4)]
        try:
            while not shop.mirror.checks:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)  # The others are waiting by now; if not, the test proves less.
            async with asyncio.timeout(20):
                await asyncio.to_thread(int)
        finally:
            answers.set()
            found = await asyncio.gather(*searches)
        assert [each.strategy for each in found] == ["codeSearch"] * 4

    asyncio.run(main())


def test_nothing_is_sent_after_it_was_switched_off(shop: Shop) -> None:
    """Not even by a search that is under way."""
    answers = threading.Event()
    shop.mirror.on_check = lambda: assert_is_set(answers)
    shop.use()

    async def main() -> Answer:
        search = asyncio.create_task(shop.engine.ask(Ask(text="round", max_results=3)))
        while not shop.mirror.checks:
            await asyncio.sleep(0.01)
        shop.engine.set_remote(None)
        answers.set()
        return await search

    answer = asyncio.run(main())
    assert not shop.mirror.asked
    assert answer.strategy != "codeSearch"


def assert_is_set(event: threading.Event) -> None:
    assert event.wait(60)


def test_a_checkout_with_other_line_ends_is_searched_as_any_other(shop: Shop) -> None:
    shop.repository.git("config", "core.autocrlf", "true")
    for path in FILES:
        (shop.folder / path).unlink()
    shop.repository.git("checkout", ".")
    assert b"\r\n" in (shop.folder / "shop/money.py").read_bytes()
    shop.use()
    answer = shop.ask("round a price")
    assert (paths(answer)[0], answer.complete, answer.remote[0].changed) == ("shop/money.py", True, 0)
