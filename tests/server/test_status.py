"""Status, progress, commands and metrics: what a person is told, and what can be done about it."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from tests.files.trees import plant
from tests.server.client import Client, Message

from lurcher_index import Engine
from lurcher_server.lsp.protocol import COMMANDS, StatusAnswer
from lurcher_server.lsp.uris import uri_of

SEARCH = "workspace/chunkSearch"
INVALID_PARAMS = -32602
REQUEST_CANCELLED = -32800

FILES: dict[str, str | bytes] = {
    "src/cellar.py": "def cellar_door(key):\n    return key\n",
    "src/roof.py": "def roof_window():\n    return None\n",
    ".gitignore": "generated/\n",
    "generated/out.py": "cellar = 1\n",
    "sound.raw_": b"\0" * 4096,
    ".env": "TOKEN=abc\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("status") / "tree", FILES)


@pytest.fixture(scope="module")
def served(tree: Path) -> Iterator[Client]:
    with Client(tree.parent / "store") as client:
        answer = client.initialize([tree])
        assert answer["capabilities"]["executeCommandProvider"]["commands"] == list(COMMANDS)
        provider = answer["capabilities"]["experimental"]["chunkSearchProvider"]
        assert provider == {"requests": list(COMMANDS.values())}
        client.ready()
        yield client


def test_section_9_one_status_object_says_it_all(served: Client, tree: Path) -> None:
    status = served.ask(f"{SEARCH}/status")
    assert status.keys() == set(StatusAnswer.__struct_encode_fields__)
    assert (status["state"], status["complete"], status["hasFastSearch"]) == ("ready", True, True)
    assert (status["folders"], status["remote"], status["lastError"]) == ([uri_of(tree)], "disabled", None)
    assert (status["indexed"], status["pending"], status["unsaved"]) == (3, 0, 0)
    assert status["skipped"] and all(count > 0 for count in status["skipped"].values())
    assert Path(status["store"]).is_relative_to(tree.parent / "store")


def test_section_5_the_status_tells_the_ready_share_before_the_first_search(tmp_path: Path) -> None:
    """The vectors are made by another process, as they are for the server."""
    with Engine.open([plant(tmp_path / "tree", FILES)], store=tmp_path / "store") as engine:
        assert engine.build_in_background()
        assert engine.status().vectors_ready == 1.0


def test_section_9_the_status_can_be_asked_after_clear(tmp_path: Path) -> None:
    with Engine.open([plant(tmp_path / "tree", FILES)], store=tmp_path / "store") as engine:
        engine.build_all()
        engine.clear()
        assert engine.status().indexed == 0


def test_section_9_the_status_is_pushed_on_the_way_to_ready(served: Client) -> None:
    pushed = served.all_heard(f"{SEARCH}/statusChanged")
    assert pushed[-1]["state"] == "ready"
    assert all(status.keys() == pushed[0].keys() for status in pushed)


@pytest.mark.parametrize(
    ("path", "indexed", "word"),
    [
        ("src/cellar.py", True, "indexed"),
        ("generated/out.py", False, ".gitignore"),
        ("sound.raw_", False, "binary"),
        (".env", False, "secret"),
        ("nowhere.py", False, "missing"),
    ],
)
def test_section_9_explain_says_why_a_file_is_not_found(
    served: Client, tree: Path, path: str, indexed: bool, word: str
) -> None:
    answer = served.ask(f"{SEARCH}/explain", {"uri": uri_of(tree / path)})
    assert answer["indexed"] is indexed
    assert word in f"{answer['reason']} {answer['detail']}".lower()
    assert (answer["inAnswer"], answer["verdict"]) == (None, "")


def test_section_9_explain_says_what_became_of_a_file_in_a_search(served: Client, tree: Path) -> None:
    def verdict(path: str, **search: object) -> tuple[bool, str]:
        answer = served.ask(f"{SEARCH}/explain", {"uri": uri_of(tree / path), "search": {"maxResults": 3, **search}})
        return answer["inAnswer"], answer["verdict"]

    assert verdict("src/cellar.py", query="cellar_door") == (True, "it is in the answer, at place 1 of 1")
    found, why = verdict("src/roof.py", query="cellar_door")
    assert not found
    assert "none of its chunks" in why
    found, why = verdict("src/roof.py", query="roof_window cellar_door", maxResults=1)
    assert found or "over the limit" in why
    assert served.refusal(f"{SEARCH}/explain", {"uri": "untitled:a"})[0] == INVALID_PARAMS
    assert served.refusal(f"{SEARCH}/explain", {})[0] == INVALID_PARAMS


def test_section_9_metrics_count_and_hold_no_text(served: Client) -> None:
    served.search("cellar")
    before = served.ask(f"{SEARCH}/metrics")
    answer = served.search("secret_question_text")
    after = served.ask(f"{SEARCH}/metrics")
    assert after["searches"] == before["searches"] + 1
    row = after["recent"][-1]
    assert row.keys() == {
        "correlationId", "strategy", "outcome", "complete", "first", "files", "results", "milliseconds",
    }  # fmt: skip
    assert (row["correlationId"], row["strategy"]) == (answer["correlationId"], answer["strategy"])
    assert (row["files"], row["results"]) == (3, len(answer["chunks"]))
    assert row["milliseconds"].keys() == {"prepare", "race", "finish", "total"}
    assert after["recent"][0]["first"] and not row["first"]
    assert after["strategies"][answer["strategy"]]["won"] >= 1
    assert "secret_question_text" not in str(after)


@pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="finds sockets in /proc")
def test_section_9_nothing_is_sent_anywhere(served: Client) -> None:
    """The server talks through its pipes alone: none of its sockets is one of a network."""
    served.search("cellar")
    served.ask(f"{SEARCH}/metrics")
    process = Path(f"/proc/{served.process.pid}")
    ours: set[str] = set()
    for link in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # Files come and go.
            ours.add(str(link.readlink()).removeprefix("socket:[").removesuffix("]"))
    networks = [(process / "net" / kind).read_text().splitlines()[1:] for kind in ("tcp", "tcp6", "udp", "udp6")]
    assert not ours & {line.split()[9] for lines in networks for line in lines}


def test_section_9_a_cancelled_search_is_counted_as_such(served: Client, tree: Path) -> None:
    uri = served.show(tree / "src/roof.py", "def roof_window():\n    pass\n")
    before = served.ask(f"{SEARCH}/metrics")
    # It waits for what nobody types; the status is asked for after it, so that it has begun when it is cancelled.
    waiting = served.begin(SEARCH, {"query": "cellar", "maxResults": 1, "minVersions": {uri: 99}})
    served.ask(f"{SEARCH}/status")
    served.tell("$/cancelRequest", {"id": waiting})
    assert served.answer(waiting)["error"]["code"] == REQUEST_CANCELLED
    after = served.ask(f"{SEARCH}/metrics")
    served.hide(tree / "src/roof.py")
    assert after["searches"] == before["searches"]
    assert after["failed"] == before["failed"]
    assert after["cancelled"] == before["cancelled"] + 1


def test_section_9_clear_and_rebuild_say_what_they_did(served: Client, tree: Path) -> None:
    """A cleared index says what to do, open documents are found in it, and a rebuild brings the rest back."""
    assert served.ask(f"{SEARCH}/clear")["done"] is True
    status = served.ask(f"{SEARCH}/status")
    assert (status["state"], status["indexed"], status["hasFastSearch"]) == ("requiresIndexing", 0, False)
    assert "Build index" in status["message"]
    assert served.search("cellar_door")["empty"] == "notIndexedYet"
    uri = served.show(tree / "src/roof.py", "def roof_garden():\n    pass\n")
    assert [chunk["uri"] for chunk in served.search("roof_garden", minVersions={uri: 1})["chunks"]] == [uri]
    assert served.ask(f"{SEARCH}/rebuild")["done"] is True
    served.ready()
    assert served.search("cellar_door")["chunks"][0]["uri"] == uri_of(tree / "src/cellar.py")
    answer = served.search("roof_garden", minVersions={uri: 1})
    assert [chunk["uri"] for chunk in answer["chunks"]] == [uri]
    served.hide(tree / "src/roof.py")


def test_section_5_searches_during_a_rebuild_are_answered(served: Client) -> None:
    """Every search has an answer, and an empty one says that it was too early."""
    bad: list[Message] = []
    over = threading.Event()

    def keep_asking() -> None:
        while not over.is_set():
            answer = served.answer(served.begin(SEARCH, {"query": "cellar_door", "maxResults": 2}))
            result = answer.get("result")
            if result is None or (not result["chunks"] and result["empty"] != "notIndexedYet"):
                bad.append(answer)

    with ThreadPoolExecutor() as pool:
        asking = pool.submit(keep_asking)
        try:
            served.ask(f"{SEARCH}/rebuild")
            served.ready()
        finally:
            over.set()
    asking.result()
    assert not bad
