"""The text of a chunk, read from its file when it is shown and only if it is still what was indexed."""

import codecs
import os
import threading
from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path

from lurcher_index.config import Settings
from lurcher_index.model import Chunk, Skip
from lurcher_index.store.catalog import FileRow
from lurcher_index.store.outlines import Held

_BYTES_BEFORE = {"utf-8": 0, "utf-8-sig": len(codecs.BOM_UTF8)}
"""Encodings whose files are the document, after so many bytes."""

RECENT_BYTES = 8_000_000
"""Text kept in memory of files that had to be read whole."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class RecentDocuments:
    """Documents that had to be read whole for one passage, because secrets are masked in them or they are in another
    encoding. Looking for secrets takes milliseconds, and the same files come up again."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._held: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._bytes = 0
        self._turn = threading.Lock()

    def get(self, path: str, row: FileRow) -> bytes | None:
        """The document of a file, if the file is still what it was."""
        key = (path, row.size, row.mtime_ns)
        with self._turn:
            if key not in self._held:
                return None
            self._held.move_to_end(key)
            data = self._held[key]
        try:
            status = os.lstat(path)
        except (OSError, ValueError):
            return None
        return data if (status.st_size, status.st_mtime_ns) == (row.size, row.mtime_ns) else None

    def keep(self, path: str, row: FileRow, data: bytes) -> None:
        """Remember a document, and forget those not used for longest."""
        with self._turn:
            self._bytes += len(data) - len(self._held.pop((path, row.size, row.mtime_ns), b""))
            self._held[path, row.size, row.mtime_ns] = data
            while self._bytes > RECENT_BYTES:
                _, dropped = self._held.popitem(last=False)
                self._bytes -= len(dropped)


def read_passage(
    folder: Path, row: FileRow, held: Held, chunk: Chunk, settings: Settings, recent: RecentDocuments
) -> bytes | None:
    """The chunk's bytes as UTF-8 with secrets masked, or None if the file is not what it was when it was indexed."""
    path = os.path.join(folder, row.path)  # noqa: PTH118 - five times quicker, and this is done for every candidate
    before = _BYTES_BEFORE.get(held.encoding)
    if before is not None and not held.outline.masks:
        data = _slice(path, row, chunk, before)
        # What else is the same file as before and has other bytes is UTF-8 with some bad ones, mended when it is read.
        if data is None or _digest(data) == chunk.digest:
            return data
    whole = recent.get(path, row)
    if whole is None:
        # Here, not above: the expressions for secrets take some milliseconds to load, and only few files need them.
        from lurcher_index.files.reading import read_document

        document = read_document(path, row.path, settings)
        if isinstance(document, Skip):
            return None
        whole = document.data
        recent.keep(path, row, whole)
    data = whole[chunk.start : chunk.end]
    return data if _digest(data) == chunk.digest else None


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=8).digest()


def _slice(path: str, row: FileRow, chunk: Chunk, before: int) -> bytes | None:
    """Only the bytes that are needed: the document's offsets are the file's, after the bytes `before` it."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if (status.st_size, status.st_mtime_ns) != (row.size, row.mtime_ns):
            return None
        os.lseek(descriptor, before + chunk.start, os.SEEK_SET)
        return os.read(descriptor, chunk.end - chunk.start)
    except OSError:
        return None
    finally:
        os.close(descriptor)
