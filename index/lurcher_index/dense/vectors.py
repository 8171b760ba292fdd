"""The vectors of all chunks in memory: exact nearest neighbours while new rows come in.

Rows are numbered as they come, and the number of a row stays. They live in segments that never change, each a stretch
of these numbers. A refresh makes a new list of segments, and a search goes through the list that it found, so that
neither waits for the other. faiss is loaded with the first rows, for that takes 0.15 s.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.store.vectors import Stored, VectorRows

SCALE = 127
"""A stored number is so many times the number of the vector, rounded: its error is 0.004 at most, and that of a cosine
0.0023 in the mean."""

DEEPENING = 4
"""How many times more hits are fetched when those at hand are not enough: few rounds, little too much in the last."""

SMALL_ROWS = 4_096
"""Segments up to this size are joined with the next one in any case; 1 MB is copied in well under a millisecond."""

LOADED_CONTENTS = 4_096
"""Contents taken in at a time: about 40,000 chunks, which are 40 MB until they are packed."""

MOST_ROWS = 65_536
"""Segments are not joined beyond this size: copying 16 MB stops the interpreter for some milliseconds, 80 MB for 70."""

PIECE_ROWS = 128
"""Rows turned into numbers of four bytes at a time: 128 KB, which stay in a core's own cache, and few enough that
numpy's product starts no threads. 5,000 rows of 256 numbers take 0.65 ms this way and 2.2 ms in pieces of 1,024."""

Key = tuple[int, int]
"""Content and ordinal of a chunk."""

Accepts = Callable[[Sequence[int]], Set[int]]
"""Given some contents, those that may be found. It is asked about each content once."""


class Hit(NamedTuple):
    """A chunk and how similar it is, from -1 to 1."""

    content_id: int
    ordinal: int
    cosine: float


def unit_rows(rows: Vectors) -> Vectors:
    """Every row brought to length 1. Zero stays zero, and so becomes what is not a number."""
    with np.errstate(over="ignore"):
        lengths: Vectors = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=np.isfinite(lengths) & (lengths > 0))


def quantise(vectors: Vectors) -> NDArray[np.int8]:
    """Vectors as they are stored; `tobytes` of some rows is the blob of a content."""
    return np.rint(unit_rows(vectors) * SCALE).astype(np.int8)


_NOTHING = range(0)
_OFFSET = 128
"""faiss keeps signed bytes as unsigned ones, so much larger."""


class VectorIndex:
    """All vectors of one model. One owner refreshes it; any thread may search it meanwhile.

    Contents that no file has any more stay in it: who searches knows which contents count, and says so to
    `search_where`.
    """

    def __init__(self, rows: VectorRows) -> None:
        """Start empty; `refresh` fills it."""
        self.dimension = rows.dimension
        self._rows = rows
        self._held = _Held(())
        # It only grows, and a content is in it before its rows can be seen: see `_seen`.
        self._spans: dict[int, range] = {}
        self._last_vector = 0
        self._refresh_turn = threading.Lock()

    @property
    def size(self) -> int:
        """How many chunks have a vector here."""
        return self._held.size

    @property
    def contents(self) -> Set[int]:
        """The contents that have vectors here, as they are now."""
        return frozenset(self._spans)

    def refresh(self) -> int:
        """Take in what was stored since the last time; how many chunks were added."""
        added = 0
        with self._refresh_turn:
            newer = self._rows.newer(self._last_vector)
            while batch := list(islice(newer, LOADED_CONTENTS)):
                fresh = [stored for stored in batch if stored.rows and stored.content_id not in self._spans]
                if fresh:
                    segment = _segment(fresh, self.dimension, first=self._held.size)
                    self._spans.update(_spans(fresh, self.dimension, first=segment.first))
                    self._held = _Held(_joined((*self._held.segments, segment)))
                    added += segment.size
                self._last_vector = batch[-1].vector_id
        return added

    def search(self, vector: Vectors, limit: int) -> list[Hit]:
        """The most similar chunks, best first, equal ones by content and ordinal. A zero vector is similar to none."""
        query = self._query(vector)
        if query is None or limit < 1:
            return []
        return _ranked(self._held.segments, query, limit).hits()

    def search_where(self, vector: Vectors, limit: int, accepts: Accepts) -> list[Hit]:
        """The same among the contents that are accepted: exactly the best of those, however few they are."""
        held, query = self._held, self._query(vector)
        if query is None or limit < 1:
            return []
        size = held.size
        verdicts: dict[int, bool] = {}
        # Nearly everything is accepted where nothing is filtered, and each hit more costs as much as the first.
        depth = min(limit + limit // 4, size)
        while True:
            ranked = _ranked(held.segments, query, depth)
            contents: list[int] = ranked.content_ids.tolist()
            asked = [number for number in dict.fromkeys(contents) if number not in verdicts]
            accepted = accepts(asked) if asked else frozenset[int]()
            verdicts.update((number, number in accepted) for number in asked)
            kept = [at for at, number in enumerate(contents) if verdicts[number]]
            if len(kept) >= limit or depth == size:
                return ranked.taken(np.array(kept[:limit], dtype=np.int64)).hits()
            depth = min(depth * DEEPENING, size)

    def row(self, content_id: int, ordinal: int) -> Vectors | None:
        """The vector of one chunk, of length 1; None if it has none here."""
        matrix, found = self.rows([(content_id, ordinal)])
        return matrix[0] if found[0] else None

    def rows(self, keys: Sequence[Key]) -> tuple[Vectors, NDArray[np.bool_]]:
        """The vectors of some chunks, a row each, and which of them were found; the other rows are zero."""
        held = self._held
        matrix = np.zeros((len(keys), self.dimension), dtype=np.float32)
        found = np.zeros(len(keys), dtype=np.bool_)
        spans = [self._seen(held, content_id) for content_id, _ in keys]
        known = [
            (place, span[ordinal])
            for place, (span, (_, ordinal)) in enumerate(zip(spans, keys, strict=True))
            if 0 <= ordinal < len(span)
        ]
        if known:
            places, rows = np.array(known, dtype=np.int64).T
            for at, numbers in held.numbers(rows):
                matrix[places[at]] = numbers
            found[places] = True
        return unit_rows(matrix), found

    def content_cosines(self, vector: Vectors, content_ids: Iterable[int]) -> dict[int, NDArray[np.float32]]:
        """How similar each chunk of some contents is, by ordinal. Contents without vectors here are left out.

        The cosines are those of a search, to the last bit. A zero vector is similar to none, so it gets nothing.
        """
        held, query = self._held, self._query(vector)
        spans = {number: span for number in content_ids if (span := self._seen(held, number))}
        if query is None or not spans:
            return {}
        sizes = np.array([len(span) for span in spans.values()], dtype=np.int64)
        ends = np.cumsum(sizes)
        starts = np.array([span.start for span in spans.values()], dtype=np.int64)
        rows = np.arange(sum(map(len, spans.values())), dtype=np.int64) + np.repeat(starts - (ends - sizes), sizes)
        cosines = np.clip(held.cosines(rows, query), -1.0, 1.0)
        return dict(zip(spans, np.split(cosines, ends[:-1]), strict=True))

    def _seen(self, held: "_Held", content_id: int) -> range:
        """The rows of a content among those that are held; empty if there are none."""
        span = self._spans.get(content_id, _NOTHING)
        return span if span.stop <= held.size else _NOTHING

    def _query(self, vector: Vectors) -> Vectors | None:
        """The question as whole numbers up to 127, one row; None if it is zero.

        faiss cuts the question down to whole numbers, so it is stretched first. Sums of whole numbers are also exact,
        which makes equal scores equal in every segment and on every machine.
        """
        flat = np.asarray(vector, dtype=np.float32).reshape(1, -1)
        if flat.shape[1] != self.dimension:
            raise ValueError(f"the question's vector has {flat.shape[1]} numbers, those of the index {self.dimension}")
        largest = float(np.abs(flat).max(initial=0.0))
        if not np.isfinite(largest) or largest == 0.0:
            return None
        whole: Vectors = np.rint(flat / largest * SCALE)
        return whole


class _FaissIndex(Protocol):
    """What we use of faiss.IndexScalarQuantizer; the types that come with faiss differ from version to version."""

    codes: Any

    def add_sa_codes(self, codes: NDArray[np.uint8]) -> None: ...
    def search(self, x: Vectors, k: int) -> tuple[Vectors, NDArray[np.int64]]: ...


@dataclass(frozen=True)
class _Segment:
    """Rows that never change; those of a content stand together."""

    index: "_FaissIndex"
    codes: NDArray[np.uint8]
    """The rows as faiss holds them, in its own memory: each number plus 128."""
    first: int
    """The number of the first row."""
    content_ids: NDArray[np.int64]
    ordinals: NDArray[np.int64]

    @property
    def size(self) -> int:
        return len(self.ordinals)

    def best(self, query: Vectors, limit: int) -> "_Ranked":
        """The best rows in any order. Which ones of equal rows stand at its end makes no difference to an answer."""
        scores, rows = self.index.search(query, min(limit, self.size))
        return _Ranked(_cosines(scores[0], query), self.content_ids[rows[0]], self.ordinals[rows[0]])


class _Held:
    """All rows at one moment."""

    def __init__(self, segments: tuple[_Segment, ...]) -> None:
        self.segments = segments
        self.size = segments[-1].first + segments[-1].size if segments else 0
        self._firsts = np.array([segment.first for segment in segments], dtype=np.int64)

    def numbers(self, rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
        """Some rows as stored numbers, in pieces: their places in the list and the rows."""
        owners = np.searchsorted(self._firsts, rows, side="right") - 1
        for owner in sorted(set[int](owners.tolist())):
            segment = self.segments[owner]
            places = np.flatnonzero(owners == owner)
            for start in range(0, len(places), PIECE_ROWS):
                piece = places[start : start + PIECE_ROWS]
                numbers = segment.codes[rows[piece] - segment.first].astype(np.float32)
                numbers -= _OFFSET
                yield piece, numbers

    def cosines(self, rows: NDArray[np.int64], query: Vectors) -> NDArray[np.float32]:
        """How similar some rows are."""
        scores = np.empty(len(rows), dtype=np.float32)
        for places, numbers in self.numbers(rows):
            scores[places] = numbers @ query[0]
        return _cosines(scores, query)


class _Ranked(NamedTuple):
    """Rows with their scores."""

    cosines: NDArray[np.float32]
    content_ids: NDArray[np.int64]
    ordinals: NDArray[np.int64]

    def taken(self, places: NDArray[np.int64]) -> "_Ranked":
        return _Ranked(self.cosines[places], self.content_ids[places], self.ordinals[places])

    def hits(self) -> list[Hit]:
        # Rounding makes some rows longer than 1 by up to half a percent.
        cosines = np.clip(self.cosines, -1.0, 1.0).tolist()
        return [Hit(*row) for row in zip(self.content_ids.tolist(), self.ordinals.tolist(), cosines, strict=True)]


def _cosines(scores: NDArray[np.float32], query: Vectors) -> NDArray[np.float32]:
    return scores / np.float32(SCALE * np.linalg.norm(query))


def _ranked(segments: Sequence[_Segment], query: Vectors, limit: int) -> _Ranked:
    if not segments:
        return _Ranked(np.empty(0, np.float32), np.empty(0, np.int64), np.empty(0, np.int64))
    _use_one_thread()
    found = _Ranked(*map(np.concatenate, zip(*(segment.best(query, limit) for segment in segments), strict=True)))
    return found.taken(np.lexsort((found.ordinals, found.content_ids, -found.cosines))[:limit])


def _segment(stored: Sequence[Stored], dimension: int, first: int) -> _Segment:
    numbers = np.frombuffer(b"".join(each.rows for each in stored), dtype=np.int8).reshape(-1, dimension)
    codes = numbers.view(np.uint8) ^ np.uint8(_OFFSET)
    # Rounding moves each number by at most a half. A row that is further from its length was damaged on disk, and
    # would be similar to everything.
    for start in range(0, len(numbers), PIECE_ROWS):
        lengths = np.linalg.norm(numbers[start : start + PIECE_ROWS].astype(np.float32), axis=1)
        damaged = np.abs(lengths - SCALE) > 0.5 * sqrt(dimension) + 0.01
        codes[start : start + PIECE_ROWS][damaged] = _OFFSET
    spans = _spans(stored, dimension, first=0).values()
    sizes = np.array([len(span) for span in spans], dtype=np.int64)
    content_ids = np.repeat(np.array([each.content_id for each in stored], dtype=np.int64), sizes)
    ordinals = np.arange(len(numbers)) - np.repeat(np.array([span.start for span in spans], dtype=np.int64), sizes)
    return _with_codes([codes], first, content_ids, ordinals)


def _spans(stored: Iterable[Stored], dimension: int, first: int) -> dict[int, range]:
    """Content → its rows, when the rows are numbered from `first`."""
    spans: dict[int, range] = {}
    for each in stored:
        spans[each.content_id] = range(first, first := first + len(each.rows) // dimension)
    return spans


def _joined(segments: tuple[_Segment, ...]) -> tuple[_Segment, ...]:
    """Each segment at least twice as large as the next one, so that there are few, and a row is seldom copied."""
    while len(segments) > 1 and segments[-2].size <= max(SMALL_ROWS, 2 * segments[-1].size):
        if segments[-2].size + segments[-1].size > MOST_ROWS:
            break
        *others, one, two = segments
        segments = (*others, _merged(one, two))
    return segments


def _merged(one: _Segment, two: _Segment) -> _Segment:
    content_ids = np.concatenate([one.content_ids, two.content_ids])
    return _with_codes([one.codes, two.codes], one.first, content_ids, np.concatenate([one.ordinals, two.ordinals]))


def _with_codes(
    parts: Sequence[NDArray[np.uint8]], first: int, content_ids: NDArray[np.int64], ordinals: NDArray[np.int64]
) -> _Segment:
    import faiss

    dimension = parts[0].shape[1]
    kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
    index = cast("_FaissIndex", faiss.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT))
    for part in parts:
        index.add_sa_codes(part)
    codes: NDArray[np.uint8] = faiss.rev_swig_ptr(index.codes.data(), len(ordinals) * dimension)
    return _Segment(index, codes.reshape(-1, dimension), first, content_ids, ordinals)


def _use_one_thread() -> None:
    """One question gains nothing from more threads, which would spin. OpenMP keeps this number per calling thread."""
    import faiss

    faiss.omp_set_num_threads(1)
