"""`workspace/chunkSearch` over the wire: what may be asked, what filters do, what is never returned again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.files.trees import plant
from tests.server.client import Client, Message, paths

from lurcher_server.lsp.protocol import ChunkSearchAnswer
from lurcher_server.lsp.uris import uri_of

SEARCH = "workspace/chunkSearch"
INVALID_PARAMS, METHOD_NOT_FOUND, REQUEST_CANCELLED = -32602, -32601, -32800

FILES = {
    "src/reading.py": "def read_walrus(path):\n    return open(path).read()\n",
    "src/writing.ts": "export function writeWalrus(path: string) {\n  return save(path);\n}\n",
    "docs/walrus.md": "# The walrus\n\nA walrus is read and written.\n",
    "src_old/walrus.py": "def drop_walrus(name):\n    remove(name)\n",
    "src/plain.py": "def add(left, right):\n    return left + right\n",
}


class Served(NamedTuple):
    client: Client
    tree: Path

    def found(self, query: str, **params: object) -> set[str]:
        return set(paths(self.client.search(query, **params), self.tree))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("chunk-search")
    with Client(place / "store") as client:
        client.initialize([plant(place / "tree", FILES)])
        client.ready()
        yield Served(client, place / "tree")


# -- what is too weak


def test_who_wants_the_weak_gets_it_with_its_code_and_is_told_what_it_is(served: Served) -> None:
    question = "zookeeper ingress of all kubernetes brokers"
    usual = served.client.search(question)
    assert (usual["chunks"], usual["empty"]) == ([], "belowSpread")
    weak = served.client.search(question, weak=True)
    assert {chunk["uri"] for chunk in weak["chunks"]} >= {place["uri"] for place in usual["nearby"]} != set()
    assert weak["nearby"] == []
    assert weak["answerability"] == usual["answerability"]
    assert any("nothing here seems to answer" in alert for alert in weak["alerts"])


# -- what may be asked


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"query": "walrus"}, "give maxResults, tokenBudget or both"),
        ({"query": "", "maxResults": 1}, "query cannot be empty"),
        ({"query": " \t\n", "tokenBudget": 900}, "query cannot be empty"),
        ({"query": "walrus", "maxResults": 0}, "maxResults"),
        ({"query": "walrus", "tokenBudget": -5}, "tokenBudget"),
        ({"query": "walrus", "maxResults": 1, "deadlineMs": 0}, "deadline"),
        ({"query": "walrus", "maxResults": 1, "maxPerFile": 0}, "maxPerFile"),
        ({"query": "walrus", "maxResults": 1, "weights": {"words": -1}}, "weights"),
        ({"query": "walrus", "maxResults": 1, "strategies": ["guessing"]}, "guessing"),
        ({"query": "walrus", "maxResults": 1, "include": ["[z-a]"]}, "filter"),
        ({"query": "walrus", "maxResults": "3"}, "$.maxResults"),
        ({"query": ["walrus"], "maxResults": 3}, "$.query"),
        ({"query": "walrus", "maxResults": 3, "minVersions": {"file:///a": "new"}}, "$.minVersions"),
        ({"query": "walrus", "maxResults": 3, "preset": "vibes"}, "$.preset"),
        ({"maxResults": 3}, "query"),
        (None, "query"),
        ([], "object"),
    ],
)
def test_section_1_what_cannot_be_asked_is_invalid_params(served: Served, params: object, message: str) -> None:
    code, text = served.client.refusal(SEARCH, params)
    assert code == INVALID_PARAMS
    assert message in text


def test_section_1_an_empty_question_is_refused_in_these_words(served: Served) -> None:
    assert served.client.refusal(SEARCH, {"query": "  ", "maxResults": 1})[1] == "query cannot be empty"


def test_unknown_methods_are_said_to_be_unknown(served: Served) -> None:
    assert served.client.refusal("workspace/chunkSeek", {"query": "walrus"})[0] == METHOD_NOT_FOUND


def test_unknown_fields_are_ignored(served: Served) -> None:
    assert served.client.search("walrus", fromTheFuture={"a": 1})["chunks"]


def test_section_1_the_answer_has_every_field(served: Served) -> None:
    answer = served.client.search("read_walrus")
    assert answer.keys() == {_camel(name) for name in ChunkSearchAnswer.__struct_fields__}
    chunk = answer["chunks"][0]
    assert chunk["uri"] == uri_of(served.tree / "src/reading.py")
    assert chunk["rawText"] == FILES["src/reading.py"].rstrip("\n")
    assert chunk["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 28}}
    assert chunk["symbol"] == {"name": "read_walrus", "kind": "function", "container": ""}
    assert chunk["language"] == "python"


# -- filters


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, {"src/reading.py", "src/writing.ts", "docs/walrus.md", "src_old/walrus.py"}),
        ({"include": ["*.ts"]}, {"src/writing.ts"}),
        ({"include": ["src/**"]}, {"src/reading.py", "src/writing.ts"}),
        ({"include": ["src/**", "*.md"]}, {"src/reading.py", "src/writing.ts", "docs/walrus.md"}),
        ({"include": ["src/**"], "exclude": ["*.ts"]}, {"src/reading.py"}),
        ({"include": ["*.ts"], "exclude": ["*.ts"]}, set()),
        ({"exclude": ["src*/**"]}, {"docs/walrus.md"}),
        ({"languages": ["typescript", "markdown"]}, {"src/writing.ts", "docs/walrus.md"}),
        ({"paths": ["src"]}, {"src/reading.py", "src/writing.ts"}),
        ({"paths": ["src"], "languages": ["python"]}, {"src/reading.py"}),
    ],
)
def test_section_1_filters_hold_during_the_search(served: Served, params: Message, expected: set[str]) -> None:
    assert served.found("walrus", **params) == expected


def test_section_1_globs_and_paths_may_be_absolute(served: Served) -> None:
    src = f"{served.tree}/src"
    assert served.found("walrus", include=[f"{src}/**"]) == {"src/reading.py", "src/writing.ts"}
    assert served.found("walrus", exclude=[f"{src}*/**"]) == {"docs/walrus.md"}
    assert served.found("walrus", paths=[src]) == {"src/reading.py", "src/writing.ts"}


def test_section_1_an_include_that_matches_no_file_is_reported(served: Served) -> None:
    answer = served.client.search("walrus", include=["lib/**", "docs/**"])
    assert paths(answer, served.tree) == ["docs/walrus.md"]
    assert answer["alerts"] == ["no indexed file matches 'lib/**'"]


# -- what the caller has already


def test_section_1_what_is_in_context_by_id_is_not_returned_again(served: Served) -> None:
    first = served.client.search("walrus")["chunks"][0]
    answer = served.client.search("walrus", alreadyInContext=[{"chunkId": first["id"]}])
    assert first["id"] not in {chunk["id"] for chunk in answer["chunks"]}
    assert len(answer["chunks"]) == 3
    assert answer["dropped"]["alreadyInContext"] == 1


@pytest.mark.parametrize(
    ("range", "is_returned"),
    [
        (None, False),
        (((0, 0), (1, 28)), False),
        (((0, 0), (2, 0)), False),
        (((0, 0), (1, 0)), True),
        (((1, 0), (9, 0)), True),
    ],
)
def test_section_1_what_is_in_context_by_range_is_not_returned_again(
    served: Served, range: Any, is_returned: bool
) -> None:
    seen: Message = {"uri": uri_of(served.tree / "src/reading.py")}
    if range is not None:
        start, end = ({"line": line, "character": character} for line, character in range)
        seen["range"] = {"start": start, "end": end}
    found = served.found("walrus", alreadyInContext=[seen])
    assert ("src/reading.py" in found) == is_returned
    assert len(found) == 3 + is_returned


# -- how it is answered


def test_section_1_an_empty_answer_says_why(served: Served) -> None:
    def check(expected: str, query: str = "walrus", **params: object) -> None:
        answer = served.client.search(query, **params)
        assert answer["chunks"] == []
        assert answer["empty"] == expected

    check("everythingExcluded", exclude=["**"])
    check("strategiesFailed", strategies=["codeSearch"])
    check("noMatch", "quokka", strategies=["tfidf"])
    check("alreadyInContext", alreadyInContext=[{"uri": uri_of(served.tree / path)} for path in FILES])


def test_section_1_total_failure_is_an_empty_result_with_alerts(served: Served) -> None:
    answer = served.client.search("walrus", strategies=["codeSearch"])
    assert (answer["chunks"], answer["strategy"], answer["complete"]) == ([], "", False)
    assert any("codeSearch" in alert for alert in answer["alerts"])


def test_section_1_a_cancel_is_answered_with_request_cancelled(served: Served) -> None:
    id = served.client.begin_and_cancel(SEARCH, {"query": "walrus", "maxResults": 3})
    assert served.client.answer(id)["error"]["code"] == REQUEST_CANCELLED
    assert served.client.search("walrus")["chunks"]


def test_section_1_partial_results_are_the_words_answer_and_then_the_final_one(served: Served) -> None:
    answer = served.client.search("walrus", partialResultToken="parts")
    heard = served.client.all_heard("$/progress", lambda params: params["token"] == "parts")
    words, final = (params["value"] for params in heard)
    assert words["strategy"] == "tfidf"
    assert words.keys() == answer.keys()
    assert final == answer
    # The final answer knows the meaning too and may hold others, but the same chunk is the same in both.
    early, late = (
        {(each["uri"], str(each["range"])): each["id"] for each in some["chunks"]} for some in (words, final)
    )
    both = early.keys() & late.keys()
    assert both
    assert {early[place] for place in both} == {late[place] for place in both}


@pytest.mark.parametrize("command", ["chunkSearch", "status", "explain", "metrics"])
def test_section_9_commands_are_the_requests(served: Served, command: str) -> None:
    params = {"query": "walrus", "maxResults": 3, "uri": uri_of(served.tree / "src/plain.py")}
    direct = served.client.ask(SEARCH if command == "chunkSearch" else f"{SEARCH}/{command}", params)
    asked = {"command": f"lurcher.{command}", "arguments": [params]}
    assert served.client.ask("workspace/executeCommand", asked).keys() == direct.keys()


@pytest.mark.parametrize(
    "params", [{"command": "lurcher.fetch"}, {"command": "lurcher.chunkSearch"}, {"command": 3}, {}]
)
def test_commands_that_cannot_be_run_are_invalid_params(served: Served, params: Message) -> None:
    assert served.client.refusal("workspace/executeCommand", params)[0] == INVALID_PARAMS


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
