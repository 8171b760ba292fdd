"""What the editor shows and what lies on disk: the newest text is searched, and nothing stale is ever shown."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.files.trees import plant
from tests.server.client import Client, Message, paths

from lurcher_server.lsp.uris import uri_of

FILES = {
    "lion.py": "def lion():\n    return 'on disk'\n",
    "tiger.py": "def tiger():\n    return 'on disk'\n",
    "stale.py": "def panther():\n    return 'on disk'\n",
    "gone.py": "def jaguar():\n    return 'on disk'\n",
    "herd/one.py": "def gazelle_one():\n    pass\n",
    "herd/two.py": "def gazelle_two():\n    pass\n",
    "with space.py": "def spaced_ocelot():\n    pass\n",
    "wide/数据 ü.py": "def wide_ocelot():\n    pass\n",
    "100%25.py": "def percent_ocelot():\n    pass\n",
    "hash#mark?.py": "def marked_ocelot():\n    pass\n",
}


class Served(NamedTuple):
    client: Client
    tree: Path

    def found(self, query: str, **params: object) -> list[str]:
        """Files with the words of the question; without vectors, which find what is merely alike."""
        return sorted(set(paths(self.client.search(query, strategies=["tfidf"], **params), self.tree)))

    def change(self, path: str, version: int, *changes: Message) -> None:
        document = {"uri": uri_of(self.tree / path), "version": version}
        self.client.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("documents")
    with Client(place / "store") as client:
        client.initialize([plant(place / "tree", FILES)])
        client.ready()
        yield Served(client, place / "tree")


def edit(line: int, start: int, end: int, text: str) -> Message:
    places = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"range": places, "text": text}


def test_section_8_unsaved_text_wins_and_closing_restores_the_disk(served: Served) -> None:
    """Section 10 too: the editor is closed with unsaved changes."""
    uri = served.client.show(served.tree / "lion.py", "def lion():\n    return 'serval'\n")
    answer = served.client.search("serval", minVersions={uri: 1})
    assert [(chunk["uri"], chunk["version"]) for chunk in answer["chunks"]] == [(uri, 1)]
    assert answer["freshness"]["unsaved"] == 1
    assert "serval" in answer["chunks"][0]["rawText"]
    served.client.hide(served.tree / "lion.py")
    assert served.found("serval", sync=True) == []
    back = served.client.search("lion")["chunks"][0]
    assert ("on disk" in back["rawText"], back["version"]) == (True, None)


def test_section_1_a_minimum_version_is_what_is_searched(served: Served) -> None:
    uri = served.client.show(served.tree / "tiger.py", "def tiger():\n    return 'draft_0'\n")
    for version in range(2, 12):
        served.change("tiger.py", version, {"text": f"def tiger():\n    return 'draft_{version}'\n"})
        (chunk,) = served.client.search(f"draft_{version}", maxResults=1, minVersions={uri: version})["chunks"]
        assert (chunk["version"], f"draft_{version}'" in chunk["rawText"]) == (version, True)
    served.client.hide(served.tree / "tiger.py")


def test_section_8_edits_are_applied_in_utf_16(served: Served) -> None:
    """Each astral character is two units for this client, which has not asked for another way to count."""
    uri = served.client.show(served.tree / "astral.py", "name = '😀😀'; caracal = 1\n")
    served.change("astral.py", 2, edit(0, 15, 22, "bobcat"), edit(0, 10, 12, "é"))
    (chunk,) = served.client.search("bobcat", maxResults=1, minVersions={uri: 2})["chunks"]
    assert chunk["rawText"] == "name = '😀é'; bobcat = 1"
    assert chunk["range"]["end"] == {"line": 0, "character": 24}
    assert served.found("caracal") == []
    served.client.hide(served.tree / "astral.py")


def test_a_form_feed_is_no_end_of_line(served: Served) -> None:
    uri = served.client.show(served.tree / "feed.py", "one = 1\x0c\ntwo = 2\n")
    served.change("feed.py", 2, edit(1, 0, 3, "lynx"))
    (chunk,) = served.client.search("lynx", maxResults=1, minVersions={uri: 2})["chunks"]
    assert chunk["rawText"] == "one = 1\x0c\nlynx = 2"
    served.client.hide(served.tree / "feed.py")


def test_section_8_a_saved_document_stays_found(served: Served) -> None:
    path = served.tree / "saved.py"
    uri = served.client.show(path, "def kodkod():\n    pass\n")
    path.write_text("def kodkod():\n    pass\n")
    served.client.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    answer = served.client.search("kodkod", sync=True)
    assert answer["freshness"]["unsaved"] == 0
    assert [(chunk["uri"], chunk["version"]) for chunk in answer["chunks"]] == [(uri, 1)]
    served.client.hide(path)
    assert served.found("kodkod", sync=True) == ["saved.py"]


def test_edits_of_documents_that_are_not_open_are_ignored(served: Served) -> None:
    served.change("never_opened.py", 3, {"text": "manul = 1"})
    assert served.found("manul", sync=True) == []


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("spaced_ocelot", "with space.py"),
        ("wide_ocelot", "wide/数据 ü.py"),
        ("percent_ocelot", "100%25.py"),
        ("marked_ocelot", "hash#mark?.py"),
    ],
)
def test_odd_names_come_out_as_uris_and_go_in_as_such(served: Served, query: str, path: str) -> None:
    chunk = served.client.search(query)["chunks"][0]
    assert chunk["uri"] == uri_of(served.tree / path) == (served.tree / path).as_uri()
    uri = served.client.show(served.tree / path, f"{query}_shown = 1")
    (shown,) = served.client.search(f"{query}_shown", maxResults=1, minVersions={uri: 1})["chunks"]
    assert (shown["uri"], shown["version"]) == (uri, 1)
    served.client.hide(served.tree / path)


def test_section_10_a_change_of_an_unknown_file_is_its_creation(served: Served) -> None:
    plant(served.tree, {"new/born.py": "def sandcat():\n    pass\n"})
    served.client.changed_on_disk(served.tree / "new/born.py")
    assert served.found("sandcat", sync=True) == ["new/born.py"]


def test_section_8_deleted_files_and_folders_are_gone(served: Served) -> None:
    assert served.found("gazelle_one gazelle_two") == ["herd/one.py", "herd/two.py"]
    (served.tree / "gone.py").unlink()
    (served.tree / "herd").rename(served.tree / "flock")
    moved = {"oldUri": uri_of(served.tree / "herd"), "newUri": uri_of(served.tree / "flock")}
    served.client.tell("workspace/didRenameFiles", {"files": [moved]})
    served.client.tell("workspace/didDeleteFiles", {"files": [{"uri": uri_of(served.tree / "gone.py")}]})
    assert served.found("jaguar", sync=True) == []
    served.client.ready()
    assert served.found("gazelle_one gazelle_two") == ["flock/one.py", "flock/two.py"]
    shutil.rmtree(served.tree / "flock")
    served.client.changed_on_disk(served.tree / "flock")
    assert served.found("gazelle_one gazelle_two", sync=True) == []


def test_section_1_sync_waits_for_a_new_folder_too(served: Served) -> None:
    plant(served.tree, {f"fresh/{name}.py": f"def rusty_{name}():\n    pass\n" for name in ("a", "b")})
    served.client.tell("workspace/didCreateFiles", {"files": [{"uri": uri_of(served.tree / "fresh")}]})
    answer = served.client.search("rusty_a", sync=True, strategies=["tfidf"])
    assert paths(answer, served.tree) == ["fresh/a.py"] or not answer["complete"]


def test_what_changed_on_disk_is_never_shown_stale(served: Served) -> None:
    """Nobody told the server of the change; it notices when it reads the chunk."""
    (served.tree / "stale.py").write_text("def cougar():\n    return 'later'\n")
    answer = served.client.search("panther")
    assert all("panther" not in chunk["rawText"] for chunk in answer["chunks"])
    assert served.found("cougar") == ["stale.py"]


def test_section_10_blank_and_unreadable_documents_do_no_harm(served: Served) -> None:
    blank = served.client.show(served.tree / "blank.py", " \n\t\n")
    other = {"uri": "untitled:Untitled-1", "languageId": "", "version": 1, "text": "pampas = 1"}
    served.client.tell("textDocument/didOpen", {"textDocument": other})
    served.client.show(served.tree / "binary.py", "pampas\0cat")
    answer = served.client.search("pampas", sync=True, minVersions={blank: 1}, strategies=["tfidf"])
    assert (answer["chunks"], answer["empty"]) == ([], "noMatch")
    for name in ("blank.py", "binary.py"):
        served.client.hide(served.tree / name)


def test_symbols_come_from_what_is_shown(served: Served) -> None:
    uri = served.client.show(served.tree / "symbols.py", "class Fossa:\n    def hunt(self): return '😀'\n")
    served.client.search("fossa", minVersions={uri: 1})
    listed = served.client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [(each["name"], each["containerName"]) for each in listed] == [("Fossa", ""), ("hunt", "Fossa")]
    assert listed[1]["location"]["range"]["end"] == {"line": 1, "character": 31}
    named = served.client.ask("workspace/symbol", {"query": "foss"})
    assert [(each["name"], each["location"]["uri"]) for each in named] == [("Fossa", uri)]
    served.client.hide(served.tree / "symbols.py")
