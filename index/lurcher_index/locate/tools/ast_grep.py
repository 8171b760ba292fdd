"""Finds structures with ast-grep, if its program is installed (`pip install lurcher[ast-grep]`)."""

import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic

import msgspec

from lurcher_index.locate.matches import MAX_MATCHES, Match, MatchKind, Wanted
from lurcher_index.locate.processes import batches, output_of
from lurcher_index.locate.sight import Sight, with_slashes
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.query.code_terms import identifier_of
from lurcher_index.store.catalog import FileRow

LANGUAGES = frozenset(
    """bash c cpp csharp elixir go haskell java javascript kotlin lua php python ruby rust scala swift tsx
    typescript""".split()
)
"""Languages of programs that ast-grep knows, by the names we share with it."""


class _Point(msgspec.Struct):
    line: int


class _Range(msgspec.Struct):
    start: _Point
    end: _Point


class _Found(msgspec.Struct):
    """One line of its output, as far as it matters."""

    file: str
    range: _Range


class AstGrep:
    """The ast-grep beside this interpreter, or one on the search path. (`sg` is another program on many systems.)"""

    id = "ast-grep"

    def probe(self, seconds: float) -> None:
        """Whether there is one that starts."""
        output_of([_program(), "--version"], Path.cwd(), seconds, good=(0,))

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """Everything of the structure; without one, the names among the patterns as code."""
        program, end = _program(), monotonic() + seconds
        sought = [(-1, wanted.structure)] if wanted.structure else _names(wanted)
        found: list[Match] = []
        # A configuration in the workspace could name libraries to be loaded: it gets an empty one of ours.
        with tempfile.TemporaryDirectory(prefix="lurcher-") as scratch:
            empty = Path(scratch) / "sgconfig.yml"
            empty.touch()
            for number, pattern in sought:
                for language, folder, paths in _groups(sight):
                    options = [f"--config={empty}", f"--pattern={pattern}", f"--lang={language}", "--json=stream"]
                    command = [program, "run", *options, "--color=never", "--", *paths]
                    # It ends with 2 and more for a pattern that is no code of a language; another one may have it.
                    printed = output_of(command, folder, end - monotonic(), good=range(256))
                    found += _read(printed, sight, folder, number)
                    if len(found) >= MAX_MATCHES:
                        return found[:MAX_MATCHES]
        return found


def _program() -> str:
    for folder in (str(Path(sys.executable).parent), sysconfig.get_path("scripts"), None):
        found = shutil.which("ast-grep", path=folder)
        if found and Path(found).is_absolute():
            return found
    raise ToolFailed("ast-grep is not installed; `pip install ast-grep-cli` brings it")


def _names(wanted: Wanted) -> list[tuple[int, str]]:
    return [(number, name) for number, name in enumerate(wanted.patterns) if identifier_of(name) == name]


def _groups(sight: Sight) -> Iterator[tuple[str, Path, list[str]]]:
    for folder in sight.on_disk:
        for language, rows in _by_language(sight, folder.files).items():
            for batch in batches(row.path for row in rows):
                yield language, folder.path, batch


def _by_language(sight: Sight, rows: Iterable[FileRow]) -> dict[str, list[FileRow]]:
    found: dict[str, list[FileRow]] = {}
    for row in rows:
        if (language := sight.language(row)) in LANGUAGES:
            found.setdefault(language, []).append(row)
    return found


def _read(printed: bytes, sight: Sight, folder: Path, number: int) -> list[Match]:
    kind = MatchKind.STRUCTURE if number < 0 else MatchKind.REFERENCE
    found: list[Match] = []
    for line in printed.splitlines():
        try:
            each = msgspec.json.decode(line, type=_Found)
        except msgspec.DecodeError:
            continue
        row = sight.row(folder, with_slashes(each.file).removeprefix("./"))
        if row is not None:
            found.append(Match(row, each.range.start.line + 1, each.range.end.line + 1, number, kind))
    return found
