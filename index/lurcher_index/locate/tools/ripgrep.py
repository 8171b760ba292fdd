"""Searches files with ripgrep."""

from lurcher_index.files.ripgrep import find_ripgrep
from lurcher_index.locate.matches import MAX_MATCHES_PER_FILE, Match, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.locate.tools.text_program import TextProgram

# Every line is left out for being longer than one column: only where it stands is wanted.
_OPTIONS = (
    *("--no-config", "--fixed-strings", "--line-number", "--no-heading", "--with-filename", "--null", "--no-messages"),
    *("--color=never", "--path-separator=/", "--max-columns=1", f"--max-count={MAX_MATCHES_PER_FILE}"),
)


class Ripgrep:
    """The ripgrep that comes with Lurcher, or one on the search path."""

    id = "ripgrep"

    def probe(self, seconds: float) -> None:
        """Whether there is one that starts."""
        self._program().probe(seconds)

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """Lines that hold a pattern."""
        return self._program().run(sight, wanted, seconds)

    def _program(self) -> TextProgram:
        program = find_ripgrep()
        if program is None:
            raise ToolFailed("ripgrep is not installed")
        return TextProgram(program, _OPTIONS, "--ignore-case")
