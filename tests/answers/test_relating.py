"""Questions about the uses of a name are answered from the call graph, before any search."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.answers.asked import opened

from lurcher_index import Engine
from lurcher_index.answers import Answer, Empty
from lurcher_index.asking import Ask, Seen
from lurcher_index.graph.graph import Graph
from lurcher_index.graph.values import Uses
from lurcher_index.query.parsed import CrossReference, Relation
from lurcher_index.relating import CALL_GRAPH, relate
from lurcher_index.view import View
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import understand

GO = Filters(languages=("go",))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    folder = tmp_path / "tree"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop" / "cart.py").write_text(
        "class Cart:\n"
        "    def total(self):\n"
        "        return sum_prices(self.items)\n\n\n"
        "def sum_prices(items):\n"
        "    return sum(items)\n\n\n"
        "def Total():\n"
        "    return 0\n"
    )
    (folder / "shop" / "checkout.py").write_text(
        "from shop.cart import Cart, sum_prices\n\n\n"
        "def pay(items):\n"
        "    return sum_prices(items)\n\n\n"
        "def unused_helper():\n"
        "    return Cart()\n"
    )
    (folder / "web.js").write_text("function render() {\n  return draw();\n}\nfunction draw() {}\n")
    with Engine.open([folder], store=tmp_path / "store", embeddings=False) as opened:
        opened.build()
        yield opened


def ask(engine: Engine, text: str, **more: Any) -> Answer:
    return asyncio.run(engine.ask(Ask(text=text, max_results=10, **more)))


@pytest.mark.parametrize(
    "question",
    ["who calls sum_prices", "callers of sum_prices", "what calls sum_prices?", "Where is sum_prices() called?"],
)
def test_seed_b_callers_come_from_the_graph(engine: Engine, question: str) -> None:
    answer = ask(engine, question)
    assert answer.strategy == CALL_GRAPH
    assert {chunk.symbol.name for chunk in answer.chunks if chunk.symbol} == {"total", "pay"}
    assert answer.cross_reference is not None
    assert answer.cross_reference.definitions == ("shop/cart.py:sum_prices",)
    assert (answer.cross_reference.relation, answer.cross_reference.total) == ("callers", 2)
    assert all(any("calls" in reason for reason in chunk.reasons) for chunk in answer.chunks)


@pytest.mark.parametrize("question", ["callees of pay", "functions called by pay", "what does pay call"])
def test_seed_b_callees_come_from_the_graph(engine: Engine, question: str) -> None:
    answer = ask(engine, question)
    assert answer.strategy == CALL_GRAPH
    assert [(chunk.path, chunk.symbol and chunk.symbol.name) for chunk in answer.chunks] == [
        ("shop/cart.py", "sum_prices")
    ]


def test_seed_b_references_hold_more_than_calls(engine: Engine) -> None:
    answer = ask(engine, "references to Cart")
    assert answer.strategy == CALL_GRAPH
    assert answer.cross_reference is not None and answer.cross_reference.relation == "references"
    assert {chunk.path for chunk in answer.chunks} == {"shop/checkout.py"}


def test_seed_b_names_keep_their_case(engine: Engine) -> None:
    answer = ask(engine, "who calls Total")
    assert answer.cross_reference is not None
    assert answer.cross_reference.definitions == ("shop/cart.py:Total",)


def test_seed_b_an_empty_answer_says_so(engine: Engine) -> None:
    nobody = ask(engine, "who calls unused_helper")
    unknown = ask(engine, "who calls noSuchThing")
    for answer in (nobody, unknown):
        assert (answer.chunks, answer.empty, answer.strategy) == ((), Empty.NO_USES, CALL_GRAPH)
        assert answer.complete
    assert nobody.alerts and unknown.alerts and nobody.alerts != unknown.alerts


def test_a_plain_word_that_nothing_is_called_is_searched_for(engine: Engine) -> None:
    answer = ask(engine, "who uses prices")
    assert answer.strategy != CALL_GRAPH
    assert answer.chunks
    assert any("nothing here is called 'prices'" in alert for alert in answer.alerts)


def test_strategies_that_are_named_leave_the_graph_out_or_in(engine: Engine) -> None:
    assert ask(engine, "who calls sum_prices", strategies=("tfidf",)).strategy == "tfidf"
    assert ask(engine, "who calls sum_prices", strategies=(CALL_GRAPH,)).strategy == CALL_GRAPH


def test_filters_and_context_hold(engine: Engine, tmp_path: Path) -> None:
    only = ask(engine, "who calls sum_prices", filters=engine.filters(paths=["shop/checkout.py"]))
    assert {chunk.path for chunk in only.chunks} == {"shop/checkout.py"}
    seen = Seen(path=str((tmp_path / "tree" / "shop" / "checkout.py").resolve()))
    rest = ask(engine, "who calls sum_prices", seen=(seen,))
    assert {chunk.path for chunk in rest.chunks} == {"shop/cart.py"}
    assert rest.dropped.seen == 1


def test_uses_outside_of_the_filters_are_told(engine: Engine) -> None:
    answer = ask(engine, "who calls sum_prices", filters=engine.filters(paths=["web.js"]))
    assert answer.chunks == ()
    assert any("2 uses of sum_prices lie outside" in alert for alert in answer.alerts)


def test_unsaved_text_counts(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "tree" / "shop" / "checkout.py"
    engine.show(path, "from shop.cart import sum_prices\n\n\ndef refund(items):\n    return sum_prices(items)\n", 2)
    answer = ask(engine, "who calls sum_prices")
    assert {chunk.symbol.name for chunk in answer.chunks if chunk.symbol} == {"total", "refund"}


def test_a_file_that_changed_on_disk_is_read_anew(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "tree" / "shop" / "checkout.py"
    path.write_text("import os\n\n\ndef settle(items):\n    print(os)\n    return sum_prices(items)\n")
    answer = ask(engine, "who calls sum_prices")
    assert "pay" not in {chunk.symbol.name for chunk in answer.chunks if chunk.symbol}
    assert all("def pay" not in chunk.raw_text for chunk in answer.chunks)


def test_a_name_may_be_asked_for_by_its_id(engine: Engine) -> None:
    for name in ("shop/cart.py:sum_prices", "cart.py:sum_prices", "`shop/cart.py:sum_prices`"):
        answer = ask(engine, f"who calls {name}")
        assert answer.strategy == CALL_GRAPH, name
        assert {chunk.symbol.name for chunk in answer.chunks if chunk.symbol} == {"total", "pay"}


def test_seed_d_a_scope_is_looked_at_however_common_the_name(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    (folder / "core").mkdir(parents=True)
    (folder / "core" / "base.py").write_text("def handle(x):\n    return x\n")
    for number in range(60):
        (folder / f"d{number:03}").mkdir()
        text = f"from core.base import handle\n\n\ndef run_{number}(x):\n    return handle(x)\n"
        (folder / f"d{number:03}" / "use.py").write_text(text)
    with Engine.open([folder], store=tmp_path / "store", embeddings=False) as opened:
        opened.build()
        for at in (3, 31, 58):
            answer = ask(opened, "who calls handle", scopes=(f"d{at:03}",))
            assert [chunk.symbol.name for chunk in answer.chunks if chunk.symbol] == [f"run_{at}"]
        everywhere = ask(opened, "who calls handle")
        assert everywhere.cross_reference is not None
        assert everywhere.cross_reference.truncated or everywhere.cross_reference.total == 60


@pytest.mark.parametrize(("line", "shown"), [(1, ["pay"]), (2, ["pay"]), (5, ["pay"]), (7, ["pay"]), (8, []), (0, [])])
def test_a_use_on_a_line_that_is_blank_by_now_is_shown_with_the_nearest_code(
    tmp_path: Path, line: int, shown: list[str]
) -> None:
    class Earlier(Graph):
        def callers(self, name: str, limit: int = 0, *, least: float = 0.0, thorough: bool = False) -> Uses:
            uses = super().callers(name, limit, least=least, thorough=thorough)
            return replace(uses, uses=tuple(replace(use, line=line) for use in uses.uses))

    files = {"cart.py": "def total(x):\n    return x\n", "pay.py": "\n\n\ndef pay(x):\n    return total(x)\n\n\n"}
    with opened(tmp_path / "tree", files, embeddings=False) as engine:
        view = View(engine.workspace)
        for asked, left in ((Ask(text="?", max_results=5), shown), (Ask(text="?", max_results=5, filters=GO), [])):
            reference = CrossReference(Relation.CALLERS, "total")
            related = relate(view, Earlier(view), asked, reference, understand("who calls total"))
            assert related is not None
            assert [chunk.symbol.name for chunk in related.finished.chunks if chunk.symbol] == left
