"""A search tool of an MCP server that the person configured, asked over its standard input and output."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from lurcher_index.locate.foreign import places_in
from lurcher_index.locate.matches import MAX_MATCHES, Match, Wanted
from lurcher_index.locate.settings import McpTool
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import ToolFailed


class McpSearch:
    """One configured tool. Its server is started for a run and ended with it; nothing is started unless asked for."""

    def __init__(self, configured: McpTool) -> None:
        """Take what the person configured."""
        self._configured = configured

    @property
    def id(self) -> str:
        """The name that the person gave it."""
        return self._configured.name

    def probe(self, _seconds: float, /) -> None:
        """Whether there is such a program, and the SDK to talk to it. Starting a server takes longer than a probe."""
        if find_spec("mcp") is None:
            raise ToolFailed("the MCP SDK is not installed; `pip install lurcher[mcp]` brings it")
        self._program()

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """Call the tool once for each pattern, all in one session."""
        # Loaded here: the SDK takes a second, and most people never need it.
        import anyio

        folders = sight.view.workspace.folders
        folder = folders[0].path if folders else Path.cwd()
        try:
            answers = anyio.run(self._answers, wanted.patterns, folder, seconds)
        except Exception as error:  # noqa: BLE001 - whatever a foreign server and the SDK make of each other
            raise ToolFailed(_in_words(error)) from None
        return [
            Match(row, line, line, number)
            for number, answer in enumerate(answers)
            for row, line in places_in(sight, answer)[:MAX_MATCHES]
        ]

    async def _answers(self, patterns: tuple[str, ...], folder: Path, seconds: float) -> list[str]:
        import anyio
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client

        configured = self._configured
        server = StdioServerParameters(
            command=self._program(), args=list(configured.command[1:]), cwd=folder, encoding_error_handler="replace"
        )
        answers: list[str] = []
        with open(os.devnull, "w") as nowhere, anyio.fail_after(seconds):  # noqa: PTH123 - no path of anybody's
            async with Client(stdio_client(server, errlog=nowhere), read_timeout_seconds=seconds) as client:
                for pattern in patterns:
                    arguments = {**configured.fixed, configured.argument: pattern}
                    result = await client.call_tool(configured.tool, arguments)
                    texts = [text for each in result.content if isinstance(text := getattr(each, "text", None), str)]
                    if result.is_error:
                        raise ToolFailed(f"the tool {configured.tool!r} said: {' '.join(texts)[:200]}")
                    answers.append("\n".join(texts))
        return answers

    def _program(self) -> str:
        program = shutil.which(self._configured.command[0])
        if program is None:
            raise ToolFailed(f"there is no program {self._configured.command[0]!r}")
        return program


def _in_words(error: BaseException) -> str:
    """The first real reason in what may be a group of groups."""
    inner: object = error
    while isinstance(inner, BaseExceptionGroup):
        inner = cast("BaseExceptionGroup[BaseException]", inner).exceptions[0]
    return f"{type(inner).__name__}: {inner}"[:300] if str(inner) else type(inner).__name__
