"""What a person can set about locating, as values or in the environment. A wrong value is complained of."""

import os
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from lurcher_index.errors import BadSetting
from lurcher_index.locate.scoring import LITERAL_STRING_WEIGHT, SYMBOL_NAME_WEIGHT, Strategy, Weights

MOST_WEIGHT = 100
"""Weights lie between its negative and itself: one beyond it would decide alone, which can be had by force."""

FUSE_CHUNKS = True
"""Whether chunk search has a say in the order of the places although a tool found some. See decision 0023."""


class McpTool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A search tool of an MCP server that the person trusts and names; it is started without a shell."""

    name: str
    """What it is called here, for example `serena`."""
    command: tuple[str, ...]
    tool: str
    """The tool's name on the server."""
    argument: str = "pattern"
    """The argument that takes what is searched for."""
    fixed: dict[str, str | int | bool] = {}
    """Other arguments, the same in every call."""

    def __post_init__(self) -> None:
        """Refuse what cannot be called."""
        if not self.name.strip() or not self.tool.strip() or not self.argument.strip() or not self.command:
            raise BadSetting("an MCP tool needs a name, a command, the name of its tool and that of the argument")


class LocateSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """How strategies and tools are chosen."""

    preferred_search_tool: str = ""
    preferred_semantic_tool: str = ""
    preferred_pattern_tool: str = ""
    force_strategy: Strategy | None = None
    literal_string_weight: int = LITERAL_STRING_WEIGHT
    symbol_name_weight: int = SYMBOL_NAME_WEIGHT
    debug: bool = False
    fuse_chunks: bool = FUSE_CHUNKS
    mcp_tools: tuple[McpTool, ...] = ()
    language_server: tuple[str, ...] = ()
    """Command of a language server that is asked for `workspace/symbol`."""

    def __post_init__(self) -> None:
        """Refuse weights that cannot be meant."""
        for weight in (self.literal_string_weight, self.symbol_name_weight):
            if not -MOST_WEIGHT <= weight <= MOST_WEIGHT:
                raise BadSetting(f"a weight lies between -{MOST_WEIGHT} and {MOST_WEIGHT}, not {weight}")

    @classmethod
    def from_dict(cls, values: dict[str, object]) -> "LocateSettings":
        """Check values that come from a client."""
        try:
            return msgspec.convert(values, cls, strict=True)
        except msgspec.ValidationError as error:
            raise BadSetting(f"bad setting for locating: {error}") from None

    @property
    def weights(self) -> Weights:
        """The weights of the score table."""
        return Weights(self.literal_string_weight, self.symbol_name_weight)

    def preferred(self, strategy: Strategy) -> str:
        """The tool that a strategy shall try first."""
        return {
            Strategy.CODE_SEARCH: self.preferred_search_tool,
            Strategy.SEMANTIC_ANALYSIS: self.preferred_semantic_tool,
            Strategy.PATTERN_MATCH: self.preferred_pattern_tool,
        }[strategy]


def settings_from_environment(
    environment: Mapping[str, str], base: LocateSettings | None = None
) -> tuple[LocateSettings, tuple[str, ...]]:
    """Settings with those of the environment on top, and a complaint about each value that cannot be used."""
    chosen: dict[str, object] = {}
    complaints: list[str] = []
    for variable, (name, read) in VARIABLES.items():
        written = environment.get(variable, "").strip()
        if not written:
            continue
        try:
            chosen[name] = read(written)
        except (ValueError, BadSetting, msgspec.DecodeError) as error:
            # What a command is started with may hold a key.
            shown = "" if variable.startswith("LURCHER_") else f"={written[:80]!r}"
            complaints.append(f"{variable}{shown} is not used: {error}")
    return msgspec.structs.replace(base or LocateSettings(), **chosen), tuple(complaints)


def environment_settings() -> tuple[LocateSettings, tuple[str, ...]]:
    """The settings of this process's environment, and the complaints."""
    return settings_from_environment(os.environ)


def _strategy(text: str) -> Strategy:
    try:
        return Strategy(text)
    except ValueError:
        raise ValueError(f"there are {', '.join(Strategy)}") from None


def _weight(text: str) -> int:
    try:
        weight = int(text)
    except ValueError:
        raise ValueError("a weight is a whole number") from None
    if not -MOST_WEIGHT <= weight <= MOST_WEIGHT:
        raise ValueError(f"a weight lies between -{MOST_WEIGHT} and {MOST_WEIGHT}")
    return weight


def _switch(text: str) -> bool:
    switches = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in switches:
        raise ValueError("write true or false")
    return switches[text.lower()]


_T = TypeVar("_T")


def _json(kind: type[_T]) -> Callable[[str], _T]:
    return lambda text: msgspec.json.decode(text, type=kind)


VARIABLES: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "PREFERRED_SEARCH_TOOL": ("preferred_search_tool", str),
    "PREFERRED_SEMANTIC_TOOL": ("preferred_semantic_tool", str),
    "PREFERRED_PATTERN_TOOL": ("preferred_pattern_tool", str),
    "FORCE_SEARCH_STRATEGY": ("force_strategy", _strategy),
    "LITERAL_STRING_WEIGHT": ("literal_string_weight", _weight),
    "SYMBOL_NAME_WEIGHT": ("symbol_name_weight", _weight),
    "DEBUG_SEARCH_STRATEGY": ("debug", _switch),
    "LURCHER_LOCATE_FUSE_CHUNKS": ("fuse_chunks", _switch),
    "LURCHER_MCP_TOOLS": ("mcp_tools", _json(tuple[McpTool, ...])),
    "LURCHER_LANGUAGE_SERVER": ("language_server", _json(tuple[str, ...])),
}
"""Variable of the environment → field and how its text is read. The last two are JSON."""
