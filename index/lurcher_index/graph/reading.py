"""Which files define or use a name."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.values import Node
from lurcher_index.nodes import folder_labels, labelled
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View


class GraphFiles:
    """The files of one view, by path and by the names in them."""

    def __init__(self, view: View) -> None:
        """Take a view."""
        self.view = view
        folders = view.workspace.folders
        labels = folder_labels([folder.path.name for folder in folders])
        self._labels = {folder.folder_id: label for folder, label in zip(folders, labels, strict=True)}
        self._folders = {folder.folder_id: folder.path for folder in folders}
        self._shown = {(file.folder.folder_id, file.path): file for file in view.snapshot.shown.values()}
        self._read: dict[int, GraphFile | None] = {}

    def defining(self, names: Iterable[str]) -> list[GraphFile]:
        """The files that define one of some names, in the order of folders and paths."""
        wanted = set(names)
        return [file for file in self.all() if any(symbol.name in wanted for symbol in file.outline.symbols)]

    def using(self, names: Iterable[str]) -> list[GraphFile]:
        """The files that call, import or inherit one of some names, in the order of folders and paths."""
        wanted = set(names)
        return [file for file in self.all() if any(edge.name in wanted for edge in file.edges)]

    def all(self) -> Iterator[GraphFile]:
        """Every file that can be read."""
        for row in self.rows():
            file = self.file(row)
            if file is not None:
                yield file

    def rows(self) -> list[FileRow]:
        """Every file and open document that has a content, in the order of folders and paths."""
        stored = [row for row in self.view.workspace.catalog.all_files() if row.content_id is not None]
        kept = [
            row for row in stored if (row.folder_id, row.path) not in self._shown and row.folder_id in self._folders
        ]
        shown = self.view.rows([file.number for file in self._shown.values() if file.held is not None])
        return sorted([*kept, *shown.values()], key=lambda row: (row.folder_id, row.path))

    def file(self, row: FileRow) -> GraphFile | None:
        """A file by its row."""
        if row.file_id not in self._read:
            self._read[row.file_id] = self._open(row)
        return self._read[row.file_id]

    def at(self, path: Path) -> GraphFile | None:
        """The file at a path of the disk."""
        row = self.view.row_at(path)
        return self.file(row) if row is not None else None

    def by_id(self, path: str) -> GraphFile | None:
        """The file that an id names."""
        for row in self.rows_named(path):
            return self.file(row)
        return None

    def rows_named(self, path: str) -> list[FileRow]:
        """The rows of the file with an id, which is one at most."""
        return [row for row in self.rows() if self.id_of(row) == path]

    def id_of(self, row: FileRow) -> str:
        """The id of a file."""
        return labelled(self._labels.get(row.folder_id, ""), row.path)

    def in_folder(self, folder_id: str) -> tuple[Node, ...]:
        """The files and folders directly in a folder, by its id; none if it is no folder of the workspace."""
        found: dict[str, Node] = {}
        for row in self.rows():
            name = self.id_of(row)
            if not name.startswith(folder_id + "/"):
                continue
            first, _, rest = name[len(folder_id) + 1 :].partition("/")
            inner = f"{folder_id}/{first}"
            if inner in found:
                continue
            file = None if rest else self.file(row)
            if file is not None or rest:
                found[inner] = file.node(-1) if file is not None else self.folder_node(inner)
        return tuple(found.values())

    def folder_node(self, folder_id: str) -> Node:
        """A folder as a node."""
        for number, label in self._labels.items():
            if not label or folder_id == label or folder_id.startswith(label + "/"):
                path = folder_id[len(label) :].lstrip("/") if label else folder_id
                name = path.rpartition("/")[2] or self._folders[number].name
                return Node(id=folder_id, kind="folder", name=name, folder=str(self._folders[number]), path=path)
        return Node(id=folder_id, kind="folder", name=folder_id.rpartition("/")[2], folder="", path=folder_id)

    def _open(self, row: FileRow) -> GraphFile | None:
        label = self._labels.get(row.folder_id, "")
        if row.file_id < 0:
            outline = self.view.outline_of(row)
        else:
            outline = None if row.content_id is None else self.view.workspace.catalog.whole_outline(row.content_id)
        return None if outline is None else GraphFile(row, self.view.folder_of(row), label, outline)
