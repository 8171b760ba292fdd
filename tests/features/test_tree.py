"""The tree of a real workspace: kept fresh, unsaved text included, never waited for by an answer."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.features.grown import SHOP, flat_package
from tests.files.trees import plant

from lurcher_index import Engine
from lurcher_index.answers import Answer
from lurcher_index.asking import Ask
from lurcher_index.engine import MEMORY
from lurcher_index.errors import StoreDamaged
from lurcher_index.features.digests import Digests, unpack_phrases
from lurcher_index.featuring import FeatureNode, Featuring, TreeListing
from lurcher_index.view import View


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open([plant(tmp_path / "shop", SHOP)], store=MEMORY, embeddings=False) as engine:
        engine.build()
        yield engine


def every(nodes: tuple[FeatureNode, ...]) -> Iterator[FeatureNode]:
    for node in nodes:
        yield node
        yield from every(node.children)


def answer(engine: Engine, text: str) -> Answer:
    return asyncio.run(engine.ask(Ask(text=text, max_results=10, strategies=("tfidf",))))


def settled(engine: Engine) -> None:
    """Wait for the thread that brings the tree up to date."""
    for thread in threading.enumerate():
        if thread.name == "lurcher-features":
            thread.join()


def test_the_whole_tree_has_its_groups_and_nothing_else(engine: Engine) -> None:
    listing = engine.tree()
    assert [node.feature_path for node in every(listing.nodes)] == ["db", "db utils", "project files", "tests", "web"]
    assert {node.kind for node in every(listing.nodes)} == {"area"}
    assert (listing.files, listing.groups) == (11, 5)


def test_a_part_shows_files_with_what_they_are_for(engine: Engine) -> None:
    for target in ("src/shop/db", "db", "src/shop/db/", engine.tree("db").nodes[0].id):
        (group,) = engine.tree(target).nodes
        assert [(node.id, node.feature) for node in group.children] == [
            ("src/shop/db/query.py", "provide query"),
            ("src/shop/db/store.py", "store db"),
        ]


def test_a_file_shows_its_definitions(engine: Engine) -> None:
    (file,) = engine.tree("src/shop/web/cookies.py").nodes
    assert file.feature_path == "web"
    assert [(node.id, node.kind, node.feature) for node in every(file.children)] == [
        ("src/shop/web/cookies.py:CookieJar", "class", "represent cookie jar"),
        ("src/shop/web/cookies.py:CookieJar.set_cookie", "method", "set cookie"),
    ]


def test_a_depth_counts_groups_files_and_definitions(engine: Engine) -> None:
    assert {node.kind for node in every(engine.tree(depth=1).nodes)} == {"area", "file"}
    assert {node.kind for node in every(engine.tree("db", depth=1).nodes)} == {"area", "file"}
    assert {"class", "method"} <= {node.kind for node in every(engine.tree("db", depth=2).nodes)}


def test_what_is_nowhere_is_said_and_not_guessed(engine: Engine) -> None:
    for target in ("src/shop/d", "feature:0000000000", "db/nothing", "nothing.py"):
        assert engine.tree(target) == TreeListing(11, 5, (), target)


def test_a_listing_is_json_as_it_is(engine: Engine) -> None:
    listing = engine.tree("src/shop", depth=9)
    assert msgspec.json.decode(msgspec.json.encode(listing), type=TreeListing) == listing


def test_ids_and_labels_outlive_a_restart(tmp_path: Path) -> None:
    tree = plant(tmp_path / "flat", flat_package())
    listings: list[TreeListing] = []
    for _ in range(2):
        with Engine.open([tree], store=tmp_path / "store", embeddings=False) as engine:
            engine.build()
            listings.append(engine.tree(depth=3))
    assert listings[0] == listings[1]


def test_unsaved_text_is_in_the_tree_and_goes_again(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "shop" / "src/shop/web/cookies.py"
    engine.show(path, 'class Oven:\n    """Bakes the bread."""\n    def heat_up(self): ...\n', 1)
    (file,) = engine.tree("src/shop/web/cookies.py").nodes
    assert [node.feature for node in every(file.children)] == ["bake bread", "heat up"]
    fresh = tmp_path / "shop" / "src/shop/web/fresh.py"
    engine.show(fresh, "def fresh_thing(): ...\n", 1)
    assert [node.label for node in engine.tree("web").nodes[0].children] == ["cookies.py", "fresh.py", "session.py"]
    engine.hide(path)
    engine.hide(fresh)
    assert [node.label for node in engine.tree("web").nodes[0].children] == ["cookies.py", "session.py"]


def test_a_changed_file_is_in_the_next_tree(engine: Engine, tmp_path: Path) -> None:
    before = engine.tree(depth=9)
    path = tmp_path / "shop" / "src/shop/db/query.py"
    path.write_text('def total():\n    """Adds up the rows."""\n')
    engine.update([path])
    (file,) = engine.tree("src/shop/db/query.py").nodes
    assert [node.feature for node in file.children] == ["add up rows"]
    (tmp_path / "shop" / "src/shop/db/gone.py").write_text("x = 1\n")
    path.unlink()
    engine.update([path, tmp_path / "shop" / "src/shop/db/gone.py"])
    assert [node.label for node in engine.tree("db").nodes[0].children] == ["gone.py", "store.py"]
    ids = [node.id for node in every(before.nodes) if node.id.startswith("feature:")]
    assert [node.id for node in every(engine.tree(depth=9).nodes) if node.id.startswith("feature:")] == ids


def test_an_answer_does_not_wait_for_the_tree_and_the_next_one_has_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    caught = Featuring.catch_up

    def held_up(self: Featuring, view: View) -> object:
        assert gate.wait(60)
        return caught(self, view)

    monkeypatch.setattr(Featuring, "catch_up", held_up)
    first = answer(engine, "cookie jar")
    assert first.chunks[0].feature_path is None
    gate.set()
    settled(engine)
    second = answer(engine, "cookie jar")
    assert second.chunks[0].path == "src/shop/web/cookies.py"
    assert second.chunks[0].feature_path == "web"


def test_chunks_of_whole_files_have_their_feature_path_too(engine: Engine) -> None:
    engine.tree()
    whole = asyncio.run(engine.ask(Ask(text="cart", token_budget=100_000)))
    assert whole.is_full_workspace
    told = {chunk.path: chunk.feature_path for chunk in whole.chunks}
    assert told["src/shop/db/query.py"] == "db"
    assert told["src/shop/db_utils/quoting.py"] == "db utils"


def test_two_folders_are_two_areas_and_nodes_have_their_names(tmp_path: Path) -> None:
    folders = [plant(tmp_path / place / "shop", SHOP) for place in ("a", "b")]
    with Engine.open(folders, store=MEMORY, embeddings=False) as engine:
        engine.build()
        assert [node.label for node in engine.tree(depth=1).nodes] == ["shop", "shop-2"]
        (file,) = engine.tree("shop-2/src/shop/db/query.py").nodes
        assert (file.feature_path, file.folder) == ("shop-2/db", str(folders[1].resolve()))


def test_a_workspace_without_folders_has_a_tree_of_what_is_open(tmp_path: Path) -> None:
    with Engine.without_folders(embeddings=False) as engine:
        assert engine.tree().nodes == ()
        engine.show(tmp_path / "open.py", "def open_thing(): ...\n", 1)
        assert [node.label for node in engine.tree(depth=1).nodes] == ["open.py"]


def test_a_database_of_nonsense_is_damage_and_nothing_worse() -> None:
    for packed in (b"\xff", b"\x93\x01\x02\x03", b"x" * 2_000_000):
        with pytest.raises(StoreDamaged):
            Digests().read(packed)
        with pytest.raises(StoreDamaged):
            unpack_phrases(packed)


def test_a_file_that_gets_an_earlier_content_back_stays_in_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "a").mkdir(parents=True)
    first = "def load_first():\n    return 1\n"
    for name in ("x", "y", "z"):
        (tree / "a" / f"{name}.py").write_text(first.replace("first", name))
    with Engine.open([tree], store=tmp_path / "store", embeddings=False) as engine:
        engine.build()
        engine.tree()
        path = tree / "a" / "x.py"
        before = path.read_text()
        for number in range(6):
            path.write_text(f"def load_other_{number}():\n    return {number}\n")
            engine.update([path])
            engine.tree()
        path.write_text(before)
        engine.update([path])
        assert engine.tree().files == 3
        assert not engine.tree("a/x.py").unknown
