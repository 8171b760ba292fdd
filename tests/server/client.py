"""`lurcher serve` in a process of its own, and a client that notes everything it says."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from lurcher_server.lsp.uris import uri_of

PATIENCE = 60.0
"""Seconds after which a test that waits has failed; nothing passes or fails by being faster than that."""

ROOT = Path(__file__).parents[2]

Message = dict[str, Any]

ABLE: Message = {
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"workDoneProgress": True},
}
"""An editor that watches files and can be asked for settings: then only the test says what has changed."""


class Client:
    """Both ends of a session. Every request must be answered exactly once; `close` checks that."""

    def __init__(
        self, store: Path, settings: Mapping[str, Any] | None = None, more: Mapping[str, str] | None = None
    ) -> None:
        """Start the server; `settings` is what it gets when it asks, on top of the place for its index, and `more` is
        put into its environment. Its configuration lies beside the index, never in that of whoever runs the tests."""
        self.settings: object = {"store": str(store), **(settings or {})}
        self.heard: list[Message] = []
        """Notifications and requests of the server, in their order."""
        self.choices: dict[str, object] = {}
        """What the client answers to requests of the server, by their method; null to all others."""
        self.unanswered: set[str] = set()
        """Methods of requests that wait for somebody to `reply`."""
        self._answers: dict[int, list[Message]] = {}
        self._last = 0
        self._news = threading.Condition()
        self._ended = False
        self._sending = threading.Lock()
        config = store.with_name(f"{store.name}-config")
        environment = {**os.environ, "LURCHER_CACHE": str(store), "LURCHER_CONFIG": str(config), **(more or {})}
        environment["PYTHONPATH"] = os.pathsep.join(str(ROOT / name) for name in ("index", "server"))
        command = [sys.executable, "-m", "lurcher_server", "serve"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        self.log: list[str] = []
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._note_log)]
        for thread in self._threads:
            thread.start()

    # -- talking

    def begin(self, method: str, params: object = None) -> int:
        """Send a request; `answer` waits for what comes back."""
        id = self._new_id()
        self._send({"id": id, "method": method, "params": params})
        return id

    def begin_and_cancel(self, method: str, params: object = None) -> int:
        """Send a request and its cancel in one piece, so that the server reads both before it starts to work."""
        id = self._new_id()
        cancel = {"method": "$/cancelRequest", "params": {"id": id}}
        self._send({"id": id, "method": method, "params": params}, cancel)
        return id

    def answer(self, id: int) -> Message:
        """The whole response to a request."""
        self._wait(lambda: bool(self._answers[id]), f"an answer to {id}")
        return self._answers[id][0]

    def ask(self, method: str, params: object = None) -> Any:
        """The result of a request, which must not be an error."""
        answer = self.answer(self.begin(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def refusal(self, method: str, params: object = None) -> tuple[int, str]:
        """Code and message of the error that a request must get."""
        answer = self.answer(self.begin(method, params))
        assert "error" in answer, answer
        return answer["error"]["code"], answer["error"]["message"]

    def tell(self, method: str, params: object = None) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def search(self, query: str, **params: object) -> Message:
        """The answer to a question, of ten results if nothing else is said."""
        sized = params if {"maxResults", "tokenBudget"} & params.keys() else {"maxResults": 10, **params}
        return cast(Message, self.ask("workspace/chunkSearch", {"query": query, **sized}))

    def show(self, path: Path, text: str, version: int = 1) -> str:
        """Open a document; its URI."""
        document = {"uri": uri_of(path), "languageId": "", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri_of(path)

    def hide(self, path: Path) -> None:
        """Close a document."""
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})

    def changed_on_disk(self, *paths: Path) -> None:
        """Tell that something happened to some files."""
        changes = [{"uri": uri_of(path), "type": 2} for path in paths]
        self.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    # -- listening

    def await_heard(self, method: str, fits: Callable[[Any], bool] = lambda _: True, since: int = 0) -> Any:
        """The params of the first message of the server that fits, waited for; `since` leaves out older ones."""
        self._wait(lambda: bool(self.all_heard(method, fits, since)), f"{method} from the server")
        return self.all_heard(method, fits, since)[0]

    def all_heard(self, method: str, fits: Callable[[Any], bool] = lambda _: True, since: int = 0) -> list[Any]:
        """The params of all messages of a method until now."""
        messages = [each for each in list(self.heard)[since:] if each["method"] == method]
        return [each.get("params") for each in messages if fits(each.get("params"))]

    def reply(self, message: Message, result: object) -> None:
        """Answer a request of the server."""
        self._send({"id": message["id"], "result": result})

    # -- life

    def initialize(self, folders: Sequence[Path] = (), capabilities: Message | None = None, **more: object) -> Message:
        """Shake hands."""
        params: Message = {
            "processId": os.getpid(),
            "rootUri": None,
            "workspaceFolders": [folder(each) for each in folders],
            "capabilities": ABLE if capabilities is None else capabilities,
        }
        result = cast(Message, self.ask("initialize", params | more))
        self.tell("initialized", {})
        return result

    def until(self, *states: str) -> Message:
        """Wait for a state of the index; the status that has it."""
        since = len(self.heard)
        now = cast(Message, self.ask("workspace/chunkSearch/status"))
        if now["state"] in states:
            return now
        changed = "workspace/chunkSearch/statusChanged"
        return cast(Message, self.await_heard(changed, lambda status: status["state"] in states, since))

    def ready(self) -> Message:
        """Wait until the index is complete."""
        return self.until("ready")

    def close(self) -> None:
        """Say goodbye; checks that everything was answered once and the server left as it should."""
        self.ask("shutdown")
        self.tell("exit")
        assert self.process.wait(PATIENCE) == 0, "\n".join(self.log)
        for thread in self._threads:
            thread.join(PATIENCE)
        counts = {id: len(answers) for id, answers in self._answers.items()}
        assert all(count == 1 for count in counts.values()), f"not answered exactly once: {counts}"

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                _close(stream)

    # -- parts

    def _new_id(self) -> int:
        with self._news:
            self._last += 1
            self._answers[self._last] = []
            return self._last

    def _send(self, *messages: Message) -> None:
        bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
        stream = self.process.stdin
        assert stream is not None
        with self._sending:
            stream.write(b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies))
            stream.flush()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        try:
            while header := stream.readline():
                length = int(header.split(b":")[1])
                assert stream.readline() == b"\r\n"
                self._take(json.loads(stream.read(length)))
        finally:
            with self._news:
                self._ended = True
                self._news.notify_all()

    def _take(self, message: Message) -> None:
        if "method" in message and "id" in message and message["method"] not in self.unanswered:
            result = [self.settings] if message["method"] == "workspace/configuration" else None
            self.reply(message, self.choices.get(message["method"], result))
        with self._news:
            if "method" in message:
                self.heard.append(message)
            else:
                self._answers[message["id"]].append(message)
            self._news.notify_all()

    def _note_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line.decode("utf-8", "replace").rstrip())

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        with self._news:
            while not condition():
                left = end - time.monotonic()
                assert not self._ended and left > 0, f"waited in vain for {what}; log: {self.log}"
                self._news.wait(left)


def folder(path: Path) -> Message:
    """A folder as `initialize` and `didChangeWorkspaceFolders` name it."""
    return {"uri": uri_of(path), "name": path.name}


def paths(answer: Message, root: Path) -> list[str]:
    """The files of an answer's chunks, relative to a folder, in the order of the chunks."""
    start = uri_of(root) + "/"
    return [chunk["uri"].removeprefix(start) for chunk in answer["chunks"]]


def _close(stream: IO[bytes] | None) -> None:
    try:
        if stream is not None:
            stream.close()
    except BrokenPipeError:
        pass
