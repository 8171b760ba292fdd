"""The truth in SQL: folders, files and contents. A file points at its content; equal contents are kept once."""

import threading
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lurcher_index.model import Reason, Skip
from lurcher_index.store.catalog_write import CatalogWrite, set_meta
from lurcher_index.store.contents import ContentReader
from lurcher_index.store.database import PARAMETERS, Database

SPARE_CONTENTS = 1_000
"""Contents that no file has any more and that are kept all the same, so that a branch switched back costs nothing."""

MOST_LOOKED_UP = 1_000
"""Rows that are looked up by number before all are read at once: 100,000 take a tenth of a second, one some
microseconds."""

_LOOK_UP_COST = 20
"""What a statement costs, in rows."""


class Known(NamedTuple):
    """What the index remembers of a file, to find out whether it changed."""

    file_id: int
    size: int
    mtime_ns: int
    read_ns: int
    folded: bool
    hash: bytes
    """Hash of the content it has in the index, b"" if it has none."""


class FileRow(NamedTuple):
    """A file in the index, or one that was left out, with the reason."""

    file_id: int
    folder_id: int
    path: str
    size: int
    mtime_ns: int
    content_id: int | None
    skip: Skip | None


PlacedFile = tuple[FileRow, str]
"""A file with its language."""

StoredFile = tuple[int, int, str, int, int, int, str | None, str | None, str]
"""The same as it is read: number, folder, path, size, time, content, why it was left out (twice nothing), language. Of
a thousand files that hold a name few are looked at, so they are not made into values before somebody does."""

StoredFiles = tuple[StoredFile, ...]
"""Those of one content. No list: there is one for each content, and lists are looked through for cycles time and again,
which stops all else for 10 ms and more."""


class Counts(NamedTuple):
    """How many files and chunks the index holds."""

    files: int
    chunks: int
    skipped: dict[str, int]


class Unread(NamedTuple):
    """Files that a build has found and still has to read."""

    files: int
    known: int
    """Those among them of which the index has an older state."""
    kept: int = 0
    """Those among these that it could not look at, since a folder above them cannot be opened."""


class Catalog(ContentReader):
    """Typed access to the tables. A file is *folded* when the postings hold its present content; a tombstone is a
    file that is gone but still in the postings."""

    def __init__(self, database: Database) -> None:
        """Wrap a database."""
        super().__init__(database)
        self._table: dict[int, StoredFiles] | None = None
        self._looked_up = (0, 0)
        """As of which version of the data, and how many rows were looked up one by one since."""
        self._table_turn = threading.Lock()

    # -- meta

    def epoch(self) -> str:
        """Name of this life of the database; another one after it was made anew."""
        return str(self._meta("epoch", ""))

    def is_complete(self) -> bool:
        """Whether a build ever ran to its end."""
        return bool(self._meta("complete", 0))

    def mark_complete(self) -> None:
        """Remember that a build ran to its end."""
        with self._database.transaction() as connection:
            set_meta(connection, "complete", 1)

    def unread(self) -> Unread:
        """What the last build, which may be under way or may have been killed, has found and not read."""
        return Unread(int(self._meta("unread", 0)), int(self._meta("outdated", 0)), int(self._meta("kept", 0)))

    def mark_folded(self, files: Iterable[tuple[int, int | None]], gone: Iterable[int]) -> None:
        """Remember that the postings now hold these (file, content) and no longer hold the files that are gone.

        A file that got another content in the meantime stays unfolded.
        """
        with self._database.transaction() as connection:
            connection.executemany("UPDATE file SET folded = 1 WHERE file_id = ? AND content_id IS ?", files)
            connection.executemany("DELETE FROM tombstone WHERE file_id = ?", [(file_id,) for file_id in gone])

    def forget_postings(self) -> None:
        """Remember that the postings were lost: everything has to be folded again."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE file SET folded = 0")
            connection.execute("DELETE FROM tombstone")

    def _meta(self, name: str, default: Any) -> Any:
        rows = self._database.read("SELECT value FROM meta WHERE name = ?", (name,))
        return rows[0][0] if rows else default

    # -- reading

    def folder_ids(self, folders: Sequence[Path]) -> dict[Path, int]:
        """The number of each folder, given now to those that have none."""
        with self._database.transaction() as connection:
            for folder in folders:
                connection.execute("INSERT OR IGNORE INTO folder (path) VALUES (?)", (str(folder),))
            rows = connection.execute("SELECT path, folder_id FROM folder").fetchall()
        numbers = dict(rows)
        return {folder: numbers[str(folder)] for folder in folders}

    def known_files(self, folder_id: int) -> dict[str, Known]:
        """Everything remembered of a folder's files, by path."""
        rows = self._database.read(f"{_KNOWN} WHERE folder_id = ?", (folder_id,))
        return {path: Known(*rest) for path, *rest in rows}

    def known_file(self, folder_id: int, path: str) -> Known | None:
        """What is remembered of one file."""
        rows = self._database.read(f"{_KNOWN} WHERE folder_id = ? AND path = ?", (folder_id, path))
        return Known(*rows[0][1:]) if rows else None

    def paths_below(self, folder_id: int, prefix: str) -> list[str]:
        """The files of a folder at or below a path."""
        # "0" follows "/" in the order of characters, so the range holds exactly what begins with "prefix/".
        rows = self._database.read(
            "SELECT path FROM file WHERE folder_id = ?1 AND (path = ?2 OR (path >= ?2 || '/' AND path < ?2 || '0'))",
            (folder_id, prefix),
        )
        return [path for (path,) in rows]

    def rows_below(self, folder_id: int, prefix: str) -> list[FileRow]:
        """The rows of all files below a path; an empty one is the folder itself."""
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM file"
            " WHERE folder_id = ?1 AND (?2 = '' OR (path >= ?2 || '/' AND path < ?2 || '0'))",
            (folder_id, prefix),
        )
        return [file_row(row) for row in rows]

    def rows_named(self, stem: str) -> list[FileRow]:
        """The rows of all files called so, whatever their ending, and of those in folders called so."""
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM file WHERE instr('/' || path, '/' || ?1 || '.') > 0"
            " OR instr('/' || path, '/' || ?1 || '/') > 0",
            (stem,),
        )
        return [file_row(row) for row in rows]

    def rows_called(self, name: str) -> list[FileRow]:
        """The rows of all files of exactly that name, whatever folder they lie in."""
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM file WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1",
            (name,),
        )
        return [file_row(row) for row in rows]

    def files(self, file_ids: Iterable[int]) -> dict[int, FileRow]:
        """The rows of some files; those that are gone are missing."""
        rows = self._database.read_among(f"SELECT {_FILE_COLUMNS} FROM file WHERE file_id IN", file_ids)
        return {row[0]: file_row(row) for row in rows}

    def places(self, file_ids: Iterable[int]) -> dict[int, tuple[int, str]]:
        """Folder and path of some files; those that are gone are missing."""
        rows = self._database.read_among("SELECT file_id, folder_id, path FROM file WHERE file_id IN", file_ids)
        return {file_id: (folder_id, path) for file_id, folder_id, path in rows}

    def file_at(self, folder_id: int, path: str) -> FileRow | None:
        """The row of the file at a path."""
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM file WHERE folder_id = ? AND path = ?", (folder_id, path)
        )
        return file_row(rows[0]) if rows else None

    def files_at(self, folder_id: int, paths: Iterable[str]) -> dict[str, FileRow]:
        """The rows of the files at some paths of a folder; those that are not known are missing."""
        sql = f"SELECT {_FILE_COLUMNS} FROM file"
        return {row.path: row for row in map(file_row, self._by_paths(sql, folder_id, paths))}

    def known_at(self, folder_id: int, paths: Iterable[str]) -> dict[str, Known]:
        """What is remembered of the files at some paths of a folder."""
        return {path: Known(*rest) for path, *rest in self._by_paths(_KNOWN, folder_id, paths)}

    def contents_at(self, keys: Iterable[str]) -> list[int]:
        """The contents of the files with some keys, `<folder number>/<path>`, as filters name them."""
        paths: dict[int, list[str]] = {}
        for key in keys:
            folder, _, path = key.partition("/")
            paths.setdefault(int(folder), []).append(path)
        rows = (row for folder_id, some in paths.items() for row in self.files_at(folder_id, some).values())
        return sorted({row.content_id for row in rows if row.content_id is not None})

    def all_files(self) -> list[FileRow]:
        """Every row, in the order of folders and paths."""
        rows = self._database.read(f"SELECT {_FILE_COLUMNS} FROM file ORDER BY folder_id, path")
        return [file_row(row) for row in rows]

    def files_with(self, content_ids: Iterable[int]) -> list[PlacedFile]:
        """The rows of all files that have one of some contents, each with its language."""
        rows = self._database.read_among(f"{_PLACED} WHERE content_id IN", content_ids)
        return [(file_row(row), row[8]) for row in rows]

    def unfolded(self, limit: int) -> tuple[list[FileRow], list[int]]:
        """Files whose content is not in the postings yet (at most `limit`), and those gone but still in them."""
        rows = self._database.read(f"SELECT {_FILE_COLUMNS} FROM file WHERE folded = 0 LIMIT ?", (limit,))
        gone = self._database.read("SELECT file_id FROM tombstone")
        return [file_row(row) for row in rows], [file_id for (file_id,) in gone]

    def unfolded_among(self, file_ids: Iterable[int]) -> list[FileRow]:
        """Those of some files whose content is not in the postings yet."""
        rows = self._database.read_among(f"SELECT {_FILE_COLUMNS} FROM file WHERE folded = 0 AND file_id IN", file_ids)
        return [file_row(row) for row in rows]

    def unfolded_count(self, besides: Collection[tuple[int, int]] = ()) -> int:
        """How many files the postings do not hold yet, but for some (file, content)."""
        sql = "SELECT count(*) FROM file WHERE folded = 0 AND content_id IS NOT NULL"
        if besides:
            # One statement: of two, a build that folds in between would make the second one count less than the first.
            rows = ",".join(f"({file_id:d},{content_id:d})" for file_id, content_id in besides)
            sql += f" AND (file_id, content_id) NOT IN (VALUES {rows})"
        return int(self._database.read(sql)[0][0])

    def version(self) -> int:
        """A number that changes when something is written."""
        return self._database.data_version()

    def files_of(self, content_ids: Collection[int], version: int | None = None) -> dict[int, StoredFiles]:
        """The files that have some contents, by the contents' numbers, each with its language.

        All rows are read at once when many are asked for, and kept until one changes; a few are looked up. Who asks
        often for one answer says as of which version, so that not every time a look is taken at what has changed.
        """
        version = self.version() if version is None else version
        with self._table_turn:
            if self._looked_up[0] != version:
                self._looked_up = (version, 0)
                self._table = None
            table = self._table
            if table is None:
                self._looked_up = (version, self._looked_up[1] + len(content_ids) + _LOOK_UP_COST)
                if self._looked_up[1] > MOST_LOOKED_UP:
                    table = self._table = _by_content(self._database.read(_PLACED))
        if table is None:
            table = _by_content(self._database.read_among(f"{_PLACED} WHERE content_id IN", content_ids))
        return {number: table[number] for number in content_ids if number in table}

    def warm(self) -> None:
        """Load what the first question about a name would have to wait for."""
        self.names()
        version = self._database.data_version()
        table = _by_content(self._database.read(_PLACED))
        with self._table_turn:
            self._looked_up, self._table = (version, 0), table

    def placed_contents(self) -> list[tuple[int, str, int]]:
        """Folder, path and content of every file that has one, in the order of folders and paths."""
        sql = "SELECT folder_id, path, content_id FROM file WHERE content_id IS NOT NULL ORDER BY folder_id, path"
        return [(folder_id, path, content_id) for folder_id, path, content_id in self._database.read(sql)]

    def counts(self) -> Counts:
        """How much is in the index."""
        ((files, chunks),) = self._database.read(
            "SELECT count(*), coalesce(sum(chunk_count), 0) FROM file JOIN content USING (content_id)"
        )
        skipped = self._database.read("SELECT reason, count(*) FROM file WHERE reason IS NOT NULL GROUP BY reason")
        return Counts(files, chunks, dict(skipped))

    def _by_paths(self, sql: str, folder_id: int, paths: Iterable[str]) -> list[tuple[Any, ...]]:
        wanted = list(paths)
        rows: list[tuple[Any, ...]] = []
        for at in range(0, len(wanted), PARAMETERS - 1):
            part = wanted[at : at + PARAMETERS - 1]
            some = f"{sql} WHERE folder_id = ? AND path IN ({','.join('?' * len(part))})"
            rows += self._database.read(some, (folder_id, *part))
        return rows

    # -- writing

    def write(self) -> CatalogWrite:
        """Start a write: `with catalog.write() as write: …` is one transaction."""
        return CatalogWrite(self._database)

    def drop_spare_contents(self) -> None:
        """Forget the oldest contents that no file has, beyond as many as are in use, and their vectors."""
        with self._database.transaction() as connection:
            used = connection.execute("SELECT count(DISTINCT content_id) FROM file").fetchone()[0]
            connection.execute(
                "DELETE FROM content WHERE content_id IN ("
                " SELECT content_id FROM content WHERE content_id NOT IN"
                "  (SELECT content_id FROM file WHERE content_id IS NOT NULL)"
                " ORDER BY content_id DESC LIMIT -1 OFFSET ?)",
                (max(used, SPARE_CONTENTS),),
            )
            for table in ("vector", "link", "name", "feature"):
                connection.execute(f"DELETE FROM {table} WHERE content_id NOT IN (SELECT content_id FROM content)")


_KNOWN = (
    "SELECT path, file_id, size, mtime_ns, read_ns, folded, coalesce(hash, x'')"
    " FROM file LEFT JOIN content USING (content_id)"
)
_FILE_COLUMNS = "file_id, folder_id, path, size, mtime_ns, content_id, reason, detail"
_PLACED = f"SELECT {_FILE_COLUMNS}, language FROM file JOIN content USING (content_id)"


def _by_content(rows: Iterable[tuple[Any, ...]]) -> dict[int, StoredFiles]:
    table: dict[int, StoredFiles] = {}
    row: StoredFile
    for row in rows:
        table[row[5]] = (*table.get(row[5], ()), row)
    return table


def file_row(row: tuple[Any, ...]) -> FileRow:
    """A row as it is read, made into a value."""
    skip = None if row[6] is None else Skip(Reason(row[6]), row[7] or "")
    return FileRow(row[0], row[1], row[2], row[3], row[4], row[5], skip)
