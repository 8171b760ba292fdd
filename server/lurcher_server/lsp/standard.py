"""The parts that we use of the standard's messages, as types: what is decoded here has been checked."""

from typing import Any

import msgspec

from lurcher_server.lsp.wire import Position, Range, Token, Wire


class Folder(Wire, frozen=True):
    """A workspace folder."""

    uri: str
    name: str = ""


class TextDocument(Wire, frozen=True):
    """A document by its URI."""

    uri: str


class InitializeParams(Wire, frozen=True):
    """What we look at in `initialize`."""

    process_id: int | None = None
    root_uri: str | None = None
    root_path: str | None = None
    workspace_folders: tuple[Folder, ...] | None = None
    capabilities: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    initialization_options: Any = None
    client_info: dict[str, Any] | None = None


class OpenedDocument(Wire, frozen=True):
    """A document with its text."""

    uri: str
    text: str
    version: int = 0
    language_id: str = ""


class VersionedDocument(Wire, frozen=True):
    """A document in a version."""

    uri: str
    version: int | None = None


class ContentChange(Wire, frozen=True):
    """New text, of a range or of the whole document."""

    text: str
    range: Range | None = None


class DidOpenParams(Wire, frozen=True):
    """`textDocument/didOpen`."""

    text_document: OpenedDocument


class DidChangeParams(Wire, frozen=True):
    """`textDocument/didChange`."""

    text_document: VersionedDocument
    content_changes: tuple[ContentChange, ...]


class DocumentParams(Wire, frozen=True):
    """`didClose`, `didSave`, `documentSymbol`."""

    text_document: TextDocument


class FileEvent(Wire, frozen=True):
    """Something happened to a file; what is on disk decides, not the kind."""

    uri: str
    type: int = 2


class WatchedFilesParams(Wire, frozen=True):
    """`workspace/didChangeWatchedFiles`."""

    changes: tuple[FileEvent, ...]


class NamedFile(Wire, frozen=True):
    """A file that was created, deleted or renamed by the editor."""

    uri: str = ""
    old_uri: str = ""
    new_uri: str = ""


class FilesParams(Wire, frozen=True):
    """`workspace/didCreateFiles`, `didDeleteFiles` and `didRenameFiles`."""

    files: tuple[NamedFile, ...]


class FoldersEvent(Wire, frozen=True):
    """Folders that came and went."""

    added: tuple[Folder, ...] = ()
    removed: tuple[Folder, ...] = ()


class FoldersParams(Wire, frozen=True):
    """`workspace/didChangeWorkspaceFolders`."""

    event: FoldersEvent


class ConfigurationParams(Wire, frozen=True):
    """`workspace/didChangeConfiguration`."""

    settings: Any = None


class SymbolPlace(Wire, frozen=True):
    """Where a symbol is, as far as it was told."""

    uri: str
    range: Range | None = None


class SymbolParams(Wire, frozen=True):
    """`workspace/symbol`."""

    query: str
    partial_result_token: Token | None = None


class FoundSymbol(Wire, frozen=True):
    """`workspaceSymbol/resolve`: a symbol of an answer to `workspace/symbol`."""

    name: str
    kind: int
    location: SymbolPlace
    container_name: str = ""
    data: int = 0


class PositionParams(Wire, frozen=True):
    """`textDocument/definition` and `textDocument/prepareCallHierarchy`."""

    text_document: TextDocument
    position: Position


class ReferenceContext(Wire, frozen=True):
    """What counts as a reference."""

    include_declaration: bool = False


class ReferenceParams(Wire, frozen=True):
    """`textDocument/references`."""

    text_document: TextDocument
    position: Position
    context: ReferenceContext | None = None


class CalledItem(Wire, frozen=True):
    """An item of a call hierarchy, as it was prepared."""

    uri: str
    data: str = ""


class CallsParams(Wire, frozen=True):
    """`callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`."""

    item: CalledItem


class CommandParams(Wire, frozen=True):
    """`workspace/executeCommand`."""

    command: str
    arguments: tuple[Any, ...] = ()


class ProgressCancelParams(Wire, frozen=True):
    """`window/workDoneProgress/cancel`."""

    token: Token
