"""Remote code search in a real server: nothing of a workspace turns it on, the person is asked once, and no token comes
back. What nobody allowed is not sent: the address leads to this test, which hears every connection."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.files.trees import plant
from tests.server.client import ABLE, Client, Message

from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import Consents
from lurcher_server.cli import main
from lurcher_server.lsp.session import is_trusted
from lurcher_server.lsp.uris import uri_of

SEARCH = "workspace/chunkSearch"
REMOTE = f"{SEARCH}/remote"
QUESTION = "window/showMessageRequest"
INVALID_PARAMS = -32602
ASKING: Message = {**ABLE, "window": {**ABLE["window"], "showMessage": {"messageActionItem": {}}}}
"""An editor that can put a question to the person."""


class Elsewhere:
    """A port of this machine that notes who connects, and hangs up."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.visits = 0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                visitor, _ = self._listener.accept()
            except OSError:
                return
            self.visits += 1
            visitor.close()

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    made = Elsewhere()
    yield made
    made.close()


@pytest.fixture
def tree(tmp_path: Path, elsewhere: Elsewhere) -> Path:
    """A workspace that brings its own settings, and a file that allows what it likes."""
    folder = plant(
        tmp_path / "tree",
        {
            "anvil.py": "def anvil():\n    pass\n",
            ".vscode/settings.json": json.dumps({f"lurcher.{name}": value for name, value in wish(elsewhere).items()}),
        },
    )
    forged = Consents(tmp_path / "forged")
    forged.allow(folder, connection(elsewhere))
    (folder / ".config" / "lurcher").mkdir(parents=True)
    for place in (folder, folder / ".config" / "lurcher", folder / ".vscode"):
        (place / "remotes.json").write_bytes(forged.path.read_bytes())
    return folder


def wish(elsewhere: Elsewhere, **more: object) -> dict[str, Any]:
    return {"remoteKind": "zoekt", "remoteUrl": elsewhere.url, **more}


def connection(elsewhere: Elsewhere) -> Connection:
    return Connection(kind=Kind.ZOEKT, url=elsewhere.url)


def client(tree: Path, **wished: object) -> Client:
    """Its index is never built, so that a search would look elsewhere."""
    settings = {"indexOnStart": False, "embeddings": False, "watch": "off", **wished}
    return Client(tree.parent / "store", settings)


def consents(tree: Path) -> Consents:
    return Consents(tree.parent / "store-config")


def test_the_settings_of_a_workspace_turn_nothing_on(tree: Path, elsewhere: Elsewhere) -> None:
    """Pulled, as VS Code hands them over merged with the person's own, pushed, and given at the start."""
    with client(tree, **wish(elsewhere, remoteUse="always")) as server:
        server.initialize([tree], initializationOptions={"lurcher": wish(elsewhere, remoteUse="always")})
        server.until("requiresIndexing")
        server.tell("workspace/didChangeConfiguration", {"settings": {"lurcher": wish(elsewhere, remoteUse="always")}})
        answer = server.search("anvil")
        remote = server.ask(REMOTE)
        status = server.ask(f"{SEARCH}/status")
        assert server.all_heard(QUESTION) == [], "this client cannot ask"
    assert (remote["consent"], remote["state"], status["remote"]) == ("missing", "disabled", "disabled")
    assert remote["lacking"] == [uri_of(tree)] and remote["connection"]["url"] == elsewhere.url
    (command,) = remote["commands"]
    assert command == f"lurcher remote allow zoekt {elsewhere.url} -w {tree}"
    for alerts in (answer["alerts"], status["alerts"]):
        assert any(command in alert for alert in alerts)
    assert not consents(tree).directory.exists()
    assert elsewhere.visits == 0


def test_the_person_is_asked_once_and_not_now_sends_nothing(tree: Path, elsewhere: Elsewhere) -> None:
    with client(tree, **wish(elsewhere)) as server:
        server.choices[QUESTION] = {"title": "Not now"}
        server.initialize([tree], ASKING)
        server.until("requiresIndexing")
        assert server.all_heard(QUESTION) == [], "nobody has searched yet"
        for _ in range(3):
            server.search("anvil")
        (question,) = server.all_heard(QUESTION)
        assert elsewhere.url in question["message"] and str(tree) in question["message"]
        assert server.ask(REMOTE)["consent"] == "missing"
    assert not consents(tree).path.exists()
    assert elsewhere.visits == 0


def test_who_said_never_is_not_asked_and_a_damaged_record_is_told(tree: Path, elsewhere: Elsewhere) -> None:
    consents(tree).refuse(tree)
    with client(tree, **wish(elsewhere)) as server:
        server.initialize([tree], ASKING)
        server.until("requiresIndexing")
        server.search("anvil")
        assert server.ask(REMOTE)["consent"] == "never"
        consents(tree).path.write_text("{")
        server.search("anvil")
        assert any("not believed" in alert for alert in server.ask(f"{SEARCH}/status")["alerts"])
        assert "not believed" in server.ask(REMOTE)["detail"]
        assert server.all_heard(QUESTION) == []
    assert elsewhere.visits == 0


def test_what_is_allowed_is_on_until_it_is_forbidden_on_a_command_line(
    tree: Path, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client(tree, **wish(elsewhere)) as server:
        server.choices[QUESTION] = {"title": "Allow for this workspace"}
        server.initialize([tree], ASKING)
        server.until("requiresIndexing")
        server.search("anvil")
        remote = server.ask(REMOTE)
        assert (remote["consent"], remote["lacking"], remote["commands"]) == ("allowed", [], [])
        assert remote["since"] > 0 and remote["connection"] == {
            "kind": "zoekt",
            "url": elsewhere.url,
            "tokenVariable": "",
        }
        assert consents(tree).allowed(tree) == connection(elsewhere)
        monkeypatch.setenv("LURCHER_CONFIG", str(consents(tree).directory))
        assert main(["remote", "forbid", "-w", str(tree)]) == 0
        server.search("anvil")
        assert server.ask(REMOTE)["consent"] == "missing"
        assert len(server.all_heard(QUESTION)) == 1


def test_a_client_can_allow_and_forbid_but_no_command_can_allow(tree: Path, elsewhere: Elsewhere) -> None:
    allow = {"action": "allow", "kind": "zoekt", "url": elsewhere.url + "/"}
    with client(tree) as server:
        server.initialize([tree])
        server.until("requiresIndexing")
        assert server.ask(REMOTE, {})["consent"] == "none"
        command = {"command": "lurcher.remote", "arguments": [allow]}
        code, message = server.refusal("workspace/executeCommand", command)
        assert code == INVALID_PARAMS and "no command" in message
        assert server.refusal(REMOTE, {"action": "allow"})[0] == INVALID_PARAMS
        assert server.refusal(REMOTE, allow | {"url": "http://zoekt.example.com"})[0] == INVALID_PARAMS
        assert consents(tree).all() == {}
        assert server.ask(REMOTE, allow)["consent"] == "allowed"
        assert consents(tree).allowed(tree) == connection(elsewhere)
        assert server.ask(REMOTE, {"action": "check"})["consent"] == "allowed"
        forbid = {"command": "lurcher.remote", "arguments": [{"action": "forbid", "never": True}]}
        assert server.ask("workspace/executeCommand", forbid)["consent"] == "never"
        assert consents(tree).allowed(tree) is None


def test_whatever_is_said_about_trust_but_a_plain_yes_is_a_no() -> None:
    assert all(map(is_trusted, (None, {}, [], {"trusted": True}, {"lurcher": {"trusted": False}})))
    assert not any(
        map(is_trusted, [{"trusted": False}, {"trusted": None}, {"trusted": 0}, {"trusted": "true"}, {"trusted": 1}])
    )


def test_an_untrusted_workspace_has_nothing_on_and_nobody_is_asked(tree: Path, elsewhere: Elsewhere) -> None:
    consents(tree).allow(tree, connection(elsewhere))
    # The workspace's own settings may say what they like about trust.
    with client(tree, **wish(elsewhere, remoteUse="always")) as server:
        server.choices[QUESTION] = {"title": "Allow for this workspace"}
        options = {"trusted": False, "lurcher": {"trusted": True}}
        server.initialize([tree], ASKING, initializationOptions=options)
        server.until("requiresIndexing")
        server.search("anvil")
        remote = server.ask(REMOTE, {"action": "check"})
        assert (remote["consent"], remote["state"]) == ("untrusted", "disabled")
        code, message = server.refusal(REMOTE, {"action": "allow"})
        assert code == INVALID_PARAMS and "not trusted" in message
        assert server.all_heard(QUESTION) == []
    assert elsewhere.visits == 0


def test_a_trusted_one_is_as_good_as_one_of_which_nothing_is_said(tree: Path, elsewhere: Elsewhere) -> None:
    consents(tree).allow(tree, connection(elsewhere))
    with client(tree) as server:
        server.initialize([tree], {}, initializationOptions={"trusted": True, "indexOnStart": False, "watch": "off"})
        server.until("requiresIndexing")
        assert server.ask(REMOTE)["consent"] == "allowed"
        assert server.all_heard("window/showMessage") == [], "it is no setting, and not taken for a wrong one"


def test_a_token_never_comes_back(tree: Path, elsewhere: Elsewhere) -> None:
    token, variable = "hunter2-of-the-client", "hunter2-of-the-environment"
    log = tree.parent / "server.log"
    wished = wish(elsewhere, logLevel="debug", logFile=str(log))
    settings = {"indexOnStart": False, "embeddings": False, "watch": "off", **wished}
    allowed = Connection(kind=Kind.ZOEKT, url=elsewhere.url, token_variable="ANVIL_TOKEN")
    consents(tree).allow(tree, allowed)
    answers: list[object] = []
    with Client(tree.parent / "store", settings, {"ANVIL_TOKEN": variable}) as server:
        server.initialize([tree])
        server.until("requiresIndexing")
        answers.append(server.ask(REMOTE))
        answers.append(server.ask(REMOTE, {"action": "token", "token": token}))
        for bad in (f"{token}\n", token * 400, [token]):
            answers.append(server.refusal(REMOTE, {"action": "token", "token": bad}))
        command = {"command": "lurcher.remote", "arguments": [{"action": "token", "token": token}]}
        answers.append(server.refusal("workspace/executeCommand", command))
        answers += [server.search("anvil"), server.ask(REMOTE, {"action": "check"}), server.ask(f"{SEARCH}/status")]
        answers += [server.ask(f"{SEARCH}/metrics"), server.ask(REMOTE, {"action": "forbid"})]
    assert answers[0]["hasToken"] and answers[1]["hasToken"]  # type: ignore[index]
    written = [path.read_bytes() for path in tree.parent.rglob("*") if path.is_file()]
    assert log.exists() and len(written) > 3
    said = json.dumps([answers, server.heard, server.log]).encode()
    assert not any(b"hunter2" in each for each in (said, *written))
