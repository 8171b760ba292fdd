"""While the index is built, and after the server was away."""

from pathlib import Path

from filelock import FileLock
from tests.files.trees import plant
from tests.server.client import Client, paths

from lurcher_index import Settings
from lurcher_index.store.places import place_for
from lurcher_server.lsp.updating import SCAN_PATHS

SEARCH = "workspace/chunkSearch"
FILES = {
    "mill.py": "def grind_flour():\n    pass\n",
    "gone.py": "def grind_gone():\n    pass\n",
    "edited.py": "def grind_before():\n    pass\n",
}


def test_section_5_the_index_is_usable_while_it_builds(tmp_path: Path) -> None:
    """The build is held up by somebody who holds the lock for writing; meanwhile everything is answered, a caller's
    cancel does not stop the build (section 10), and progress is shown with a cancel button that does (section 9).
    Then the server leaves, files change, and the next one knows (sections 8 and 10)."""
    tree = plant(tmp_path / "tree", FILES)
    place = place_for([tree.resolve()], Settings().shape(), tmp_path / "store")
    place.directory.mkdir(parents=True)
    with Client(tmp_path / "store") as client:
        with FileLock(place.lock):
            client.initialize([tree])
            assert client.until("updating")["hasFastSearch"] is False
            _answers_while_it_builds(client, tree)
            begun = client.await_heard("$/progress", lambda params: params["value"]["kind"] == "begin")
            client.tell("window/workDoneProgress/cancel", {"token": begun["token"]})
            status = client.until("requiresIndexing")
            assert "Build index" in status["message"]
            ended = client.await_heard("$/progress", lambda params: params["value"]["kind"] == "end")
            assert ended["token"] == begun["token"]
        client.ask(f"{SEARCH}/rebuild")
        client.ready()
        assert set(paths(client.search("grind", strategies=["tfidf"]), tree)) == set(FILES)
    _changes_while_the_server_was_off(tmp_path, tree)


def _answers_while_it_builds(client: Client, tree: Path) -> None:
    answer = client.search("grind_flour")
    assert (answer["chunks"], answer["empty"], answer["complete"]) == ([], "notIndexedYet", False)
    assert answer["alerts"]
    uri = client.show(tree / "mill.py", "def grind_flour():\n    return 'shown'\n")
    answer = client.search("grind_flour", minVersions={uri: 1})
    assert paths(answer, tree) == ["mill.py"]
    assert not answer["complete"]
    cancelled = client.answer(client.begin_and_cancel(SEARCH, {"query": "grind", "maxResults": 1}))
    assert cancelled["error"]["code"] == -32800
    assert client.ask(f"{SEARCH}/status")["state"] == "updating"
    client.hide(tree / "mill.py")


def _changes_while_the_server_was_off(tmp_path: Path, tree: Path) -> None:
    (tree / "gone.py").unlink()
    (tree / "edited.py").write_text("def grind_after_the_edit():\n    pass\n")
    plant(tree, {"born.py": "def grind_born():\n    pass\n"})
    with Client(tmp_path / "store") as client:
        client.initialize([tree])
        early = client.search("grind_gone grind_before")
        assert "gone.py" not in paths(early, tree)
        assert all("grind_before" not in chunk["rawText"] for chunk in early["chunks"])
        client.ready()
        assert set(paths(client.search("grind", strategies=["tfidf"]), tree)) == {"mill.py", "edited.py", "born.py"}


def test_section_1_before_the_files_were_compared_nothing_is_called_complete(tmp_path: Path) -> None:
    """An index of yesterday, files of today, and a build that waits: what is new cannot be missed in silence."""
    tree = plant(tmp_path / "tree", FILES)
    with Client(tmp_path / "store") as client:
        client.initialize([tree])
        client.ready()
        assert client.search("grind")["complete"]
    plant(tree, {"born.py": "def grind_born():\n    pass\n"})
    place = place_for([tree.resolve()], Settings().shape(), tmp_path / "store")
    with Client(tmp_path / "store") as client:
        with FileLock(place.lock):
            client.initialize([tree])
            assert client.until("updating")["complete"] is False
            assert client.ask(f"{SEARCH}/status")["hasFastSearch"] is False
            answer = client.search("grind_born", tokenBudget=50_000)
            assert (answer["complete"], answer["isFullWorkspace"]) == (False, False)
            assert any("not been compared" in alert for alert in answer["alerts"])
        assert client.ready()["complete"] is True
        answer = client.search("grind_born", tokenBudget=50_000)
        assert (answer["complete"], answer["isFullWorkspace"]) == (True, True)


def test_after_a_burst_nothing_is_called_complete_before_a_scan(tmp_path: Path) -> None:
    """More changes than are followed one by one, and a scan that waits for somebody else."""
    tree = plant(tmp_path / "tree", FILES)
    place = place_for([tree.resolve()], Settings().shape(), tmp_path / "store")
    with Client(tmp_path / "store") as client:
        client.initialize([tree])
        client.ready()
        burst = plant(tree, {f"burst{n}.py": f"def grind_burst_{n}(): pass\n" for n in range(SCAN_PATHS + 1)})
        with FileLock(place.lock):
            client.changed_on_disk(*sorted(burst.glob("burst*.py")))
            status = client.until("updating")
            assert (status["complete"], status["hasFastSearch"]) == (False, False)
            answer = client.search("grind_burst_7")
            assert "burst7.py" not in paths(answer, tree) and not answer["complete"]
        assert client.ready()["complete"] is True
        answer = client.search("grind_burst_7", maxResults=1)
        assert (paths(answer, tree), answer["complete"]) == (["burst7.py"], True)


def test_section_9_build_index_reads_what_is_new_and_keeps_the_rest(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with Client(tmp_path / "store") as client:
        client.initialize([tree], {}, initializationOptions={"lurcher": {"indexOnStart": False, "watch": "off"}})
        status = client.until("requiresIndexing")
        assert (status["indexed"], "Build index" in status["message"]) == (0, True)
        for born in ("one", "two"):
            plant(tree, {f"{born}.py": f"def grind_{born}():\n    pass\n"})
            done = client.ask(f"{SEARCH}/build")
            assert done == {"done": True, "message": "The index is being brought up to date."}
            client.ready()
            found = paths(client.search("grind", strategies=["tfidf"]), tree)
            assert set(FILES) <= set(found) and f"{born}.py" in found


def test_section_10_a_server_may_leave_while_it_starts(tmp_path: Path) -> None:
    """Shut down before anything is loaded; leaving checks the exit code and the answers."""
    with Client(tmp_path / "store") as client:
        client.initialize([plant(tmp_path / "tree", FILES)])
        client.show(tmp_path / "tree/mill.py", "def grind():\n    pass\n")
