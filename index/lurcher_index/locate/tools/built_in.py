"""Searches texts in Python: slow, and always there."""

from time import monotonic

from lurcher_index.locate.literal_search import search_texts
from lurcher_index.locate.matches import Match, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import ToolFailed


class BuiltIn:
    """The finder of last resort among those that search texts."""

    id = "built-in"

    def probe(self, _seconds: float, /) -> None:
        """It needs nothing."""

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """Read one file after the other; what was found until the time was up counts, if anything was."""
        end = monotonic() + seconds
        found: list[Match] = []
        for match in search_texts(sight, sight.rows(), wanted):
            if match is not None:
                found.append(match)
            elif monotonic() > end:
                if not found:
                    raise ToolFailed(f"reading all files takes longer than {seconds:.0f} s")
                break
        return found
