"""What a tool is: something with a name that can be asked whether it works, and to look for something."""

from collections.abc import Sequence
from typing import Protocol

from lurcher_index.locate.matches import Match, Wanted
from lurcher_index.locate.sight import Sight


class ToolFailed(Exception):
    """A tool cannot be used, or did not come to an end; the text says why. Finding nothing is no failure."""


class Tool(Protocol):
    """One way to find places. Both methods obey the time they are given, and raise `ToolFailed`."""

    @property
    def id(self) -> str:
        """Its name in settings, answers and transcripts."""
        ...

    def probe(self, seconds: float, /) -> None:
        """Find out, quickly, whether it can be used here."""
        ...

    def run(self, sight: Sight, wanted: Wanted, seconds: float, /) -> Sequence[Match]:
        """What it finds in the files that can be seen."""
        ...
