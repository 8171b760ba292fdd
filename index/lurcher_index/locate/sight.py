"""What tools may see: the files of the index and nothing else, unsaved documents in place of their files."""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath

import msgspec

from lurcher_index.chunking.languages import language_of
from lurcher_index.files.reading import read_document
from lurcher_index.model import Outline, Skip
from lurcher_index.nodes import folder_labels, labelled, symbol_ids
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View


class DiskFolder(msgspec.Struct, frozen=True):
    """A workspace folder with those of its indexed files that no editor shows otherwise."""

    path: Path
    files: tuple[FileRow, ...]


class Sight:
    """The files of one view. A path that is not among them is never read, and never reported."""

    def __init__(self, view: View) -> None:
        """Take a state of the workspace."""
        self.view = view
        self._outlines: dict[int, Outline | None] = {}

    @cached_property
    def on_disk(self) -> tuple[DiskFolder, ...]:
        """What programs can be given to read, by folder."""
        shown = {(file.folder.folder_id, file.path) for file in self.view.snapshot.shown.values()}
        files: dict[int, list[FileRow]] = {folder.folder_id: [] for folder in self.view.workspace.folders}
        for row in self.view.workspace.catalog.all_files():
            if row.content_id is not None and row.folder_id in files and (row.folder_id, row.path) not in shown:
                files[row.folder_id].append(row)
        return tuple(DiskFolder(folder.path, tuple(files[folder.folder_id])) for folder in self.view.workspace.folders)

    @cached_property
    def shown(self) -> tuple[FileRow, ...]:
        """Documents that editors show and that are not what the disk has."""
        open_files = self.view.snapshot.shown.values()
        rows = self.view.rows([file.number for file in open_files if file.held is not None])
        return tuple(sorted(rows.values(), key=lambda row: (row.folder_id, row.path)))

    @cached_property
    def file_count(self) -> int:
        """All files that can be found."""
        return sum(len(folder.files) for folder in self.on_disk) + len(self.shown)

    @cached_property
    def _rows(self) -> dict[tuple[Path, str], FileRow]:
        found = {(folder.path, row.path): row for folder in self.on_disk for row in folder.files}
        return found | {(self.view.folder_of(row), row.path): row for row in self.shown}

    def node(self, row: FileRow, symbol: int) -> str:
        """The id of a definition; empty for none."""
        outline = self.outline(row) if symbol >= 0 else None
        if outline is None:
            return ""
        folders = self.view.workspace.folders
        labels = folder_labels([folder.path.name for folder in folders])
        label = next(label for label, each in zip(labels, folders, strict=True) if each.folder_id == row.folder_id)
        return symbol_ids(labelled(label, row.path), outline)[symbol]

    def rows(self) -> Iterator[FileRow]:
        """Every file, unsaved documents first."""
        yield from self.shown
        for folder in self.on_disk:
            yield from folder.files

    def row(self, folder: Path, path: str) -> FileRow | None:
        """The file at a path relative to a folder, if it is in the index."""
        return self._rows.get((folder, path))

    def row_at(self, written: str) -> FileRow | None:
        """The file that another program means by a path, absolute or relative to a folder; None if it is not ours."""
        path = PurePosixPath(with_slashes(written))
        if ".." in path.parts:
            return None
        for folder in self.view.workspace.folders:
            base = folder.path.as_posix()
            relative = str(path)[len(base) + 1 :] if str(path).startswith(base + "/") else str(path)
            row = self.row(folder.path, relative.removeprefix("./"))
            if row is not None:
                return row
        return None

    def text(self, row: FileRow) -> bytes | None:
        """A file's text, secrets masked; None if it cannot be read now."""
        shown = self.view.snapshot.shown.get(row.file_id)
        if shown is not None:
            return shown.data
        document = read_document(self.view.folder_of(row) / row.path, row.path, self.view.workspace.settings)
        return None if isinstance(document, Skip) else document.data

    def outline(self, row: FileRow) -> Outline | None:
        """A file's outline as the index has it."""
        if row.file_id not in self._outlines:
            self._outlines[row.file_id] = self.view.outline_of(row)
        return self._outlines[row.file_id]

    def language(self, row: FileRow) -> str:
        """A file's language, told by its name."""
        return language_of(row.path)


def with_slashes(path: str) -> str:
    """A path as another program writes it, with forward slashes. Only on Windows is a backslash no part of a name."""
    return path.replace("\\", "/") if os.name == "nt" else path
