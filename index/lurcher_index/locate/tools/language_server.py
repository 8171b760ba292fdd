"""Another language server that the person configured, asked for symbols by name."""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO, cast

import msgspec

from lurcher_index.locate.matches import MAX_MATCHES, Match, MatchKind, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.query.code_terms import identifier_of

MAX_MESSAGE_BYTES = 32 << 20
"""Longest message that is read."""

MAX_MESSAGES = 10_000
"""Messages that are read before an answer comes: servers tell of their progress, but not for ever."""

_METHOD_NOT_FOUND = -32601


class LanguageServer:
    """A server on standard input and output, started for a run and ended with it."""

    id = "language-server"

    def __init__(self, command: tuple[str, ...]) -> None:
        """Take the command that the person configured."""
        self._command = command

    def probe(self, _seconds: float, /) -> None:
        """Whether there is such a program."""
        self._program()

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """`workspace/symbol` for each name among the patterns."""
        names = [(number, name) for number, name in enumerate(wanted.patterns) if identifier_of(name) == name]
        folders = [folder.path for folder in sight.view.workspace.folders]
        if not names or not folders:
            return []
        try:
            process = subprocess.Popen(
                [self._program(), *self._command[1:]],
                cwd=folders[0],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ToolFailed(f"it cannot be run: {error}") from None
        late = threading.Timer(seconds, _kill, [process])
        late.daemon = True
        late.start()
        try:
            return _asked(process, sight, folders, names)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            raise ToolFailed(f"the conversation broke off: {error}") from None
        finally:
            _kill(process)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    _close(pipe)
            process.wait()
            late.cancel()

    def _program(self) -> str:
        program = shutil.which(self._command[0])
        if program is None:
            raise ToolFailed(f"there is no program {self._command[0]!r}")
        return program


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """With all it has started: the child of a wrapper would hold the pipe, so that nobody ever stops reading."""
    if os.name == "posix" and process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:
        pass  # What was still to be written has no reader any more.


def _asked(
    process: "subprocess.Popen[bytes]", sight: Sight, folders: list[Path], names: list[tuple[int, str]]
) -> list[Match]:
    assert process.stdin is not None
    assert process.stdout is not None
    talk = _Conversation(process.stdin, process.stdout)
    uris = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    talk.ask("initialize", {"processId": None, "rootUri": uris[0]["uri"], "workspaceFolders": uris, "capabilities": {}})
    talk.tell("initialized", {})
    found: list[Match] = []
    for number, name in names:
        answer = talk.ask("workspace/symbol", {"query": name})
        for each in cast("list[object]", answer) if isinstance(answer, list) else []:
            match = _match(sight, folders, each, name, number)
            if match is not None and len(found) < MAX_MATCHES:
                found.append(match)
    talk.ask("shutdown", None)
    talk.tell("exit", None)
    return found


class _Conversation:
    """Requests and their answers; what the server asks is refused."""

    def __init__(self, to: IO[bytes], back: IO[bytes]) -> None:
        self._to = to
        self._back = back
        self._numbers = count(1)

    def tell(self, method: str, params: object) -> None:
        """Send what needs no answer."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object) -> object:
        """Send a request and wait for its result."""
        number = next(self._numbers)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for _ in range(MAX_MESSAGES):
            message = self._read()
            if "method" in message:
                if "id" in message:
                    refusal = {"code": _METHOD_NOT_FOUND, "message": "only symbols are asked for here"}
                    self._send({"jsonrpc": "2.0", "id": message["id"], "error": refusal})
            elif message.get("id") == number:
                if "error" in message:
                    raise ToolFailed(f"{method} was refused: {str(message['error'])[:200]}")
                return message.get("result")
        raise ToolFailed(f"{method} was not answered")

    def _send(self, message: Mapping[str, object]) -> None:
        body = msgspec.json.encode(message)
        self._to.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._to.flush()

    def _read(self) -> dict[str, object]:
        length = -1
        while (line := self._back.readline(1_000).strip()) or length < 0:
            if not line:
                raise ToolFailed("it ended, or took too long")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        if length > MAX_MESSAGE_BYTES:
            raise ToolFailed("a message is too long")
        return msgspec.json.decode(self._back.read(length), type=dict[str, object])


def _match(sight: Sight, folders: list[Path], each: object, name: str, number: int) -> Match | None:
    """A symbol of the server's answer, if it has that name and lies in a file of the index."""
    try:
        symbol = msgspec.convert(each, _Symbol)
    except msgspec.ValidationError:
        return None
    if symbol.name.casefold().partition("(")[0] != name.casefold().rpartition(".")[2]:
        return None
    row = next(
        (
            found
            for folder in folders
            if symbol.location.uri.startswith(folder.as_uri() + "/")
            and (found := sight.row_at(_unquoted(symbol.location.uri[len(folder.as_uri()) + 1 :]))) is not None
        ),
        None,
    )
    lines = symbol.location.range
    if row is None:
        return None
    return Match(row, lines.start.line + 1, max(lines.start.line, lines.end.line) + 1, number, MatchKind.DEFINITION)


def _unquoted(written: str) -> str:
    """A path out of an URI; `%2e` and the like are bytes of UTF-8."""
    pieces = written.encode().split(b"%")
    made = bytearray(pieces[0])
    for piece in pieces[1:]:
        try:
            made += bytes([int(piece[:2], 16)]) + piece[2:]
        except ValueError:
            made += b"%" + piece
    return made.decode("utf-8", "replace")


class _Position(msgspec.Struct):
    line: int


class _Range(msgspec.Struct):
    start: _Position
    end: _Position


class _Location(msgspec.Struct):
    uri: str
    range: _Range


class _Symbol(msgspec.Struct):
    name: str
    location: _Location
