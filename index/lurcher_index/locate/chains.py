"""Which tools each strategy tries, in which order."""

from collections.abc import Iterable

from lurcher_index.locate.scoring import Strategy
from lurcher_index.locate.settings import LocateSettings
from lurcher_index.locate.tools.ast_grep import AstGrep
from lurcher_index.locate.tools.built_in import BuiltIn
from lurcher_index.locate.tools.call_graph import CallGraph
from lurcher_index.locate.tools.grep import Grep
from lurcher_index.locate.tools.interface import Tool
from lurcher_index.locate.tools.language_server import LanguageServer
from lurcher_index.locate.tools.mcp_tool import McpSearch
from lurcher_index.locate.tools.ripgrep import Ripgrep
from lurcher_index.locate.tools.symbol_index import SymbolIndex
from lurcher_index.locate.tools.syntax import SyntaxTool

BASE_FINDER = ("ripgrep", "grep", "built-in")
"""What is tried when both strategies found nothing."""

_CHAINS = {
    Strategy.CODE_SEARCH: ("ripgrep", "grep", "built-in"),
    Strategy.SEMANTIC_ANALYSIS: ("symbol-index", "call-graph", "language-server", "ast-grep"),
    Strategy.PATTERN_MATCH: ("ast-grep", "tree-sitter", "ripgrep"),
}


class Toolbox:
    """All tools by name, those included that the person configured."""

    def __init__(self, tools: Iterable[Tool], configured: Iterable[str] = ()) -> None:
        """`configured` names those that come before all others where text is searched."""
        self._tools = {tool.id: tool for tool in tools}
        self._configured = tuple(configured)

    @classmethod
    def of(cls, settings: LocateSettings) -> "Toolbox":
        """What there is; a tool of somebody else only if it is configured."""
        own: list[Tool] = [Ripgrep(), Grep(), BuiltIn(), SymbolIndex(), CallGraph(), AstGrep(), SyntaxTool()]
        if settings.language_server:
            own.append(LanguageServer(settings.language_server))
        foreign = [McpSearch(each) for each in settings.mcp_tools]
        return cls([*own, *foreign], (tool.id for tool in foreign))

    def chain(self, strategy: Strategy, preferred: str = "", all_references: bool = False) -> tuple[Tool, ...]:
        """The tools of a strategy; the preferred one first. Who wants all references asks the call graph first."""
        names = list(self._names(strategy))
        if all_references and "call-graph" in names:
            names.remove("call-graph")
            names.insert(0, "call-graph")
        if preferred in names:
            names.remove(preferred)
            names.insert(0, preferred)
        return self._named(names)

    def base_finder(self) -> tuple[Tool, ...]:
        """The tools of last resort."""
        return self._named(BASE_FINDER)

    def complaint(self, strategy: Strategy, preferred: str) -> str:
        """Why a preferred tool cannot be put first; empty if it can, or if none is preferred."""
        names = self._names(strategy)
        if not preferred or preferred in names:
            return ""
        return f"the tool {preferred!r} is not one of {strategy}: there are {', '.join(names)}"

    def _names(self, strategy: Strategy) -> tuple[str, ...]:
        # A search tool of somebody else may know symbols as well as texts, as Serena does: it can be preferred there.
        first = self._configured if strategy is Strategy.CODE_SEARCH else ()
        last = self._configured if strategy is Strategy.SEMANTIC_ANALYSIS else ()
        return tuple(name for name in (*first, *_CHAINS[strategy], *last) if name in self._tools)

    def _named(self, names: Iterable[str]) -> tuple[Tool, ...]:
        return tuple(self._tools[name] for name in names if name in self._tools)
