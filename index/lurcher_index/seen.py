"""What the caller has already, by the ids of chunks or by lines of files: it is never returned again."""

from collections.abc import Collection, Sequence
from pathlib import Path

from lurcher_index.asking import Seen
from lurcher_index.model import Outline
from lurcher_index.ranking.ranges import LineRange, covered
from lurcher_index.rendering import id_of_chunk
from lurcher_index.view import View

Key = tuple[int, int, int]
"""File, content and ordinal of a chunk."""


class SeenBefore:
    """Tells which chunks the caller has."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        """Take what the caller says."""
        self._ids = {each.chunk_id for each in seen if each.chunk_id}
        self._lines: dict[str, list[LineRange]] = {}
        for each in seen:
            if each.path:
                self._lines.setdefault(each.path, []).append(LineRange(each.first_line, each.last_line))

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self._ids or self._lines)

    def holds(self, folder: Path, path: str, outline: Outline, ordinal: int) -> bool:
        """Whether a chunk is among it; all of its lines have to be."""
        chunk = outline.chunks[ordinal]
        ranges = self._lines.get(str(folder / path), ()) if self._lines else ()
        if ranges and covered(LineRange(chunk.first_line, chunk.last_line), ranges):
            return True
        return bool(self._ids) and id_of_chunk(folder, path, outline, ordinal) in self._ids

    def among(self, view: View, keys: Collection[Key]) -> set[Key]:
        """Those of some chunks that the caller has. No text is read for it, and a file that has changed since it was
        indexed has nothing that anybody has seen: whoever reads it will find that out."""
        if not self:
            return set()
        rows = view.rows({key[0] for key in keys})
        contents = view.contents({key[1] for key in keys})
        return {
            (file_id, content_id, ordinal)
            for file_id, content_id, ordinal in keys
            if (row := rows.get(file_id)) is not None
            and row.content_id == content_id
            and (held := contents.get(content_id)) is not None
            and ordinal < len(held.outline.chunks)
            and view.is_in_workspace(row)
            and self.holds(view.folder_of(row), row.path, held.outline, ordinal)
            and (file_id in view.snapshot.shown or view.is_unchanged(row))
        }
