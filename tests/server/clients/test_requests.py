"""A client with the recorded abilities of VS Code, and one with those of Neovim, on a real server and a small tree."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from tests.server.clients.editor import Editor, editor_on
from tests.server.clients.surroundings import PATIENCE, ROOT, small_tree

from lurcher_server.lsp.messages import ErrorCode
from lurcher_server.lsp.protocol import CHUNK_SEARCH, COMMANDS

pytestmark = pytest.mark.asyncio(loop_scope="module")

VSCODE, NEOVIM = "visual-studio-code", "neovim"
ENCODINGS = {VSCODE: "utf-16", NEOVIM: "utf-8"}
"""What each can count in, and we choose: VS Code knows one unit only."""

RACE = ["fullWorkspace", "codeSearch", "embeddings", "tfidfSemantic", "tfidf"]

QUESTIONS = 20
"""How often a question is asked at most until a first batch comes; nearly always once."""


@pytest.fixture(scope="module", params=[VSCODE, NEOVIM])
def like(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, like: str) -> Path:
    return small_tree(tmp_path_factory.mktemp(like))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(tree: Path, like: str) -> AsyncIterator[Editor]:
    async with editor_on(tree, tree.parent, like, exclude=["attic/"], workers=1) as editor:
        await editor.ready()
        yield editor


async def test_capabilities_are_those_the_client_can_use(editor: Editor, like: str) -> None:
    answer = editor.initialized_with
    assert answer is not None and answer.server_info is not None and answer.server_info.name == "lurcher"
    can = answer.capabilities
    assert can.position_encoding == ENCODINGS[like]
    assert isinstance(can.text_document_sync, types.TextDocumentSyncOptions)
    assert can.text_document_sync.change is types.TextDocumentSyncKind.Incremental
    if like == "visual-studio-code":
        # What it lets us register is registered, so that it can be for some languages and later for others.
        assert not can.document_symbol_provider
        method = "textDocument/documentSymbol"
        await editor.hears(
            types.CLIENT_REGISTER_CAPABILITY,
            lambda params: method in {each.method for each in params.registrations},
        )
    else:
        assert can.workspace_symbol_provider and can.document_symbol_provider
    assert can.execute_command_provider is not None
    assert list(can.execute_command_provider.commands) == list(COMMANDS)


async def test_section_1_a_search_answers_chunks_and_the_transcript_of_the_race(editor: Editor, tree: Path) -> None:
    answer = await editor.search("which parcels are heavy")
    assert (tree / "parcel.py").as_uri() in [chunk.uri for chunk in answer.chunks]
    assert [row.strategy for row in answer.attempts] == RACE
    assert [row.strategy for row in answer.attempts if row.outcome == "won"] == [answer.strategy]
    assert answer.freshness.pending == 0 and answer.complete


async def test_ranges_are_those_of_the_file(editor: Editor, tree: Path) -> None:
    lines = (tree / "parcel.py").read_text("utf-8").split("\n")
    chunks = (await editor.search("load parcels from json", paths=["parcel.py"])).chunks
    assert chunks
    for chunk in chunks:
        start, end = chunk.range.start, chunk.range.end
        inside: list[str] = [*lines[start.line : end.line], lines[end.line][: end.character]]
        inside[0] = inside[0][start.character :]
        assert "\n".join(inside) == chunk.rawText


async def test_the_command_answers_like_the_request(editor: Editor) -> None:
    params = types.ExecuteCommandParams("lurcher.chunkSearch", [{"query": "heavy parcel", "maxResults": 3}])
    by_command: Any = await editor.workspace_execute_command_async(params)
    by_request = await editor.search("heavy parcel", maxResults=3)
    assert by_request.chunks
    assert [chunk["id"] for chunk in by_command["chunks"]] == [chunk.id for chunk in by_request.chunks]


async def test_section_8_unsaved_text_is_found_and_gone_when_closed(editor: Editor, tree: Path) -> None:
    path = tree / "never_saved.py"
    uri = editor.opens(path, "def quagga():\n    return 1\n")
    first = await editor.search("quagga", minVersions={uri: 1})
    assert [(chunk.uri, chunk.version) for chunk in first.chunks] == [(uri, 1)]
    editor.closes(uri)
    assert uri not in [chunk.uri for chunk in (await editor.search("quagga", sync=True)).chunks]


async def test_edits_are_counted_in_the_negotiated_unit(editor: Editor, tree: Path, like: str) -> None:
    """A parcel emoji is two units of UTF-16 and four of UTF-8; a wrong count would cut another word."""
    before = "label = '📦 "
    at = len(before.encode("utf-16-le")) // 2 if ENCODINGS[like] == "utf-16" else len(before.encode())
    uri = editor.opens(tree / "label.py", f"{before}zebra stays'\n")
    editor.edits(uri, 2, 0, at, at + len("zebra"), "okapi")
    (chunk,) = (await editor.search("okapi", minVersions={uri: 2})).chunks
    assert chunk.rawText.rstrip("\n") == f"{before}okapi stays'"
    assert chunk.version == 2
    editor.closes(uri)


async def test_document_symbols_are_a_tree(editor: Editor, tree: Path) -> None:
    path = tree / "parcel.py"
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(path.as_uri()))
    found = await editor.text_document_document_symbol_async(params)
    assert found
    roots = {symbol.name: symbol for symbol in found if isinstance(symbol, types.DocumentSymbol)}
    parcel = roots["Parcel"]
    assert parcel.kind is types.SymbolKind.Class
    assert {"heavy", "send"} <= {child.name for child in parcel.children or ()}
    place = parcel.selection_range
    line = path.read_text("utf-8").split("\n")[place.start.line]
    assert line[place.start.character : place.end.character] == "Parcel"


async def test_names_lie_inside_their_symbols_in_every_language(editor: Editor, tree: Path) -> None:
    """VS Code refuses the whole outline of a file if one selection range leaves its range."""
    seen = 0
    for path in sorted((ROOT / "fixtures" / "languages").iterdir()):
        uri = editor.opens(tree / "shown" / path.name, path.read_text("utf-8"))
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
        todo = list(await editor.text_document_document_symbol_async(params) or ())
        editor.closes(uri)
        while todo:
            symbol = todo.pop()
            assert isinstance(symbol, types.DocumentSymbol)
            whole, name = symbol.range, symbol.selection_range
            assert whole.start <= name.start <= name.end <= whole.end, f"{symbol.name} in {path.name}"
            todo += symbol.children or ()
            seen += 1
    assert seen > 100


async def test_workspace_symbols_come_from_every_language(editor: Editor, tree: Path) -> None:
    found = await editor.workspace_symbol_async(types.WorkspaceSymbolParams("Parcel"))
    assert found
    places = {
        symbol.location.uri
        for symbol in found
        if isinstance(symbol, types.SymbolInformation) and symbol.name == "Parcel"
    }
    assert {(tree / name).as_uri() for name in ("parcel.py", "parcel.go")} <= places


async def test_settings_are_asked_for_and_kept_to(editor: Editor, tree: Path) -> None:
    (asked, *_) = editor.told(types.WORKSPACE_CONFIGURATION)
    assert [item.section for item in asked.items] == ["lurcher"]
    answer = await editor.search("wheelbarrow")
    assert not [chunk.uri for chunk in answer.chunks if "/attic/" in chunk.uri]


async def test_section_1_a_first_batch_comes_before_the_answer(editor: Editor) -> None:
    """The batch is left out when the whole answer is ready as soon, so that one question may not be enough."""
    for token in range(QUESTIONS):
        answer = await editor.search("how does a parcel go to the next depot", partialResultToken=token)
        if batches := [params for params in editor.told(types.PROGRESS) if params.token == token]:
            break
    else:
        pytest.fail("nothing was ever sent before the answer")
    batch = batches[0].value
    assert batch["correlationId"] == answer.correlationId
    early = {(chunk["uri"], chunk["range"]["start"]["line"]): chunk["id"] for chunk in batch["chunks"]}
    late = {(chunk.uri, chunk.range.start.line): chunk.id for chunk in answer.chunks}
    both = early.keys() & late.keys()
    assert both and all(early[place] == late[place] for place in both), "ids are not stable"


async def test_section_1_a_cancelled_search_is_answered_once(editor: Editor, tree: Path) -> None:
    """It waits for a version that nobody has typed yet, so that it cannot be answered before it is cancelled."""
    uri = editor.opens(tree / "parcel.py", (tree / "parcel.py").read_text("utf-8"))
    params = {"query": "parcel", "maxResults": 5, "minVersions": {uri: 99}}
    asked = editor.protocol.send_request(CHUNK_SEARCH, params, msg_id="c1")
    editor.cancel_request(types.CancelParams("c1"))
    with pytest.raises(JsonRpcException) as refused:
        await asyncio.wait_for(asyncio.wrap_future(asked), PATIENCE)
    assert refused.value.code == ErrorCode.REQUEST_CANCELLED
    # The next one is answered, and by then the cancelled one has nothing more to say.
    assert (await editor.search("parcel", sync=True)).chunks
    assert editor.heard.answers["c1"] == 1
    editor.closes(uri)


async def test_files_that_change_on_disk_are_followed(editor: Editor, tree: Path, like: str) -> None:
    """VS Code watches for us and tells; Neovim on Linux does not, so that the server watches by itself."""
    asked = [item.method for call in editor.told(types.CLIENT_REGISTER_CAPABILITY) for item in call.registrations]
    assert (types.WORKSPACE_DID_CHANGE_WATCHED_FILES in asked) == (like == VSCODE)
    path = tree / "written.py"
    path.write_text("def capybara():\n    return 'from another program'\n", "utf-8")
    if like == VSCODE:
        event = types.FileEvent(path.as_uri(), types.FileChangeType.Created)
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        found = await editor.search("capybara", sync=True)
    else:
        found = await eventually_found(editor, "capybara")
    assert [chunk.uri for chunk in found.chunks] == [path.as_uri()]


async def eventually_found(editor: Editor, query: str) -> Any:
    """Ask again with every word from the server, until there is an answer."""
    while True:
        editor.heard.news.clear()
        answer = await editor.search(query)
        if answer.chunks:
            return answer
        await editor.heard.news.wait()
