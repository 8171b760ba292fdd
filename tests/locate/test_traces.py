"""A stack trace leads to the functions that its frames name, whatever else is called alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.files.trees import plant
from tests.locate.workspaces import opened

from lurcher_index import Engine
from lurcher_index.locate.framed import FRAMES, STACK_TRACE
from lurcher_index.locate.fusing import BESIDE_FRAMES
from lurcher_index.locate.issue import Goal, Issue
from lurcher_index.locate.located import Location
from lurcher_index.locate.settings import LocateSettings

ROWS = 'class Row:\n    def get(self):\n        return 1\n\n\nclass QuerySet:\n    """Rows, lazily."""\n\n'
FILES = {
    "shop/db/query.py": ROWS + '    def get(self):\n        raise LookupError("no such row")\n\n\nLIMIT = 3\n',
    "shop/views.py": "from shop.db import query\n\n\ndef show(pk):\n    return query.QuerySet().get()\n",
    "tests/models.py": 'class NoSuchRow:\n    """No such row: LookupError, get, query, show, views."""\n',
    "web/src/cart.js": "class Cart {\n  total() {\n    return this.items.length;\n  }\n}\n\nmodule.exports = Cart;\n",
    "web/other/cart.js": "function sum() {\n  return 1;\n}\n",
    "jvm/src/main/java/pdf/Writer.java": "package pdf;\n\nclass Writer {\n  void write() {\n    open();\n  }\n}\n",
    "jvm/src/main/java/csv/Writer.java": "package csv;\n\nclass Writer {\n  void write() {\n    open();\n  }\n}\n",
    "go/server.go": "package main\n\ntype Server struct{}\n\nfunc (s *Server) Handle() {\n\tpanic(1)\n}\n",
    "rs/src/cart.rs": "pub fn total() -> u32 {\n    panic!()\n}\n",
    "rb/lib/cart.rb": "class Cart\n  def total\n    raise 'x'\n  end\nend\n",
    "cs/Cart.cs": "class Cart {\n  int Total() {\n    throw null;\n  }\n}\n",
    "php/Cart.php": "<?php\nclass Cart {\n  function total() {\n    throw new Exception('x');\n  }\n}\n",
    "c/cart.c": "int total(void)\n{\n  return 1;\n}\n",
    "one/index.ts": "export function a() {\n  return 1;\n}\n",
    "two/index.ts": "export function b() {\n  return 2;\n}\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(plant(tmp_path_factory.mktemp("traces") / "site", FILES)) as engine:
        yield engine


def places(engine: Engine, text: str, **rest: object) -> list[Location]:
    return list(engine.locate(Issue(description=text, **rest)).locations)  # type: ignore[arg-type]


def first(engine: Engine, text: str) -> tuple[str, str]:
    location = places(engine, text)[0]
    return location.path, location.symbol.name if location.symbol else ""


def names(engine: Engine, text: str) -> list[str]:
    """The definitions that frames led to, surest first."""
    found = [each for each in places(engine, text) if "names line" in each.reason]
    return [f"{each.path}:{each.symbol.name if each.symbol else ''}" for each in found]


PYTHON = """Traceback (most recent call last):
  File "/srv/shop/views.py", line 5, in show
    return query.QuerySet().get()
  File "/usr/lib/python3.11/site-packages/shop/db/query.py", line {line}, in get
    raise LookupError("no such row")
  File "/usr/lib/python3.11/json/models.py", line 1, in decode
LookupError: no such row
"""


@pytest.mark.parametrize(
    ("text", "path", "symbol"),
    [
        (PYTHON.format(line=10), "shop/db/query.py", "get"),
        ("TypeError: x\n    at Cart.total (/app/src/cart.js:3:12)\n    at /app/x.js:1:1", "web/src/cart.js", "total"),
        ("TypeError: x\n    at async http://localhost:80/src/cart.js:3:12", "web/src/cart.js", "total"),
        (
            "java.io.IOException: x\n\tat java.base/java.io.Writer.write(Writer.java:9)\n"
            "\tat pdf.Writer.write(Writer.java:5)\n\tat csv.Writer.write(Writer.java:5)",
            "jvm/src/main/java/pdf/Writer.java",
            "write",
        ),
        ("panic: 1\n\nmain.(*Server).Handle(...)\n\t/srv/u/go/server.go:99 +0x1d", "go/server.go", "Handle"),
        ("thread 'main' panicked at src/cart.rs:2:5:\nexplicit panic", "rs/src/cart.rs", "total"),
        ("lib/cart.rb:3:in `total': x (RuntimeError)", "rb/lib/cart.rb", "total"),
        ("System.Exception: x\n   at N.Cart.Total() in C:\\cs\\Cart.cs:line 3", "cs/Cart.cs", "Total"),
        ("PHP Fatal error:  Uncaught Exception: x in /srv/php/Cart.php:4", "php/Cart.php", "total"),
        ("cart.c:3:3: error: x", "c/cart.c", "total"),
    ],
    ids=["python", "node", "browser", "java", "go", "rust", "ruby", "dotnet", "php", "compiler"],
)
def test_the_innermost_frame_of_the_workspace_comes_first(engine: Engine, text: str, path: str, symbol: str) -> None:
    assert first(engine, text) == (path, symbol)


def test_frames_stand_from_the_innermost_outwards_and_others_are_passed_over(engine: Engine) -> None:
    answer = engine.locate(Issue(description=PYTHON.format(line=10)), LocateSettings(debug=True))
    get, show = answer.locations[:2]
    assert (get.node, show.node) == ("shop/db/query.py:QuerySet.get", "shop/views.py:show")
    assert (get.score, show.score) == (1.0, 0.9)
    assert get.reason.startswith("the text names line 10 in get")
    assert not any(each.path == "tests/models.py" and "names line" in each.reason for each in answer.locations)
    assert (answer.fallback_chain[0].strategy, answer.fallback_chain[0].tool) == (STACK_TRACE, FRAMES)
    assert "Attempting with frames... success" in answer.transcript
    assert not any("site-packages" in pattern for pattern in answer.search_patterns)


def test_a_trace_in_the_snippet_is_read_too(engine: Engine) -> None:
    found = places(engine, "it fails", code_snippet=PYTHON.format(line=10))
    assert found[0].node == "shop/db/query.py:QuerySet.get"


def test_the_function_counts_where_lines_have_moved(engine: Engine) -> None:
    found = names(engine, PYTHON.format(line=900))
    assert sorted(found) == ["shop/db/query.py:get", "shop/db/query.py:get", "shop/views.py:show"]
    assert places(engine, PYTHON.format(line=900))[0].node == "shop/views.py:show"  # of two `get` none is sure
    (total,) = [each for each in places(engine, "lib/cart.rb:77:in `total'") if "names line" in each.reason]
    assert total.symbol is not None and total.symbol.name == "total" and "elsewhere" in total.reason


def test_the_line_counts_where_the_function_is_gone(engine: Engine) -> None:
    (found,) = [each for each in places(engine, "lib/cart.rb:3:in `gone'") if "names line" in each.reason]
    assert found.symbol is not None and found.symbol.name == "total"
    assert found.score < 1 and "no such function" in found.reason


def test_outside_of_all_definitions_the_lines_around_are_the_place(engine: Engine) -> None:
    (found,) = [each for each in places(engine, "shop/db/query.py:13: x") if "names line" in each.reason]
    assert found.first_line <= 13 <= found.last_line


def test_two_files_that_end_alike_are_both_told_with_less_certainty(engine: Engine) -> None:
    both = [each for each in places(engine, "Error: x\n    at /srv/app/index.ts:2:1") if "names line" in each.reason]
    assert {each.path for each in both} == {"one/index.ts", "two/index.ts"}
    # Neither is sure: what raises them above their half of a guess is how much they are like the issue, like any other.
    assert all(each.score <= BESIDE_FRAMES and "other files" in each.reason for each in both)
    # A function or a longer path tells which one it is.
    assert names(engine, "Error: x\n    at b (/srv/app/index.ts:2:1)") == ["two/index.ts:b"]
    assert names(engine, "Error: x\n    at /srv/one/index.ts:2:1") == ["one/index.ts:a"]


@pytest.mark.parametrize(
    "text",
    [
        'File "/srv/shop/nowhere.py", line 3, in show',
        'File "/usr/lib/python3.11/site-packages/other/views.py", line 5, in show',
        "Error: x\n    at /app/node_modules/lib/index.ts:2:1",
        "Error: x\n    at gone (/srv/elsewhere/cart.js:2:1)",
        "\tat org.other.Writer.write(Writer.java:5)",
        "shop/views.py:6000: x",
        "shop/views.py:0: x",
        "../../../etc/passwd.py:1: x",
    ],
)
def test_what_is_not_here_is_no_place(engine: Engine, text: str) -> None:
    assert names(engine, f"LookupError of the shop\n{text}") == []


def test_who_wants_all_references_gets_no_frames(engine: Engine) -> None:
    found = places(engine, PYTHON.format(line=10), goal=Goal.ANALYZE_IMPACT)
    assert not any("names line" in each.reason for each in found)


def test_an_unsaved_document_is_meant_in_its_file_s_place(tmp_path: Path) -> None:
    root = plant(tmp_path / "site", {"shop/a.py": "def old():\n    pass\n"})
    with opened(root) as engine:
        assert engine.show(root / "shop/a.py", "\n\ndef new():\n    pass\n", 2)
        assert names(engine, 'File "/x/shop/a.py", line 4, in new') == ["shop/a.py:new"]


def test_a_hostile_trace_ends(engine: Engine) -> None:
    text = (
        'File "'
        + "../" * 5_000
        + 'views.py", line 1\n\0a.py:1 File "\ud800a.py", line 1, in f\n'
        + "    at a (" * 50_000
        + "index.ts:1\n" * 20_000
    )
    assert len(places(engine, text)) <= 20
