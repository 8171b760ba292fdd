"""Vectors in memory: exact, incremental, and safe to search while they grow."""

import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Sequence, Set
from contextlib import closing, contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.dense.shelf import FUNCTIONS, Shelf, random_vectors

from lurcher_index.dense import segments
from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.vectors import Hit, VectorIndex, quantise
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.database import Database
from lurcher_index.store.outlines import Content
from lurcher_index.store.vectors import VectorRows


class Store:
    """Vectors in a database, without files."""

    def __init__(self, database: Database, dimension: int) -> None:
        self.rows = VectorRows(database, "test", dimension)
        self.index = VectorIndex(self.rows)
        self.stored: dict[tuple[int, int], NDArray[np.int8]] = {}
        self._catalog = Catalog(database)

    def add(self, *contents: Vectors) -> None:
        """New contents with these vectors. The last one gets its vectors first, so that rows are not in order."""
        blobs: dict[int, bytes] = {}
        for vectors in contents:
            quantised = quantise(vectors)
            with self._catalog.write() as write:
                hash_ = len(self.stored).to_bytes(16, "big")
                content_id = write.content(Content(hash_, "python", "utf-8", len(vectors), b""))
            blobs[content_id] = quantised.tobytes()
            self.stored.update({(content_id, ordinal): row for ordinal, row in enumerate(quantised)})
        self.rows.write(dict(reversed(blobs.items())))

    def nearest(self, vector: Vectors, limit: int, among: Set[int] | None = None) -> list[tuple[int, int]]:
        """What must be found, in plain numpy and whole numbers."""
        wanted = [key for key in self.stored if among is None or key[0] in among]
        return sorted(wanted, key=lambda key: (-self.score(vector, key), key))[:limit]

    def score(self, vector: Vectors, key: tuple[int, int]) -> int:
        """How near a stored row is, in whole numbers."""
        query = np.rint(vector / np.abs(vector).max() * 127).astype(np.int64)
        return int(self.stored[key].astype(np.int64) @ query)

    def check(self, hits: Sequence[Hit], vector: Vectors, limit: int, among: Set[int] | None = None) -> None:
        """The hits are the best; where the list ends among equal rows, any of these will do for a search of everything,
        and among some all of them are told, if they are like the question at all."""
        expected = self.nearest(vector, limit, among)
        if among is not None and len(expected) == limit and (last := self.score(vector, expected[-1])) > 0:
            everything = self.nearest(vector, len(self.stored), among)
            expected = [key for key in everything if self.score(vector, key) >= last]
            assert set(keys(hits)) == set(expected)
        assert [self.score(vector, key) for key in keys(hits)] == [self.score(vector, key) for key in expected]
        assert len(set(keys(hits))) == len(hits)
        assert among is None or {hit.content_id for hit in hits} <= among


@contextmanager
def store(dimension: int, contents: Iterable[Vectors] = ()) -> Generator[Store]:
    with closing(Database(None, "test")) as database:
        made = Store(database, dimension)
        made.add(*contents)
        made.index.refresh()
        yield made


def keys(hits: Sequence[Hit]) -> list[tuple[int, int]]:
    return [(hit.content_id, hit.ordinal) for hit in hits]


# Few different numbers, so that equal scores are common. 16 and 5 numbers take different ways through faiss.
_rows = st.sampled_from([5, 16]).flatmap(
    lambda dimension: st.lists(
        st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=dimension, max_size=dimension), min_size=1),
        min_size=2,
        max_size=12,
    )
)


@settings(max_examples=60, deadline=None)
@given(contents=_rows, limit=st.integers(1, 30), data=st.data())
def test_hits_are_exactly_the_best_with_and_without_a_filter(
    contents: list[list[list[float]]], limit: int, data: st.DataObject
) -> None:
    vectors = [np.array(rows, dtype=np.float32) for rows in contents]
    query = vectors[0][0]
    with store(vectors[0].shape[1], vectors[1:]) as made:
        if not query.any():
            assert made.index.search(query, limit) == []
            return
        made.check(made.index.search(query, limit), query, limit)
        among = data.draw(st.sets(st.sampled_from(sorted(made.index.contents))))
        made.check(made.index.search_where(query, limit, among.intersection), query, limit, among)
        made.check(made.index.search_among(query, limit, among), query, limit, among)


@pytest.mark.parametrize("small", [1, 64, 4096])
def test_it_is_exact_over_many_segments(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "SMALL_ROWS", small)
    vectors = random_vectors(900, 32)
    with store(32) as made:
        for start in range(0, 900, 9):
            made.add(vectors[start : start + 9])
            assert made.index.refresh() == 9
        assert made.index.size == 900
        for query in random_vectors(5, 32, seed=2):
            assert keys(made.index.search(query, 20)) == made.nearest(query, 20)
            rare = set(list(made.index.contents)[::40])
            assert keys(made.index.search_where(query, 20, rare.intersection)) == made.nearest(query, 20, rare)
            assert made.index.search_among(query, 20, rare) == made.index.search_where(query, 20, rare.intersection)


def test_cosines_are_those_of_the_vectors_before_they_were_stored() -> None:
    vectors, queries = random_vectors(500, 256), random_vectors(10, 256, seed=2)
    with store(256, [vectors]) as made:
        for query in (*queries, vectors[7]):
            for hit in made.index.search(query, 500):
                assert hit.cosine == pytest.approx(float(query @ vectors[hit.ordinal]), abs=0.01)
        assert made.index.search(vectors[7], 1)[0].cosine <= 1.0
        assert made.index.search(100 * queries[0], 9) == made.index.search(queries[0], 9), "length does not matter"
        assert made.index.search(queries[:1], 9) == made.index.search(queries[0], 9), "one row is a vector, too"


def test_equal_scores_are_ordered_by_content_and_ordinal() -> None:
    same = np.repeat(random_vectors(1, 16), 50, axis=0)
    with store(16, [same[:20], same[20:]]) as made:
        first, second = sorted(made.index.contents)
        expected = [(first, n) for n in range(20)] + [(second, n) for n in range(30)]
        assert keys(made.index.search(same[0], 50)) == keys(made.index.search(same[0], 60)) == expected
        for limit in (1, 7, 25):
            found = keys(made.index.search(same[0], limit))
            assert len(found) == limit and found == sorted(found) and set(found) <= set(expected)


@pytest.mark.parametrize("most_depth", [segments.SMALL_ROWS, 0], ids=["hits filtered", "searched among the accepted"])
def test_among_some_contents_all_equals_of_the_last_are_told(most_depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lurcher_index.dense.vectors.MOST_DEPTH", most_depth)
    same = np.repeat(random_vectors(1, 16), 300, axis=0)
    with store(16, [same[:100], same[100:], -same[:100], -same[100:]]) as made:
        for among in ({*made.index.contents}, {min(made.index.contents)}):
            expected = made.nearest(same[0], sum(key[0] in among for key in made.stored if key[0] <= 2), among)
            assert keys(made.index.search_among(same[0], 7, among)) == expected
            assert keys(made.index.search_where(same[0], 7, among.intersection)) == expected
            unlike = made.index.search_where(-same[0], 7, {1, 2}.intersection)
            assert len(unlike) == 7, "of what is not similar at all, some are enough"


def test_what_cannot_be_answered_has_no_hits() -> None:
    vectors = random_vectors(3, 16)
    with store(16) as empty:
        assert empty.index.search(vectors[0], 5) == []
        assert empty.index.search_where(vectors[0], 5, set) == []
        assert empty.index.search_among(vectors[0], 5, [1]) == []
        assert (empty.index.size, list(empty.index.contents)) == (0, [])
        assert empty.index.row(1, 0) is None
    with store(16, [vectors]) as made:
        for nothing in (np.zeros(16), np.full(16, np.nan), np.full(16, np.inf)):
            assert made.index.search(nothing.astype(np.float32), 5) == []
        assert made.index.search(vectors[0], 0) == []
        assert made.index.search_among(np.zeros(16, np.float32), 5, made.index.contents) == []
        assert made.index.search_among(vectors[0], 0, made.index.contents) == []
        assert made.index.search_among(vectors[0], 5, [4_711]) == []
        assert made.index.search_where(vectors[0], 5, lambda _: set[int]()) == []
        with pytest.raises(ValueError, match="15 numbers"):
            made.index.search(vectors[0][:15], 5)


def test_a_filter_is_asked_about_each_content_once() -> None:
    asked: list[int] = []

    def accepts(contents: Sequence[int]) -> Set[int]:
        asked.extend(contents)
        return {max(made.index.contents)} & set(contents)

    with store(16, np.split(random_vectors(300, 16), 100)) as made:
        found = made.index.search_where(random_vectors(1, 16, seed=3)[0], 2, accepts)
        assert {hit.content_id for hit in found} == {max(made.index.contents)}
        assert len(asked) == len(set(asked))


def test_rows_come_back_with_length_one() -> None:
    vectors = random_vectors(6, 64)
    with store(64, [vectors[:4], vectors[4:]]) as made:
        first, second = sorted(made.index.contents)
        matrix, found = made.index.rows([(second, 1), (first, 4), (999, 0), (first, 0), (first, -1)])
        assert found.tolist() == [True, False, False, True, False]
        assert np.linalg.norm(matrix, axis=1) == pytest.approx([1, 0, 0, 1, 0], abs=1e-6)
        assert matrix[[0, 3]] == pytest.approx(vectors[[5, 0]], abs=0.01)
        row = made.index.row(second, 1)
        assert row is not None
        assert np.array_equal(row, matrix[0])
        assert made.index.row(first, 4) is None


def test_the_cosines_of_whole_contents_are_those_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "SMALL_ROWS", 1)
    monkeypatch.setattr(segments, "PIECE_ROWS", 7)
    vectors = random_vectors(300, 64)
    with store(64) as made:
        for start in range(0, 300, 30):
            made.add(vectors[start : start + 29], vectors[start + 29 : start + 30])
            made.index.refresh()
        query = random_vectors(1, 64, seed=2)[0]
        expected = {(hit.content_id, hit.ordinal): hit.cosine for hit in made.index.search(query, 300)}
        wanted = [*sorted(made.index.contents)[::-3], 999]
        found = made.index.content_cosines(query, wanted)
        assert list(found) == wanted[:-1], "the unknown one is left out"
        assert {key for key in expected if key[0] in found} == {
            (number, ordinal) for number, cosines in found.items() for ordinal in range(len(cosines))
        }
        for number, cosines in found.items():
            assert cosines.tolist() == [expected[number, ordinal] for ordinal in range(len(cosines))]
        assert made.index.content_cosines(np.zeros(64, dtype=np.float32), wanted) == {}
        assert made.index.content_cosines(query, []) == {}


def test_a_refresh_takes_only_what_is_new(shelf: Shelf) -> None:
    index = VectorIndex(shelf.rows())
    one = shelf.put("a.py", FUNCTIONS)
    shelf.embed()
    assert index.refresh() == shelf.chunks(one)
    assert index.refresh() == 0
    two = shelf.put("b.py", "def parseHTTPRequest(): ...\n")
    assert index.refresh() == 0, "not embedded yet"
    shelf.embed()
    assert index.refresh() == 1
    assert index.contents == {one, two}
    assert index.search(HashingEmbedder().embed_query("parse http request"), 1)[0].content_id == two


def test_a_content_that_was_embedded_anew_is_not_taken_twice(shelf: Shelf) -> None:
    number = shelf.put("a.py", "x = 1\n")
    shelf.embed()
    index = VectorIndex(shelf.rows())
    index.refresh()
    shelf.damage(number, b"junk")
    assert index.refresh() == 0
    shelf.embed()
    assert (index.refresh(), index.size) == (0, 1)


def test_blobs_of_the_wrong_length_are_passed_over(shelf: Shelf) -> None:
    good, bad = shelf.put("a.py", "x = 1\n"), shelf.put("b.py", "y = 1\n")
    shelf.embed()
    shelf.damage(bad, b"junk")
    index = VectorIndex(shelf.rows())
    assert (index.refresh(), set(index.contents)) == (1, {good})


def test_a_row_of_impossible_length_is_similar_to_nothing(shelf: Shelf) -> None:
    number = shelf.put("a.py", "x = 1\n")
    shelf.damage(number, b"\x7f" * 256)
    index = VectorIndex(shelf.rows())
    index.refresh()
    assert index.search(np.ones(256, dtype=np.float32), 1) == [Hit(number, 0, 0.0)]


def test_what_is_no_number_is_stored_as_zero() -> None:
    rows = np.array([[3, 4], [np.nan, 1], [np.inf, 1], [3e38, 3e38], [0, 0]], dtype=np.float32)
    assert quantise(rows).tolist() == [[76, 102], [0, 0], [0, 0], [0, 0], [0, 0]]


def test_searches_go_on_while_rows_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "SMALL_ROWS", 16)
    target, others = random_vectors(1, 32), random_vectors(2_000, 32, seed=2)
    failures: list[object] = []
    with store(32, [target]) as made:
        finished = threading.Event()

        def ask() -> None:
            seen = 0
            while not finished.is_set() or seen == 0:
                hits = made.index.search(target[0], 50)
                size, seen = seen, made.index.size
                if hits[0][:2] != (1, 0) or len(hits) < min(50, size) or len(set(keys(hits))) != len(hits):
                    failures.append(hits)
                if not made.index.rows([(1, 0)])[1][0]:
                    failures.append("the first row is gone")

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for start in range(0, 2_000, 10):
            made.add(others[start : start + 10])
            made.index.refresh()
        finished.set()
        for thread in threads:
            thread.join()
        assert failures == []
        assert made.index.size == 2_001
        assert keys(made.index.search(target[0], 50)) == made.nearest(target[0], 50)


def test_two_refreshes_at_once_take_each_row_once() -> None:
    with store(16) as made:
        made.add(*np.split(random_vectors(600, 16), 200))
        threads = [threading.Thread(target=made.index.refresh) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (made.index.size, len(made.index.contents)) == (600, 200)


def test_faiss_is_not_loaded_before_there_are_vectors() -> None:
    code = (
        "import sys; from lurcher_index.dense import embedding_pass, hashing, vectors\nsys.exit('faiss' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}).returncode == 0
