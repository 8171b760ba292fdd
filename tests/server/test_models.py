"""Embedding models as an editor chooses them: what is sent away is said, and what cannot be had is done without."""

from pathlib import Path

from tests.dense.naughty import answers, served, well
from tests.files.trees import plant
from tests.server.client import Client

SEARCH = "workspace/chunkSearch"
FILES = {"anvil.py": "def anvil():\n    pass\n", "bellows.py": "def bellows():\n    pass\n"}


def test_a_model_that_cannot_be_had_is_said_in_status_and_answers_and_comes_by_itself(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with served(answers(503)) as endpoint:
        settings = {"model": f"endpoint:{endpoint.url}", "endpointModel": "small", "watch": "off"}
        with Client(tmp_path / "store", settings) as client:
            client.initialize([tree])
            status = client.await_heard(
                f"{SEARCH}/statusChanged", lambda told: told["state"] == "ready" and bool(told["lastError"])
            )
            assert "503" in status["lastError"] and status["indexed"] == 2 and status["hasFastSearch"]
            answer = client.search("anvil")
            assert (answer["strategy"], answer["model"]) == ("tfidf", "")
            assert [chunk["uri"].rpartition("/")[2] for chunk in answer["chunks"]] == ["anvil.py"]
            assert any("503" in alert for alert in answer["alerts"])
            (said,) = [told["message"] for told in client.all_heard("window/showMessage")]
            assert "127.0.0.1" in said and "lurcher.model" in said, "a person is told where code goes"
            since = len(client.heard)
            endpoint.behaviours[:] = [well]
            status = client.await_heard(
                f"{SEARCH}/statusChanged", lambda told: told["vectorsReady"] == 1.0 and not told["lastError"], since
            )
            assert status["model"].startswith("small@127.0.0.1")
            answer = client.search("anvil")
            assert (answer["strategy"], answer["model"], answer["alerts"]) == ("embeddings", status["model"], [])


def test_no_model_by_setting(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with Client(tmp_path / "store", {"model": "none", "watch": "off"}) as client:
        client.initialize([tree])
        client.ready()
        answer = client.search("anvil")
        assert (answer["strategy"], answer["model"], answer["alerts"]) == ("tfidf", "", [])
        assert client.all_heard("window/showMessage") == []
