"""Folders that come and go, lie in one another, are links, or are not there at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.files.trees import plant
from tests.server.client import ABLE, Client, Message, folder, paths

from lurcher_server.lsp.uris import uri_of

SEARCH = "workspace/chunkSearch"


def change_folders(client: Client, added: list[Path], removed: list[Path]) -> None:
    """Folders come and go; waited for until the index of those that are left is there."""
    since = len(client.heard)
    event = {"added": [folder(each) for each in added], "removed": [folder(each) for each in removed]}
    client.tell("workspace/didChangeWorkspaceFolders", {"event": event})
    changed = f"{SEARCH}/statusChanged"
    client.await_heard(changed, lambda status: status["state"] == "updating", since)
    client.ready()


def uris(client: Client, query: str, **params: object) -> set[str]:
    answer = client.search(query, strategies=["tfidf"], **params)
    return {chunk["uri"] for chunk in answer["chunks"]}


# -- several


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders that have a file of the same name, and one that lies in the first."""
    return plant(
        tmp_path_factory.mktemp("folders"),
        {
            "front/same.py": "def heron_front():\n    pass\n",
            "front/inner/deep.py": "def heron_inner():\n    pass\n",
            "back/same.py": "def heron_back():\n    return 'egret'\n",
            "late/late.py": "def heron_late():\n    pass\n",
        },
    )


@pytest.fixture(scope="module")
def served(roots: Path) -> Iterator[Client]:
    with Client(roots / "store") as client:
        client.initialize([roots / "front", roots / "back", roots / "front/inner"])
        client.ready()
        yield client


HERON = "heron_front heron_inner heron_back heron_late"


def test_section_8_every_folder_is_searched_and_nested_ones_once(served: Client, roots: Path) -> None:
    answer = served.search(HERON, strategies=["tfidf"])
    expected = [uri_of(roots / path) for path in ("back/same.py", "front/inner/deep.py", "front/same.py")]
    assert sorted(chunk["uri"] for chunk in answer["chunks"]) == expected


def test_section_1_an_absolute_filter_names_one_folder(served: Client, roots: Path) -> None:
    assert uris(served, HERON, include=["same.py"]) == {
        uri_of(roots / each) for each in ("front/same.py", "back/same.py")
    }
    assert uris(served, HERON, include=[f"{roots}/back/same.py"]) == {uri_of(roots / "back/same.py")}
    assert uris(served, HERON, paths=[str(roots / "front/inner")]) == {uri_of(roots / "front/inner/deep.py")}


def test_section_9_explain_tells_files_of_the_same_name_apart(served: Client, roots: Path) -> None:
    params = {"uri": uri_of(roots / "front/same.py"), "search": {"query": "egret", "maxResults": 1}}
    assert served.ask(f"{SEARCH}/explain", params)["inAnswer"] is False


def test_section_8_folders_come_and_go_and_documents_stay_open(served: Client, roots: Path) -> None:
    """Folders that are not there are told of, and keep nobody from searching the others."""
    uri = served.show(roots / "front/same.py", "def stork():\n    pass\n")
    assert uris(served, "stork", minVersions={uri: 1}) == {uri}
    change_folders(served, [roots / "late", roots / "absent"], [roots / "back"])
    assert uris(served, HERON) == {uri_of(roots / path) for path in ("front/inner/deep.py", "late/late.py")}
    assert uris(served, "stork", minVersions={uri: 1}) == {uri}
    assert any("absent" in alert for alert in served.ask(f"{SEARCH}/status")["alerts"])
    served.hide(roots / "front/same.py")
    assert uri in uris(served, HERON, sync=True)
    change_folders(served, [roots / "back"], [roots / "late", roots / "absent"])


def test_section_11_no_ready_without_results_after_folders_changed(served: Client, roots: Path) -> None:
    """Asked for again and again while the engine is exchanged, the status never says ready without a file."""
    plant(roots, {"other/other.py": "def bittern():\n    pass\n"})
    since = len(served.heard)
    served.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder(roots / "other")], "removed": []}})
    asked: list[Message] = []
    while not served.all_heard(f"{SEARCH}/statusChanged", lambda status: status["indexed"] == 4, since):
        asked.append(served.ask(f"{SEARCH}/status"))
    served.ready()
    change_folders(served, [], [roots / "other"])
    assert not [status for status in asked if status["state"] == "ready" and status["indexed"] == 0]


def test_folders_of_other_machines_are_told_of(served: Client) -> None:
    since = len(served.heard)
    event = {"added": [{"uri": "vscode-remote://host/tree", "name": "tree"}], "removed": []}
    served.tell("workspace/didChangeWorkspaceFolders", {"event": event})
    message = served.await_heard("window/showMessage", since=since)
    assert "vscode-remote://host/tree" in message["message"]


# -- away for a while


def test_a_folder_that_is_away_for_a_while_is_no_empty_one(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "def heron():\n    pass\n"})
    with Client(tmp_path / "store") as client:
        client.initialize([tree])
        client.ready()
        tree.rename(tmp_path / "elsewhere")
        for query in ("heron", "nothing is called so"):
            assert "cannot list the workspace folder" in client.refusal(SEARCH, {"query": query, "maxResults": 3})[1]
        client.changed_on_disk(tree / "a.py")
        assert client.until("failed")["indexed"] == 1
        (tmp_path / "elsewhere").rename(tree)
        assert uris(client, "heron") == {uri_of(tree / "a.py")}
        client.ready()
        assert client.search("heron")["complete"]


# -- none


def test_section_8_without_a_folder_open_documents_are_searched(tmp_path: Path) -> None:
    """A single file, opened by itself: nothing else of its directory is looked at."""
    plant(tmp_path, {"alone.py": "def on_disk():\n    pass\n", "beside.py": "def ibis_beside():\n    pass\n"})
    with Client(tmp_path / "store") as client:
        client.initialize([], workspaceFolders=None)
        assert client.search("ibis")["empty"] == "noFiles"
        uri = client.show(tmp_path / "alone.py", "def ibis():\n    pass\n")
        answer = client.search("ibis", minVersions={uri: 1})
        assert [(chunk["uri"], chunk["version"]) for chunk in answer["chunks"]] == [(uri, 1)]
        assert client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})[0]["name"] == "ibis"
        client.hide(tmp_path / "alone.py")
        assert client.search("ibis", sync=True)["empty"] == "noFiles"
        change_folders(client, [tmp_path], [])
        assert uris(client, "ibis_beside") == {uri_of(tmp_path / "beside.py")}


# -- a folder that is a link, and a client that counts in UTF-8


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Path]]:
    place = tmp_path_factory.mktemp("linked")
    long = "😀 plover é " * 300
    files = {
        "one.py": "name = '😀é'; curlew = 1\n",
        "src/two.py": "def curlew_two():\n    pass\n",
        "long.md": long,
        "dos.py": "first = 1\r\navocet = 'é'\r\n",
    }
    plant(place / "real", files)
    (place / "link").symlink_to(place / "real")
    capabilities: Message = {**ABLE, "general": {"positionEncodings": ["utf-16", "utf-8"]}}
    with Client(place / "store") as client:
        answer = client.initialize([place / "link"], capabilities)
        assert answer["capabilities"]["positionEncoding"] == "utf-8"
        client.ready()
        yield client, place / "link"


def test_a_folder_is_called_as_the_client_calls_it(linked: tuple[Client, Path]) -> None:
    client, tree = linked
    assert uris(client, "curlew_two") == {uri_of(tree / "src/two.py")}
    uri = client.show(tree / "src/two.py", "def godwit():\n    pass\n")
    assert uris(client, "godwit", minVersions={uri: 1}) == {uri}
    client.hide(tree / "src/two.py")
    plant(tree, {"src/new.py": "def whimbrel():\n    pass\n"})
    client.changed_on_disk(tree / "src/new.py")
    assert uris(client, "whimbrel", sync=True) == {uri_of(tree / "src/new.py")}


def test_section_1_what_is_in_context_is_known_through_a_link(linked: tuple[Client, Path]) -> None:
    client, tree = linked
    seen = [{"uri": uri_of(tree / "src/two.py")}]
    assert uri_of(tree / "src/two.py") not in uris(client, "curlew_two", alreadyInContext=seen)


def test_section_1_absolute_globs_hold_through_a_link(linked: tuple[Client, Path]) -> None:
    client, tree = linked
    assert uris(client, "curlew_two", include=[f"{tree}/src/**"]) == {uri_of(tree / "src/two.py")}


def test_section_7_ranges_count_as_the_client_does(linked: tuple[Client, Path]) -> None:
    client, tree = linked
    chunk = client.search("curlew", include=["one.py"])["chunks"][0]
    assert chunk["range"]["end"] == {"line": 0, "character": len("name = '😀é'; curlew = 1".encode())}
    uri = client.show(tree / "one.py", "name = '😀é'; curlew = 1\n")
    edits = [{"range": {"start": {"line": 0, "character": 17}, "end": {"line": 0, "character": 23}}, "text": "dunlin"}]
    client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": edits})
    (chunk,) = client.search("dunlin", maxResults=1, minVersions={uri: 2})["chunks"]
    assert chunk["rawText"] == "name = '😀é'; dunlin = 1"
    client.hide(tree / "one.py")


def test_section_7_pieces_of_a_long_line_have_exact_ranges(linked: tuple[Client, Path]) -> None:
    client, tree = linked
    answer = client.search("plover", include=["long.md"], maxResults=50, strategies=["tfidf"])
    whole = (tree / "long.md").read_bytes()
    assert len(answer["chunks"]) >= 3
    for chunk in answer["chunks"]:
        start, end = chunk["range"]["start"], chunk["range"]["end"]
        assert (start["line"], end["line"]) == (0, 0)
        assert whole[start["character"] : end["character"]].decode() == chunk["rawText"]


def test_section_7_line_ends_of_windows_count_as_one(linked: tuple[Client, Path]) -> None:
    client, tree = linked
    (chunk,) = client.search("avocet", include=["dos.py"])["chunks"]
    assert chunk["rawText"] == "first = 1\r\navocet = 'é'"
    assert chunk["range"]["end"] == {"line": 1, "character": 13}
    assert paths({"chunks": [chunk]}, tree) == ["dos.py"]
