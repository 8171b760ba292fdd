"""One state of the workspace with everything a search reads of it: words, files, passages."""

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from lurcher_index.building.updates import place_in
from lurcher_index.files.reading import read_document
from lurcher_index.model import Outline, Skip
from lurcher_index.passages import read_passage
from lurcher_index.presenting import Passage
from lurcher_index.snapshot import Snapshot
from lurcher_index.store.catalog import Counts, FileRow
from lurcher_index.store.outlines import Held
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import WordQuery
from lurcher_index.workspace import Workspace

LISTED_CHUNKS = 10_000
"""Chunks looked at to count the files that pass the filters: 2.5 million tokens, more than any budget."""


class FileText(msgspec.Struct, frozen=True):
    """A whole file, as an editor shows it or as it is on disk, secrets masked."""

    folder: Path
    row: FileRow
    data: bytes
    language: str
    version: int | None


class View:
    """What the strategies search. Thread-safe; its words and open documents never change."""

    def __init__(self, workspace: Workspace) -> None:
        """Take the workspace's present state."""
        self.workspace = workspace
        self.snapshot: Snapshot = workspace.snapshot()
        self._folders = {folder.folder_id: folder.path for folder in workspace.folders}
        self._known_rows: dict[int, FileRow] = {}
        """Rows of files that this view was asked for: the stages of a search ask for the same ones."""

    @cached_property
    def is_complete(self) -> bool:
        """Whether every file of the workspace is in it."""
        return self.is_filled and not self.workspace.awaits_scan

    @cached_property
    def is_filled(self) -> bool:
        """Whether it has every file that the last scan found, whenever that was."""
        return not self.snapshot.pending and self.workspace.catalog.is_complete()

    def counts(self) -> Counts:
        """How much is in the index."""
        return self.workspace.counts(self.snapshot.generation[0])

    def words(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        """The best chunks by words."""
        return self.snapshot.search(query, filters, limit)

    def files(self, filters: Filters, most: int) -> tuple[list[FileRow], bool]:
        """The files that pass the filters, in the order of folders and paths; False if there are more than `most`."""
        numbers, are_all = self.snapshot.postings.files_passing(filters, LISTED_CHUNKS, self.snapshot.delta.hidden())
        files = (each.file for each in self.snapshot.delta.files.values())
        changed = {file.file_id for file in files if filters.accepts(file.key, file.language)}
        stored = [number for number in numbers | changed if number >= 0]
        if len(numbers | changed) > most or not are_all:
            return [], False
        rows = [*self.workspace.catalog.files(stored).values(), *(self._shown_row(n) for n in changed if n < 0)]
        return sorted(rows, key=lambda row: (row.folder_id, row.path)), True

    def text_of(self, row: FileRow) -> FileText | None:
        """A whole file's text; None if it cannot be read now."""
        shown = self.snapshot.shown.get(row.file_id)
        if shown is not None and shown.held is not None:
            language = shown.held.outline.language
            return FileText(shown.folder.path, row, shown.data, language, shown.version)
        folder = self._folders.get(row.folder_id)
        if folder is None or row.content_id is None:
            return None
        document = read_document(folder / row.path, row.path, self.workspace.settings)
        held = self.workspace.catalog.contents([row.content_id]).get(row.content_id)
        if isinstance(document, Skip) or held is None:
            return None
        return FileText(folder, row, document.data, held.outline.language, None)

    def passages(self, candidates: Sequence[Candidate], stop_at: int) -> tuple[list[Passage], list[Path]]:
        """The candidates' texts, and the files that are not what they were when they were indexed."""
        # Nearly always the first are enough.
        first = [each for each in candidates[:stop_at] if each.file_id >= 0]
        rows = self._stored_rows({each.file_id for each in first})
        contents = self.workspace.catalog.contents({each.content_id for each in first})
        passages: list[Passage] = []
        changed: dict[Path, None] = {}
        for at, candidate in enumerate(candidates):
            if at == stop_at:
                rows |= self._stored_rows({each.file_id for each in candidates[at:] if each.file_id >= 0})
            if candidate.file_id < 0:
                found = self._shown_passage(candidate)
            else:
                found = self._stored_passage(candidate, rows.get(candidate.file_id), contents)
            if isinstance(found, Path):
                changed[found] = None
            elif found is not None:
                passages.append(found)
            if len(passages) >= stop_at:
                break
        return passages, list(changed)

    def rows(self, file_ids: Collection[int]) -> dict[int, FileRow]:
        """The rows of some files and open documents; those that are gone are missing."""
        stored = self._stored_rows({number for number in file_ids if number >= 0})
        return stored | {number: self._shown_row(number) for number in file_ids if number in self.snapshot.shown}

    def rows_with(self, content_ids: Collection[int]) -> list[tuple[FileRow, str]]:
        """The rows of all files on disk that have one of some contents, each with its language."""
        found = self.workspace.catalog.files_with(content_ids)
        self._known_rows.update((row.file_id, row) for row, _ in found)
        return found

    def contents(self, content_ids: Collection[int]) -> dict[int, Held]:
        """What some files and open documents hold; those that are gone are missing."""
        stored = self.workspace.catalog.contents(number for number in content_ids if number >= 0)
        shown = ((number, self.snapshot.shown.get(number)) for number in content_ids if number < 0)
        return stored | {number: file.held for number, file in shown if file is not None and file.held is not None}

    def row_at(self, path: Path) -> FileRow | None:
        """The row of the document at a path: as an editor shows it, else as it is on disk."""
        shown = self.workspace.shown_at(path)
        if shown is not None and shown.number in self.snapshot.shown:
            return self._shown_row(shown.number)
        placed = place_in(path, self.workspace.folders)
        return self.workspace.catalog.file_at(placed[0].folder_id, placed[1]) if placed else None

    def outline_of(self, row: FileRow) -> Outline | None:
        """What is known about a document's content."""
        shown = self.snapshot.shown.get(row.file_id)
        if shown is not None:
            return shown.held.outline if shown.held else None
        if row.content_id is None:
            return None
        held = self.workspace.catalog.contents([row.content_id]).get(row.content_id)
        return held.outline if held else None

    def is_unchanged(self, row: FileRow) -> bool:
        """Whether a file on disk is still what was indexed, by size and time."""
        folder = self._folders.get(row.folder_id)
        try:
            status = (folder / row.path).lstat() if folder else None
        except (OSError, ValueError):
            return False
        return status is not None and (status.st_size, status.st_mtime_ns) == (row.size, row.mtime_ns)

    def is_in_workspace(self, row: FileRow) -> bool:
        """Whether a document lies in one of the folders that are open now; the index may have more."""
        return row.file_id in self.snapshot.shown or row.folder_id in self._folders

    def folder_of(self, row: FileRow) -> Path:
        """The folder a document lies in."""
        shown = self.snapshot.shown.get(row.file_id)
        return shown.folder.path if shown is not None else self._folders[row.folder_id]

    def before(self, passage: Passage) -> str:
        """What stands before a passage on its first line; only a line too long for one chunk has anything there."""
        chunks, at = passage.held.outline.chunks, passage.candidate.ordinal
        if at == 0 or chunks[at - 1].last_line < passage.chunk.first_line:
            return ""
        whole = self.text_of(passage.row)
        if whole is None or whole.data[passage.chunk.start : passage.chunk.end] != passage.data:
            return ""
        line = max(whole.data.rfind(end, 0, passage.chunk.start) for end in (b"\n", b"\r")) + 1
        return whole.data[line : passage.chunk.start].decode("utf-8", "replace")

    def version_of(self, row: FileRow) -> int | None:
        """The editor's version of a file, if an editor shows it."""
        shown = self.snapshot.shown.get(row.file_id)
        if shown is not None:
            return shown.version
        clean = self.workspace.overlay.file_at(row.folder_id, row.path)
        return None if clean is None or clean.shadows else clean.version

    def _stored_rows(self, file_ids: Collection[int]) -> dict[int, FileRow]:
        known = self._known_rows
        known.update(self.workspace.catalog.files(number for number in file_ids if number not in known))
        return {number: known[number] for number in file_ids if number in known}

    def _stored_passage(
        self, candidate: Candidate, row: FileRow | None, contents: dict[int, Held]
    ) -> Passage | Path | None:
        """A passage of a file on disk, or its path if it is not what was indexed."""
        if row is None or row.content_id != candidate.content_id or row.folder_id not in self._folders:
            return None  # It changed since the snapshot was taken; its new chunks are on their way.
        if candidate.content_id not in contents:
            contents |= self.workspace.catalog.contents([candidate.content_id])
        held = contents.get(candidate.content_id)
        if held is None or candidate.ordinal >= len(held.outline.chunks):
            return None
        chunk = held.outline.chunks[candidate.ordinal]
        folder = self._folders[row.folder_id]
        data = read_passage(folder, row, held, chunk, self.workspace.settings, self.workspace.recent)
        return folder / row.path if data is None else Passage(candidate, folder, row, held, chunk, data)

    def _shown_passage(self, candidate: Candidate) -> Passage | Path | None:
        shown = self.snapshot.shown.get(candidate.file_id)
        if shown is None or shown.held is None:
            return None
        chunk = shown.held.outline.chunks[candidate.ordinal]
        data = shown.data[chunk.start : chunk.end]
        return Passage(candidate, shown.folder.path, self._shown_row(shown.number), shown.held, chunk, data)

    def _shown_row(self, number: int) -> FileRow:
        shown = self.snapshot.shown[number]
        return FileRow(number, shown.folder.folder_id, shown.path, len(shown.data), 0, number, None)
