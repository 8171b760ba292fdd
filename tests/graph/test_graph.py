"""Questions to the graph: names as people write them, empty answers, unsaved text, exact places, nodes and cycles."""

from pathlib import Path

import pytest
from tests.graph.trees import engine_over, graph_of, sources, write

from lurcher_index.graph.values import Direction, FetchedNodes, LinkKind
from lurcher_index.store.linkage import name_key

SHOP = {
    "src/shop.py": (
        "class Shop:\n    def open(self): pass\n    def open(self, key): pass\n\n"
        "class Stall:\n    def open(self): pass\n\ndef helper():\n    return Shop()\n"
    ),
    "src/app.py": "from shop import helper\n\ndef main():\n    helper(); helper()\n    helper()\n\nmain()\n",
}


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("Shop", ["src/shop.py:Shop"]),
        ("Shop.open", ["src/shop.py:Shop.open", "src/shop.py:Shop.open#2"]),
        ("Shop#open", ["src/shop.py:Shop.open", "src/shop.py:Shop.open#2"]),
        ("Shop::open()", ["src/shop.py:Shop.open", "src/shop.py:Shop.open#2"]),
        ("open", ["src/shop.py:Shop.open", "src/shop.py:Shop.open#2", "src/shop.py:Stall.open"]),
        ("shop:helper", ["src/shop.py:helper"]),
        ("shop.helper", ["src/shop.py:helper"]),
        ("src.shop.Stall.open", ["src/shop.py:Stall.open"]),
        ("src/shop.py:Shop.open#2", ["src/shop.py:Shop.open#2"]),
        ("shop.py:Stall.open", ["src/shop.py:Stall.open"]),
        ("src/shop.py", ["src/shop.py"]),
        ("SHOP", []),
        ("shop.Nothing", []),
        ("Other.open", []),
        ("", []),
        ("a\nb", []),
        ("x" * 100_000, []),
        (":" * 5_000, []),
        ("'; DROP TABLE file; --", []),
        ("../../etc/passwd", []),
        ("\ud800", []),
    ],
)
def test_definitions_by_name(name: str, ids: list[str], tmp_path: Path) -> None:
    with graph_of(tmp_path, SHOP) as graph:
        assert [node.id for node in graph.definitions(name)] == ids


@pytest.mark.parametrize("name", ["", "x" * 100_000, ":" * 5_000, "%s_\\", "\0", "\ud800", "a.b::c->d#e()"])
def test_hostile_names_are_not_known(name: str, tmp_path: Path) -> None:
    with graph_of(tmp_path, SHOP) as graph:
        for answer in (graph.callers(name), graph.callees(name), graph.references(name)):
            assert (answer.targets, answer.uses) == ((), ())
            assert "is not known" in answer.explanation


def test_nothing_calls_it_and_it_is_not_known_are_different_answers(tmp_path: Path) -> None:
    with graph_of(tmp_path, SHOP) as graph:
        unused, unknown = graph.callers("Stall"), graph.callers("Nothing")
        assert unused.targets and "is defined in src/shop.py, but nothing here calls it" in unused.explanation
        assert not unknown.targets and "is not known" in unknown.explanation
        assert "calls nothing" in graph.callees("Stall").explanation


def test_what_a_library_defines_has_callers_by_name(tmp_path: Path) -> None:
    with graph_of(tmp_path, {"a.py": "import os\ndef f():\n    os.getpid()\n"}) as graph:
        answer = graph.callers("getpid")
        assert (answer.targets, sources(answer)) == ((), ["a.py:f"])
        assert answer.uses[0].target is None


def test_all_places_of_a_call_are_told_and_found_in_the_text(tmp_path: Path) -> None:
    with graph_of(tmp_path, SHOP) as graph:
        (use,) = graph.callers("helper").uses
        assert [(place.line, place.column) for place in use.places] == [(4, 4), (4, 14), (5, 4)]
        found = graph.occurrences([use])
        assert [(each.line, each.before, each.text) for each in found] == [
            (4, "    ", "helper"),
            (4, "    helper(); ", "helper"),
            (5, "    ", "helper"),
        ]


def test_places_count_in_bytes_and_what_stands_before_them_is_text(tmp_path: Path) -> None:
    with graph_of(tmp_path, {"a.py": 'def g(): pass\ndef f():\n    x = "äöü"; g()\n'}) as graph:
        uses = graph.callers("g").uses
        assert graph.occurrences(uses)[0].before == '    x = "äöü"; '
        assert uses[0].places[0].column == len(b'    x = "') + 6 + 3


def test_references_are_calls_imports_and_inheritance(tmp_path: Path) -> None:
    files = {"a.py": "class A: pass\n", "b.py": "from a import A\nclass B(A): pass\ndef f(): A()\n"}
    with graph_of(tmp_path, files) as graph:
        kinds = {(use.kind, use.source.id) for use in graph.references("A").uses}
        assert kinds == {("call", "b.py:f"), ("inherit", "b.py:B"), ("import", "b.py")}


def test_names_with_the_same_key_are_told_apart(tmp_path: Path) -> None:
    assert name_key("plumless") == name_key("buckeroo")
    files = {"a.py": "def plumless(): pass\ndef buckeroo(): pass\ndef f(): plumless()\ndef g(x): x.buckeroo()\n"}
    with graph_of(tmp_path, files) as graph:
        assert [node.id for node in graph.definitions("plumless")] == ["a.py:plumless"]
        assert sources(graph.callers("plumless")) == ["a.py:f"]
        assert sources(graph.callers("buckeroo")) == []
        assert [use.target.id for use in graph.callees("f").uses if use.target] == ["a.py:plumless"]


def test_a_limit_is_told(tmp_path: Path) -> None:
    files = {f"m{n}.py": "from a import g\ndef f(): g()\n" for n in range(30)} | {"a.py": "def g(): pass\n"}
    with graph_of(tmp_path, files) as graph:
        some, whole = graph.callers("g", 5), graph.callers("g", 100, thorough=True)
        assert (len(some.uses), some.truncated) == (5, True)
        assert (len(whole.uses), whole.total, whole.truncated) == (30, 30, False)


def test_a_common_name_is_not_looked_up_everywhere_and_that_is_said(tmp_path: Path) -> None:
    files = {f"m{n}.py": f"from a import g\ndef f{n}(): g()\n" for n in range(30)} | {"a.py": "def g(): pass\n"}
    with graph_of(tmp_path, files) as graph:
        answer = graph.callers("g", 100)
        assert answer.truncated and "not every file" in answer.explanation
        assert 0 < answer.total < 30


# -- change


def test_unsaved_text_counts(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with engine_over(tmp_path) as engine:
        engine.show(tmp_path / "src/app.py", "from shop import helper\ndef other():\n    helper()\n", 2)
        assert sources(engine.graph().callers("helper")) == ["src/app.py:other"]
        assert engine.graph().definitions("main") == ()
        (found,) = engine.graph().occurrences(engine.graph().callers("helper").uses)
        assert (found.line, found.version) == (3, 2)
        engine.hide(tmp_path / "src/app.py")
        assert sources(engine.graph().callers("helper")) == ["src/app.py:main"]


def test_an_unsaved_definition_is_found(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with engine_over(tmp_path) as engine:
        engine.show(tmp_path / "src/new.py", "def brand_new(): pass\ndef f(): brand_new()\n", 1)
        assert sources(engine.graph().callers("brand_new")) == ["src/new.py:f"]
        assert engine.graph().fetch(["src/new.py:f"]).nodes[0].code == "def f(): brand_new()"


def test_changed_renamed_and_deleted_files(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with engine_over(tmp_path) as engine:
        assert sources(engine.graph().callers("helper")) == ["src/app.py:main"]
        app, moved = tmp_path / "src/app.py", tmp_path / "src/moved.py"
        app.rename(moved)
        engine.update([app, moved])
        assert sources(engine.graph().callers("helper")) == ["src/moved.py:main"]
        moved.write_text("from shop import helper\ndef again():\n    helper()\n", "utf-8")
        engine.update([moved])
        assert sources(engine.graph().callers("helper")) == ["src/moved.py:again"]
        moved.unlink()
        engine.update([moved])
        assert sources(engine.graph().callers("helper")) == []
        assert engine.graph().callers("helper").targets


def test_a_content_that_two_files_share_has_two_callers(tmp_path: Path) -> None:
    text = "from util import g\ndef f(): g()\n"
    with graph_of(tmp_path, {"a.py": text, "b.py": text, "util.py": "def g(): pass\n"}) as graph:
        assert sorted(sources(graph.callers("g"))) == ["a.py:f", "b.py:f"]


def test_two_folders_have_labels(tmp_path: Path) -> None:
    one = write(tmp_path / "x/app", {"a.py": "def g(): pass\n"})
    two = write(tmp_path / "y/app", {"b.py": "def g(): pass\ndef f(): g()\n"})
    with engine_over(one, two) as engine:
        graph = engine.graph()
        assert [node.id for node in graph.definitions("g")] == ["app/a.py:g", "app-2/b.py:g"]
        assert sources(graph.callers("app-2/b.py:g")) == ["app-2/b.py:f"]
        assert graph.callers("app/a.py:g").uses == ()
        assert [each.node.id for each in graph.fetch(["app", "app-2/b.py:f"]).nodes] == ["app", "app-2/b.py:f"]
        assert graph.fetch(["a.py:g"]).unknown == ("a.py:g",)


def test_an_index_on_disk_is_asked_after_a_restart(tmp_path: Path) -> None:
    from lurcher_index import Engine

    tree, store = write(tmp_path / "tree", SHOP), tmp_path / "store"
    for _ in range(2):
        with Engine.open([tree], store=store, embeddings=False) as engine:
            engine.build()
            assert sources(engine.graph().callers("helper")) == ["src/app.py:main"]


# -- places


def test_the_definition_at_a_place(tmp_path: Path) -> None:
    files = {
        "a.py": "class A:\n    def run(self): pass\nclass B:\n    def run(self): pass\n",
        "b.py": "from a import B\ndef f(x: B):\n    x.run()\n",
    }
    write(tmp_path, files)
    with engine_over(tmp_path) as engine:
        graph = engine.graph()
        assert [node.id for node in graph.definition_at(tmp_path / "b.py", 3, 7)] == ["a.py:B.run"]
        assert [node.id for node in graph.definition_at(tmp_path / "a.py", 2, 9)] == ["a.py:A.run"]
        assert [node.id for node in graph.definition_at(tmp_path / "b.py", 2, 10)] == ["a.py:B"]
        assert graph.definition_at(tmp_path / "b.py", 99, 0) == ()
        assert graph.definition_at(tmp_path / "none.py", 1, 0) == ()
        node = graph.node_at(tmp_path / "b.py", 3)
        assert node is not None and node.id == "b.py:f"
        assert graph.node_at(tmp_path / "b.py", 1) is None


# -- nodes


def test_fetch_tells_code_container_and_members(tmp_path: Path) -> None:
    with graph_of(tmp_path, SHOP) as graph:
        found = graph.fetch(["src/shop.py:Stall", "src/app.py", "src", "src/none.py", "src/shop.py:Nothing"])
        stall, app, folder = found.nodes
        assert stall.code == "class Stall:\n    def open(self): pass"
        assert stall.container is not None and stall.container.id == "src/shop.py"
        assert [node.id for node in stall.members] == ["src/shop.py:Stall.open"]
        assert (stall.node.kind, stall.node.first_line, stall.node.last_line) == ("class", 5, 6)
        assert app.code == SHOP["src/app.py"]
        assert [node.id for node in folder.members] == ["src/app.py", "src/shop.py"]
        assert found.unknown == ("src/none.py", "src/shop.py:Nothing")


def test_lines_of_an_exact_path_are_fetched(tmp_path: Path) -> None:
    with graph_of(tmp_path, SHOP) as graph:
        text = SHOP["src/shop.py"].splitlines(keepends=True)
        found = graph.fetch(["src/shop.py:5-6", "src/shop.py:1", "src/shop.py:6-999999999"])
        assert [each.code for each in found.nodes] == ["".join(text[4:6]), text[0], "".join(text[5:])]
        assert [(each.node.first_line, each.node.kind) for each in found.nodes] == [
            (5, "file"),
            (1, "file"),
            (6, "file"),
        ]
        assert found.nodes[0].container is not None and found.nodes[0].container.id == "src/shop.py:Stall"
        unknown = ("shop.py:5-6", "src/shop.py:0-3", "src/shop.py:6-5", "src/shop.py:900-901", "src/none.py:1")
        assert graph.fetch(unknown) == FetchedNodes(nodes=(), unknown=unknown)
    with engine_over(tmp_path) as engine:
        (tmp_path / "src/shop.py").write_text("# all other\n", "utf-8")
        (changed,) = engine.graph().fetch(["src/shop.py:5-6"]).nodes
        assert (changed.code, changed.changed) == ("", True)


def test_a_file_that_changed_on_disk_shows_no_code(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with engine_over(tmp_path) as engine:
        (tmp_path / "src/app.py").write_text("# all other\n", "utf-8")
        (found,) = engine.graph().fetch(["src/app.py:main"]).nodes
        assert (found.code, found.changed) == ("", True)


CYCLE = {"a.py": "from b import g\ndef f(): g()\n", "b.py": "from a import f\ndef g(): f()\ndef h(): g()\n"}


def test_cycles_end(tmp_path: Path) -> None:
    with graph_of(tmp_path, CYCLE) as graph:
        found = graph.explore(["a.py:f"], Direction.DOWN, 10, [LinkKind.INVOKES])
        assert [node.id for node in found.nodes] == ["a.py:f", "b.py:g"]
        assert {(link.source, link.target) for link in found.links} == {("a.py:f", "b.py:g"), ("b.py:g", "a.py:f")}
        assert not found.truncated


@pytest.mark.parametrize(
    ("direction", "kinds", "nodes"),
    [
        (Direction.UP, [LinkKind.INVOKES], {"b.py:g", "a.py:f", "b.py:h"}),
        (Direction.DOWN, [LinkKind.CONTAINS], {"b.py:g"}),
        (Direction.UP, [LinkKind.CONTAINS], {"b.py:g", "b.py"}),
        (Direction.BOTH, [LinkKind.INHERITS], {"b.py:g"}),
    ],
)
def test_directions_and_kinds(direction: Direction, kinds: list[LinkKind], nodes: set[str], tmp_path: Path) -> None:
    with graph_of(tmp_path, CYCLE) as graph:
        assert {node.id for node in graph.explore(["b.py:g"], direction, 1, kinds).nodes} == nodes


def test_files_import_each_other_and_types_hold_each_other(tmp_path: Path) -> None:
    files = {
        "a.py": "class Engine: pass\n",
        "b.py": "from a import Engine\nclass Car(Engine):\n    def __init__(self):\n        self.engine = Engine()\n",
    }
    with graph_of(tmp_path, files) as graph:
        down = graph.explore(["b.py", "b.py:Car"], Direction.DOWN, 1)
        found = {(link.source, link.target, link.kind.value) for link in down.links}
        assert ("b.py", "a.py", "imports") in found
        assert ("b.py:Car", "a.py:Engine", "inherits") in found
        assert ("b.py:Car", "a.py:Engine", "composes") in found
        up = graph.explore(["a.py"], Direction.UP, 1, [LinkKind.IMPORTS])
        assert [node.id for node in up.nodes] == ["a.py", "b.py"]


def test_a_folder_is_explored_upwards(tmp_path: Path) -> None:
    with graph_of(tmp_path, {"a/b/c.py": "def f(): pass\n"}) as graph:
        found = graph.explore(["a/b"], Direction.UP, 3)
        assert [node.id for node in found.nodes] == ["a/b", "a"]
        assert [(link.source, link.target, link.kind) for link in found.links] == [("a", "a/b", LinkKind.CONTAINS)]
        whole = graph.explore(["a/b/c.py:f"], Direction.UP, 5, [LinkKind.CONTAINS])
        assert [node.id for node in whole.nodes] == ["a/b/c.py:f", "a/b/c.py", "a/b", "a"]


def test_exploring_is_bounded_and_says_so(tmp_path: Path) -> None:
    files = {"a.py": "".join(f"def f{n}(): pass\n" for n in range(40))}
    with graph_of(tmp_path, files) as graph:
        found = graph.explore(["a.py", "none"], Direction.DOWN, 1, limit=10)
        assert (len(found.nodes), found.truncated, found.hidden) == (10, True, 31)
        assert found.unknown == ("none",)
        assert all(link.target in {node.id for node in found.nodes} for link in found.links)
