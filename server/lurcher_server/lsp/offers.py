"""Which of the standard's features are offered for which languages, so that nothing is listed twice beside a language's
own server. A server cannot see the others: the settings say it, or what is known of clients and languages."""

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from lurcher_index.chunking.languages import LANGUAGES
from lurcher_server.lsp.settings import ServerSettings

Languages = frozenset[str] | None
"""The engine's names of languages; None for all of them."""


class Feature(StrEnum):
    """What another server may do better; the value is the name of the setting."""

    DEFINITION = "definition"
    REFERENCES = "references"
    CALL_HIERARCHY = "callHierarchy"
    DOCUMENT_SYMBOL = "documentSymbol"
    WORKSPACE_SYMBOL = "workspaceSymbol"

    @property
    def method(self) -> str:
        """The request by which it is registered."""
        return _METHODS[self]

    @property
    def options(self) -> dict[str, Any]:
        """What it is registered with, but for the documents it is for."""
        return {"resolveProvider": True} if self is Feature.WORKSPACE_SYMBOL else {}


_METHODS = {
    Feature.DEFINITION: "textDocument/definition",
    Feature.REFERENCES: "textDocument/references",
    Feature.CALL_HIERARCHY: "textDocument/prepareCallHierarchy",
    Feature.DOCUMENT_SYMBOL: "textDocument/documentSymbol",
    Feature.WORKSPACE_SYMBOL: "workspace/symbol",
}

OWN_SERVERS = frozenset(
    "python javascript typescript tsx go java c cpp csharp rust swift kotlin scala haskell elixir ruby php html css"
    " json markdown".split()
)
"""Languages for which editors bring a server along or nearly everybody who writes them has installed one."""

KNOWN = {language.id: language for language in LANGUAGES if language.grammar}
"""Languages that have symbols."""

_CLIENT_NAMES = {
    "bash": ("shellscript", "sh", "bash", "zsh"),
    "csharp": ("csharp", "cs"),
    "javascript": ("javascript", "javascriptreact"),
    "json": ("json", "jsonc"),
    "tsx": ("typescriptreact",),
}
"""What clients call a language, where it is not what the engine calls it: LSP's names, and the file types of Vim."""


def languages_of(feature: Feature, settings: ServerSettings, has_other_servers: bool) -> Languages:
    """For which languages a feature is offered; `has_other_servers` if the client is likely to run some beside us."""
    chosen = _chosen(feature, settings)
    if chosen != "auto":
        return None if chosen == "on" else frozenset()
    guessed: frozenset[str] = OWN_SERVERS if has_other_servers else frozenset()
    others = guessed if settings.other_servers is None else _engine_names(settings.other_servers)
    return frozenset(KNOWN) - others if others else None


def selector_of(languages: Languages) -> list[dict[str, str]]:
    """The documents of some languages, by the client's names for them and, since those differ, by their endings."""
    if languages is None:
        return [{"scheme": "file"}]
    filters: list[dict[str, str]] = []
    for name in sorted(languages):
        filters += [{"scheme": "file", "language": each} for each in _CLIENT_NAMES.get(name, (name,))]
        endings = KNOWN[name].endings.split()
        filters.append({"scheme": "file", "pattern": f"**/*.{{{','.join(endings)}}}"})
    return filters


def _chosen(feature: Feature, settings: ServerSettings) -> str:
    return {
        Feature.DEFINITION: settings.definition,
        Feature.REFERENCES: settings.references,
        Feature.CALL_HIERARCHY: settings.call_hierarchy,
        Feature.DOCUMENT_SYMBOL: settings.document_symbol,
        Feature.WORKSPACE_SYMBOL: settings.workspace_symbol,
    }[feature]


def _engine_names(given: Collection[str]) -> frozenset[str]:
    """Languages as the engine calls them, whichever name was written."""
    lowered = {name.lower() for name in given}
    aliases = {alias: name for name, names in _CLIENT_NAMES.items() for alias in names}
    return frozenset(aliases.get(name, name) for name in lowered)
