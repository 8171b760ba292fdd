"""The settings in `docs/assistants.md` are well formed, and what they start can be started."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lurcher_server.cli.arguments import make_parser
from lurcher_server.mcp.server import make_server
from lurcher_server.mcp.session import Wishes

PAGE = Path(__file__).parents[2] / "docs" / "assistants.md"
BLOCK = re.compile(r"^```(json|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def settings() -> list[dict[str, Any]]:
    read = {"json": json.loads, "toml": tomllib.loads}
    return [read[kind](text) for kind, text in BLOCK.findall(PAGE.read_text("utf-8"))]


def test_there_are_settings_for_many_hosts() -> None:
    assert len(settings()) >= 7


@pytest.mark.parametrize("given", settings(), ids=lambda given: next(iter(given)))
def test_settings_name_our_command_and_options_it_has(given: dict[str, Any]) -> None:
    ((_, servers),) = given.items()
    assert list(servers) == ["lurcher"] and servers["lurcher"]["command"] == "lurcher"
    options = make_parser().parse_args(servers["lurcher"]["args"])
    assert options.command == "mcp"


@pytest.mark.asyncio
async def test_every_tool_has_a_row_and_every_row_a_tool() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(tool.name for tool in await make_server(Wishes()).list_tools())
