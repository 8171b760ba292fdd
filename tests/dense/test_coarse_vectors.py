"""Many vectors: a coarse code finds candidates, the stored rows decide, and few accepted ones are found exactly."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.dense.shelf import mixed_vectors, random_vectors

from lurcher_index.dense import segments
from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.vectors import Hit, VectorIndex, quantise
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.database import Database
from lurcher_index.store.outlines import Content
from lurcher_index.store.vectors import VectorRows

DIMENSION = 64
CHUNKS = 10
"""Chunks of each content."""


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments of a size that a test can fill; the proportions are the real ones."""
    monkeypatch.setattr(segments, "SMALL_ROWS", 64)
    monkeypatch.setattr(segments, "SEGMENT_ROWS", 4_096)
    monkeypatch.setattr(segments, "SEALED_ROWS", 2_048)
    monkeypatch.setattr(segments, "COARSE_FROM_ROWS", 8_192)
    monkeypatch.setattr(segments, "LEAST_POOL", 200)


@contextmanager
def index(vectors: Vectors, refresh_every: int | None = None, settled: bool = True) -> Generator[VectorIndex]:
    """An index of contents of ten chunks each, numbered from 1, taken in at once or bit by bit."""
    with closing(Database(None, "test")) as database:
        catalog, rows = Catalog(database), VectorRows(database, "test", vectors.shape[1])
        made = VectorIndex(rows)
        step = refresh_every or len(vectors)
        for start in range(0, len(vectors), step):
            blobs: dict[int, bytes] = {}
            with catalog.write() as write:
                for at in range(start, min(start + step, len(vectors)), CHUNKS):
                    content = Content(at.to_bytes(16, "big"), "python", "utf-8", CHUNKS, b"")
                    blobs[write.content(content)] = quantise(vectors[at : at + CHUNKS]).tobytes()
            rows.write(blobs)
            made.refresh()
        if settled:
            made.settle()
        yield made
        made.settle()


def scores(vectors: Vectors, query: Vectors) -> NDArray[np.int64]:
    """How near each row is, in whole numbers."""
    whole = np.rint(query / np.abs(query).max() * 127).astype(np.int64)
    found: NDArray[np.int64] = quantise(vectors).astype(np.int64) @ whole
    return found


def rows(hits: Sequence[Hit]) -> list[int]:
    return [(hit.content_id - 1) * CHUNKS + hit.ordinal for hit in hits]


def recall(made: VectorIndex, vectors: Vectors, queries: Iterable[Vectors], limit: int) -> float:
    """Share of the best that are found; the hits are in order and have their true scores."""
    found: list[float] = []
    for query in queries:
        expected = scores(vectors, query)
        hits = rows(made.search(query, limit))
        assert len(set(hits)) == limit
        assert expected[hits].tolist() == sorted(expected[hits].tolist(), reverse=True)
        found.append(float((expected[hits] >= np.sort(expected)[-limit]).mean()))
    return float(np.mean(found))


def coarse_rows(made: VectorIndex) -> int:
    return sum(each.size for each in made.held.segments if each.coarse is not None)


def test_nearly_all_of_the_best_are_found() -> None:
    vectors = mixed_vectors(20_000, DIMENSION)
    queries = mixed_vectors(20, DIMENSION, seed=2)
    with index(vectors) as made:
        assert coarse_rows(made) > 15_000
        assert recall(made, vectors, queries, 20) >= 0.99
        # Nothing is near to a question in a random direction, so that hundreds of rows are about as far.
        assert recall(made, vectors, random_vectors(20, DIMENSION), 20) >= 0.95


def test_while_there_are_few_rows_search_is_exact() -> None:
    vectors = mixed_vectors(8_190, DIMENSION)
    with index(vectors) as made:
        assert coarse_rows(made) == 0
        assert recall(made, vectors, mixed_vectors(10, DIMENSION, seed=2), 300) == 1.0


def test_many_hits_of_a_segment_are_found_exactly() -> None:
    vectors = mixed_vectors(12_000, DIMENSION)
    with index(vectors) as made:
        assert coarse_rows(made) > 0
        assert recall(made, vectors, mixed_vectors(3, DIMENSION, seed=2), 2_000) == 1.0


@pytest.mark.parametrize("one_in", [20, 200, 1_999])
def test_the_best_of_few_accepted_ones_are_found_exactly(one_in: int) -> None:
    vectors = mixed_vectors(20_000, DIMENSION)
    accepted = {number for number in range(1, 2_001) if number % one_in == 1}
    mask = np.repeat([number in accepted for number in range(1, 2_001)], CHUNKS)
    with index(vectors) as made:
        for query in mixed_vectors(10, DIMENSION, seed=2):
            hits = made.search_where(query, 50, accepted.intersection)
            expected = np.where(mask, scores(vectors, query), np.iinfo(np.int64).min)
            assert {hit.content_id for hit in hits} <= accepted
            assert len(hits) == len(set(rows(hits))) == min(50, len(accepted) * CHUNKS)
            assert expected[rows(hits)].tolist() == np.sort(expected)[::-1][: len(hits)].tolist()


def test_contents_that_are_gone_are_passed_over() -> None:
    vectors = mixed_vectors(20_000, DIMENSION)
    query = mixed_vectors(1, DIMENSION, seed=2)[0]
    with index(vectors) as made:
        before = made.search(query, 40)
        gone = {hit.content_id for hit in before[:20]}
        after = made.search_where(query, 10, lambda contents: set(contents) - gone)
        assert not gone & {hit.content_id for hit in after}
        left = [hit for hit in made.search(query, 400) if hit.content_id not in gone]
        assert after == left[:10]


def test_rows_that_come_in_bit_by_bit_are_found_as_if_they_had_come_at_once() -> None:
    vectors = mixed_vectors(14_000, DIMENSION)
    queries = mixed_vectors(10, DIMENSION, seed=2)
    with index(vectors) as whole, index(vectors, refresh_every=350) as grown:
        assert coarse_rows(whole) > 0 and coarse_rows(grown) > 0
        assert grown.size == whole.size == 14_000
        assert recall(grown, vectors, queries, 20) >= 0.99
        for query in queries:
            assert grown.search(query, 10) == whole.search(query, 10)
            few = {5, 700, 1_400}.intersection
            assert grown.search_where(query, 30, few) == whole.search_where(query, 30, few)
            some = [3, 1_399, 42]
            one, two = grown.content_cosines(query, some), whole.content_cosines(query, some)
            assert [one[number].tolist() for number in some] == [two[number].tolist() for number in some]
        keys = [(number, ordinal) for number in (1, 600, 1_400) for ordinal in (0, 9)]
        assert np.array_equal(grown.rows(keys)[0], whole.rows(keys)[0])


def test_a_segment_with_a_coarse_code_keeps_it_when_rows_are_added() -> None:
    vectors = mixed_vectors(14_000, DIMENSION)
    seen: dict[int, object] = {}
    with index(vectors, refresh_every=500) as made:
        for each in made.held.segments:
            assert (each.coarse is not None) == (each.size >= segments.SEALED_ROWS)
        seen = {each.first: each.coarse for each in made.held.segments if each.coarse is not None}
        made.refresh()
        made.settle()
        assert {each.first: each.coarse for each in made.held.segments if each.coarse is not None} == seen
        sizes = [each.size for each in made.held.segments]
        assert max(sizes) <= segments.SEGMENT_ROWS
        assert sum(size for size in sizes if size < segments.SEALED_ROWS) < segments.SEGMENT_ROWS


def test_the_same_rows_give_the_same_hits() -> None:
    vectors = mixed_vectors(20_000, DIMENSION)
    queries = mixed_vectors(10, DIMENSION, seed=2)
    with index(vectors) as one, index(vectors) as two:
        for query in queries:
            assert one.search(query, 100) == two.search(query, 100)


def test_a_vector_of_an_odd_length_has_a_coarse_code_too() -> None:
    vectors = mixed_vectors(10_000, 33)
    with index(vectors) as made:
        assert coarse_rows(made) > 0
        assert recall(made, vectors, mixed_vectors(10, 33, seed=2), 10) >= 0.99


def test_searches_are_right_while_the_coarse_codes_are_made() -> None:
    vectors = mixed_vectors(20_000, DIMENSION)
    query = mixed_vectors(1, DIMENSION, seed=2)[0]
    with index(vectors, settled=False) as made:
        wanted = sum(each.size for each in made.held.segments if each.size >= segments.SEALED_ROWS)
        expected = np.sort(scores(vectors, query))[::-1][:5].tolist()
        while coarse_rows(made) < wanted:
            assert scores(vectors, query)[rows(made.search(query, 5))].tolist() == expected


def test_the_making_of_a_coarse_code_can_be_stopped() -> None:
    with index(mixed_vectors(10_000, DIMENSION)) as made:
        code = segments.learnt_code(made.held)
        assert segments.coarse_index(code, made.held.segments[0], lambda: True) is None
        assert segments.coarse_index(code, made.held.segments[0], lambda: False) is not None
