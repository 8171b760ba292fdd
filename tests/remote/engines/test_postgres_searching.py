"""Searches in PostgreSQL are compared with exact ones."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from tests.remote.engines.pieces import DIMENSION, HOME, asking, file, found, paths, publish, unit, version

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import SharedFile, SharedIndex, Where
from lurcher_index.remote.engines.postgres import schema, searching, weighing
from lurcher_index.remote.interface import RemoteHit
from lurcher_index.words.candidates import WordFile
from lurcher_index.words.delta import Delta
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import Group, WordQuery

ONE = file("src/one.py", "alpha shared", vectors=unit(1))
TWO = file("src/two.py", "beta shared", vectors=unit(0, 1))


def vocabulary_files(seed: int, count: int) -> list[SharedFile]:
    """Files whose terms are as unevenly common as words are."""
    random = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(400)]
    shares = 1.0 / np.arange(1, 401)
    shares /= shares.sum()
    made: list[SharedFile] = []
    for number in range(count):
        bodies = [" ".join(random.choice(words, size=int(random.integers(60, 190)), p=shares)) for _ in range(3)]
        names = " ".join(random.choice(words, size=9, p=shares))
        vectors = random.normal(size=(3, DIMENSION)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        made.append(file(f"d{number % 7}/f{number}.py", *bodies, names=names, vectors=vectors))
    return made


def on_this_machine(files: Sequence[SharedFile]) -> Delta:
    """The same files in the index that scores in memory."""
    words = [
        WordFile(number, number, f"0/{each.path}", each.path_terms, "python", tuple(c.terms for c in each.chunks))
        for number, each in enumerate(files)
    ]
    return Delta().with_changes(words, [])


def exact_order(delta: Delta, terms: Sequence[str]) -> list[tuple[str, int]]:
    """The order of the index on this machine."""
    query = WordQuery("x", tuple(Group(term, "", (term,)) for term in terms), "", False)
    found = delta.search(query, Filters(), 0, lambda _field, _term: 0)
    found.sort(key=lambda each: -each.score)
    return [(delta.files[each.file_id].file.key.removeprefix("0/"), 1 + 10 * each.ordinal) for each in found]


@pytest.mark.parametrize("candidates", [10_000, 200])
def test_words_come_in_nearly_the_order_of_the_index_on_this_machine(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch, candidates: int
) -> None:
    monkeypatch.setattr(searching, "CANDIDATES", candidates)
    files = vocabulary_files(11, 200)
    publish(index, 1, files)
    delta = on_this_machine(files)
    random = np.random.default_rng(12)
    shares: list[float] = []
    for _ in range(20):
        terms = [f"w{number}" for number in random.choice(150, size=4, replace=False)]
        hits = index.by_words(Where(HOME, 1), asking(*terms, limit=20))
        exact = exact_order(delta, terms)[:20]
        shares.append(len({(hit.path, hit.first_line) for hit in hits} & set(exact)) / len(exact))
    assert np.mean(shares) > 0.9


def test_common_terms_alone_are_found_too(index: SharedIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "CANDIDATES", 5)
    publish(index, 1, [file(f"f{number}.py", "usual common") for number in range(30)])
    assert len(index.by_words(Where(HOME, 1), asking("usual", "common"))) == 30


def test_what_the_index_of_vectors_misses_is_found_one_by_one(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "EXACT_CHUNKS", 0)
    monkeypatch.setattr(searching, "INDEX_STEP", 0)
    monkeypatch.setitem(searching._ALONG_INDEX, "hnsw.max_scan_tuples", "1")
    monkeypatch.setitem(searching._ALONG_INDEX, "hnsw.ef_search", "5")
    publish(index, 1, [*vocabulary_files(31, 100), file("one.go", "x", language="go", vectors=-unit(1))])
    wanted = msgspec.structs.replace(asking("x"), vector=unit(1), languages=("go",))
    assert paths(index.by_meaning(Where(HOME, 1), wanted)) == ["one.go"]


@pytest.mark.parametrize("below", [(), ("d3",)])
def test_a_large_repository_is_searched_along_the_index(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch, below: tuple[str, ...]
) -> None:
    files = vocabulary_files(21, 200)
    publish(index, 1, files)
    publish(index, 2, [], [version(each) for each in files[:50]])
    question = unit(*np.random.default_rng(22).normal(size=DIMENSION))
    wanted = msgspec.structs.replace(asking("x", limit=30), vector=question, below=below)
    exact = index.by_meaning(Where(HOME, 2), wanted)
    monkeypatch.setattr(searching, "EXACT_CHUNKS", 0)
    monkeypatch.setattr(searching, "INDEX_STEP", 0)
    along = index.by_meaning(Where(HOME, 2), wanted)
    assert len(along) == len(exact) == 30
    assert [hit.score for hit in along] == sorted((hit.score for hit in along), reverse=True)
    assert len({(hit.path, hit.first_line) for hit in along} & {(hit.path, hit.first_line) for hit in exact}) >= 28


@pytest.mark.parametrize("along_index", [False, True])
@pytest.mark.parametrize("way", ["by_words", "by_meaning"])
@pytest.mark.parametrize("passing", [0, 1, 2])
def test_where_little_passes_files_are_asked_about_and_no_hits(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch, passing: int, way: str, along_index: bool
) -> None:
    files = vocabulary_files(41, 200)
    publish(index, 1, files)
    question = unit(*np.random.default_rng(42).normal(size=DIMENSION))
    wanted = msgspec.structs.replace(asking("w0", limit=600), vector=question)
    search = getattr(index, way)
    everything: list[RemoteHit] = search(Where(HOME, 1), wanted)
    worst = set(list(dict.fromkeys(paths(everything)))[200 - passing :])
    asked: list[str] = []

    def accepts(path: str, _language: str) -> bool:
        asked.append(path)
        return path in worst

    if along_index:
        monkeypatch.setattr(searching, "EXACT_CHUNKS", 0)
        monkeypatch.setattr(searching, "INDEX_STEP", 0)
    hits = search(Where(HOME, 1), msgspec.structs.replace(wanted, limit=10, accepts=accepts))
    assert hits == [hit for hit in everything if hit.path in worst]
    assert len(asked) <= 10 + len(files) + len(hits)


def test_a_filter_that_much_passes_is_asked_about_hits_alone(index: SharedIndex) -> None:
    files = vocabulary_files(51, 200)
    publish(index, 1, files)
    passing = {each.path for each in files[::5]}
    asked: list[str] = []

    def accepts(path: str, _language: str) -> bool:
        asked.append(path)
        return path in passing

    wanted = msgspec.structs.replace(asking("w0", limit=10), accepts=accepts)
    hits = index.by_words(Where(HOME, 1), wanted)
    assert len(hits) == 10
    assert {hit.path for hit in hits} <= passing
    assert len(asked) < len(files)


@pytest.mark.parametrize("filters", [{"below": ("d3",)}, {"below": ("nowhere", "d3")}, {"languages": ("cobol",)}])
def test_a_small_part_of_a_large_repository_is_compared_one_by_one(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch, filters: dict[str, tuple[str, ...]]
) -> None:
    files = vocabulary_files(61, 200)
    publish(index, 1, files)
    monkeypatch.setattr(searching, "INDEX_STEP", 0)
    monkeypatch.setattr(searching, "EXACT_CHUNKS", 300)
    # Whoever goes along the index fails.
    monkeypatch.setitem(searching._ALONG_INDEX, "hnsw.ef_search", "0")
    question = unit(*np.random.default_rng(62).normal(size=DIMENSION))
    wanted = msgspec.structs.replace(asking("x", limit=500), vector=question)
    with pytest.raises(RemoteError):
        index.by_meaning(Where(HOME, 1), wanted)
    hits = index.by_meaning(Where(HOME, 1), msgspec.structs.replace(wanted, **filters))
    expected = {each.path for each in files if each.path.startswith("d3/")} if "below" in filters else set[str]()
    assert {hit.path for hit in hits} == expected


def test_a_chunk_with_very_many_terms_is_taken(index: SharedIndex) -> None:
    publish(index, 1, [file("wide.py", " ".join(f"t{number}" for number in range(20_000)))])
    assert index.statistics(Where(HOME, 1), []).chunks == 1
    assert found(index, 1, "wide") == {"wide.py"}


def test_terms_have_numbers_of_their_own_in_every_repository() -> None:
    one, other = weighing.Numbering(1), weighing.Numbering(2)
    numbers = {one.number("body", "x"), one.number("names", "x"), one.number("body", "y"), other.number("body", "x")}
    assert len(numbers) == 4
    assert all(1 <= number <= schema.MOST_TERMS for number in numbers)
