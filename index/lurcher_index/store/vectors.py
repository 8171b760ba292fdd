"""The vectors of contents in SQL: a row for each content and model, with those of all its chunks and, if the model has
any, their words."""
# Only constants of the module are put into its statements.
# ruff: noqa: S608

import threading
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.store.database import PARAMETERS, Database

Numbers = NDArray[np.int64]

BATCH_CONTENTS = 512
"""Contents read at a time: about 1.3 MB of vectors for contents of ten chunks and 256 numbers each."""


class Missing(NamedTuple):
    """A content without vectors, and one file that has it."""

    content_id: int
    hash: bytes
    """Hash of the file's bytes, to see whether the file still has this content."""
    chunk_count: int
    folder_id: int
    path: str


class Stored(NamedTuple):
    """The vectors of one content as they are stored."""

    vector_id: int
    content_id: int
    rows: bytes


class Coverage(NamedTuple):
    """How many of the chunks that files have can be found by their vectors."""

    ready: int
    total: int


class VectorRows:
    """The stored vectors of one model: signed bytes, one row of `dimension` numbers a chunk, each 127 times the number.

    A blob of another length than its content's chunks need is as good as none: it is not given out, its content is
    missing, and writing the content's vectors replaces it.
    """

    def __init__(self, database: Database, model: str, dimension: int) -> None:
        """Look at the vectors of one model in a database."""
        self.model = model
        self.dimension = dimension
        self._database = database
        self._ledger = _Ledger(database, model, dimension)

    def missing(self, limit: int, after: int = 0, among: Collection[int] | None = None) -> list[Missing]:
        """Contents that some file has and that lack vectors, by number; `after` is the last number seen, and `among`
        names those that alone are wanted."""
        lacking = self._ledger.balance().lacking
        if among is not None:
            lacking = [number for number in lacking if number in among]
        start = bisect_right(lacking, after)
        wanted = lacking[start : start + limit]
        found: list[Missing] = []
        for at in range(0, len(wanted), PARAMETERS):
            part = wanted[at : at + PARAMETERS]
            rows = self._database.read(
                # With min() SQLite takes the other columns from the same row: one file a content. The path is embedded
                # with the text, so the tree has to decide which of several files it is.
                "SELECT content_id, hash, chunk_count, folder_id, min(path) FROM file"
                f" JOIN content USING (content_id) WHERE content_id IN ({','.join('?' * len(part))})"
                " GROUP BY content_id ORDER BY content_id",
                part,
            )
            found += [Missing(*row) for row in rows]
        return found

    def missing_count(self) -> int:
        """How many contents lack vectors."""
        return len(self._ledger.balance().lacking)

    def coverage(self) -> Coverage:
        """The chunks of contents that files have: with vectors, and in all."""
        return self._ledger.balance().coverage

    def count(self) -> int:
        """How many contents have a row, of whatever length."""
        return int(self._database.read("SELECT count(*) FROM vector WHERE model = ?", (self.model,))[0][0])

    def newer(self, after_vector_id: int) -> Iterator[Stored]:
        """What was written after a row, in the order of writing, read in batches."""
        while True:
            rows = self._database.read(
                f"SELECT vector_id, content_id, rows FROM {_IN_ORDER} AND {_FITS} ORDER BY vector_id LIMIT ?4",
                (self.model, self.dimension, after_vector_id, BATCH_CONTENTS),
            )
            yield from (Stored(*row) for row in rows)
            if len(rows) < BATCH_CONTENTS:
                return
            after_vector_id = rows[-1][0]

    def words(self, content_ids: Collection[int]) -> dict[int, bytes]:
        """What was written down of the words of some contents; those of which nothing was are missing."""
        wanted = list(content_ids)
        found: dict[int, bytes] = {}
        for at in range(0, len(wanted), PARAMETERS):
            part = wanted[at : at + PARAMETERS]
            rows = self._database.read(
                "SELECT content_id, words FROM vector WHERE typeof(words) = 'blob' AND model = ?"
                f" AND content_id IN ({','.join('?' * len(part))})",
                (self.model, *part),
            )
            found.update(rows)
        return found

    def write(self, rows: Mapping[int, bytes], words: Mapping[int, bytes] | None = None) -> int:
        """Keep the vectors of some contents, all or none, and what there is of their words; how many were kept.

        Those of a content that is gone, that has vectors already, or that has another number of chunks are not.
        """
        kept = 0
        with self._database.transaction() as connection:
            for content_id, blob in rows.items():
                # Replaced, not changed: only a row with a new number is seen by those who ask for what is newer.
                connection.execute(
                    "DELETE FROM vector WHERE model = ?1 AND content_id = ?3 AND NOT EXISTS"
                    f" (SELECT 1 FROM content WHERE content.content_id = ?3 AND {_FITS})",
                    (self.model, self.dimension, content_id),
                )
                kept += connection.execute(
                    "INSERT OR IGNORE INTO vector (model, content_id, words, rows) SELECT ?1, content_id, ?5, ?4"
                    " FROM content WHERE content_id = ?3 AND length(?4) = chunk_count * ?2",
                    (self.model, self.dimension, content_id, blob, (words or {}).get(content_id)),
                ).rowcount
        return kept

    def note_origin(self, origin: str) -> None:
        """Keep how the model can be made again, for the time when another one is to take its place."""
        if _origins(self._database).get(_ORIGIN + self.model) != origin:
            with self._database.transaction() as connection:
                connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_ORIGIN + self.model, origin))

    def forget_other_models(self) -> None:
        """Delete the vectors of all other models; for the moment when this one is complete."""
        if not stored_models(self._database).keys() - {self.model}:
            return
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM vector WHERE model <> ?", (self.model,))
            connection.execute(
                "DELETE FROM meta WHERE substr(name, 1, ?) = ? AND name <> ?",
                (len(_ORIGIN), _ORIGIN, _ORIGIN + self.model),
            )

    def forget_damaged(self) -> int:
        """Delete blobs of the wrong length; how many there were. Nothing is written if there are none."""
        damaged = self._ledger.balance().damaged
        if damaged:
            with self._database.transaction() as connection:
                connection.executemany("DELETE FROM vector WHERE vector_id = ?", [(number,) for number in damaged])
        return len(damaged)


def stored_models(database: Database) -> dict[str, str]:
    """The models that have vectors, each with how it can be made again; empty where that was not noted."""
    origins = _origins(database)
    found: dict[str, str] = {}
    name = ""
    # From one name to the next by the index: a look at every row would take as long as there are rows.
    while (row := database.read("SELECT min(model) FROM vector WHERE model > ?", (name,))[0])[0] is not None:
        name = str(row[0])
        found[name] = origins.get(_ORIGIN + name, "")
    return found


def _origins(database: Database) -> dict[str, str]:
    rows = database.read("SELECT name, value FROM meta WHERE substr(name, 1, ?) = ?", (len(_ORIGIN), _ORIGIN))
    return {str(name): str(value) for name, value in rows}


_ORIGIN = "origin of "
"""How names in the table `meta` begin that say where a model came from."""


class _Balance(NamedTuple):
    coverage: Coverage
    lacking: list[int]
    """Contents that files have and that lack vectors, by number."""
    damaged: list[int]
    """Numbers of the vectors that do not fit their contents."""


class _Ledger:
    """Remembers which contents have vectors and how many chunks, and reads only what is new since it last looked.

    Asked of SQLite each time this takes 32 ms for 11,000 contents, indexes or not, for a page is fetched for each.
    Neither a content nor its vectors ever change under their numbers, so only deletions have to be noticed. While an
    index is built every status and every search looks here, so what all contents take part in is done by arrays.
    """

    def __init__(self, database: Database, model: str, dimension: int) -> None:
        self._database = database
        self._key = (model, dimension)
        self._turn = threading.Lock()
        self._version: int | None = None
        self._balance = _Balance(Coverage(0, 0), [], [])
        self._contents: Numbers = np.zeros(0, np.int64)
        """In order; beside it how many chunks each has, and whether it has vectors."""
        self._chunks: Numbers = np.zeros(0, np.int64)
        self._forget_vectors()

    def balance(self) -> _Balance:
        """The state as of the last commit."""
        with self._turn:
            # Asked first: whatever is committed while we read is looked at once more the next time.
            version = self._database.data_version()
            if version != self._version:
                self._balance = self._counted()
                self._version = version
            return self._balance

    def _forget_vectors(self) -> None:
        self._ready = np.zeros(len(self._contents), np.bool_)
        self._damaged: list[int] = []
        self._last_vector = 0
        self._vectors = 0

    def _counted(self) -> _Balance:
        # Files and vectors before contents: every content that a file or a vector has is then known.
        used = self._used()
        self._read_vectors()
        if self._vectors != self._stored_vectors():
            self._forget_vectors()
            self._read_vectors()
        places = self._places(used)
        chunks = self._chunks[places]
        lacks = ~self._ready[places] & (chunks > 0)
        total = int(chunks.sum())
        lacking: list[int] = self._contents[places[lacks]].tolist()
        return _Balance(Coverage(total - int(chunks[lacks].sum()), total), lacking, list(self._damaged))

    def _used(self) -> Numbers:
        # As one value rather than a row a number: a third of the time.
        ((numbers,),) = self._database.read(
            "SELECT json_group_array(content_id) FROM"
            " (SELECT DISTINCT content_id FROM file WHERE content_id IS NOT NULL)"
        )
        return np.sort(np.array(msgspec.json.decode(numbers, type=list[int]), np.int64))

    def _read_contents(self) -> None:
        after = int(self._contents[-1]) if len(self._contents) else 0
        rows = self._database.read(
            "SELECT content_id, chunk_count FROM content WHERE content_id > ? ORDER BY content_id", (after,)
        )
        if rows:
            contents, chunks = np.array(rows, np.int64).T
            self._contents = np.concatenate((self._contents, contents))
            self._chunks = np.concatenate((self._chunks, chunks))
            self._ready = np.concatenate((self._ready, np.zeros(len(rows), np.bool_)))

    def _read_vectors(self) -> None:
        sql = f"SELECT vector_id, vector.content_id, coalesce({_FITS}, 0) FROM {_IN_ORDER} ORDER BY vector_id"
        rows = self._database.read(sql, (*self._key, self._last_vector))
        self._read_contents()
        if rows:
            self._last_vector = rows[-1][0]
            self._vectors += len(rows)
            self._damaged += [vector_id for vector_id, _, fits in rows if not fits]
            fitting = np.array([content_id for _, content_id, fits in rows if fits], np.int64)
            self._ready[self._places(fitting)] = True

    def _places(self, contents: Numbers) -> Numbers:
        """Where some contents stand among those that are known; the others are left out."""
        if not len(self._contents):
            return np.zeros(0, np.int64)
        places: Numbers = np.minimum(np.searchsorted(self._contents, contents), len(self._contents) - 1)
        found: Numbers = places[self._contents[places] == contents]
        return found

    def _stored_vectors(self) -> int:
        rows = self._database.read(
            "SELECT count(*) FROM vector WHERE model = ? AND vector_id <= ?", (self._key[0], self._last_vector)
        )
        return int(rows[0][0])


# SQLite knows type and length of a value from the head of its row, so that no blob is read for this.
_FITS = "(typeof(rows) = 'blob' AND length(rows) = chunk_count * ?2)"
# By its number a row is found at once; by the index of the model all rows would have to be sorted.
_IN_ORDER = "vector NOT INDEXED LEFT JOIN content USING (content_id) WHERE model = ?1 AND vector_id > ?3"
