"""Our model at run time: what it makes of texts, and what it does about a file that is not its own."""

import threading
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from tests.dense.models import CALIBRATION, DIMENSION, WORDS, small_model

from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import Calibration, Facts, Model, read_model, write_model
from lurcher_index.dense.static.shipped import Release, load_release
from lurcher_index.errors import ModelError

MODEL = small_model()
EMBEDDER = StaticEmbedder(MODEL)


def vector(*words: str) -> Vectors:
    """The sum of some words' vectors, by the table itself, as a unit vector."""
    total = sum(MODEL.table[WORDS.index(word)].astype(float) for word in words)
    return np.asarray(total / np.linalg.norm(total), np.float32)


# -- vectors


def test_it_is_an_embedder_that_knows_itself() -> None:
    embedder: Embedder = EMBEDDER
    assert (embedder.name, embedder.dimension) == ("small-1", DIMENSION)
    assert (embedder.trust, embedder.floor) == (CALIBRATION.trust, CALIBRATION.floor)


def test_a_question_is_the_sum_of_its_words_each_once_times_their_weights() -> None:
    found = EMBEDDER.embed_query("Open the file, open the FILE!")
    assert found.shape == (1, DIMENSION)
    assert found.dtype == np.float32
    assert found[0] == pytest.approx(vector("open", "file"), abs=1e-6)


def test_a_question_is_turned_by_what_questions_have_taught_and_a_chunk_is_not() -> None:
    taught = np.random.default_rng(4).normal(0.0, 0.3, (DIMENSION, DIMENSION)).astype(np.float32)
    embedder = StaticEmbedder(small_model(query_map=taught))
    plain = vector("open", "file")
    expected = plain + plain @ taught
    assert embedder.embed_query("open file")[0] == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)
    assert not embedder.embed_query("").any()
    chunk = ["src/http/server.py\nopen file"]
    assert np.array_equal(embedder.embed_documents(chunk), EMBEDDER.embed_documents(chunk))


def test_a_chunk_is_its_content_with_the_square_roots_of_counts_and_its_path_beside_it() -> None:
    (found,) = EMBEDDER.embed_documents(["src/http/server.py\nread write write write write"])
    content = vector("read", "write", "write")
    expected = content + 0.5 * vector("http", "server")
    assert found == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)


def test_what_has_no_known_words_is_zero_and_a_part_without_words_counts_nothing() -> None:
    found = EMBEDDER.embed_documents(["qq\nqq", "", "\n\n", "qq\nread", "http\nqq", "\ud800"])
    assert np.linalg.norm(found, axis=1) == pytest.approx([0, 0, 0, 1, 1, 0], abs=1e-6)
    assert found[3] == pytest.approx(vector("read"), abs=1e-6)
    assert found[4] == pytest.approx(vector("http"), abs=1e-6)
    assert EMBEDDER.embed_documents([]).shape == (0, DIMENSION)
    assert not EMBEDDER.embed_query("").any()


def test_a_text_has_the_same_vector_wherever_it_stands() -> None:
    draw = np.random.default_rng(5)
    texts = [f"{' '.join(draw.choice(WORDS, 2))}.py\n{' '.join(draw.choice(WORDS, 30))}" for _ in range(200)]
    together = EMBEDDER.embed_documents(texts)
    for at in (0, 7, 199):
        assert np.array_equal(together[at], EMBEDDER.embed_documents([texts[at]])[0])


def test_threads_get_what_one_gets() -> None:
    texts = [f"a.py\nopen{number} file{number} xy{number}" for number in range(2_000)]
    expected, found = EMBEDDER.embed_documents(texts), dict[int, Vectors]()
    fresh = StaticEmbedder(MODEL)
    threads = [
        threading.Thread(target=lambda at=at: found.update({at: fresh.embed_documents(texts)})) for at in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[at], expected) for at in range(4))


@pytest.mark.parametrize(
    ("cosine", "value"), [(-1.0, 0.0), (0.1, 0.0), (0.2, 0.25), (0.3, 0.5), (0.5, 0.75), (0.9, 1.0)]
)
def test_the_calibration_is_straight_between_its_points(cosine: float, value: float) -> None:
    assert EMBEDDER.calibrate(cosine) == pytest.approx(value)


def test_related_words_come_from_the_file() -> None:
    assert EMBEDDER.related("open") == (("read", 0.8), ("file", 0.4))
    assert EMBEDDER.related("sort") == EMBEDDER.related("unheard") == EMBEDDER.related("##get") == ()


# -- the file


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(write_model(MODEL))
    found = read_model(file, sha256(file.read_bytes()).hexdigest())
    assert (found.facts, found.vocabulary) == (MODEL.facts, MODEL.vocabulary)
    assert all(
        np.array_equal(getattr(found, name), getattr(MODEL, name))
        for name in ("table", "scale", "query_weights", "document_weights", "related", "similarities")
    )
    assert write_model(found) == file.read_bytes()


def check_refused(folder: Path, data: bytes, why: str, digest: str | None = None) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(data)
    with pytest.raises(ModelError, match=why) as refused:
        read_model(file, digest)
    assert "install lurcher anew" in str(refused.value)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    data = write_model(MODEL)
    check_refused(tmp_path, data, "damaged", "0" * 64)
    check_refused(tmp_path, b"", "no embedding model")
    check_refused(tmp_path, data[: len(data) // 2], "no embedding model")
    check_refused(tmp_path, b"\xff" * 200, "no embedding model")
    check_refused(tmp_path, save({"table": MODEL.table}), "no embedding model")
    check_refused(tmp_path, save({"table": MODEL.table}, {"lurcher": "{}"}), "no embedding model")
    with pytest.raises(ModelError, match="cannot be read"):
        read_model(tmp_path / "missing")
    with pytest.raises(ModelError, match="cannot be read"):
        read_model(tmp_path)


@pytest.mark.parametrize(
    ("told", "instead", "why"),
    [
        (b'"data_offsets":[', b'"data_offsets":[9', "not in the file"),
        (b'"data_offsets":[', b'"data_offsets":[-', "not in the file"),
        (b'"shape":[', b'"shape":[9', "no embedding model"),
        (b'"shape":[', b'"shape":[99999999999999999999999', "no embedding model"),
        (b'"shape":[', b'"shape":["', "no embedding model"),
    ],
)
def test_a_header_that_tells_of_what_is_not_there_is_refused(
    told: bytes, instead: bytes, why: str, tmp_path: Path
) -> None:
    data = write_model(MODEL)
    size = int.from_bytes(data[:8], "little")
    header = data[8 : 8 + size].replace(told, instead)
    check_refused(tmp_path, len(header).to_bytes(8, "little") + header + data[8 + size :], why)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    with file.open("wb") as opened:
        opened.truncate(64_000_001)
    with pytest.raises(ModelError, match="larger"):
        read_model(file)


def not_a_number() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    scale = MODEL.scale.copy()
    scale[3] = np.nan
    return scale


def facts(calibration: Calibration = CALIBRATION, path_weight: float = 0.5) -> Facts:
    return Facts("small-1", path_weight, calibration)


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (small_model(table=MODEL.table[:-1]), "table has the shape"),
        (small_model(table=MODEL.table.astype(np.int16)), "table holds I16"),
        (small_model(table=MODEL.table.reshape(-1)), "table has the shape"),
        (small_model(scale=MODEL.scale[None]), "scale has the shape"),
        (small_model(scale=not_a_number()), "scale holds"),
        (small_model(query_weights=-MODEL.query_weights), "query_weights holds"),
        (small_model(query_map=MODEL.query_map[:-1]), "query_map has the shape"),
        (small_model(query_map=MODEL.query_map + np.float32(np.inf)), "query_map holds"),
        (small_model(related=MODEL.related + np.uint16(len(WORDS))), "related word"),
        (small_model(related=MODEL.related[:, :3]), "related has the shape"),
        (small_model(vocabulary=["open"] * len(MODEL.vocabulary)), "shape|repeats"),
        (small_model(facts=facts(Calibration((0.1,), (0.0, 1.0), 0.5, 0.5))), "incomplete"),
        (small_model(facts=facts(Calibration((0.3, 0.1), (0.0, 1.0), 0.5, 0.5))), "rise"),
        (small_model(facts=facts(Calibration((0.1, 0.3), (0.0, 2.0), 0.5, 0.5))), "range"),
        (small_model(facts=facts(path_weight=-1.0)), "range"),
    ],
)
def test_a_model_whose_parts_do_not_fit_is_refused(broken: Model, why: str, tmp_path: Path) -> None:
    check_refused(tmp_path, write_model(broken), why)


# -- the file beside the code


def release(folder: Path, name: str = "small-1") -> StaticEmbedder:
    digest = sha256(write_model(MODEL)).hexdigest()
    return load_release(Release(name, "model.safetensors", digest, DIMENSION), folder)


def test_a_released_model_answers_as_the_model_does(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(write_model(MODEL))
    embedder = release(tmp_path)
    texts = ["http/server.py\nread file", "b.py\nsort"]
    assert np.array_equal(embedder.embed_documents(texts), EMBEDDER.embed_documents(texts))


@pytest.mark.parametrize("data", [None, b"", b"something else", write_model(small_model(scale=MODEL.scale * 2))])
def test_only_the_very_file_that_was_released_is_taken(data: bytes | None, tmp_path: Path) -> None:
    if data is not None:
        (tmp_path / "model.safetensors").write_bytes(data)
    with pytest.raises(ModelError, match="install lurcher anew"):
        release(tmp_path)


def test_a_model_of_another_name_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(write_model(MODEL))
    with pytest.raises(ModelError, match="holds small-1 and not other"):
        release(tmp_path, "other")
