"""Vectors of a document that is typed in: only what is new is embedded."""

from collections.abc import Sequence

import numpy as np

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.retyped import RetypedVectors


class Counting(HashingEmbedder):
    """Counts what it is given."""

    embedded = 0

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return super().embed_documents(texts)


def test_only_new_chunks_are_embedded_and_all_have_their_vectors() -> None:
    embedder, alone = Counting(), HashingEmbedder()
    vectors = RetypedVectors(embedder)
    place = (1, "src/app.py")
    for chunks, new in (
        ([b"def a(): pass", b"def b(): pass"], 2),
        ([b"def a(): pass", b"def fresh(): pass", b"def b(): pass"], 1),
        ([b"def b(): pass", b"def b(): pass"], 0),
        ([b"def a(): pass"], 1),
        ([], 0),
    ):
        embedder.embedded = 0
        found = vectors.of(place, chunks)
        assert embedder.embedded == new
        assert found.shape == (len(chunks), embedder.dimension)
        if chunks:
            expected = alone.embed_documents([f"src/app.py\n{chunk.decode()}" for chunk in chunks])
            np.testing.assert_allclose(found, expected, atol=1e-6)


def test_documents_do_not_share_vectors_and_closed_ones_are_forgotten() -> None:
    embedder = Counting()
    vectors = RetypedVectors(embedder)
    one = vectors.of((1, "one.py"), [b"value = 1"])
    other = vectors.of((2, "other.py"), [b"value = 1"])
    assert embedder.embedded == 2
    assert not np.array_equal(one, other)
    vectors.keep({(1, "one.py")})
    vectors.of((1, "one.py"), [b"value = 1"])
    assert embedder.embedded == 2
    vectors.of((2, "other.py"), [b"value = 1"])
    assert embedder.embedded == 3
