"""The words of a question held against the words of chunks: how they are packed, and how near they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.dense.models import DIMENSION, WORDS, small_model

from lurcher_index.dense.embedder import WordEmbedder
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.nearest import nearest_words
from lurcher_index.dense.static.embedder import MOST_ASKED, StaticEmbedder
from lurcher_index.dense.wordlists import Wordlist, packed, unpacked

MODEL = small_model()
EMBEDDER = StaticEmbedder(MODEL)


def listed(*words: str) -> Wordlist:
    return np.array([WORDS.index(word) for word in words], np.uint16)


def cosine(one: str, other: str) -> float:
    first, second = (MODEL.table[WORDS.index(word)].astype(float) for word in (one, other))
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))


# -- packing

lists = st.lists(st.lists(st.integers(0, (1 << 16) - 1), max_size=30).map(lambda each: np.array(each, np.uint16)))


@given(lists)
def test_what_is_packed_comes_out_as_it_was(chunks: list[Wordlist]) -> None:
    found = unpacked(packed(chunks), len(chunks))
    assert found is not None
    assert [found.of(at).tolist() for at in range(len(chunks))] == [each.tolist() for each in chunks]
    assert not len(found.of(len(chunks)))


@given(st.binary(max_size=40), st.integers(0, 20))
def test_of_bytes_that_were_not_packed_nothing_is_made_but_whole_lists(data: bytes, chunks: int) -> None:
    found = unpacked(data, chunks)
    if found is not None:
        assert 2 * (chunks + sum(len(found.of(at)) for at in range(chunks))) == len(data)


def test_lists_of_another_number_of_chunks_are_refused() -> None:
    data = packed([listed("open"), listed("read", "write")])
    assert unpacked(data, 1) is None
    assert unpacked(data, 3) is None
    assert unpacked(data[:-1], 2) is None
    assert unpacked(data + b"\0\0", 2) is None


# -- what the model knows


def test_our_model_knows_words_and_the_hashing_one_does_not() -> None:
    assert isinstance(EMBEDDER, WordEmbedder)
    assert not isinstance(HashingEmbedder(), WordEmbedder)


def test_the_words_of_a_chunk_are_those_of_its_content_and_its_path() -> None:
    texts = ["src/http/server.py\nread write write", "src/http/server.py\nopen", "empty.txt\n"]
    vectors, words = EMBEDDER.embed_with_words(texts)
    assert np.array_equal(vectors, EMBEDDER.embed_documents(texts))
    assert set(words[0].tolist()) == set(listed("read", "write", "http", "server").tolist())
    assert set(words[1].tolist()) == set(listed("open", "http", "server").tolist())
    assert len(words) == len(texts)


def test_a_number_beyond_the_vocabulary_is_as_near_as_the_last_word_and_no_nearer() -> None:
    embedder = StaticEmbedder(MODEL)
    asked = embedder.asked_words("open")
    beyond = embedder.cosines(asked, np.array([65_535, len(MODEL.vocabulary)], np.uint16))
    last = embedder.cosines(asked, np.array([len(MODEL.vocabulary) - 1], np.uint16))
    assert beyond == pytest.approx(np.concatenate((last, last)))
    assert (np.abs(beyond) <= 1.0 + 1e-5).all()


# -- nearness


def test_each_word_of_the_question_looks_for_its_nearest() -> None:
    asked = EMBEDDER.asked_words("open file")
    rarities = [3.0 if word == "file" else 1.0 for word in asked.words]
    weights = dict(zip(asked.words, asked.weights * np.array(rarities, np.float32), strict=True))
    both, other = nearest_words(EMBEDDER, asked, rarities, [listed("read", "file", "open"), listed("write")]).rows
    assert both == pytest.approx([1.0, 1.0, 1.0, 1.0], abs=1e-5)
    expected = sum(float(weight) * cosine(word, "write") for word, weight in weights.items())
    assert other[0] == pytest.approx(expected / sum(map(float, weights.values())), abs=1e-5)


def test_a_rare_word_counts_more() -> None:
    asked = EMBEDDER.asked_words("open file")
    has_file = [listed("file")]
    rare, usual = (
        nearest_words(EMBEDDER, asked, [weight if word == "file" else 1.0 for word in asked.words], has_file).rows[0, 0]
        for weight in (9.0, 1.0)
    )
    assert rare > usual


def test_what_is_only_akin_counts_in_the_lower_steps_alone() -> None:
    near = {cosine("open", word): word for word in WORDS}
    word = next(near[each] for each in sorted(near) if 0.4 <= each < 0.5)
    (found,) = nearest_words(EMBEDDER, EMBEDDER.asked_words("open"), [1.0], [listed(word)]).rows
    assert found[1:].tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("count", [14, 15, 23, 27, 200])
def test_equal_chunks_are_equally_near_wherever_they_stand(count: int) -> None:
    asked = EMBEDDER.asked_words("open file read parse")
    found = nearest_words(EMBEDDER, asked, [1.3, 0.7, 2.1, 1.9], [listed("write", "http", "sort")] * count).rows
    assert len(found) == count
    assert (found == found[0]).all()


def test_of_a_question_as_long_as_a_file_the_weightiest_words_are_taken() -> None:
    letters = [first + second for first in "abcdefghij" for second in "abcdefghij"]
    model = small_model(
        vocabulary=letters,
        table=np.ones((100, DIMENSION), np.int8),
        scale=np.ones(100, np.float32),
        query_weights=np.arange(100, dtype=np.float32),
        document_weights=np.ones(100, np.float32),
    )
    asked = StaticEmbedder(model).asked_words(" ".join(letters))
    assert asked.words == tuple(letters[-MOST_ASKED:])


def test_nothing_is_near_to_a_chunk_without_words_nor_to_a_question_without_any() -> None:
    nothing = np.zeros(0, np.uint16)
    asked = EMBEDDER.asked_words("open")
    assert not nearest_words(EMBEDDER, asked, [1.0], [nothing]).rows.any()
    assert nearest_words(EMBEDDER, asked, [1.0], [nothing, listed("open")]).rows[1, 0] == pytest.approx(1.0, abs=1e-5)
    assert not nearest_words(EMBEDDER, EMBEDDER.asked_words(""), [], [listed("open")]).rows.any()
    assert nearest_words(EMBEDDER, asked, [1.0], []).rows.shape == (0, 4)


def test_each_word_of_the_question_keeps_the_cosine_of_its_nearest() -> None:
    asked = EMBEDDER.asked_words("open file")
    found = nearest_words(EMBEDDER, asked, [1.0, 2.0], [listed("read", "file"), listed("write")])
    assert found.asked is asked
    assert found.rarities.tolist() == [1.0, 2.0]
    for row, words in zip(found.cosines, (("read", "file"), ("write",)), strict=True):
        expected = [max(cosine(word, other) for other in words) for word in asked.words]
        assert row == pytest.approx(expected, abs=1e-5)
