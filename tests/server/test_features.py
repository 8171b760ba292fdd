"""Search scopes and feature paths over the wire."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.features.grown import SHOP
from tests.files.trees import plant
from tests.server.client import Client, paths

from lurcher_server.lsp.messages import ErrorCode
from lurcher_server.lsp.uris import uri_of


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Path]]:
    place = tmp_path_factory.mktemp("features")
    with Client(place / "store") as client:
        client.initialize([plant(place / "shop", SHOP)])
        client.ready()
        yield client, place / "shop"


def test_scopes_are_paths_uris_symbols_and_features(served: tuple[Client, Path]) -> None:
    client, tree = served
    store = "src/shop/db/store.py"
    for scope in (store, uri_of(tree / store), str(tree / store), f"{store}:Store", f"{store}:Store.save"):
        assert set(paths(client.search("save row", searchScopes=[scope]), tree)) == {store}
    for scope in ("src/shop/db", "db", uri_of(tree / "src/shop/db")):
        found = set(paths(client.search("save row name", searchScopes=[scope]), tree))
        assert store in found
        assert all(path.startswith("src/shop/db/") for path in found)


def test_an_unknown_scope_is_an_alert_and_alone_it_is_why_nothing_is_found(served: tuple[Client, Path]) -> None:
    client, tree = served
    some = client.search("save row", searchScopes=["src/shop/db", "nowhere"])
    assert paths(some, tree)
    assert any("unknown search scope 'nowhere'" in alert for alert in some["alerts"])
    none = client.search("save row", searchScopes=["nowhere"])
    assert (none["chunks"], none["empty"]) == ([], "unknownScope")


def test_chunks_tell_their_feature_path(served: tuple[Client, Path]) -> None:
    client, _ = served
    # A scope that is a feature has the tree built, so that this answer has it for certain.
    answer = client.search("save row", searchScopes=["db"])
    assert [chunk["featurePath"] for chunk in answer["chunks"]] == ["db"] * len(answer["chunks"])


def test_the_tree_has_places_and_goes_as_deep_as_asked(served: tuple[Client, Path]) -> None:
    client, tree = served
    method, store = "workspace/chunkSearch/tree", "src/shop/db/store.py"
    whole = client.ask(method)
    assert whole["unknown"] == ""
    (group,) = [node for node in whole["nodes"] if node["featurePath"] == "db"]
    assert (group["kind"], group["uri"]) == ("area", uri_of(tree / "src/shop/db"))
    assert group["id"].startswith("feature:")
    (part,) = client.ask(method, {"target": group["id"], "depth": 1})["nodes"]
    assert uri_of(tree / store) in {child["uri"] for child in part["children"]}
    (file,) = client.ask(method, {"target": store})["nodes"]
    (store_class,) = [child for child in file["children"] if child["label"] == "Store"]
    assert (store_class["id"], store_class["uri"]) == (f"{store}:Store", uri_of(tree / store))
    assert store_class["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    assert client.ask(method, {"target": "nowhere"})["unknown"] == "nowhere"
    given = {"command": "lurcher.tree", "arguments": [{"target": store}]}
    assert client.ask("workspace/executeCommand", given)["nodes"] == [file]
    assert client.refusal(method, {"depth": 0})[0] == ErrorCode.INVALID_PARAMS


def test_a_fetched_node_tells_its_feature_path(served: tuple[Client, Path]) -> None:
    client, _ = served
    ids = ["src/shop/db/store.py:Store", "src/shop/db/store.py", "src/shop/db"]
    answer = client.ask("workspace/chunkSearch/fetchNode", {"ids": ids})
    assert [each["featurePaths"] for each in answer["nodes"]] == [["db"], ["db"], []]
