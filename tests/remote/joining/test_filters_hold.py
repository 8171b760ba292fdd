"""Filters and scopes hold for what a remote search names, whatever it says about it."""

import asyncio

import msgspec
import pytest
from tests.history.repositories import needs_git
from tests.remote.joining.shops import Shop, paths

from lurcher_index import Engine
from lurcher_index.answers import Empty
from lurcher_index.asking import Ask
from lurcher_index.remote.interface import RemoteFound, RemoteHit
from lurcher_index.words.contents import Content

pytestmark = needs_git

TWO = "".join(f"def {name}_price(price):\n" + "    price = price + 1  # more\n" * 80 for name in ("low", "high"))


@pytest.mark.parametrize("language", ["markdown", ""])
def test_what_is_said_elsewhere_about_a_language_does_not_count(shop: Shop, language: str) -> None:
    """One who lies, and one who does not tell languages."""
    shop.use()
    shop.mirror.bend = lambda _found: RemoteFound(
        tuple(RemoteHit(path, 1, 3, 1.0, language) for path in ("shop/money.py", "docs/guide.md"))
    )
    filters = shop.engine.filters(languages=["markdown"])
    answer = shop.ask("round a price", filters=filters, unfiltered=True)
    assert (answer.strategy, paths(answer)) == ("codeSearch", ["docs/guide.md"])


def test_files_of_another_language_than_is_wanted_are_no_failure(shop: Shop) -> None:
    shop.use()
    shop.mirror.bend = lambda _found: RemoteFound((RemoteHit("shop/money.py", 1, 3, 1.0),))
    answer = shop.ask("round a price", filters=shop.engine.filters(languages=["markdown"]))
    assert (answer.strategy, paths(answer)) == ("codeSearch", [])


def test_a_symbol_as_scope_holds(shop: Shop) -> None:
    (shop.folder / "shop/both.py").write_text(TWO)
    shop.engine.update([shop.folder / "shop/both.py"])
    shop.use()
    answer = shop.ask("price", scopes=["shop/both.py:low_price"], unfiltered=True)
    assert {chunk.path for chunk in answer.chunks} == {"shop/both.py"}
    assert max(chunk.last_line for chunk in answer.chunks) <= 81


@pytest.mark.parametrize("scope", ["shop", "shop/money.py", "shop/money.py:round_price"])
def test_a_scope_need_not_be_indexed_here(shop: Shop, scope: str) -> None:
    shop.use()
    answer = shop.ask("round a price", scopes=[scope])
    assert paths(answer)[0] == "shop/money.py", answer.alerts
    assert answer.complete


@pytest.mark.parametrize("scope", ["nowhere", "../outside.py", "shop/money.py:no_such_thing", ".git/config"])
def test_a_scope_that_is_nowhere_is_unknown(shop: Shop, scope: str) -> None:
    (shop.folder.parent / "outside.py").write_text("def round_price(price):\n    return price\n")
    shop.use()
    answer = shop.ask("round a price", scopes=[scope])
    assert (paths(answer), answer.empty) == ([], Empty.UNKNOWN_SCOPE)


def test_a_language_that_is_left_open_opens_no_other_filter(shop: Shop) -> None:
    shop.use()
    shop.mirror.bend = lambda _found: RemoteFound(
        tuple(RemoteHit(path, 1, 3, 1.0) for path in ("shop/money.py", "docs/guide.md"))
    )
    filters = shop.engine.filters(languages=["python", "markdown"], exclude=["shop/**"])
    assert paths(shop.ask("round a price", filters=filters, unfiltered=True)) == ["docs/guide.md"]
    assert [row.path for row in shop.engine.workspace.catalog.all_files()] == ["docs/guide.md"]


def test_a_kind_of_content_is_found_where_languages_are_left_open(shop: Shop) -> None:
    shop.use()
    shop.mirror.bend = lambda _found: RemoteFound((RemoteHit("docs/guide.md", 1, 3, 1.0),))
    filters = msgspec.structs.replace(shop.engine.filters(), content=Content.DOCS)
    assert paths(shop.ask("add an item to the cart", filters=filters)) == ["docs/guide.md"]


def test_the_files_of_a_folder_inside_do_not_crowd_out_those_around_it(shop: Shop) -> None:
    """Who is asked for the outer folder is told that files of the inner one are not wanted."""
    with Engine.open([shop.folder, shop.folder / "filler"], store=":memory:") as engine:
        engine.set_provider(shop.mirror, "always")
        asyncio.run(engine.ask(Ask(text="part of the machine", max_results=5)))
    outer = next(wanted for wanted in shop.mirror.asked if not wanted.below)
    assert not outer.accepts("filler/part1.py", "python")
    assert outer.accepts("shop/money.py", "python")


@pytest.mark.parametrize("languages", [[], ["rust"]])
def test_an_answer_without_chunks_does_not_claim_that_there_are_no_files(shop: Shop, languages: list[str]) -> None:
    shop.use()
    shop.mirror.bend = lambda _found: RemoteFound()
    answer = shop.ask("zebra", filters=shop.engine.filters(languages=languages))
    assert (answer.strategy, answer.empty, answer.complete) == ("codeSearch", Empty.NO_MATCH, True)
