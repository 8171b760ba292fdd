"""Finds structures and names with our own grammars, by tree-sitter queries in a process of its own."""

import subprocess
import threading
from contextlib import suppress

import msgspec

from lurcher_index.building.messages import read_frame, write_frame
from lurcher_index.building.spawning import spawn
from lurcher_index.chunking.languages import grammar_of
from lurcher_index.locate.matches import MAX_MATCHES, Match, MatchKind, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.syntax_main import SyntaxAnswer, SyntaxFile, SyntaxOrder
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.query.code_terms import identifier_of

DATA_LANGUAGES = frozenset({"json", "yaml", "toml", "html", "css", "markdown"})
"""Languages with a grammar in which nobody looks for the structure of a program."""

_SPARE_SECONDS = 1.0
"""What is left of the time for starting the process and reading its answer."""


class SyntaxTool:
    """Queries over syntax trees."""

    id = "tree-sitter"

    def probe(self, _seconds: float, /) -> None:
        """The grammars come with Lurcher."""

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """Everything of the snippet's structure; without one, the names among the patterns where they are code."""
        names = () if wanted.structure else tuple(p for p in wanted.patterns if identifier_of(p) == p)
        if not wanted.structure and not names:
            return []
        rows = [row for row in sight.rows() if _has_syntax(sight.language(row))]
        files = tuple(
            SyntaxFile(
                str(sight.view.folder_of(row)),
                row.path,
                sight.language(row),
                sight.text(row) if row.file_id < 0 else None,
            )
            for row in rows
        )
        settings = sight.view.workspace.settings
        snippet = wanted.snippet if wanted.structure else ""
        order = SyntaxOrder(files, snippet, names, settings, max(0.1, seconds - _SPARE_SECONDS))
        answer = _asked(order, seconds)
        numbers = {-1: -1} | {at: wanted.patterns.index(name) for at, name in enumerate(names)}
        return [
            Match(rows[each.file], each.first_line, each.last_line, numbers[each.name], _kind(each.name))
            for each in answer.found[:MAX_MATCHES]
            if 0 <= each.file < len(rows) and each.name in numbers
        ]


def _kind(name: int) -> MatchKind:
    return MatchKind.STRUCTURE if name < 0 else MatchKind.REFERENCE


def _has_syntax(language: str) -> bool:
    return bool(grammar_of(language)) and language not in DATA_LANGUAGES


def _asked(order: SyntaxOrder, seconds: float) -> SyntaxAnswer:
    try:
        process = spawn("lurcher_index.locate.syntax_main")
    except OSError as error:
        raise ToolFailed(f"its process cannot be started: {error}") from None
    late = threading.Timer(seconds, process.kill)
    late.daemon = True
    late.start()
    try:
        return _exchanged(process, order)
    except (OSError, EOFError, ValueError) as error:
        raise ToolFailed(f"its process broke off: {error}") from None
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):  # What was still to be written has no reader any more.
                    pipe.close()
        process.wait()
        late.cancel()


def _exchanged(process: "subprocess.Popen[bytes]", order: SyntaxOrder) -> SyntaxAnswer:
    assert process.stdin is not None
    assert process.stdout is not None
    write_frame(process.stdin, order)
    frame = read_frame(process.stdout)
    if frame is None:
        raise ToolFailed("its process ended without an answer: a text was too much for a grammar, or the time was up")
    return msgspec.msgpack.decode(frame, type=SyntaxAnswer)
