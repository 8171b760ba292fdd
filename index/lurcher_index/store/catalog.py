"""The truth in SQL: folders, files and contents. A file points at its content; equal contents are kept once."""

import sqlite3
import threading
import zlib
from collections import OrderedDict
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from lurcher_index.errors import StoreDamaged
from lurcher_index.model import Chunk, Links, Mask, Outline, Reason, Skip, Symbol, Value
from lurcher_index.store.database import Database
from lurcher_index.store.linkage import pack_defined, pack_links, pack_used, unpack_links

if TYPE_CHECKING:
    from lurcher_index.store.names import NameTable

MAX_OUTLINE_BYTES = 64_000_000
"""Largest outline that is unpacked; ten times what the largest file can give, and a bound for a forged one."""

CACHED_CONTENTS = 1_024
"""Contents kept unpacked: those of the files that recent answers came from."""

SPARE_CONTENTS = 1_000
"""Contents that no file has any more and that are kept all the same, so that a branch switched back costs nothing."""

_PARAMETERS = 900
"""Values per statement; SQLite's old limit is 999."""


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


class Content(Value, frozen=True, array_like=True):
    """What a file holds, packed for the database; made in the workers."""

    hash: bytes
    language: str
    encoding: str
    chunk_count: int
    packed: bytes
    links: bytes = b""
    """What it uses, packed by `pack_links`."""
    defined: bytes = b""
    used: bytes = b""
    """The keys of the names that it defines and uses."""
    digest: bytes = b""
    """What the feature tree is built from; see `features.digests`."""
    phrases: bytes = b""
    """Phrases out of its documentation, by definition."""


@dataclass(frozen=True)
class Held:
    """A stored content, unpacked, without its edges."""

    encoding: str
    outline: Outline
    _symbols: dict[int, Sequence[int]] = field(default_factory=dict[int, Sequence[int]], compare=False, repr=False)

    def symbols_of(self, ordinal: int) -> Sequence[int]:
        """Indexes of the symbols that a chunk defines or lies in, outermost first; remembered, for a few chunks."""
        found = self._symbols.get(ordinal)
        if found is None:
            chunk = self.outline.chunks[ordinal]
            start, end = chunk.start, chunk.end
            symbols = enumerate(self.outline.symbols)
            found = self._symbols[ordinal] = [at for at, each in symbols if each.start < end and each.end > start]
        return found


class Counts(NamedTuple):
    """How many files and chunks the index holds."""

    files: int
    chunks: int
    skipped: dict[str, int]


def pack(outline: Outline) -> bytes:
    """An outline as it is stored: without its links, which are stored apart."""
    bare = msgspec.structs.replace(outline, edges=(), imports=(), hints=())
    return zlib.compress(msgspec.msgpack.encode(bare), 1)


def packed_content(content_hash: bytes, encoding: str, outline: Outline) -> Content:
    """A content with all that is stored of it."""
    return Content(
        content_hash,
        outline.language,
        encoding,
        len(outline.chunks),
        pack(outline),
        pack_links(outline),
        pack_defined(outline),
        pack_used(outline),
    )


def unpack(packed: bytes) -> Outline:
    """A stored outline; what is damaged, forged or far too large is refused."""
    with _damage():
        return msgspec.msgpack.decode(_inflated(packed), type=Outline)


def unpack_without_edges(packed: bytes) -> Outline:
    """The same without its edges, which a search does not look at: they are half of the work of unpacking."""
    with _damage():
        found = msgspec.msgpack.decode(_inflated(packed), type=_WithoutEdges)
    return Outline(found.language, found.line_count, found.chunks, found.symbols, (), found.masks, found.note)


class _WithoutEdges(Value, frozen=True, array_like=True):
    """An outline whose edges are passed over."""

    language: str
    line_count: int
    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...]
    edges: msgspec.Raw
    masks: tuple[Mask, ...] = ()
    note: str = ""


class _Named(Value, frozen=True, array_like=True, gc=False):
    """A symbol of which only the name is read."""

    name: str


class _OnlyNames(Value, frozen=True, array_like=True):
    """An outline of which only the names of its symbols are read."""

    language: str
    line_count: int
    chunks: msgspec.Raw
    symbols: tuple[_Named, ...]


def _symbol_names(packed: bytes) -> list[str]:
    with _damage():
        return [symbol.name for symbol in msgspec.msgpack.decode(_inflated(packed), type=_OnlyNames).symbols]


def _inflated(packed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    raw = inflater.decompress(packed, MAX_OUTLINE_BYTES)
    if not inflater.eof:
        raise StoreDamaged("a stored outline is cut off or too large")
    return raw


@contextmanager
def _damage() -> Generator[None]:
    try:
        yield
    except (zlib.error, msgspec.DecodeError, TypeError) as error:
        raise StoreDamaged(f"a stored outline is damaged: {error}") from error


class Catalog:
    """Typed access to the tables. A file is *folded* when the postings hold its present content; a tombstone is a
    file that is gone but still in the postings."""

    def __init__(self, database: Database) -> None:
        """Wrap a database."""
        self._database = database
        self._cache: OrderedDict[int, Held] = OrderedDict()
        self._cache_turn = threading.Lock()
        self._links: OrderedDict[int, Links] = OrderedDict()
        self._names: NameTable | None = None
        self._table: tuple[int, dict[int, list[tuple[FileRow, str]]]] | None = None
        self._names_turn = threading.Lock()

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
            _set_meta(connection, "complete", 1)

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
        return [_file_row(row) for row in rows]

    def rows_named(self, stem: str) -> list[FileRow]:
        """The rows of all files called so, whatever their ending, and of those in folders called so."""
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM file WHERE instr('/' || path, '/' || ?1 || '.') > 0"
            " OR instr('/' || path, '/' || ?1 || '/') > 0",
            (stem,),
        )
        return [_file_row(row) for row in rows]

    def files(self, file_ids: Iterable[int]) -> dict[int, FileRow]:
        """The rows of some files; those that are gone are missing."""
        rows = self._by_numbers(f"SELECT {_FILE_COLUMNS} FROM file WHERE file_id IN", file_ids)
        return {row[0]: _file_row(row) for row in rows}

    def file_at(self, folder_id: int, path: str) -> FileRow | None:
        """The row of the file at a path."""
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM file WHERE folder_id = ? AND path = ?", (folder_id, path)
        )
        return _file_row(rows[0]) if rows else None

    def files_at(self, folder_id: int, paths: Iterable[str]) -> dict[str, FileRow]:
        """The rows of the files at some paths of a folder; those that are not known are missing."""
        sql = f"SELECT {_FILE_COLUMNS} FROM file"
        return {row.path: row for row in map(_file_row, self._by_paths(sql, folder_id, paths))}

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
        return [_file_row(row) for row in rows]

    def files_with(self, content_ids: Iterable[int]) -> list[tuple[FileRow, str]]:
        """The rows of all files that have one of some contents, each with its language."""
        columns = f"{_FILE_COLUMNS}, language"
        sql = f"SELECT {columns} FROM file JOIN content USING (content_id) WHERE content_id IN"
        return [(_file_row(row), row[-1]) for row in self._by_numbers(sql, content_ids)]

    def unfolded(self, limit: int) -> tuple[list[FileRow], list[int]]:
        """Files whose content is not in the postings yet (at most `limit`), and those gone but still in them."""
        rows = self._database.read(f"SELECT {_FILE_COLUMNS} FROM file WHERE folded = 0 LIMIT ?", (limit,))
        gone = self._database.read("SELECT file_id FROM tombstone")
        return [_file_row(row) for row in rows], [file_id for (file_id,) in gone]

    def unfolded_among(self, file_ids: Iterable[int]) -> list[FileRow]:
        """Those of some files whose content is not in the postings yet."""
        rows = self._by_numbers(f"SELECT {_FILE_COLUMNS} FROM file WHERE folded = 0 AND file_id IN", file_ids)
        return [_file_row(row) for row in rows]

    def unfolded_count(self) -> int:
        """How many files the postings do not hold yet."""
        return int(self._database.read("SELECT count(*) FROM file WHERE folded = 0 AND content_id IS NOT NULL")[0][0])

    def contents(self, content_ids: Iterable[int]) -> dict[int, Held]:
        """What some contents hold; a content's number never changes its meaning, so they are cached."""
        wanted = dict.fromkeys(content_ids)
        with self._cache_turn:
            missing = [number for number in wanted if number not in self._cache]
        sql = "SELECT content_id, encoding, outline FROM content WHERE content_id IN"
        rows = self._by_numbers(sql, missing)
        read = {number: Held(encoding, unpack_without_edges(packed)) for number, encoding, packed in rows}
        with self._cache_turn:
            self._cache.update(read)
            found = {number: self._cache[number] for number in wanted if number in self._cache}
            for number in found:
                self._cache.move_to_end(number)
            while len(self._cache) > CACHED_CONTENTS:
                self._cache.popitem(last=False)
        return found

    def names_after(self, content_id: int, limit: int) -> list[tuple[int, list[str]]]:
        """The names that contents with greater numbers define, in the order of the numbers, for so many contents."""
        sql = "SELECT content_id, outline FROM content WHERE content_id > ? ORDER BY content_id LIMIT ?"
        rows = self._database.read(sql, (content_id, limit))
        return [(number, _symbol_names(packed)) for number, packed in rows]

    def whole_outline(self, content_id: int) -> Outline | None:
        """A content's outline with its edges; not cached, since no search looks at them."""
        rows = self._database.read("SELECT outline FROM content WHERE content_id = ?", (content_id,))
        if not rows:
            return None
        links = self.links([content_id]).get(content_id, Links())
        outline = unpack(rows[0][0])
        return msgspec.structs.replace(outline, edges=links.edges, imports=links.imports, hints=links.hints)

    def links(self, content_ids: Iterable[int]) -> dict[int, Links]:
        """What some contents use; those that use nothing are missing. Cached, as contents are."""
        wanted = dict.fromkeys(content_ids)
        with self._cache_turn:
            missing = [number for number in wanted if number not in self._links]
        rows = self._by_numbers("SELECT content_id, links FROM link WHERE content_id IN", missing)
        read = {number: unpack_links(packed) for number, packed in rows}
        with self._cache_turn:
            self._links.update(read)
            found = {number: self._links[number] for number in wanted if number in self._links}
            for number in found:
                self._links.move_to_end(number)
            while len(self._links) > CACHED_CONTENTS:
                self._links.popitem(last=False)
        return found

    def files_by_content(self) -> dict[int, list[tuple[FileRow, str]]]:
        """The rows of all files that have a content, by its number, each with its language; kept until they change."""
        version = self._database.data_version()
        with self._names_turn:
            if self._table is None or self._table[0] != version:
                sql = f"SELECT {_FILE_COLUMNS}, language FROM file JOIN content USING (content_id)"
                table: dict[int, list[tuple[FileRow, str]]] = {}
                for row in self._database.read(sql):
                    table.setdefault(row[5], []).append((_file_row(row), row[8]))
                self._table = (version, table)
            return self._table[1]

    def names(self) -> "NameTable":
        """Which contents define and use which names, as of now; loaded when first asked for, then kept up to date."""
        from lurcher_index.store.names import NameTable

        with self._names_turn:
            if self._names is None:
                self._names = NameTable()
            sql = "SELECT content_id, defined, used FROM name WHERE content_id > ? ORDER BY content_id"
            self._names.add(self._database.read(sql, (self._names.last,)))
            return self._names

    def digests_after(self, content_id: int, limit: int) -> list[tuple[int, bytes]]:
        """The digests of contents with greater numbers, in the order of the numbers, for so many contents."""
        sql = "SELECT content_id, digest FROM feature WHERE content_id > ? ORDER BY content_id LIMIT ?"
        return [(number, digest) for number, digest in self._database.read(sql, (content_id, limit))]

    def digests(self, content_ids: Iterable[int]) -> dict[int, bytes]:
        """The digests of some contents."""
        return dict(self._by_numbers("SELECT content_id, digest FROM feature WHERE content_id IN", content_ids))

    def phrases(self, content_ids: Iterable[int]) -> dict[int, bytes]:
        """The phrases out of the documentation of some contents."""
        return dict(self._by_numbers("SELECT content_id, phrases FROM feature WHERE content_id IN", content_ids))

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
        for at in range(0, len(wanted), _PARAMETERS - 1):
            part = wanted[at : at + _PARAMETERS - 1]
            some = f"{sql} WHERE folder_id = ? AND path IN ({','.join('?' * len(part))})"
            rows += self._database.read(some, (folder_id, *part))
        return rows

    def _by_numbers(self, sql: str, numbers: Iterable[int]) -> list[tuple[Any, ...]]:
        wanted = list(numbers)
        rows: list[tuple[Any, ...]] = []
        for at in range(0, len(wanted), _PARAMETERS):
            part = wanted[at : at + _PARAMETERS]
            rows += self._database.read(f"{sql} ({','.join('?' * len(part))})", part)
        return rows

    # -- writing

    def write(self) -> "CatalogWrite":
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


_KNOWN = (
    "SELECT path, file_id, size, mtime_ns, read_ns, folded, coalesce(hash, x'')"
    " FROM file LEFT JOIN content USING (content_id)"
)
_FILE_COLUMNS = "file_id, folder_id, path, size, mtime_ns, content_id, reason, detail"


def _file_row(row: tuple[Any, ...]) -> FileRow:
    skip = None if row[6] is None else Skip(Reason(row[6]), row[7] or "")
    return FileRow(row[0], row[1], row[2], row[3], row[4], row[5], skip)


def _set_meta(connection: sqlite3.Connection, name: str, value: Any) -> None:
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value)
    )
