"""Look-up of contents by hash in the databases of this workspace and of its relatives, for the workers."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from lurcher_index.store.outlines import Content


class KnownContents:
    """Read-only connections to databases that may already know a content."""

    def __init__(self, databases: Sequence[Path], fingerprint: str) -> None:
        """Open those that exist and were made by the same version; the rest are passed over."""
        self._connections: list[sqlite3.Connection] = []
        for path in databases:
            try:
                connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)
            except sqlite3.Error:
                continue
            if _fingerprint(connection) == fingerprint:
                self._connections.append(connection)
            else:
                connection.close()

    def find(self, content_hash: bytes, language: str) -> Content | None:
        """The content, if any of the databases has it."""
        for connection in self._connections:
            try:
                row = connection.execute(
                    "SELECT hash, language, encoding, chunk_count, outline, coalesce(links, x''),"
                    " coalesce(defined, x''), coalesce(used, x''), digest, phrases FROM content"
                    " JOIN feature USING (content_id) LEFT JOIN link USING (content_id)"
                    " LEFT JOIN name USING (content_id) WHERE hash = ? AND language = ?",
                    (content_hash, language),
                ).fetchone()
            except sqlite3.Error:
                continue
            if row:
                return Content(*row)
        return None


def _fingerprint(connection: sqlite3.Connection) -> str | None:
    try:
        row = connection.execute("SELECT value FROM meta WHERE name = 'fingerprint'").fetchone()
    except sqlite3.Error:
        return None
    return str(row[0]) if row else None
