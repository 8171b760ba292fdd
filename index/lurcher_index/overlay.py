"""What editors show, kept in memory and searched in place of the files on disk until it is saved or closed."""

import threading
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from lurcher_index.building.messages import Job, Parsed
from lurcher_index.building.pool import WorkerPool
from lurcher_index.building.scan import Folder
from lurcher_index.model import Skip
from lurcher_index.store.outlines import Content, Held, unpack_without_edges
from lurcher_index.text.terms import terms
from lurcher_index.words.candidates import WordFile

if TYPE_CHECKING:
    from lurcher_index.words.delta import DeltaFile


class OpenFile(msgspec.Struct, frozen=True):
    """One document as an editor shows it."""

    number: int
    """Stands for both the file and its content in candidates: below 0, and never used twice."""
    folder: Folder
    path: str
    version: int | None
    data: bytes = b""
    """Its text as UTF-8, secrets masked."""
    held: Held | None = None
    words: "DeltaFile | None" = None
    """None if the text is what the index has, or if it cannot be searched."""
    content: Content | None = None
    """What was made of it, packed: the call graph reads its links and names from here, the feature tree its digest."""
    skip: Skip | None = None
    """Why the text cannot be searched."""

    @property
    def shadows(self) -> bool:
        """Whether the stored chunks of the file no longer count."""
        return self.words is not None or self.skip is not None


class Overlay:
    """The open documents. `generation` changes with every change."""

    def __init__(self, pool: WorkerPool) -> None:
        """Take the worker that parses what is shown: typing must not wait for files that changed on disk."""
        self._pool = pool
        self._files: dict[tuple[int, str], OpenFile] = {}
        self._turn = threading.Lock()
        self._numbers = count(-1, -1)
        self.generation = 0

    def warm(self) -> None:
        """Start the worker, so that the first keystroke does not have to wait for it."""
        for _ in self._pool.run([Job(0, "", "nothing.txt", b"", b"")]):
            pass

    def show(self, folder: Folder, path: str, text: str, version: int | None, known_hash: bytes) -> OpenFile:
        """Take a document's text; searchable on return. `known_hash` is that of the content the index has."""
        # A lone surrogate, which JSON can carry, has no UTF-8; it is replaced rather than refused.
        shown = text.encode("utf-8", "replace")
        (parsed,) = self._pool.run([Job(0, str(folder.path), path, known_hash, shown)])
        file = self._open_file(folder, path, version, parsed)
        with self._turn:
            self._files[folder.folder_id, path] = file
            self.generation += 1
        return file

    def hide(self, folder: Folder, path: str) -> None:
        """Forget a document: what is on disk counts again."""
        with self._turn:
            if self._files.pop((folder.folder_id, path), None) is not None:
                self.generation += 1

    def files(self) -> tuple[OpenFile, ...]:
        """All open documents, as of now."""
        with self._turn:
            return tuple(self._files.values())

    def file_at(self, folder_id: int, path: str) -> OpenFile | None:
        """The document open at a path of a folder."""
        with self._turn:
            return self._files.get((folder_id, path))

    def _open_file(self, folder: Folder, path: str, version: int | None, parsed: Parsed) -> OpenFile:
        number = next(self._numbers)
        if parsed.unchanged:
            return OpenFile(number, folder, path, version)
        if parsed.content is None:
            return OpenFile(number, folder, path, version, skip=parsed.skip)
        # Here, not above: a build shows nothing.
        from lurcher_index.words.delta import counted

        held = Held(parsed.content.encoding, unpack_without_edges(parsed.content.packed))
        key = f"{folder.folder_id}/{path}"
        words = WordFile(number, number, key, terms(path.encode()), held.outline.language, parsed.terms)
        return OpenFile(number, folder, path, version, parsed.data, held, counted(words), parsed.content)
