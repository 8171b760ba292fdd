"""Asks `lurcher mcp` ten real questions about a real package, as a chat assistant would, and checks the answers:
`python benchmarks/assistants.py --trees DEST [--transcript]`.

The questions are about click, which `benchmarks/trees.py DEST click` fetches. The server runs as a process and is asked
by the SDK's own client, in the newest protocol or with `--mode legacy` in the one before. An answer is right if what
the question is about is where it has to be. The exit code is 1 if an answer is wrong.
"""

import argparse
import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, TextContent

ROOT = Path(__file__).resolve().parents[1]
TREE = "click"
SHOWN_LINES = 8
"""Lines of an answer that a transcript shows."""

_FENCED = re.compile(r"^(`{3,})\w*\n.*?^\1$", re.MULTILINE | re.DOTALL)

Structured = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question in a person's words, the call an assistant makes of it, and how its answer is judged."""

    words: str
    tool: str
    arguments: dict[str, object]
    expected: tuple[str, ...]
    found: Callable[[Structured], list[str]]
    """The ids in an answer, in its order."""
    within: int | None = None
    """One of the expected has to be among the first so many; None if all of them have to be anywhere."""

    def is_right(self, answer: Structured) -> bool:
        """Whether the answer is the right one."""
        ids = self.found(answer)
        if self.within is None:
            return set(self.expected) <= set(ids)
        return not set(self.expected).isdisjoint(ids[: self.within])


def _results(answer: Structured) -> list[str]:
    return [result["node"] for result in answer["results"]]


def _definitions(answer: Structured) -> list[str]:
    return [definition["id"] for definition in answer["definitions"]]


def _sources(answer: Structured) -> list[str]:
    return [use["source"]["id"] for use in answer["uses"]]


def _targets(answer: Structured) -> list[str]:
    return [use["target"] for use in answer["uses"]]


def _linked(answer: Structured) -> list[str]:
    return [link["source"] for link in answer["links"]]


def _fetched(answer: Structured) -> list[str]:
    return [each["node"]["id"] for each in answer["nodes"] if "open_stream" in each["code"]]


def _located(answer: Structured) -> list[str]:
    return [place["node"] for place in answer["locations"]]


CORE, TERMUI, TYPES = "src/click/core.py", "src/click/termui.py", "src/click/types.py"

QUESTIONS = (
    Question(
        "How does an option get its value from an environment variable?",
        "search_code",
        {"query": "how does an option get its value from an environment variable", "paths": ["src"]},
        (f"{CORE}:Parameter.resolve_envvar_value", f"{CORE}:Option.resolve_envvar_value"),
        _results,
        within=2,
    ),
    Question(
        "Where is a password asked for without showing it?",
        "search_code",
        {"query": "ask for a password without showing what is typed", "content": "code", "max_results": 5},
        (f"{TERMUI}:hidden_prompt_func", f"{TERMUI}:prompt", "src/click/decorators.py:password_option"),
        _results,
        within=3,
    ),
    Question(
        "How do mistyped options get suggestions?",
        "search_code",
        {"query": "suggest similar names for a mistyped option", "filePattern": "src/**/*.py"},
        ("src/click/exceptions.py:NoSuchOption", "src/click/exceptions.py:NoSuchOption.__init__",
         "src/click/exceptions.py:NoSuchOption.format_message", "src/click/parser.py:_OptionParser._match_long_opt"),
        _results,
        within=3,
    ),
    Question(
        "Where is Context.invoke?",
        "find_symbol",
        {"name": "Context.invoke"},
        (f"{CORE}:Context.invoke",),
        _definitions,
        within=1,
    ),
    Question(
        "Who calls resolve_color_default?",
        "who_calls",
        {"name": "resolve_color_default"},
        (
            "src/click/exceptions.py:ClickException.__init__",
            f"{TERMUI}:echo_via_pager",
            f"{TERMUI}:progressbar#3",
            "src/click/utils.py:echo",
        ),
        _sources,
    ),
    Question(
        "Which types are derived from ParamType?",
        "who_calls",
        {"name": "ParamType", "direction": "references"},
        tuple(f"{TYPES}:{name}" for name in ("Choice", "DateTime", "File", "Path", "BoolParamType")),
        _sources,
    ),
    Question(
        "What does echo_via_pager call?",
        "who_calls",
        {"name": "echo_via_pager", "direction": "callees"},
        ("src/click/globals.py:resolve_color_default", "src/click/_termui_impl.py:pager"),
        _targets,
    ),
    Question(
        "What would a change of format_eta touch?",
        "explore_graph",
        {"ids": ["src/click/_termui_impl.py:ProgressBar.format_eta"], "direction": "up", "kinds": ["invokes"]},
        ("src/click/_termui_impl.py:ProgressBar.format_progress_line",),
        _linked,
    ),
    Question(
        "Show me LazyFile.open.",
        "fetch_node",
        {"ids": ["src/click/utils.py:LazyFile.open"]},
        ("src/click/utils.py:LazyFile.open",),
        _fetched,
        within=1,
    ),
    Question(
        "A report: the estimated time of the progress bar is wrong after a pause. Where is that?",
        "locate_issue",
        {
            "title": "Wrong estimate after a pause",
            "description": "The `eta` of the ProgressBar is far too long after the loop was paused: time_per_iteration"
            " averages over old steps.",
        },
        ("src/click/_termui_impl.py:ProgressBar.eta", "src/click/_termui_impl.py:ProgressBar.time_per_iteration"),
        _located,
        within=3,
    ),
)  # fmt: skip


async def ask_all(folder: Path, mode: str, transcript: bool) -> int:
    """Ask every question of one server process; how many answers are right."""
    right = 0
    with tempfile.TemporaryDirectory() as store:
        arguments = ["-m", "lurcher_server", "mcp", "-w", str(folder), "--store", store]
        server = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)
        async with Client(server, mode=mode) as client:
            await client.call_tool("index_status", {"wait_seconds": 300})
            for number, question in enumerate(QUESTIONS, 1):
                answer = await client.call_tool(question.tool, question.arguments)
                assert isinstance(answer, CallToolResult)
                structured = answer.structured_content
                verdict = not answer.is_error and isinstance(structured, dict) and question.is_right(structured)
                right += verdict
                print(f"{number}. {question.words} {'right' if verdict else 'WRONG'}")
                if transcript or not verdict:
                    print(_shortened(question, answer))
    return right


def _shortened(question: Question, answer: CallToolResult) -> str:
    """The call and the beginning of its answer, without the code in it, which is somebody else's."""
    text = "\n".join(block.text for block in answer.content if isinstance(block, TextContent))
    lines = [line for line in _FENCED.sub("…", text).splitlines() if line]
    rest = ["…"] if len(lines) > SHOWN_LINES else []
    given = ", ".join(f"{name}={json.dumps(value)}" for name, value in question.arguments.items())
    return "\n".join([f"{question.tool}({given})", *lines[:SHOWN_LINES], *rest, ""])


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, required=True, help="where `benchmarks/trees.py` has put click")
    parser.add_argument("--mode", default="auto", help="protocol: auto, legacy, or a version (default: auto)")
    parser.add_argument("--transcript", action="store_true", help="print what was asked and answered")
    options = parser.parse_args()
    folder = options.trees / TREE
    if not folder.is_dir():
        parser.error(f"{folder} is not there; fetch it with `python benchmarks/trees.py {options.trees} {TREE}`")
    right = asyncio.run(ask_all(folder, options.mode, options.transcript))
    print(f"{right} of {len(QUESTIONS)} answers are right")
    return 0 if right == len(QUESTIONS) else 1


if __name__ == "__main__":
    sys.exit(main())
