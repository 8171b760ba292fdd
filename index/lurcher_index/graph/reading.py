"""Which files define or use a name, as of one view: what editors show counts in place of what is on disk."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.values import Node
from lurcher_index.model import Links, Outline, SymbolKind
from lurcher_index.nodes import folder_labels, labelled
from lurcher_index.store.catalog import FileRow
from lurcher_index.store.linkage import name_key, unpack_links
from lurcher_index.store.names import Defined, Definitions, NameTable
from lurcher_index.view import View

MAX_SPOTS = 2_000
"""Definitions of one name that are told apart. A name with more of them (`String` in a very large tree) says little."""


class Spot(NamedTuple):
    """A definition: its file, its index there, its kind and the key of the name of what it lies in (0 for nothing)."""

    file: GraphFile
    symbol: int
    kind: SymbolKind
    container: int


class Namesakes:
    """All definitions of one name in one family of languages. Of a common name only those are made that are asked for:
    by kind, by file or by what they lie in."""

    def __init__(self, files: "GraphFiles", stored: Definitions, shown: Sequence[Defined], family: str) -> None:
        """Take what the index and the open documents define."""
        self._files = files
        self._stored = stored
        self._shown = shown
        self._family = family
        self._of_kinds: dict[frozenset[SymbolKind], list[Spot]] = {}
        self._in_container: dict[int, list[Spot]] = {}

    @cached_property
    def spots(self) -> list[Spot]:
        """All of them, in the order of files and of the text."""
        return self._made(self._stored.all(), self._shown)

    def of_kinds(self, kinds: frozenset[SymbolKind]) -> list[Spot]:
        """Those of some kinds."""
        if kinds not in self._of_kinds:
            shown = [each for each in self._shown if each.kind in kinds]
            self._of_kinds[kinds] = self._made(self._stored.of_kinds(kinds), shown)
        return self._of_kinds[kinds]

    def in_container(self, key: int) -> list[Spot]:
        """Those that lie in something of a name, by the name's key."""
        if key not in self._in_container:
            shown = [each for each in self._shown if each.container == key]
            self._in_container[key] = self._made(self._stored.in_container(key), shown)
        return self._in_container[key]

    def _made(self, stored: Sequence[Defined], shown: Sequence[Defined]) -> list[Spot]:
        spots = self._files.spots_of([*stored[:MAX_SPOTS], *shown])
        return [spot for spot in spots if spot.file.family.name == self._family]


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
        self._of_content: dict[int, list[GraphFile]] = {}
        self._defined: dict[str, tuple[Definitions, list[Defined]]] = {}
        self._spots: dict[str, list[Spot]] = {}
        self._namesakes: dict[tuple[str, str], Namesakes] = {}
        self.read_outlines = 0
        """How many outlines are held, as a measure of the memory this takes."""
        self._at: dict[tuple[int, str], GraphFile | None] = {}

    # -- by name

    def spots(self, name: str) -> list[Spot]:
        """All definitions of a name, in the order of files and of the text."""
        if name not in self._spots:
            stored, shown = self._defining(name)
            self._spots[name] = self.spots_of([*stored.all()[:MAX_SPOTS], *shown])
        return self._spots[name]

    def is_defined(self, name: str) -> bool:
        """Whether anything is called so."""
        return any(len(each) for each in self._defining(name))

    def namesakes(self, name: str, family: str) -> Namesakes:
        """All definitions of a name in a family of languages."""
        key = (family, name)
        if key not in self._namesakes:
            self._namesakes[key] = Namesakes(self, *self._defining(name), family)
        return self._namesakes[key]

    def spots_of(self, defined: Sequence[Defined]) -> list[Spot]:
        """Definitions with their files; a content that several files have gives one for each."""
        self._look_up({each.content_id for each in defined})
        held = self._of_content
        return [Spot(file, at, kind, around) for number, at, kind, around in defined for file in held.get(number, ())]

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
            yield from self._of_content.get(number, ())

    def _defining(self, name: str) -> tuple[Definitions, list[Defined]]:
        """The definitions of a name in the index and in open documents, by numbers."""
        if name not in self._defined:
            key = name_key(name)
            shown = self._shown_names.defining(key) if self._shown else []
            numbered = [each._replace(content_id=self._shown_numbers[each.content_id - 1]) for each in shown]
            self._defined[name] = (self._names.definitions(key), numbered)
        return self._defined[name]

    @cached_property
    def _names(self) -> NameTable:
        return self._catalog.names()

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
        table = self._catalog.files_of(missing)
        for number in missing:
            found = [
                self._file(row, language)
                for row, language in table.get(number, ())
                if (row.folder_id, row.path) not in self._shown and row.folder_id in self._folders
            ]
            # Whole before another thread can see it.
            self._of_content[number] = [*found, *([self.file(rows[number])] if number in rows else [])]

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
            made = GraphFile(
                row,
                self.view.folder_of(row),
                self.id_of(row),
                language,
                self,
            )
            # Files are compared by identity, so of two threads that make one the first wins.
            known = self._files.setdefault(row.file_id, made)
        return known

    def read(self, files: Iterable[GraphFile]) -> None:
        """Read what many files define and use in one go; one by one takes several times as long."""
        wanted = [file for file in files if "links" not in file.__dict__ and file.row.file_id >= 0]
        links = self._catalog.links({file.row.content_id for file in wanted if file.row.content_id is not None})
        for file in wanted:
            file.__dict__["links"] = links.get(file.row.content_id or 0, Links())
        self.read_definitions(wanted)

    def read_definitions(self, files: Iterable[GraphFile]) -> None:
        """Read what many files define in one go."""
        wanted = [file for file in files if "outline" not in file.__dict__ and file.row.file_id >= 0]
        held = self.view.contents({file.row.content_id for file in wanted if file.row.content_id is not None})
        for file in wanted:
            if file.row.content_id in held:
                file.__dict__["outline"] = held[file.row.content_id].outline
                self.read_outlines += 1

    def outline_of(self, row: FileRow) -> Outline:
        """What a file defines."""
        self.read_outlines += 1
        return self.view.outline_of(row) or _NOTHING

    def links_of(self, row: FileRow) -> Links:
        """What a file uses."""
        shown = self.view.snapshot.shown.get(row.file_id)
        if shown is not None:
            return unpack_links(shown.content.links) if shown.content is not None else Links()
        if row.content_id is None:
            return Links()
        return self._catalog.links([row.content_id]).get(row.content_id, Links())


_NOTHING = Outline("", 0, (), (), ())
