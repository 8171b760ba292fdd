"""The vectors of all chunks in memory: nearest neighbours while new rows come in.

Rows are numbered as they come, and the number of a row stays. They live in segments that never change, each a stretch
of these numbers. A refresh makes a new list of segments, and a search goes through the list that it found, so that
neither waits for the other. faiss is loaded with the first rows, for that takes 0.15 s.
"""

import threading
from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense import segments
from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.segments import SCALE, Arrivals, FaissIndex, Held, Scored
from lurcher_index.store.vectors import VectorRows

FIRST_DEPTH = 1.25
"""Hits fetched for each that is wanted, where a filter may drop some: nearly everything is accepted where nothing is
filtered, and each hit more costs as much as the first."""

DEEPENING = 4
"""How many times more hits are fetched at least when those at hand are not enough."""

MOST_DEPTH = 2_048
"""Hits beyond which a filter is asked about everything instead, and the search made among what it accepts."""

DEPTH_SHARE = 32
"""In a large index, the hits are beyond that only if they are more than this part of it, for asking about a content
takes about 10 µs. Neither of the two is tuned."""

ASKED_CONTENTS = 4_096
"""Contents that a filter is asked about at a time."""

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


class VectorIndex:
    """All vectors of one model. One owner refreshes it; any thread may search it meanwhile.

    Contents that no file has any more stay in it: who searches knows which contents count, and says so to
    `search_where`.
    """

    def __init__(self, rows: VectorRows) -> None:
        """Start empty; `refresh` fills it."""
        self.dimension = rows.dimension
        self._rows = rows
        self._held = Held()
        # It only grows, and a content is in it before its rows can be seen: see `_seen`.
        self._spans: dict[int, range] = {}
        self._last_vector = 0
        self._refresh_turn = threading.Lock()
        self._code: FaissIndex | None = None
        self._coarsening: threading.Thread | None = None

    @property
    def size(self) -> int:
        """How many chunks have a vector here."""
        return self._held.size

    @property
    def contents(self) -> Set[int]:
        """The contents that have vectors here, as they are now."""
        return frozenset(self._spans)

    @property
    def held(self) -> Held:
        """The rows as they are now."""
        return self._held

    def refresh(self) -> int:
        """Take in what was stored since the last time; how many chunks were added."""
        with self._refresh_turn:
            before = self._held.size
            arrivals, last = Arrivals(self.dimension, before), self._last_vector
            for stored in self._rows.newer(self._last_vector):
                if stored.content_id not in self._spans:
                    arrivals.take(stored)
                if arrivals.size >= segments.SEGMENT_ROWS:
                    self._receive(arrivals)
                    self._last_vector = stored.vector_id
                    arrivals = Arrivals(self.dimension, self._held.size)
                last = stored.vector_id
            self._receive(arrivals)
            self._last_vector = last
            if self._coarsening is None and self._held.lacking_coarse() is not None:
                self._coarsening = threading.Thread(target=self._coarsen, name="lurcher-vectors")
                self._coarsening.start()
            return self._held.size - before

    def settle(self) -> None:
        """Wait until what a refresh left to be done in the background is done."""
        coarsening = self._coarsening
        if coarsening is not None:
            coarsening.join()

    def search(self, vector: Vectors, limit: int) -> list[Hit]:
        """The most similar chunks, best first, equal ones by content and ordinal. A zero vector is similar to none.

        They are exactly the best while there are few rows, and nearly so when there are many: see `segments`.
        """
        held, query = self._held, self._query(vector)
        if query is None or limit < 1:
            return []
        return _ordered(held, query, held.best(query, limit)).hits(limit)

    def search_where(self, vector: Vectors, limit: int, accepts: Accepts) -> list[Hit]:
        """The same among the contents that are accepted. If these are few, they are exactly the best of them.

        They are more than `limit` where others are as similar as the last: which of equals count is not decided here.
        """
        held, query = self._held, self._query(vector)
        if query is None or limit < 1:
            return []
        verdicts = _Verdicts(accepts)
        depth = min(int(FIRST_DEPTH * limit), held.size)
        most = max(MOST_DEPTH, held.size // DEPTH_SHARE, depth)
        while depth <= most:
            ranked = _ordered(held, query, held.best(query, depth))
            kept = ranked.where(verdicts.of(ranked.content_ids.tolist()))
            if len(kept.cosines) >= limit or depth == held.size:
                return kept.hits(kept.with_equals(limit))
            # As deep as it takes if what lies deeper is accepted as often, and half as much again.
            needed = 1.5 * depth * limit / max(len(kept.cosines), 0.5)
            depth = min(max(int(needed), DEEPENING * depth), held.size)
        spans = [(number, span) for number, span in list(self._spans.items()) if span.stop <= held.size]
        answers = verdicts.of(number for number, _ in spans)
        accepted = np.zeros(held.size, dtype=np.bool_)
        accepted[segments.rows_of([span for (_, span), answer in zip(spans, answers, strict=True) if answer])] = True
        ranked = _ordered(held, query, held.best_among(query, limit, accepted))
        return ranked.hits(ranked.with_equals(limit))

    def search_among(self, vector: Vectors, limit: int, content_ids: Iterable[int]) -> list[Hit]:
        """Exactly the best of some contents that are known by number, with the equals of the last; nothing else is
        looked at."""
        held, query = self._held, self._query(vector)
        spans = [span for number in sorted(set(content_ids)) if (span := self._seen(held, number))]
        if query is None or limit < 1 or not spans:
            return []
        rows = segments.rows_of(spans)
        ranked = _ordered(held, query, segments.Scored(rows, held.scores(rows, query)))
        return ranked.hits(ranked.with_equals(limit))

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
        scores = held.scores(segments.rows_of([*spans.values()]), query)
        cosines, end = _cosines(scores, query), 0
        return {number: cosines[end : (end := end + len(span))] for number, span in spans.items()}

    def _receive(self, arrivals: Arrivals) -> None:
        if arrivals.size:
            held = self._held.with_rows(arrivals.segment())
            self._spans.update(arrivals.spans)
            self._held = held

    def _coarsen(self) -> None:
        """Make the coarse codes that are lacking, in a thread that ends with the program."""

        def stopped() -> bool:
            return not threading.main_thread().is_alive()

        while True:
            with self._refresh_turn:
                held = self._held
                segment = held.lacking_coarse()
                if segment is None or stopped():
                    self._coarsening = None
                    return
            self._code = self._code or segments.learnt_code(held)
            coarse = segments.coarse_index(self._code, segment, stopped)
            if coarse is not None:
                with self._refresh_turn:
                    self._held = self._held.with_coarse(segment, coarse)

    def _seen(self, held: Held, content_id: int) -> range:
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


class _Ranked(NamedTuple):
    """Chunks with their cosines, best first."""

    cosines: NDArray[np.float32]
    content_ids: NDArray[np.int64]
    ordinals: NDArray[np.int32]

    def where(self, kept: Sequence[bool]) -> "_Ranked":
        mask = np.array(kept, dtype=np.bool_)
        return _Ranked(self.cosines[mask], self.content_ids[mask], self.ordinals[mask])

    def with_equals(self, limit: int) -> int:
        """How many the best are with those that equal the last of them, unless that is similar to nothing."""
        if len(self.cosines) <= limit or self.cosines[limit - 1] <= 0:
            return limit
        return int(np.count_nonzero(self.cosines >= self.cosines[limit - 1]))

    def hits(self, limit: int) -> list[Hit]:
        columns = (self.content_ids, self.ordinals, self.cosines)
        return [Hit(*row) for row in zip(*(column[:limit].tolist() for column in columns), strict=True)]


class _Verdicts:
    """What a filter says of contents, each of which it is asked about once."""

    def __init__(self, accepts: Accepts) -> None:
        self._accepts = accepts
        self._known: dict[int, bool] = {}

    def of(self, content_ids: Iterable[int]) -> list[bool]:
        """Whether each of some contents is accepted."""
        content_ids = list(content_ids)
        new = [number for number in dict.fromkeys(content_ids) if number not in self._known]
        for start in range(0, len(new), ASKED_CONTENTS):
            asked = new[start : start + ASKED_CONTENTS]
            accepted = self._accepts(asked)
            self._known.update((number, number in accepted) for number in asked)
        return [self._known[number] for number in content_ids]


def _ordered(held: Held, query: Vectors, found: Scored) -> _Ranked:
    content_ids, ordinals = held.chunks(found.rows)
    order = np.lexsort((ordinals, content_ids, -found.scores))
    return _Ranked(_cosines(found.scores[order], query), content_ids[order], ordinals[order])


def _cosines(scores: NDArray[np.float32], query: Vectors) -> NDArray[np.float32]:
    # Rounding makes some rows longer than 1 by up to half a percent.
    cosines: NDArray[np.float32] = np.clip(scores / np.float32(SCALE * np.linalg.norm(query)), -1.0, 1.0)
    return cosines
