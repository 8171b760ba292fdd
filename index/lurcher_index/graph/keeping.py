"""One graph for all who ask, as long as nothing changes."""

from lurcher_index.graph.graph import Graph
from lurcher_index.view import View


class Graphs:
    """Keeps what the last graph has read for the next question. Thread-safe: at worst two are made at once."""

    def __init__(self) -> None:
        """There is none yet."""
        self._kept: Graph | None = None

    def of(self, view: View) -> Graph:
        """The graph of a view."""
        kept = self._kept
        if kept is None or not kept.is_of(view):
            kept = self._kept = Graph(view)
        return kept
