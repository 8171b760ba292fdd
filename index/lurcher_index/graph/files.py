"""The files of a view as the graph reads them: what they define and what they use, unsaved documents first."""

from functools import cached_property
from pathlib import Path

from lurcher_index.graph.values import Node
from lurcher_index.model import Edge, Outline
from lurcher_index.nodes import format_node, labelled, outer_names, qualified_names, symbol_ids
from lurcher_index.store.catalog import FileRow


class GraphFile:
    """One file of the workspace with its definitions."""

    def __init__(self, row: FileRow, folder: Path, label: str, outline: Outline) -> None:
        """Take what the index knows of it."""
        self.row = row
        self.folder = folder
        self.path = row.path
        self.outline = outline
        self.id = labelled(label, row.path)

    @cached_property
    def ids(self) -> list[str]:
        """The id of each symbol."""
        return symbol_ids(self.id, self.outline)

    @cached_property
    def qualified(self) -> list[str]:
        """The name of each symbol with those of what it lies in."""
        return qualified_names(self.outline)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """What it uses."""
        return self.outline.edges

    def node(self, at: int) -> Node:
        """A definition as a node; -1 for the file itself."""
        language = self.outline.language
        if not 0 <= at < len(self.outline.symbols):
            name = self.path.rpartition("/")[2]
            lines = self.outline.line_count
            return Node(
                id=format_node(self.id), kind="file", name=name, folder=str(self.folder), path=self.path,
                language=language, first_line=1, last_line=lines,
            )  # fmt: skip
        symbol = self.outline.symbols[at]
        return Node(
            id=self.ids[at],
            kind=symbol.kind.value,
            name=symbol.name,
            container=".".join(outer_names(self.outline, at)),
            folder=str(self.folder),
            path=self.path,
            language=language,
            first_line=symbol.first_line,
            last_line=symbol.last_line,
            start=symbol.start,
            end=symbol.end,
            name_start=symbol.name_start,
            name_end=symbol.name_end,
        )
