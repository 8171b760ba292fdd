"""The cache of expensive vectors: the same vectors as without it, within its size, and never more than bytes."""

import pickle
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import diskcache  # type: ignore[import-untyped]
import numpy as np
import pytest
from tests.dense.shelf import Recorder

from lurcher_index.dense.cached import CachedEmbedder
from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.store.embedding_cache import EmbeddingCache, RawDisk

MANY = 1 << 30
TEXTS = ["a.py\nread file", "b.py\nwrite", "a.py\nread file", "c.py\n"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "embeddings"


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.write_text, (self.trace, "exploded")


def tampered(place: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(place / "cache.db") as connection:
        assert connection.execute(statement, values).rowcount
    connection.close()


# -- what it is for


def test_vectors_out_of_the_cache_are_those_that_were_made(place: Path) -> None:
    first, second = Recorder(), Recorder()
    made = CachedEmbedder(first, EmbeddingCache(place, MANY)).embed_documents(TEXTS)
    assert np.array_equal(made, HashingEmbedder().embed_documents(TEXTS))
    assert first.texts == [TEXTS[0], TEXTS[1], TEXTS[3]], "equal chunks once"
    again = CachedEmbedder(second, EmbeddingCache(place, MANY)).embed_documents([*reversed(TEXTS), "new"])
    assert second.texts == ["new"]
    assert np.array_equal(again, HashingEmbedder().embed_documents([*reversed(TEXTS), "new"]))
    assert CachedEmbedder(second, EmbeddingCache(place, MANY)).embed_documents([]).shape == (0, 256)


def test_models_share_a_cache_and_no_vectors(place: Path) -> None:
    class Other(Recorder):
        name = "other"

    cache = EmbeddingCache(place, MANY)
    CachedEmbedder(Recorder(), cache).embed_documents(TEXTS)
    other = Other()
    wrapped = CachedEmbedder(other, cache)
    wrapped.embed_documents(TEXTS)
    assert len(other.texts) == 3
    assert (wrapped.name, wrapped.dimension, wrapped.trust, wrapped.floor) == ("other", 256, other.trust, other.floor)
    assert wrapped.calibrate(0.5) == other.calibrate(0.5)
    assert np.array_equal(wrapped.embed_query("read"), other.embed_query("read"))


def test_it_stays_within_its_size_and_drops_what_was_not_used_for_longest(place: Path) -> None:
    cache = EmbeddingCache(place, 256 << 10)
    keep = b"keep".ljust(32)
    cache.put({keep: b"kept"})
    for number in range(200):
        cache.put({b"%032d" % number: bytes(10_000)})
        assert cache.get([keep]) == {keep: b"kept"}, "used all the time"
    assert cache.get([b"%032d" % 0]) == {}
    assert cache.get([b"%032d" % 199])
    assert sum(path.stat().st_size for path in place.glob("cache.db")) < 600 << 10


# -- what it must not do


def test_a_pickled_value_is_refused_and_not_run(place: Path, tmp_path: Path) -> None:
    cache = EmbeddingCache(place, MANY)
    cache.put({b"key": b"value"})
    bomb = pickle.dumps(Bomb(tmp_path / "trace"))
    tampered(place, "UPDATE Cache SET mode = 4, value = ?", bomb)
    assert EmbeddingCache(place, MANY).get([b"key"]) == {}
    cache = EmbeddingCache(place, MANY)
    cache.get([b"key"])
    assert "cannot be used" in cache.problem
    assert not (tmp_path / "trace").exists()
    with diskcache.Cache(str(place)) as own:
        own.get(b"key")
    assert (tmp_path / "trace").exists(), "diskcache's own way runs it: the attack is a real one"


def test_a_pickled_key_is_refused_and_not_run(place: Path, tmp_path: Path) -> None:
    bomb = pickle.dumps(Bomb(tmp_path / "trace"))
    EmbeddingCache(place, MANY).put({b"key": b"value"})
    tampered(place, "UPDATE Cache SET raw = 0, key = ?", bomb)
    with diskcache.Cache(str(place), disk=RawDisk) as opened, pytest.raises(ValueError, match="pickled key"):
        list(opened)
    assert not (tmp_path / "trace").exists()
    with diskcache.Cache(str(place)) as own:
        list(own)
    assert (tmp_path / "trace").exists(), "diskcache's own way runs it: the attack is a real one"


@pytest.mark.parametrize("mode", [2, 3, 4])
def test_a_row_that_names_a_file_is_refused_and_the_file_neither_read_nor_deleted(
    place: Path, tmp_path: Path, mode: int
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(pickle.dumps("secret"))
    cache = EmbeddingCache(place, MANY)
    cache.put({b"key": b"value"})
    tampered(place, "UPDATE Cache SET mode = ?, value = NULL, filename = '../victim'", mode)
    assert cache.get([b"key"]) == {} and cache.problem
    EmbeddingCache(place, MANY).put({b"key": b"another value"})
    assert victim.exists(), "diskcache would delete the file of a row that is replaced"


@pytest.mark.parametrize("thing", ["text", 3, None, object()])
def test_only_bytes_are_kept(thing: object) -> None:
    disk = RawDisk("")
    for attempt in (
        lambda: disk.put(thing),
        lambda: disk.store(thing, False),
        lambda: disk.fetch(1, None, thing, False),
    ):
        with pytest.raises(TypeError, match="only bytes"):
            attempt()
    with pytest.raises(TypeError):
        disk.store(b"", True)
    with pytest.raises(TypeError):
        disk.filename()


def test_vectors_that_are_none_are_made_anew(place: Path) -> None:
    CachedEmbedder(Recorder(), EmbeddingCache(place, MANY)).embed_documents(TEXTS[:1])
    for value in (b"junk", np.full(256, np.nan, "<f4").tobytes(), np.full(256, 3e38, "<f4").tobytes()):
        tampered(place, "UPDATE Cache SET value = ?", value)
        embedder, cache = Recorder(), EmbeddingCache(place, MANY)
        with np.errstate(over="ignore"):
            found = CachedEmbedder(embedder, cache).embed_documents(TEXTS[:1])
        assert np.array_equal(found, HashingEmbedder().embed_documents(TEXTS[:1]))
        assert len(embedder.texts) == 1 and not cache.problem


# -- when it cannot be used


def check_without_cache(cache: EmbeddingCache) -> None:
    embedder = Recorder()
    found = CachedEmbedder(embedder, cache).embed_documents(TEXTS)
    assert np.array_equal(found, HashingEmbedder().embed_documents(TEXTS))
    assert "cannot be used" in cache.problem and "Delete" in cache.problem


def test_a_damaged_database_means_no_cache(place: Path) -> None:
    place.mkdir()
    (place / "cache.db").write_bytes(b"this is no database" * 1_000)
    check_without_cache(EmbeddingCache(place, MANY))


def test_a_database_that_is_damaged_while_it_is_open_means_no_cache(place: Path) -> None:
    cache = EmbeddingCache(place, MANY)
    CachedEmbedder(Recorder(), cache).embed_documents(TEXTS)
    connection = sqlite3.connect(place / "cache.db")
    connection.execute("DROP TABLE Cache")
    connection.commit()
    connection.close()
    check_without_cache(cache)


def test_tampered_settings_mean_no_cache_at_most(place: Path) -> None:
    cache = EmbeddingCache(place, MANY)
    cache.put({b"key": b"value"})
    tampered(place, "INSERT INTO Settings VALUES ('disk_evil', 1)")
    check_without_cache(EmbeddingCache(place, MANY))


def test_a_place_that_cannot_be_written_means_no_cache(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    check_without_cache(EmbeddingCache(tmp_path / "taken", MANY))


def test_vectors_of_a_wrong_shape_are_handed_on_and_not_kept(place: Path) -> None:
    class Short(Recorder):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            return super().embed_documents(texts)[:1]

    cache = EmbeddingCache(place, MANY)
    assert CachedEmbedder(Short(), cache).embed_documents(TEXTS).shape == (1, 256)
    embedder = Recorder()
    CachedEmbedder(embedder, cache).embed_documents(TEXTS)
    assert len(embedder.texts) == 3
