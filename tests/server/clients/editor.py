"""pytest-lsp's client with the recorded abilities of an editor; it remembers everything the server says."""

# The functions of pytest-lsp have no types.
# mypy: allow-untyped-calls
# pyright: reportUnknownMemberType=false

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol
from tests.server.clients.surroundings import LURCHER, PATIENCE, environment

from lurcher_server.lsp.protocol import CHUNK_SEARCH, STATUS, STATUS_CHANGED

Matches = Callable[[Any], bool]


def anything(_params: Any) -> bool:
    """Matches every call."""
    return True


def nothing(_params: Any) -> None:
    """The handler of what is only noted."""


class Heard(LanguageClientProtocol):
    """The client's end of the connection; `news` is set with every message."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.calls: list[tuple[str, Any]] = []
        self.answers: Counter[str | int] = Counter()
        self.news = asyncio.Event()

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        super()._handle_request(msg_id, method_name, params)
        self._note(method_name, params)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        super()._handle_notification(method_name, params)
        self._note(method_name, params)

    def _handle_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        self.answers[msg_id] += 1
        super()._handle_response(msg_id, result, error)

    def _note(self, method: str, params: Any) -> None:
        self.calls.append((method, params))
        self.news.set()


class Editor(LanguageClient):
    """An editor under the control of a test."""

    def __init__(self, settings: dict[str, Any]) -> None:
        super().__init__(
            configuration={"": {"lurcher": settings}}, protocol_cls=Heard, converter_factory=default_converter
        )
        register_lsp_features(self)
        assert isinstance(self.protocol, Heard)
        self.heard = self.protocol
        # The one of pytest-lsp takes partial results for broken progress. What matters is in `calls` anyway.
        self.protocol.fm.features[types.PROGRESS] = nothing
        self.protocol.fm.features[types.CLIENT_REGISTER_CAPABILITY] = nothing
        self.protocol.fm.features[STATUS_CHANGED] = nothing
        self.initialized_with: types.InitializeResult | None = None

    @property
    def server_pid(self) -> int:
        assert self._server is not None
        return self._server.pid

    @property
    def exit_code(self) -> int | None:
        assert self._server is not None
        return self._server.returncode

    async def ask(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Send a request of our own and wait for its result."""
        return await asyncio.wait_for(self.protocol.send_request_async(method, params), PATIENCE)

    async def search(self, query: str, **more: Any) -> Any:
        """Ask for chunks; five, unless something else is said."""
        params: dict[str, Any] = {"query": query, "maxResults": 5, **more}
        return await self.ask(CHUNK_SEARCH, params)

    def told(self, method: str, matches: Matches = anything) -> list[Any]:
        """Params of all calls of this method that the server has made so far."""
        return [params for name, params in self.heard.calls if name == method and matches(params)]

    async def hears(self, method: str, matches: Matches = anything) -> Any:
        """Params of the first such call, waited for if it has not come yet."""
        async with asyncio.timeout(PATIENCE):
            while not (found := self.told(method, matches)):
                self.heard.news.clear()
                await self.heard.news.wait()
        return found[0]

    async def ready(self) -> Any:
        """The status once the index is built; looked at anew whenever the server says something."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self.heard.news.clear()
                status = await self.ask(STATUS)
                if status.state == "ready":
                    return status
                await self.heard.news.wait()

    def opens(self, path: Path, text: str, version: int = 1) -> str:
        """Show a document; answers its URI."""
        item = types.TextDocumentItem(uri=path.as_uri(), language_id="python", version=version, text=text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return item.uri

    def edits(self, uri: str, version: int, line: int, start: int, end: int, text: str) -> None:
        """Replace a part of one line."""
        place = types.Range(types.Position(line, start), types.Position(line, end))
        change = types.TextDocumentContentChangePartial(range=place, text=text)
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def closes(self, uri: str) -> None:
        """Show a document no longer."""
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def hang_up(self) -> None:
        """Close the server's input without a word, as a crash does, and wait until it has left."""
        assert self._server is not None and self._server.stdin is not None
        self._server.stdin.close()
        await asyncio.wait_for(self._server.wait(), PATIENCE)


@asynccontextmanager
async def editor_on(tree: Path, place: Path, like: str, **settings: Any) -> AsyncGenerator[Editor]:
    """An editor with one open folder and its own server; both are gone afterwards."""
    editor = Editor(settings)
    await editor.start_io(LURCHER, "serve", env=environment(place), limit=2**24)
    folder = types.WorkspaceFolder(uri=tree.as_uri(), name=tree.name)
    editor.initialized_with = await editor.initialize_session(
        types.InitializeParams(capabilities=client_capabilities(like), workspace_folders=[folder])
    )
    try:
        yield editor
    finally:
        if editor.exit_code is None:
            await asyncio.wait_for(editor.shutdown_session(), PATIENCE)
        await editor.stop()
