"""Settings, pulled and pushed; a place for the index that cannot be used."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.files.trees import plant
from tests.server.client import Client, paths

SEARCH = "workspace/chunkSearch"
FILES = {"anvil.py": "def anvil():\n    pass\n", "legacy/anvil_old.py": "def anvil_old():\n    pass\n"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("settings") / "tree", FILES)


@pytest.fixture(scope="module")
def served(tree: Path) -> Iterator[Client]:
    (tree.parent / "taken").write_text("a file where the directory for indexes should be")
    bad = {"workers": 0, "watch": "sometimes", "wrokers": 1, "embeddings": False}
    with Client(tree.parent / "taken", bad) as client:
        client.initialize([tree])
        client.ready()
        yield client


def warnings(client: Client, since: int = 0) -> list[str]:
    return [params["message"] for params in client.all_heard("window/showMessage", since=since)]


def test_settings_are_pulled_and_bad_ones_are_one_warning_each(served: Client) -> None:
    asked = served.all_heard("workspace/configuration")
    assert asked[0] == {"items": [{"section": "lurcher"}]}
    said = warnings(served)
    assert len(said) == 3
    for name in ("lurcher.workers", "lurcher.watch", "lurcher.wrokers"):
        assert sum(name in text for text in said) == 1


def test_good_settings_beside_bad_ones_are_used(served: Client) -> None:
    answer = served.search("anvil")
    assert answer["strategy"] == "tfidf"
    whys = {row["strategy"]: row["detail"] for row in answer["attempts"]}
    assert whys["embeddings"] == whys["tfidfSemantic"] == "there is no embedding model"


def test_section_10_a_store_that_cannot_be_written_means_memory(served: Client) -> None:
    status = served.ask(f"{SEARCH}/status")
    assert (status["store"], status["state"], status["indexed"]) == ("memory", "ready", 2)
    answer = served.search("anvil")
    assert answer["chunks"]
    assert any("kept in memory" in alert for alert in answer["alerts"])
    assert any("kept in memory" in alert for alert in status["alerts"])


def test_section_9_changed_settings_are_pulled_again_and_hold(served: Client, tree: Path) -> None:
    """A client that can be asked is asked, whatever the notification carries."""
    since = len(served.heard)
    served.settings = {"store": ":memory:", "exclude": ["legacy/"], "embeddings": False}
    served.tell("workspace/didChangeConfiguration", {"settings": {"lurcher": {"exclude": ["anvil.py"]}}})
    served.await_heard(f"{SEARCH}/statusChanged", lambda _status: True, since)
    served.ready()
    answer = served.search("anvil anvil_old")
    assert paths(answer, tree) == ["anvil.py"]
    # What is excluded stands nowhere, and half of the question with it: that is said, and nothing about settings.
    assert answer["alerts"] == ["nothing here seems to answer the question; this is what comes nearest to it"]
    assert warnings(served, since) == []


def test_section_9_settings_may_be_pushed(tmp_path: Path) -> None:
    """A client that cannot be asked gives options at the start and pushes changes. The index is built on demand only,
    and what an editor shows is found without it."""
    tree = plant(tmp_path / "tree", FILES)
    store = tmp_path / "store"
    options = {"lurcher": {"store": str(store), "indexOnStart": False, "embeddings": False, "watch": "off"}}
    with Client(store) as client:
        client.initialize([tree], {}, initializationOptions=options)
        assert client.until("requiresIndexing")["indexed"] == 0
        answer = client.search("anvil")
        assert (answer["empty"], answer["complete"]) == ("notIndexedYet", False)
        uri = client.show(tree / "anvil.py", "def anvil():\n    return 'shown'\n")
        assert [chunk["uri"] for chunk in client.search("anvil", minVersions={uri: 1})["chunks"]] == [uri]
        pushed = {**options["lurcher"], "indexOnStart": True, "exclude": ["anvil.py"]}
        client.tell("workspace/didChangeConfiguration", {"settings": {"lurcher": pushed}})
        client.await_heard(f"{SEARCH}/statusChanged", lambda status: status["state"] == "ready")
        assert paths(client.search("anvil_old"), tree) == ["legacy/anvil_old.py"]
        assert not client.all_heard("workspace/configuration")
