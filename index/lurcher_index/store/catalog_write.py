"""Changes of the catalog: everything that one transaction adds, renews and removes."""

import sqlite3
from typing import Any

from lurcher_index.model import Skip
from lurcher_index.store.database import Database
from lurcher_index.store.outlines import Content


def set_meta(connection: sqlite3.Connection, name: str, value: Any) -> None:
    """Keep something about the index as a whole."""
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value)
    )


class CatalogWrite:
    """One transaction of changes."""

    def __init__(self, database: Database) -> None:
        """Made by `Catalog.write`."""
        self._transaction = database.transaction()
        self._connection: sqlite3.Connection

    def __enter__(self) -> "CatalogWrite":
        """Begin."""
        self._connection = self._transaction.__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        """Commit, or roll back if the block failed."""
        self._transaction.__exit__(*exception)

    def unread(self, files: int, known: int, kept: int) -> None:
        """Keep how many files a build still has to read, of how many of them an older state is here, and how many of
        these nobody can look at."""
        set_meta(self._connection, "unread", files)
        set_meta(self._connection, "outdated", known)
        set_meta(self._connection, "kept", kept)

    def content(self, content: Content) -> int:
        """Keep a content, if it is new; its number."""
        key = (content.hash, content.language)
        find = "SELECT content_id FROM content WHERE hash = ? AND language = ?"
        row = self._connection.execute(find, key).fetchone()
        if row:
            return int(row[0])
        added = self._connection.execute(
            "INSERT INTO content (hash, language, encoding, chunk_count, outline) VALUES (?, ?, ?, ?, ?)",
            (*key, content.encoding, content.chunk_count, content.packed),
        )
        assert added.lastrowid is not None
        number = added.lastrowid
        if content.links:
            self._connection.execute("INSERT INTO link (content_id, links) VALUES (?, ?)", (number, content.links))
        if content.defined or content.used:
            names = (number, content.defined, content.used)
            self._connection.execute("INSERT INTO name (content_id, defined, used) VALUES (?, ?, ?)", names)
        self._connection.execute(
            "INSERT INTO feature (content_id, digest, phrases) VALUES (?, ?, ?)",
            (number, content.digest, content.phrases),
        )
        return number

    def file(
        self,
        folder_id: int,
        path: str,
        stamp: tuple[int, int, int],
        held: int | Skip,
    ) -> int:
        """Keep what is known of a file: `stamp` is (size, mtime_ns, read_ns), `held` its content or why it has none."""
        skip = held if isinstance(held, Skip) else None
        row = self._connection.execute(
            "INSERT INTO file (folder_id, path, size, mtime_ns, read_ns, content_id, reason, detail)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (folder_id, path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns,"
            "  read_ns = excluded.read_ns, content_id = excluded.content_id, reason = excluded.reason,"
            "  detail = excluded.detail, folded = 0"
            " RETURNING file_id",
            (
                folder_id,
                path,
                *stamp,
                None if skip else held,
                skip.reason.value if skip else None,
                skip.detail if skip else None,
            ),
        ).fetchone()
        return int(row[0])

    def read_ns(self, folder_id: int, path: str) -> int | None:
        """When a file was last read, in nanoseconds; None if it is not known."""
        row = self._connection.execute(
            "SELECT read_ns FROM file WHERE folder_id = ? AND path = ?", (folder_id, path)
        ).fetchone()
        return None if row is None else int(row[0])

    def restamp(self, file_id: int, stamp: tuple[int, int, int]) -> None:
        """Keep a new stamp for a file whose content is the same; the postings need not follow."""
        self._connection.execute(
            "UPDATE file SET size = ?, mtime_ns = ?, read_ns = ? WHERE file_id = ?", (*stamp, file_id)
        )

    def remove(self, folder_id: int, path: str) -> int | None:
        """Forget a file; the tombstone tells the postings. Its number, or None if it was not known."""
        row = self._connection.execute(
            "DELETE FROM file WHERE folder_id = ? AND path = ? RETURNING file_id", (folder_id, path)
        ).fetchone()
        if row is None:
            return None
        self._connection.execute("INSERT OR IGNORE INTO tombstone (file_id) VALUES (?)", (row[0],))
        return int(row[0])
