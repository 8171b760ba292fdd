"""Definitions, references and the call hierarchy for editors, and the nodes of the graph by their ids."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.files.trees import plant
from tests.server.client import ABLE, Client, Message

from lurcher_server.lsp.messages import ErrorCode
from lurcher_server.lsp.uris import uri_of

FETCH = "workspace/chunkSearch/fetchNode"
EXPLORE = "workspace/chunkSearch/exploreGraph"

FILES = {
    "kennel.py": (
        "class Kennel:\n"
        "    def feed_hound(self, bowl):\n"
        "        return fill_bowl(bowl)\n"
        "\n\n"
        "def fill_bowl(bowl):\n"
        "    return print(bowl)\n"
    ),
    "yard.py": (
        "from kennel import fill_bowl\n"
        "\n\n"
        "def morning_round(bowls):\n"
        "    label = '🐕🐕é'; fill_bowl(bowls); fill_bowl(label)\n"
        "    return label\n"
        "\n\n"
        "fill_bowl('at the gate')\n"
    ),
    "dos.py": "def first():\r\n    pass\r\n\r\n\r\ndef whistle_é():\r\n    return first()\r\n",
    "run.sh": "fetch_stick() {\n  echo stick\n}\n\nfetch_stick\n",
}


class Served(NamedTuple):
    client: Client
    tree: Path
    encoding: str

    def at(self, path: str, word: str, nth: int = 0) -> Message:
        """Params for the place of a word in a file: a character behind where it begins."""
        start = self.ranges(path, word)[nth]["start"]
        place = {"line": start["line"], "character": start["character"] + 1}
        return {"textDocument": {"uri": uri_of(self.tree / path)}, "position": place}

    def ranges(self, path: str, word: str, text: str = "") -> list[Message]:
        """Where a word stands in a file, counted as the client does."""
        found: list[Message] = []
        for number, line in enumerate((text or (self.tree / path).read_bytes().decode()).splitlines()):
            at = line.find(word)
            while at >= 0:
                start = self.length(line[:at])
                end = start + self.length(word)
                found.append({"start": {"line": number, "character": start}, "end": {"line": number, "character": end}})
                at = line.find(word, at + 1)
        return found

    def length(self, text: str) -> int:
        return len(text.encode("utf-16-le")) // 2 if self.encoding == "utf-16" else len(text.encode())

    def places(self, answer: Any) -> list[tuple[str, Message]]:
        start = uri_of(self.tree) + "/"
        return [(each["uri"].removeprefix(start), each["range"]) for each in answer]

    def item(self, path: str, word: str, nth: int = 0) -> Message:
        (item,) = self.client.ask("textDocument/prepareCallHierarchy", self.at(path, word, nth))
        found: Message = item
        return found

    def calls(self, way: str, item: Message) -> dict[str, list[Message]]:
        """The ranges of the calls by the id at their other end."""
        side = {"incoming": "from", "outgoing": "to"}[way]
        answer = self.client.ask(f"callHierarchy/{way}Calls", {"item": item})
        return {call[side]["data"]: call["fromRanges"] for call in answer}


@pytest.fixture(scope="module", params=["utf-16", "utf-8"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Clients that count in either way; the second one opened the folder through a link."""
    place = tmp_path_factory.mktemp("structure")
    real = plant(place / "real", FILES)
    tree = real
    if request.param == "utf-8":
        tree = place / "link"
        tree.symlink_to(real)
    capabilities = {**ABLE, "general": {"positionEncodings": [request.param]}}
    with Client(place / "store", {"embeddings": False}) as client:
        client.initialize([tree], capabilities)
        client.ready()
        yield Served(client, tree, request.param)


# -- definition and references


@pytest.mark.parametrize(
    ("path", "word", "nth", "where", "place"),
    [
        ("yard.py", "fill_bowl", 1, "kennel.py", 1),
        ("kennel.py", "fill_bowl", 0, "kennel.py", 1),
        ("kennel.py", "fill_bowl", 1, "kennel.py", 1),
        ("dos.py", "first", 1, "dos.py", 0),
        ("run.sh", "fetch_stick", 1, "run.sh", 0),
    ],
)
def test_a_definition_is_where_its_name_stands(
    served: Served, path: str, word: str, nth: int, where: str, place: int
) -> None:
    answer = served.client.ask("textDocument/definition", served.at(path, word, nth))
    assert served.places(answer) == [(where, served.ranges(where, word)[place])]


def test_references_are_exact_behind_characters_of_several_units(served: Served) -> None:
    asked = served.at("kennel.py", "fill_bowl", 1)
    answer = served.client.ask("textDocument/references", {**asked, "context": {"includeDeclaration": False}})
    used = [("kennel.py", served.ranges("kennel.py", "fill_bowl")[0])]
    used += [("yard.py", each) for each in served.ranges("yard.py", "fill_bowl")]
    assert served.places(answer) == used
    whole = served.client.ask("textDocument/references", {**asked, "context": {"includeDeclaration": True}})
    assert served.places(whole) == [used[0], ("kennel.py", served.ranges("kennel.py", "fill_bowl")[1]), *used[1:]]


@pytest.mark.parametrize("method", ["definition", "references", "prepareCallHierarchy"])
@pytest.mark.parametrize(
    ("path", "line", "character"),
    [
        ("kennel.py", 3, 0),  # An empty line.
        ("kennel.py", 6, 13),  # `print`, which is a library's.
        ("kennel.py", 0, 9_999),  # Behind the end of a line, where nothing is defined.
        ("kennel.py", 9_999, 0),
        ("absent.py", 0, 0),
    ],
)
def test_where_nothing_known_stands_nothing_is_found(
    served: Served, method: str, path: str, line: int, character: int
) -> None:
    params = {
        "textDocument": {"uri": uri_of(served.tree / path)},
        "position": {"line": line, "character": character},
        "context": {"includeDeclaration": True},
    }
    assert not served.client.ask(f"textDocument/{method}", params)


def test_documents_that_are_no_files_have_nothing(served: Served) -> None:
    params = {"textDocument": {"uri": "untitled:Untitled-1"}, "position": {"line": 0, "character": 0}}
    for method in ("definition", "references", "prepareCallHierarchy"):
        assert not served.client.ask(f"textDocument/{method}", params)


def test_every_definition_of_a_name_is_listed(served: Served) -> None:
    text = "def whelp_a():\n    return 1\n\n\ndef whelp_a():\n    return 2\n\n\nrows = [whelp_a]\n"
    uri = served.client.show(served.tree / "twice.py", text)
    asked = {"textDocument": {"uri": uri}, "position": {"line": 8, "character": 9}}
    answer = served.client.ask("textDocument/definition", asked)
    assert [each["range"] for each in answer] == served.ranges("", "whelp_a", text)[:2]
    items = served.client.ask("textDocument/prepareCallHierarchy", asked)
    assert [item["data"] for item in items] == ["twice.py:whelp_a", "twice.py:whelp_a#2"]
    served.client.hide(served.tree / "twice.py")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.py", "from kennel import (\n    other,\n    fill_bowl,\n)\n\nother(fill_bowl)\n"),
        ("plain.py", "from kennel import fill_bowl as fill_bowl\n"),
    ],
)
def test_an_import_is_marked_where_the_name_stands(served: Served, name: str, text: str) -> None:
    served.client.show(served.tree / name, text)
    asked = {**served.at("kennel.py", "fill_bowl", 1), "context": {"includeDeclaration": False}}
    places = served.places(served.client.ask("textDocument/references", asked))
    assert (name, served.ranges("", "fill_bowl", text)[0]) in places
    served.client.hide(served.tree / name)


def test_names_before_their_module_are_found_too(served: Served) -> None:
    library = "export function wag_tail() {}\n"
    text = "import {\n  sit,\n  wag_tail,\n} from './library';\n\nwag_tail();\n"
    served.client.show(served.tree / "library.ts", library)
    served.client.show(served.tree / "dog.ts", text)
    asked = {"textDocument": {"uri": uri_of(served.tree / "library.ts")}, "position": {"line": 0, "character": 18}}
    answer = served.client.ask("textDocument/references", asked)
    assert served.places(answer) == [("dog.ts", each) for each in served.ranges("", "wag_tail", text)]
    for name in ("library.ts", "dog.ts"):
        served.client.hide(served.tree / name)


# -- call hierarchy


def test_an_item_is_a_whole_definition_with_its_node_id(served: Served) -> None:
    item = served.item("kennel.py", "feed_hound")
    assert (item["name"], item["kind"], item["data"]) == ("feed_hound", 6, "kennel.py:Kennel.feed_hound")
    assert item["uri"] == uri_of(served.tree / "kennel.py")
    assert item["selectionRange"] == served.ranges("kennel.py", "feed_hound")[0]
    assert (item["range"]["start"]["line"], item["range"]["end"]["line"]) == (1, 2)


def test_incoming_calls_are_grouped_by_caller(served: Served) -> None:
    in_yard = served.ranges("yard.py", "fill_bowl")
    assert served.calls("incoming", served.item("yard.py", "fill_bowl", 1)) == {
        "kennel.py:Kennel.feed_hound": [served.ranges("kennel.py", "fill_bowl")[0]],
        "yard.py:morning_round": in_yard[1:3],
        "yard.py": in_yard[3:],
    }


def test_a_file_calls_and_is_not_called(served: Served) -> None:
    item = served.item("kennel.py", "fill_bowl", 1)
    callers = served.client.ask("callHierarchy/incomingCalls", {"item": item})
    (file,) = [call["from"] for call in callers if call["from"]["data"] == "yard.py"]
    assert (file["name"], file["kind"]) == ("yard.py", 1)
    assert served.calls("incoming", file) == {}
    assert "kennel.py:fill_bowl" in served.calls("outgoing", file)


def test_outgoing_calls_are_those_of_the_workspace(served: Served) -> None:
    """A library's function has no item."""
    assert served.calls("outgoing", served.item("yard.py", "morning_round")) == {
        "kennel.py:fill_bowl": served.ranges("yard.py", "fill_bowl")[1:3]
    }
    assert served.calls("outgoing", served.item("kennel.py", "fill_bowl", 1)) == {}


@pytest.mark.parametrize("id", ["", "kennel.py:gone", "fill_bowl", "../kennel.py:fill_bowl", "x" * 10_000])
def test_an_item_that_is_gone_has_no_calls(served: Served, id: str) -> None:
    item = {**served.item("kennel.py", "fill_bowl", 1), "data": id}
    assert served.calls("incoming", item) == served.calls("outgoing", item) == {}


# -- unsaved text


def test_what_was_just_typed_counts(served: Served) -> None:
    """Nothing but the order of the messages says that the edit came first."""
    text = "from kennel import fill_bowl\n\n\ndef evening_round():\n    '🦴'; fill_bowl(1)\n"
    uri = served.client.show(served.tree / "yard.py", text)
    typed = served.ranges("", "fill_bowl", text)
    assert served.calls("incoming", served.item("kennel.py", "fill_bowl", 1)) == {
        "kennel.py:Kennel.feed_hound": [served.ranges("kennel.py", "fill_bowl")[0]],
        "yard.py:evening_round": typed[1:],
    }
    asked = {**served.at("kennel.py", "fill_bowl", 1), "context": {"includeDeclaration": False}}
    answer = served.client.ask("textDocument/references", asked)
    assert [range for path, range in served.places(answer) if path == "yard.py"] == typed
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "# " + text}]}
    served.client.tell("textDocument/didChange", change)
    fetched = served.client.ask(FETCH, {"ids": ["yard.py:evening_round"]})
    assert fetched["nodes"][0]["node"]["selectionRange"]["start"]["line"] == 3
    served.client.hide(served.tree / "yard.py")
    assert "yard.py:morning_round" in served.calls("incoming", served.item("kennel.py", "fill_bowl", 1))


def test_a_cancelled_question_is_answered_as_such(served: Served) -> None:
    for method in ("references", "definition", "prepareCallHierarchy"):
        params = {**served.at("kennel.py", "fill_bowl"), "context": {"includeDeclaration": True}}
        answer = served.client.answer(served.client.begin_and_cancel(f"textDocument/{method}", params))
        assert answer["error"]["code"] == ErrorCode.REQUEST_CANCELLED
    assert served.client.ask("textDocument/definition", served.at("kennel.py", "fill_bowl"))


# -- nodes by id


def test_a_node_is_fetched_with_its_code_and_its_neighbours(served: Served) -> None:
    ids = ["kennel.py:Kennel", "dos.py:whistle_é", "kennel.py", "no/such.py:thing"]
    answer = served.client.ask(FETCH, {"ids": ids})
    assert answer["unknown"] == ["no/such.py:thing"]
    kennel, whistle, file = answer["nodes"]
    assert kennel["code"] == "class Kennel:\n    def feed_hound(self, bowl):\n        return fill_bowl(bowl)"
    assert kennel["container"]["id"] == "kennel.py"
    assert [member["id"] for member in kennel["members"]] == ["kennel.py:Kennel.feed_hound"]
    node = whistle["node"]
    assert (node["kind"], node["language"], node["uri"]) == ("function", "python", uri_of(served.tree / "dos.py"))
    assert node["selectionRange"] == served.ranges("dos.py", "whistle_é")[0]
    assert (file["node"]["kind"], file["code"]) == ("file", FILES["kennel.py"])


def test_the_graph_is_explored_along_the_links_asked_for(served: Served) -> None:
    params = {"ids": ["kennel.py:fill_bowl", "nowhere"], "direction": "up", "depth": 1, "kinds": ["invokes"]}
    answer = served.client.ask(EXPLORE, params)
    assert (answer["roots"], answer["unknown"]) == (["kennel.py:fill_bowl"], ["nowhere"])
    links = {(link["source"], link["target"], link["kind"]) for link in answer["links"]}
    callers = ("kennel.py:Kennel.feed_hound", "yard.py:morning_round", "yard.py")
    assert links == {(caller, "kennel.py:fill_bowl", "invokes") for caller in callers}
    (line,) = {link["line"] for link in answer["links"] if link["source"] == "kennel.py:Kennel.feed_hound"}
    assert line == served.ranges("kennel.py", "fill_bowl")[0]["start"]["line"]
    assert {node["id"] for node in answer["nodes"]} == {"kennel.py:fill_bowl", *callers}
    few = served.client.ask(EXPLORE, {**params, "limit": 2})
    assert (len(few["nodes"]), few["truncated"]) == (2, True)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        (FETCH, {}),
        (FETCH, {"ids": "kennel.py"}),
        (FETCH, {"ids": ["x"] * 1_001}),
        (EXPLORE, {"ids": ["kennel.py"], "direction": "sideways"}),
        (EXPLORE, {"ids": ["kennel.py"], "kinds": ["likes"]}),
        (EXPLORE, {"ids": ["kennel.py"], "depth": 11}),
        (EXPLORE, {"ids": ["kennel.py"], "limit": 0}),
    ],
)
def test_what_cannot_be_asked_is_refused(served: Served, method: str, params: Message) -> None:
    assert served.client.refusal(method, params)[0] == ErrorCode.INVALID_PARAMS


def test_the_commands_do_the_same(served: Served) -> None:
    for command, method in (("lurcher.fetchNode", FETCH), ("lurcher.exploreGraph", EXPLORE)):
        params = {"ids": ["kennel.py:Kennel"]}
        given = {"command": command, "arguments": [params]}
        assert served.client.ask("workspace/executeCommand", given) == served.client.ask(method, params)


# -- two folders


def test_two_folders_are_told_apart(tmp_path: Path) -> None:
    """Both have a file of the same name, and one calls into the other."""
    files = {
        "one/app.py": "def bark():\n    pass\n",
        "one/howling.py": "def howl_one():\n    pass\n",
        "two/app.py": "from howling import howl_one\n\n\ndef howl_two():\n    howl_one()\n",
    }
    plant(tmp_path, files)
    with Client(tmp_path / "store", {"embeddings": False}) as client:
        client.initialize([tmp_path / "one", tmp_path / "two"])
        client.ready()
        asked = {"textDocument": {"uri": uri_of(tmp_path / "two/app.py")}, "position": {"line": 4, "character": 5}}
        (item,) = client.ask("textDocument/prepareCallHierarchy", asked)
        assert (item["data"], item["uri"]) == ("one/howling.py:howl_one", uri_of(tmp_path / "one/howling.py"))
        (call,) = client.ask("callHierarchy/incomingCalls", {"item": item})
        assert (call["from"]["data"], call["from"]["uri"]) == ("two/app.py:howl_two", uri_of(tmp_path / "two/app.py"))
        fetched = client.ask(FETCH, {"ids": ["one/app.py", "two/app.py", "app.py"]})
        uris = [each["node"]["uri"] for each in fetched["nodes"]]
        assert uris == [uri_of(tmp_path / "one/app.py"), uri_of(tmp_path / "two/app.py")]
        assert fetched["unknown"] == ["app.py"]


# -- locate


def test_an_issue_is_located_in_the_text_that_is_shown(served: Served) -> None:
    served.client.show(served.tree / "cage.py", "def open_latch():\n    raise ValueError('latch is rusty')\n")
    answer = served.client.ask("workspace/locate", {"description": 'it says "latch is rusty" in open_latch'})
    best = answer["locations"][0]
    assert best["uri"] == uri_of(served.tree / "cage.py")
    assert (best["symbol"]["name"], best["range"]["start"]["line"] in (0, 1)) == ("open_latch", True)
    assert {answer["primary"], answer["fallback"]} < {"code-search", "semantic-analysis", "pattern-match"}
    assert answer["toolUsed"] in {each["tool"] for each in answer["fallbackChain"]}
    assert any("latch is rusty" in pattern for pattern in answer["searchPatterns"])
    served.client.hide(served.tree / "cage.py")


def test_an_issue_is_located_as_a_command_and_says_how_if_asked(served: Served) -> None:
    issue = {"title": "fill_bowl() spills", "goal": "analyze-impact", "maxResults": 1}
    answer = served.client.ask("workspace/executeCommand", {"command": "lurcher.locate", "arguments": [issue]})
    assert len(answer["locations"]) == 1 and answer["transcript"] == []
    assert served.client.ask("workspace/locate", {**issue, "debug": True})["transcript"]


@pytest.mark.parametrize(
    "params", [{}, {"title": " "}, {"title": "x", "goal": "guess"}, {"title": "x", "maxResults": 0}]
)
def test_an_issue_that_says_nothing_is_refused(served: Served, params: Message) -> None:
    assert served.client.refusal("workspace/locate", params)[0] == ErrorCode.INVALID_PARAMS
