"""What a client can do, and what we say that we can."""

from typing import Any, cast

import msgspec

from lurcher_server import __version__
from lurcher_server.lsp.convert import ENCODINGS, Encoding
from lurcher_server.lsp.offers import Feature, languages_of
from lurcher_server.lsp.protocol import COMMANDS
from lurcher_server.lsp.settings import ServerSettings
from lurcher_server.lsp.standard import InitializeParams

EVERY_FILE = {"filters": [{"scheme": "file", "pattern": {"glob": "**/*"}}]}
INCREMENTAL = 2
"""LSP's number for a client that sends edits rather than whole documents."""

ONE_SERVER = frozenset({"eglot", "emacs (eglot)"})
"""Editors, in lower case, that have one server for a document: where we are it, there is no other."""


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
    asks: bool = False
    """It can put a question of ours to the person."""
    document_symbol_tree: bool = False
    definition_links: bool = False
    """It takes whole definitions together with their names."""
    resolves_symbols: bool = False
    """It asks for the exact place of a symbol when somebody goes there."""
    registers: frozenset[Feature] = frozenset()
    """What can be registered for some languages, and later for others."""
    has_other_servers: bool = False
    """It is likely to run servers of single languages beside us, as editors do; programs that search give no name."""


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
        asks=isinstance(_at(capabilities, "window", "showMessage"), dict),
        document_symbol_tree=_at(capabilities, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
        is True,
        definition_links=_at(capabilities, "textDocument", "definition", "linkSupport") is True,
        resolves_symbols=_resolves_symbols(capabilities),
        registers=frozenset(
            feature
            for feature, names in _CAPABILITIES.items()
            if _at(capabilities, *names, "dynamicRegistration") is True
        ),
        has_other_servers=_has_other_servers(params.client_info),
    )


_CAPABILITIES = {
    Feature.DEFINITION: ("textDocument", "definition"),
    Feature.REFERENCES: ("textDocument", "references"),
    Feature.CALL_HIERARCHY: ("textDocument", "callHierarchy"),
    Feature.DOCUMENT_SYMBOL: ("textDocument", "documentSymbol"),
    Feature.WORKSPACE_SYMBOL: ("workspace", "symbol"),
}
"""Where a client tells of its abilities."""


def _has_other_servers(client: dict[str, Any] | None) -> bool:
    name = _at(client, "name")
    return isinstance(name, str) and bool(name.strip()) and name.strip().lower() not in ONE_SERVER


def _resolves_symbols(capabilities: dict[str, Any]) -> bool:
    properties = _at(capabilities, "workspace", "symbol", "resolveSupport", "properties")
    return isinstance(properties, list) and "location.range" in properties


def initialize_answer(features: ClientFeatures, settings: ServerSettings) -> dict[str, Any]:
    """What `initialize` answers. Settings that can only be asked for later are not in `settings` yet."""
    return {
        "serverInfo": {"name": "lurcher", "version": __version__},
        "capabilities": {
            "positionEncoding": features.encoding,
            "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": {"includeText": False}},
            **_providers(features, settings),
            "executeCommandProvider": {"commands": list(COMMANDS)},
            "workspace": {
                "workspaceFolders": {"supported": True, "changeNotifications": True},
                "fileOperations": dict.fromkeys(("didCreate", "didRename", "didDelete"), EVERY_FILE),
            },
            "experimental": {"chunkSearchProvider": {"requests": list(COMMANDS.values())}},
        },
    }


def _providers(features: ClientFeatures, settings: ServerSettings) -> dict[str, Any]:
    """The features that cannot be registered later. Of their answers, those for other servers' languages are empty."""
    return {
        f"{feature.value}Provider": feature.options or True
        for feature in Feature
        if feature not in features.registers
        and languages_of(feature, settings, features.has_other_servers) != frozenset()
    }


def _at(value: object, *names: str) -> object:
    for name in names:
        if not isinstance(value, dict):
            return None
        value = cast("dict[str, object]", value).get(name)
    return value
