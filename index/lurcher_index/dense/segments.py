"""Rows of vectors that never change, searched exactly, or by a coarse code first and then exactly.

Rows are signed bytes, 127 times the numbers of a vector. A question is whole numbers too: sums of whole numbers are
exact, so that equal scores are equal in every segment, on every way and on every machine.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from math import sqrt
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.store.vectors import Stored

SCALE = 127
"""A stored number is so many times the number of the vector, rounded: its error is 0.004 at most, and that of a cosine
0.0023 in the mean."""

SMALL_ROWS = 4_096
"""Segments up to this size are joined with the next one in any case; 1 MB is copied in well under a millisecond."""

SEGMENT_ROWS = 65_536
"""Rows taken in at a time, and the most that segments are joined to: 16 MB, which are copied in 3 ms."""

SEALED_ROWS = SEGMENT_ROWS // 2
"""A segment of this size is not joined any more, so that its coarse code is made once. What is left at the end is less
than a segment, and searched exactly."""

COARSE_FROM_ROWS = SEGMENT_ROWS
"""Up to here everything is searched exactly, in 2 ms by the 3.2 ms of 99,095 rows. With coarse codes these take 1.4 ms
and have the same 100 hits for each of forty questions. To make the codes takes 1 s of a core, after each start."""

MOST_EQUALS = 1_024
"""Rows beyond those that are wanted that are looked at, where the last of these have equals. Where more are equal, the
order of the rows decides: nobody waits for thousands of copies to be compared."""

POOL = 6
"""Candidates of the coarse code for each hit that is wanted: recall 0.9955 at 300 hits of 400,000 rows."""

LEAST_POOL = 1_000
"""Candidates of the coarse code in any case: recall 0.9986 at 100 hits of 400,000 rows. With half of them it
was lower by up to 0.011 at 131,072 rows."""

POOL_SHARE = 4
"""A segment is searched coarsely if it is so many times larger than the pool; else there is little to leave out."""

SAMPLE_ROWS = 2_048
"""Rows that the coarse code is learnt from, in 0.4 s. 8,192 take five times as long; recall@100 is the same on rows
with topics and 0.005 higher on random ones."""

TRAINING_ROUNDS = 10
"""Rounds of k-means; with 5 the recall is lower by up to three thousandths."""

ENCODED_ROWS = 4_096
"""Rows that get their coarse code at a time: about 30 ms, after which the work can be stopped."""

PIECE_ROWS = 128
"""Rows turned into numbers of four bytes at a time: 128 KB, which stay in a core's own cache, and few enough that
numpy's product starts no threads. 5,000 rows of 256 numbers take 0.65 ms this way and 2.2 ms in pieces of 1,024."""

_OFFSET = 128
"""faiss keeps signed bytes as unsigned ones, so much larger."""


class FaissIndex(Protocol):
    """What we use of an index of faiss."""

    codes: Any

    def add(self, x: Vectors) -> None: ...
    def add_sa_codes(self, codes: NDArray[np.uint8]) -> None: ...
    def search(self, x: Vectors, k: int, *, params: Any = None) -> tuple[Vectors, NDArray[np.int64]]: ...


class Scored(NamedTuple):
    """Rows by number, and their scores in whole numbers (those of a coarse code are guesses)."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float32]


@dataclass(frozen=True)
class Segment:
    """Rows that never change; those of a content stand together."""

    exact: FaissIndex
    codes: NDArray[np.uint8]
    """The rows as faiss holds them, in its own memory."""
    first: int
    """The number of the first row."""
    content_ids: NDArray[np.int64]
    ordinals: NDArray[np.int32]
    coarse: FaissIndex | None = None
    """The same rows at a quarter of the size, once they have it."""

    @property
    def size(self) -> int:
        """How many rows it has."""
        return len(self.ordinals)

    def numbers(self, places: NDArray[np.int64] | slice) -> Vectors:
        """Some rows as they were stored."""
        numbers = self.codes[places].astype(np.float32)
        numbers -= _OFFSET
        return numbers

    def scores(self, places: NDArray[np.int64], query: Vectors) -> NDArray[np.float32]:
        """How similar some rows are to a question of whole numbers."""
        scores = np.empty(len(places), dtype=np.float32)
        room = np.empty((min(PIECE_ROWS, len(places)), self.codes.shape[1]), dtype=np.float32)
        for start in range(0, len(places), PIECE_ROWS):
            piece = places[start : start + PIECE_ROWS]
            np.copyto(room[: len(piece)], self.codes.take(piece, axis=0))
            np.dot(room[: len(piece)], query, out=scores[start : start + PIECE_ROWS])
        # The offset is taken off the sums, not off every number: they are whole and below 2^24, so it is the same.
        scores -= _OFFSET * query.sum()
        return scores

    def best(self, query: Vectors, limit: int, accepted: NDArray[np.bool_] | None = None) -> Scored:
        """The best rows, of those that are accepted, with those that equal the last of them, in any order.

        faiss cuts equal rows by their numbers, which follow the order of reading. It still does beyond `MOST_EQUALS`,
        and where nothing is similar at all.
        """
        params = _only(accepted) if accepted is not None else None
        found = self._found(self.exact, query, limit + 1, params)
        if len(found.scores) > limit and found.scores[-1] == found.scores[limit - 1] > 0:
            found = self._found(self.exact, query, limit + MOST_EQUALS, params)
        return _cut(found, limit)

    def guessed(self, query: Vectors, pool: int) -> Scored | None:
        """Rows that the coarse code takes for the best; None if it has none or is not worth it."""
        if self.coarse is None or self.size < POOL_SHARE * pool:
            return None
        return self._found(self.coarse, query, pool, None)

    def _found(self, index: FaissIndex, query: Vectors, limit: int, params: object) -> Scored:
        scores, places = index.search(query, min(limit, self.size), params=params)
        there = places[0] >= 0
        return Scored(places[0][there] + self.first, scores[0][there])


@dataclass(frozen=True)
class Held:
    """All rows at one moment."""

    segments: tuple[Segment, ...] = ()

    @cached_property
    def size(self) -> int:
        """How many rows there are."""
        return self.segments[-1].first + self.segments[-1].size if self.segments else 0

    def best(self, query: Vectors, limit: int) -> Scored:
        """The most similar rows in any order: all of them, or nearly so where there are coarse codes."""
        use_one_thread()
        pool = max(LEAST_POOL, POOL * limit)
        found: list[Scored] = []
        guesses: list[Scored] = []
        for segment in self.segments:
            guess = segment.guessed(query, pool)
            if guess is None:
                found.append(segment.best(query, limit))
            else:
                guesses.append(guess)
        if guesses:
            rows = _cut(_together(guesses), pool).rows
            found.append(Scored(rows, self.scores(rows, query)))
        return _cut(_together(found), limit)

    def best_among(self, query: Vectors, limit: int, accepted: NDArray[np.bool_]) -> Scored:
        """Exactly the most similar of the rows that are accepted, in any order."""
        use_one_thread()
        parts = [(segment, accepted[segment.first : segment.first + segment.size]) for segment in self.segments]
        return _cut(_together([segment.best(query, limit, part) for segment, part in parts if part.any()]), limit)

    def numbers(self, rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
        """Some rows as they were stored, in pieces: their places in the list and the rows."""
        for segment, places in self._owners(rows):
            for start in range(0, len(places), PIECE_ROWS):
                piece = places[start : start + PIECE_ROWS]
                yield piece, segment.numbers(rows[piece] - segment.first)

    def scores(self, rows: NDArray[np.int64], query: Vectors) -> NDArray[np.float32]:
        """How similar some rows are."""
        scores = np.empty(len(rows), dtype=np.float32)
        for segment, places in self._owners(rows):
            scores[places] = segment.scores(rows[places] - segment.first, query[0])
        return scores

    def chunks(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Contents and ordinals of some rows."""
        content_ids = np.empty(len(rows), dtype=np.int64)
        ordinals = np.empty(len(rows), dtype=np.int32)
        for segment, places in self._owners(rows):
            content_ids[places] = segment.content_ids[rows[places] - segment.first]
            ordinals[places] = segment.ordinals[rows[places] - segment.first]
        return content_ids, ordinals

    def with_rows(self, segment: Segment) -> "Held":
        """The same with new rows at the end."""
        return Held(_joined((*self.segments, segment)))

    def with_coarse(self, segment: Segment, coarse: FaissIndex) -> "Held":
        """The same with the coarse code of one segment."""
        return Held(tuple(replace(each, coarse=coarse) if each is segment else each for each in self.segments))

    def lacking_coarse(self) -> Segment | None:
        """A segment that should get a coarse code."""
        if self.size <= COARSE_FROM_ROWS:
            return None
        return next((each for each in self.segments if each.coarse is None and each.size >= SEALED_ROWS), None)

    @cached_property
    def _firsts(self) -> NDArray[np.int64]:
        return np.array([segment.first for segment in self.segments], dtype=np.int64)

    def _owners(self, rows: NDArray[np.int64]) -> Iterator[tuple[Segment, NDArray[np.int64]]]:
        """The segments of some rows, each with the places of its rows in the list."""
        owners = np.searchsorted(self._firsts, rows, side="right") - 1
        for owner in sorted(set[int](owners.tolist())):
            yield self.segments[owner], np.flatnonzero(owners == owner)


class Arrivals:
    """Rows on their way into a segment. A blob of the store is let go once it is copied.

    They are gathered in parts, for a large buffer that grows is copied now and then, which stops the interpreter.
    """

    def __init__(self, dimension: int, first: int) -> None:
        """Rows are numbered from `first`."""
        self.size = 0
        self.spans: dict[int, range] = {}
        self._dimension = dimension
        self._first = first
        self._parts: list[bytearray] = []

    def take(self, stored: Stored) -> None:
        """Take in the rows of a content, unless it has none or is here already."""
        if not stored.rows or stored.content_id in self.spans:
            return
        if not self._parts or len(self._parts[-1]) >= SMALL_ROWS * self._dimension:
            self._parts.append(bytearray())
        self._parts[-1] += stored.rows
        start = self._first + self.size
        self.size += len(stored.rows) // self._dimension
        self.spans[stored.content_id] = range(start, self._first + self.size)

    def segment(self) -> Segment:
        """All that came; to be called once, for the rows are changed in their place."""
        sizes = [len(span) for span in self.spans.values()]
        content_ids = np.repeat(np.fromiter(self.spans, np.int64, len(sizes)), sizes)
        ordinals = np.fromiter((ordinal for size in sizes for ordinal in range(size)), np.int32, self.size)
        codes = [_codes(np.frombuffer(part, dtype=np.int8).reshape(-1, self._dimension)) for part in self._parts]
        return _with_codes(codes, self._first, content_ids, ordinals)


def rows_of(spans: Sequence[range]) -> NDArray[np.int64]:
    """The numbers of all rows of some contents."""
    sizes = np.fromiter(map(len, spans), np.int64, len(spans))
    shifts = np.fromiter((span.start for span in spans), np.int64, len(spans)) - (np.cumsum(sizes) - sizes)
    rows: NDArray[np.int64] = np.arange(sum(map(len, spans)), dtype=np.int64) + np.repeat(shifts, sizes)
    return rows


def learnt_code(held: Held) -> FaissIndex:
    """An empty coarse index: two numbers of a turned row in four bits, scanned 32 rows at a time.

    Turning the rows spreads over all numbers what a model puts into the first ones, and needs no training. The numbers
    are learnt from rows all over the index; the same rows give the same code.
    """
    faiss = _faiss()
    use_one_thread()
    rows = np.linspace(0, held.size - 1, min(SAMPLE_ROWS, held.size)).astype(np.int64)
    sample = np.empty((len(rows), held.segments[0].codes.shape[1]), dtype=np.float32)
    for places, numbers in held.numbers(rows):
        sample[places] = numbers
    pairs = (sample.shape[1] + 1) // 2
    index = faiss.index_factory(sample.shape[1], f"RR{2 * pairs},PQ{pairs}x4fs", faiss.METRIC_INNER_PRODUCT)
    training = faiss.downcast_index(index.index).pq.cp
    training.seed, training.niter = 1, TRAINING_ROUNDS
    index.train(sample)
    return cast("FaissIndex", index)


def coarse_index(empty: FaissIndex, segment: Segment, stopped: Callable[[], bool]) -> FaissIndex | None:
    """The rows of a segment in the code of an empty index; None if it was stopped. faiss frees the interpreter."""
    use_one_thread()
    index = cast("FaissIndex", _faiss().clone_index(empty))
    for start in range(0, segment.size, ENCODED_ROWS):
        if stopped():
            return None
        index.add(segment.numbers(slice(start, start + ENCODED_ROWS)))
    return index


def use_one_thread() -> None:
    """One question gains nothing from more threads, which would spin. OpenMP keeps this number per calling thread."""
    _faiss().omp_set_num_threads(1)


def _faiss() -> Any:
    """Untyped, for the types that come with it differ from version to version."""
    return import_module("faiss")


def _codes(numbers: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Rows as faiss keeps them, in the same place."""
    # Rounding moves each number by at most a half. A row that is further from its length was damaged on disk, and would
    # be similar to everything.
    tolerance = 0.5 * sqrt(numbers.shape[1]) + 0.01
    for start in range(0, len(numbers), PIECE_ROWS):
        piece = numbers[start : start + PIECE_ROWS]
        piece[np.abs(np.linalg.norm(piece.astype(np.float32), axis=1) - SCALE) > tolerance] = 0
    codes = numbers.view(np.uint8)
    codes ^= np.uint8(_OFFSET)
    return codes


def _only(accepted: NDArray[np.bool_]) -> Any:
    # The parameters keep the selector alive, and the selector its bits.
    faiss = _faiss()
    return faiss.SearchParameters(sel=faiss.IDSelectorBitmap(np.packbits(accepted, bitorder="little")))


def _together(parts: Sequence[Scored]) -> Scored:
    if not parts:
        return Scored(np.empty(0, np.int64), np.empty(0, np.float32))
    return Scored(*map(np.concatenate, zip(*parts, strict=True)))


def _cut(found: Scored, limit: int) -> Scored:
    """The best ones, and all that equal the last of them."""
    if len(found.scores) <= limit:
        return found
    best = found.scores >= np.partition(found.scores, -limit)[-limit]
    return Scored(found.rows[best], found.scores[best])


def _joined(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """Each segment at least twice as large as the next one, so that there are few, and a row is seldom copied."""
    while len(segments) > 1 and segments[-2].size <= max(SMALL_ROWS, 2 * segments[-1].size):
        *others, one, two = segments
        if max(one.size, two.size) >= SEALED_ROWS:
            break
        content_ids = np.concatenate([one.content_ids, two.content_ids])
        ordinals = np.concatenate([one.ordinals, two.ordinals])
        segments = (*others, _with_codes([one.codes, two.codes], one.first, content_ids, ordinals))
    return segments


def _with_codes(
    parts: Sequence[NDArray[np.uint8]], first: int, content_ids: NDArray[np.int64], ordinals: NDArray[np.int32]
) -> Segment:
    dimension = parts[0].shape[1]
    faiss = _faiss()
    kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
    index = cast("FaissIndex", faiss.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT))
    for part in parts:
        index.add_sa_codes(part)
    codes: NDArray[np.uint8] = faiss.rev_swig_ptr(index.codes.data(), len(ordinals) * dimension)
    return Segment(index, codes.reshape(-1, dimension), first, content_ids, ordinals)
