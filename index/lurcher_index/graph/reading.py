"""Which files define or use a name, as of one view: what editors show counts in place of what is on disk."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from lurcher_index.graph.families import languages_of
from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.namesakes import Entry, Named, Namesakes, Spot
from lurcher_index.graph.values import Node
from lurcher_index.model import Outline
from lurcher_index.nodes import folder_labels, labelled
from lurcher_index.store.catalog import FileRow, StoredFile, StoredFiles, file_row
from lurcher_index.store.linkage import NO_LINKS, StoredLinks, name_key, unpack_links
from lurcher_index.store.names import DefinedRow, NameTable
from lurcher_index.view import View


class GraphFiles:
    """The files of one view, by path and by the names in them."""

    def __init__(self, view: View) -> None:
        """Take a view."""
        self.view = view
        self._catalog = view.workspace.catalog
        folders = view.workspace.folders
        labels = folder_labels([folder.path.name for folder in folders])
        self._labels = {folder.folder_id: label for folder, label in zip(folders, labels, strict=True)}
        self._folders = {folder.folder_id: folder.path for folder in folders}
        self._shown = {(file.folder.folder_id, file.path): file for file in view.snapshot.shown.values()}
        self._files: dict[int, GraphFile] = {}
        self._of_content: dict[int, StoredFiles] = {}
        self._named: dict[str, Named] = {}
        self._namesakes: dict[tuple[str, str], Namesakes] = {}
        self.read_outlines = 0
        """How many outlines are held, as a measure of the memory this takes."""
        self._at: dict[tuple[int, str], GraphFile | None] = {}

    # -- by name

    def spots(self, name: str) -> list[Spot]:
        """All definitions of a name, in the order of files and of the text."""
        named = self.defined(name)
        return named.spots(named.all())

    def defined(self, name: str) -> Named:
        """The same, to choose from before they are made."""
        if name not in self._named:
            key = name_key(name)
            shown = self._shown_names.definitions(key).rows() if self._shown else []
            numbered = [(self._shown_numbers[number - 1], at, kind, around) for number, at, kind, around in shown]
            self._named[name] = Named(self, self._names.definitions(key), numbered)
        return self._named[name]

    def namesakes(self, name: str, family: str) -> Namesakes:
        """All definitions of a name in a family of languages."""
        key = (family, name)
        if key not in self._namesakes:
            self._namesakes[key] = Namesakes(self.defined(name), languages_of(family))
        return self._namesakes[key]

    def entries(self, defined: Sequence[DefinedRow]) -> list[Entry]:
        """Definitions with their files; a content that several files have gives one for each."""
        if not defined:
            return []
        held = self._of_content
        self._look_up({number for number, _, _, _ in defined if number not in held})
        return [(stored, at, kind, around) for number, at, kind, around in defined for stored in held.get(number, ())]

    def using(self, names: Collection[str]) -> list[int]:
        """Contents and open documents that use one of some names, or have the same keys."""
        return self.using_keys({name_key(name) for name in names})

    def using_keys(self, keys: Collection[int]) -> list[int]:
        """The same by keys."""
        found = {number for key in keys for number in self._names.using(key)}
        shown = {number for key in keys for number in self._shown_names.using(key)} if self._shown else set[int]()
        return [*(self._shown_numbers[number - 1] for number in sorted(shown)), *sorted(found)]

    def with_contents(self, numbers: Collection[int]) -> Iterator[GraphFile]:
        """The files that have some contents, in the order of the contents; those below 0 are open documents."""
        self._look_up(numbers)
        for number in numbers:
            for stored in self._of_content.get(number, ()):
                yield self.file_of(stored)

    @cached_property
    def _names(self) -> NameTable:
        return self._catalog.names()

    @cached_property
    def _version(self) -> int:
        return self._catalog.version()

    @cached_property
    def _shown_numbers(self) -> list[int]:
        return [file.number for file in self._shown.values() if file.content is not None]

    @cached_property
    def _shown_names(self) -> NameTable:
        """The open documents get the numbers 1, 2, … in this table."""
        table = NameTable()
        files = [file.content for file in self._shown.values() if file.content is not None]
        table.add([(at, each.defined, each.used) for at, each in enumerate(files, 1)])
        return table

    def _look_up(self, numbers: Collection[int]) -> None:
        """Find all files that have one of some contents."""
        missing = [number for number in numbers if number not in self._of_content]
        opened = [number for number in missing if number < 0]
        rows = self.view.rows(opened) if opened else {}
        if not missing:
            return
        table = self._catalog.files_of(missing, self._version)
        for number in missing:
            found = [
                stored
                for stored in table.get(number, ())
                if (stored[1], stored[2]) not in self._shown and stored[1] in self._folders
            ]
            # Whole before another thread can see it.
            self._of_content[number] = (*found, *((self._opened(rows[number]),) if number in rows else ()))

    def _opened(self, row: FileRow) -> StoredFile:
        """The row of an open document as one that is read."""
        number = row.content_id if row.content_id is not None else row.file_id
        return (*row[:5], number, None, None, self.file(row).language)

    def file_of(self, stored: StoredFile) -> GraphFile:
        """A file by its row as it is read."""
        known = self._files.get(stored[0])
        return known if known is not None else self._file(file_row(stored), stored[8])

    # -- by path

    def all(self) -> Iterator[GraphFile]:
        """Every file that has a content, in the order of folders and paths."""
        for row in self.rows():
            yield self.file(row)

    def rows(self) -> list[FileRow]:
        """Every file and open document that has a content, in the order of folders and paths."""
        stored = (row for row in self._catalog.all_files() if row.content_id is not None)
        kept = [
            row for row in stored if (row.folder_id, row.path) not in self._shown and row.folder_id in self._folders
        ]
        shown = self.view.rows([file.number for file in self._shown.values() if file.held is not None])
        return sorted([*kept, *shown.values()], key=lambda row: (row.folder_id, row.path))

    def file(self, row: FileRow) -> GraphFile:
        """A file by its row."""
        known = self._files.get(row.file_id)
        if known is not None:
            return known
        outline = self.view.outline_of(row)
        return self._file(row, outline.language if outline is not None else "")

    def at(self, path: Path) -> GraphFile | None:
        """The file at a path of the disk, if it is in the index."""
        row = self.view.row_at(path)
        if row is None or row.content_id is None or self.view.outline_of(row) is None:
            return None
        return self.file(row)

    def in_same_folder(self, file: GraphFile, path: str) -> GraphFile | None:
        """The file at a path of the workspace folder in which another one lies."""
        number = file.row.folder_id
        shown = self._shown.get((number, path))
        if shown is not None:
            return self.file(self.view.rows([shown.number])[shown.number]) if shown.held is not None else None
        if (number, path) not in self._at:
            row = self._catalog.file_at(number, path)
            self._at[number, path] = self.file(row) if row is not None and row.content_id is not None else None
        return self._at[number, path]

    def named(self, stem: str) -> list[GraphFile]:
        """The files whose name without its ending is this, or that speak for a folder of that name."""
        rows = self._catalog.rows_named(stem) if stem else []
        kept = [row for row in rows if (row.folder_id, row.path) not in self._shown and row.folder_id in self._folders]
        shown = self.view.rows([file.number for file in self._shown.values() if file.held is not None])
        near = [row for row in shown.values() if f"/{row.path}".rpartition("/")[2].partition(".")[0] == stem]
        return [self.file(row) for row in (*kept, *near) if row.content_id is not None]

    def by_id(self, node_id: str) -> GraphFile | None:
        """The file that an id names."""
        for number, label in self._labels.items():
            if label and not node_id.startswith(label + "/"):
                continue
            path = node_id[len(label) + 1 :] if label else node_id
            shown = self._shown.get((number, path))
            if shown is not None:
                return self.file(self.view.rows([shown.number])[shown.number]) if shown.held is not None else None
            row = self._catalog.file_at(number, path) if path else None
            if row is not None and row.content_id is not None:
                return self.file(row)
        if not self._folders:
            shown_rows = self.view.rows([file.number for file in self._shown.values() if file.path == node_id])
            return next((self.file(row) for row in shown_rows.values()), None)
        return None

    def in_folder(self, folder_id: str) -> tuple[Node, ...]:
        """The files and folders directly in a folder, by its id; none if it is no folder of the workspace."""
        found: dict[str, Node] = {}
        above = f"{folder_id}/" if folder_id else ""
        for row in self._rows_below(folder_id):
            first, _, rest = self.id_of(row)[len(above) :].partition("/")
            inner = above + first
            if inner not in found:
                found[inner] = self.folder_node(inner) if rest else self.file(row).node(-1)
        return tuple(found.values())

    def _rows_below(self, folder_id: str) -> list[FileRow]:
        rows: list[FileRow] = []
        for number, label in self._labels.items():
            if label and folder_id != label and not folder_id.startswith(label + "/"):
                continue
            path = folder_id[len(label) + 1 :] if label else folder_id
            stored = self._catalog.rows_below(number, path)
            rows += [row for row in stored if row.content_id is not None and (number, row.path) not in self._shown]
        shown = self.view.rows([file.number for file in self._shown.values() if file.held is not None])
        rows += [row for row in shown.values() if self.id_of(row).startswith(f"{folder_id}/" if folder_id else "")]
        return sorted(rows, key=lambda row: (row.folder_id, row.path))

    def folder_node(self, folder_id: str) -> Node:
        """A folder as a node."""
        for number, label in self._labels.items():
            if not label or folder_id == label or folder_id.startswith(label + "/"):
                path = folder_id[len(label) :].lstrip("/") if label else folder_id
                name = path.rpartition("/")[2] or self._folders[number].name
                return Node(id=folder_id, kind="folder", name=name, folder=str(self._folders[number]), path=path)
        return Node(id=folder_id, kind="folder", name=folder_id.rpartition("/")[2], folder="", path=folder_id)

    def id_of(self, row: FileRow) -> str:
        """The id of a file."""
        return labelled(self._labels.get(row.folder_id, ""), row.path)

    def _file(self, row: FileRow, language: str) -> GraphFile:
        known = self._files.get(row.file_id)
        if known is None:
            made = GraphFile(row, self.id_of(row), language, self)
            # Files are compared by identity, so of two threads that make one the first wins.
            known = self._files.setdefault(row.file_id, made)
        return known

    def read(self, files: Iterable[GraphFile]) -> None:
        """Read what many files define and use in one go; one by one takes several times as long."""
        wanted = [file for file in files if "links" not in file.__dict__ and file.row.file_id >= 0]
        links = self._catalog.links({file.row.content_id for file in wanted if file.row.content_id is not None})
        for file in wanted:
            file.__dict__["links"] = links.get(file.row.content_id or 0, NO_LINKS)
        self.read_definitions(wanted)

    def read_definitions(self, files: Iterable[GraphFile]) -> None:
        """Read what many files define in one go."""
        wanted = [file for file in files if "outline" not in file.__dict__ and file.row.file_id >= 0]
        if not wanted:
            return
        held = self.view.contents({file.row.content_id for file in wanted if file.row.content_id is not None})
        for file in wanted:
            if file.row.content_id in held:
                file.__dict__["outline"] = held[file.row.content_id].outline
                self.read_outlines += 1

    def folder_of(self, row: FileRow) -> Path:
        """The workspace folder in which a file lies."""
        return self.view.folder_of(row)

    def outline_of(self, row: FileRow) -> Outline:
        """What a file defines."""
        self.read_outlines += 1
        return self.view.outline_of(row) or _NOTHING

    def links_of(self, row: FileRow) -> StoredLinks:
        """What a file uses."""
        shown = self.view.snapshot.shown.get(row.file_id)
        if shown is not None:
            return unpack_links(shown.content.links) if shown.content is not None else NO_LINKS
        if row.content_id is None:
            return NO_LINKS
        return self._catalog.links([row.content_id]).get(row.content_id, NO_LINKS)


_NOTHING = Outline("", 0, (), (), ())
