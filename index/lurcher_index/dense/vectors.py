"""The vectors of all chunks in memory: exact nearest neighbours while new rows come in.

Rows live in segments that never change. A refresh makes a new list of segments, and a search goes through the list that
it found, so that neither waits for the other. faiss is loaded with the first rows, for that takes 0.15 s.
"""

import threading
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice
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


class VectorIndex:
    """All vectors of one model. One owner refreshes it; any thread may search it meanwhile.

    Contents that no file has any more stay in it: who searches knows which contents count, and says so to
    `search_where`.
    """

    def __init__(self, rows: VectorRows) -> None:
        """Start empty; `refresh` fills it."""
        self.dimension = rows.dimension
        self._rows = rows
        self._segments: tuple[_Segment, ...] = ()
        self._last_vector = 0
        self._refresh_turn = threading.Lock()

    @property
    def size(self) -> int:
        """How many chunks have a vector here."""
        return sum(segment.size for segment in self._segments)

    @property
    def contents(self) -> Set[int]:
        """The contents that have vectors here, as they are now."""
        return _Contents(self._segments)

    def refresh(self) -> int:
        """Take in what was stored since the last time; how many chunks were added."""
        added = 0
        with self._refresh_turn:
            newer = self._rows.newer(self._last_vector)
            while batch := list(islice(newer, LOADED_CONTENTS)):
                known = self.contents
                fresh = [stored for stored in batch if stored.rows and stored.content_id not in known]
                if fresh:
                    segment = _segment(fresh, self.dimension)
                    self._segments = _joined((*self._segments, segment))
                    added += segment.size
                self._last_vector = batch[-1].vector_id
        return added

    def search(self, vector: Vectors, limit: int) -> list[Hit]:
        """The most similar chunks, best first, equal ones by content and ordinal. A zero vector is similar to none."""
        query = self._query(vector)
        if query is None or limit < 1:
            return []
        return _ranked(self._segments, query, limit).hits()

    def search_where(self, vector: Vectors, limit: int, accepts: Accepts) -> list[Hit]:
        """The same among the contents that are accepted: exactly the best of those, however few they are."""
        segments, query = self._segments, self._query(vector)
        if query is None or limit < 1:
            return []
        size = sum(segment.size for segment in segments)
        verdicts: dict[int, bool] = {}
        # Nearly everything is accepted where nothing is filtered, and each hit more costs as much as the first.
        depth = min(limit + limit // 4, size)
        while True:
            ranked = _ranked(segments, query, depth)
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
        matrix = np.zeros((len(keys), self.dimension), dtype=np.float32)
        found = np.zeros(len(keys), dtype=np.bool_)
        for segment in self._segments:
            held = [(place, row) for place, key in enumerate(keys) if (row := segment.row_of(*key)) is not None]
            if held:
                places, rows = np.array(held, dtype=np.int64).T
                matrix[places] = segment.index.reconstruct_batch(np.ascontiguousarray(rows))
                found[places] = True
        return unit_rows(matrix), found

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

    d: int
    codes: Any

    def add(self, x: Vectors) -> None: ...
    def add_sa_codes(self, codes: NDArray[np.uint8]) -> None: ...
    def search(self, x: Vectors, k: int) -> tuple[Vectors, NDArray[np.int64]]: ...
    def reconstruct_batch(self, keys: NDArray[np.int64]) -> Vectors: ...


@dataclass(frozen=True)
class _Segment:
    """Rows that never change; those of a content stand together."""

    index: "_FaissIndex"
    content_ids: NDArray[np.int64]
    ordinals: NDArray[np.int64]
    spans: dict[int, range]
    """Content → its rows."""

    @property
    def size(self) -> int:
        return len(self.ordinals)

    def row_of(self, content_id: int, ordinal: int) -> int | None:
        span = self.spans.get(content_id)
        return span[ordinal] if span is not None and 0 <= ordinal < len(span) else None

    def best(self, query: Vectors, limit: int) -> "_Ranked":
        """The best rows in any order. Which ones of equal rows stand at its end makes no difference to an answer."""
        scores, rows = self.index.search(query, min(limit, self.size))
        cosines = scores[0] / (SCALE * np.linalg.norm(query))
        return _Ranked(cosines, self.content_ids[rows[0]], self.ordinals[rows[0]])


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


class _Contents(Set[int]):
    """The contents of some segments."""

    def __init__(self, segments: Sequence[_Segment]) -> None:
        self._spans = [segment.spans for segment in segments]

    def __contains__(self, content_id: object) -> bool:
        return any(content_id in spans for spans in self._spans)

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._spans)

    def __len__(self) -> int:
        return sum(map(len, self._spans))


def _ranked(segments: Sequence[_Segment], query: Vectors, limit: int) -> _Ranked:
    if not segments:
        return _Ranked(np.empty(0, np.float32), np.empty(0, np.int64), np.empty(0, np.int64))
    _use_one_thread()
    found = _Ranked(*map(np.concatenate, zip(*(segment.best(query, limit) for segment in segments), strict=True)))
    return found.taken(np.lexsort((found.ordinals, found.content_ids, -found.cosines))[:limit])


def _segment(stored: Sequence[Stored], dimension: int) -> _Segment:
    counts = [len(each.rows) // dimension for each in stored]
    numbers = np.frombuffer(b"".join(each.rows for each in stored), dtype=np.int8)
    values = numbers.reshape(-1, dimension).astype(np.float32)
    # Rounding moves each number by at most a half. A row that is further from its length was damaged on disk, and
    # would be similar to everything.
    lengths = np.linalg.norm(values, axis=1)
    values[np.abs(lengths - SCALE) > 0.5 * sqrt(dimension) + 0.01] = 0.0
    index = _empty_index(dimension)
    index.add(values)
    return _with_spans(index, [each.content_id for each in stored], counts)


def _joined(segments: tuple[_Segment, ...]) -> tuple[_Segment, ...]:
    """Each segment at least twice as large as the next one, so that there are few, and a row is seldom copied."""
    while len(segments) > 1 and segments[-2].size <= max(SMALL_ROWS, 2 * segments[-1].size):
        if segments[-2].size + segments[-1].size > MOST_ROWS:
            break
        *others, one, two = segments
        segments = (*others, _merged(one, two))
    return segments


def _merged(one: _Segment, two: _Segment) -> _Segment:
    import faiss

    index = _empty_index(one.index.d)
    for segment in (one, two):
        index.add_sa_codes(faiss.vector_to_array(segment.index.codes).reshape(segment.size, -1))
    spans = {**one.spans, **two.spans}
    return _with_spans(index, list(spans), [len(span) for span in spans.values()])


def _with_spans(index: "_FaissIndex", content_ids: list[int], counts: list[int]) -> _Segment:
    sizes = np.array(counts, dtype=np.int64)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    spans = {
        number: range(start, end)
        for number, start, end in zip(content_ids, starts.tolist(), ends.tolist(), strict=True)
    }
    ordinals = np.arange(sum(counts), dtype=np.int64) - np.repeat(starts, sizes)
    return _Segment(index, np.repeat(np.array(content_ids, dtype=np.int64), sizes), ordinals, spans)


def _empty_index(dimension: int) -> "_FaissIndex":
    import faiss

    kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
    return cast("_FaissIndex", faiss.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT))


def _use_one_thread() -> None:
    """One question gains nothing from more threads, which would spin. OpenMP keeps this number per calling thread."""
    import faiss

    faiss.omp_set_num_threads(1)
