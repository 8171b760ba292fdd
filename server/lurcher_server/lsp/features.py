"""What a client can do, and what we say that we can."""

from typing import Any, cast

import msgspec

from lurcher_server import __version__
from lurcher_server.lsp.convert import ENCODINGS, Encoding
from lurcher_server.lsp.protocol import COMMANDS, InitializeParams

EVERY_FILE = {"filters": [{"scheme": "file", "pattern": {"glob": "**/*"}}]}
INCREMENTAL = 2
"""LSP's number for a client that sends edits rather than whole documents."""


class ClientFeatures(msgspec.Struct, frozen=True):
    """The client's abilities that matter to us."""

    encoding: Encoding = "utf-16"
    configuration: bool = False
    """It can be asked for settings."""
    registers_configuration: bool = False
    registers_watchers: bool = False
    """It can watch files for us."""
    progress: bool = False
    """It shows progress that we begin."""
    document_symbol_tree: bool = False


def features_of(params: InitializeParams) -> ClientFeatures:
    """Read the client's capabilities; what is missing or odd counts as absent."""
    capabilities = params.capabilities
    offered = _at(capabilities, "general", "positionEncodings")
    known: list[Encoding] = [each for each in ENCODINGS if isinstance(offered, list) and each in offered]
    return ClientFeatures(
        encoding=known[0] if known else "utf-16",
        configuration=_at(capabilities, "workspace", "configuration") is True,
        registers_configuration=_at(capabilities, "workspace", "didChangeConfiguration", "dynamicRegistration") is True,
        registers_watchers=_at(capabilities, "workspace", "didChangeWatchedFiles", "dynamicRegistration") is True,
        progress=_at(capabilities, "window", "workDoneProgress") is True,
        document_symbol_tree=_at(capabilities, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
        is True,
    )


def initialize_answer(features: ClientFeatures) -> dict[str, Any]:
    """What `initialize` answers."""
    return {
        "serverInfo": {"name": "lurcher", "version": __version__},
        "capabilities": {
            "positionEncoding": features.encoding,
            "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": {"includeText": False}},
            "workspaceSymbolProvider": True,
            "documentSymbolProvider": True,
            "executeCommandProvider": {"commands": list(COMMANDS)},
            "workspace": {
                "workspaceFolders": {"supported": True, "changeNotifications": True},
                "fileOperations": dict.fromkeys(("didCreate", "didRename", "didDelete"), EVERY_FILE),
            },
            "experimental": {"chunkSearchProvider": {"requests": list(COMMANDS.values())}},
        },
    }


def _at(value: object, *names: str) -> object:
    for name in names:
        if not isinstance(value, dict):
            return None
        value = cast("dict[str, object]", value).get(name)
    return value
