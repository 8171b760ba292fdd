"""Searches files with the system's grep."""

import shutil
from pathlib import Path

from lurcher_index.locate.matches import MAX_MATCHES_PER_FILE, Match, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.locate.tools.text_program import TextProgram

# Only what matches is printed: lines may be long. `-s` is for files that vanish meanwhile.
_OPTIONS = (
    *("-F", "-n", "-H", "-I", "-s", "-o", "-m", str(MAX_MATCHES_PER_FILE)),
    *("--null", "--color=never"),
)


class Grep:
    """The grep on the search path."""

    id = "grep"

    def probe(self, seconds: float) -> None:
        """Whether there is one that starts."""
        self._program().probe(seconds)

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """Lines that hold a pattern."""
        return self._program().run(sight, wanted, seconds)

    def _program(self) -> TextProgram:
        program = shutil.which("grep")
        # On Windows the current folder, which may be hostile, is looked into first.
        if program is None or not Path(program).is_absolute():
            raise ToolFailed("grep is not installed")
        return TextProgram(program, _OPTIONS, "-i")
