"""Search scopes and feature paths over the wire."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.features.grown import SHOP
from tests.files.trees import plant
from tests.server.client import Client, paths

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
