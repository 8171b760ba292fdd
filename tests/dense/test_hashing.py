"""The hashing embedder: the same everywhere, similar where words are, and honest about what it is."""

import subprocess
import sys
from hashlib import blake2b

import numpy as np
import pytest

from lurcher_index.dense.embedder import Embedder
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.vectors import quantise

TEXT = """src/net/http_client.py
def parseHTTPRequest(raw: bytes) -> Request:
    return Request(raw, raw)  # größer 数据库"""
GOLDEN = "a9fe7b6f3757b472"


def digest(text: str) -> str:
    return blake2b(quantise(HashingEmbedder().embed_documents([text])).tobytes(), digest_size=8).hexdigest()


def cosine(question: str, document: str) -> float:
    embedder = HashingEmbedder()
    return float((embedder.embed_query(question) @ embedder.embed_documents([document]).T)[0, 0])


def test_a_text_gives_the_vector_it_always_gave() -> None:
    """If this fails on purpose, the model needs a new name: stored vectors of the old one are not comparable."""
    assert (HashingEmbedder().name, digest(TEXT)) == ("hashing-256-v1", GOLDEN)


def test_another_process_with_another_hash_seed_gives_the_same_vector() -> None:
    code = (
        "import sys; from lurcher_index.dense.hashing import HashingEmbedder as H\n"
        "sys.stdout.write(H().embed_documents([sys.argv[1]]).tobytes().hex())"
    )
    environment = {"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"}
    found = subprocess.run([sys.executable, "-c", code, TEXT], capture_output=True, text=True, env=environment)
    assert found.stdout == HashingEmbedder().embed_documents([TEXT]).tobytes().hex(), found.stderr


def test_it_says_that_it_is_no_trained_model() -> None:
    embedder: Embedder = HashingEmbedder()
    assert "hashing" in embedder.name
    assert 0 < embedder.trust < 0.5


def test_rows_have_length_one_and_texts_without_terms_are_zero() -> None:
    rows = HashingEmbedder().embed_documents(["a.py\nopen the file", "", " \n\t", "+-*/", "\ud800"])
    assert rows.shape == (5, 256)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 0, 0, 0], abs=1e-6)
    assert HashingEmbedder().embed_documents([]).shape == (0, 256)


def test_a_batch_gives_what_single_texts_give() -> None:
    texts = ["a.py\none two two", "", "b.py\nthree", TEXT]
    together = HashingEmbedder().embed_documents(texts)
    assert np.array_equal(together, np.concatenate([HashingEmbedder().embed_documents([text]) for text in texts]))


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("parse http request", "x.py\nparseHTTPRequest", "x.py\nsortNumbersQuickly"),
        ("parse_http_request", "x.py\nparseHTTPRequest", "x.py\nhttp"),
        ("caches", "x.py\ncaching", "x.py\ncatching"),
        ("数据", "x.py\n打开数据库", "x.py\n打开文件"),
        ("database migration", "db/migration.py\nrun()", "ui/button.py\nrun()"),
    ],
)
def test_shared_words_make_similar_vectors(question: str, near: str, far: str) -> None:
    assert cosine(question, near) > cosine(question, far) + 0.1


def test_words_that_only_ask_do_not_count_unless_there_are_no_others() -> None:
    embed = HashingEmbedder().embed_query
    assert np.array_equal(embed("where is the request parsed"), embed("request parsed"))
    assert embed("what is this").any()
    assert not embed("?!").any()
    assert embed("parse").shape == (1, 256)


def test_a_word_repeated_counts_more_but_less_than_proportionally() -> None:
    once, often = (cosine("needle", f"needle {'needle ' * extra} alpha beta gamma delta") for extra in (0, 9))
    assert once < often < 10 * once
    assert often < cosine("needle", "needle")


@pytest.mark.parametrize(
    ("similarity", "calibrated"),
    [(-0.5, 0.0), (0.0, 0.0), (0.25, 0.65), (1.0, 1.0), (1.01, 1.0)],
)
def test_section_3_calibrated_scale(similarity: float, calibrated: float) -> None:
    assert HashingEmbedder().calibrate(similarity) == pytest.approx(calibrated, abs=0.001)


def test_section_3_a_quarter_of_the_best_raw_score_is_where_the_spread_cuts() -> None:
    calibrate = HashingEmbedder().calibrate
    for best in (0.05, 0.4, 0.9):
        assert calibrate(0.26 * best) > 0.65 * calibrate(best) > calibrate(0.24 * best)
