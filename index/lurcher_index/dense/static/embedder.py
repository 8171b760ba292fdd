"""The embedder that answers by our own model."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.static.modelfile import SIMILARITY_STEPS, Model
from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.pooling import MOST_TEXTS, bags, pooled
from lurcher_index.dense.static.tokens import PIECE_MARK, Tokens
from lurcher_index.dense.vectors import unit_rows


class StaticEmbedder:
    """Word vectors, weighted and summed: for a question, which is then turned a little, and for a chunk with its path
    beside it.

    Nothing is computed that depends on the rest of a batch: a text has the same vector wherever it stands.
    """

    is_quick = True

    def __init__(self, model: Model) -> None:
        self.name = model.facts.name
        self.dimension = int(model.table.shape[1])
        self.trust = model.facts.calibration.trust
        self.floor = model.facts.calibration.floor
        self._model = model
        self._numbers = {word: number for number, word in enumerate(model.vocabulary)}
        self._tokens = Tokens(model.vocabulary)
        self._of_queries: NDArray[np.float32] = model.scale * model.query_weights
        self._of_documents: NDArray[np.float32] = model.scale * model.document_weights
        self._turn: NDArray[np.float32] = np.eye(self.dimension, dtype=np.float32) + model.query_map
        """Brings the words of those who ask nearer to those of who wrote the code."""

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row; each of its words counts once."""
        numbers = np.frombuffer(self._tokens.packed(text.encode("utf-8", "replace")), dtype=np.uint16)
        words = np.array(sorted(set[int](numbers.tolist())), dtype=np.int64)
        vectors = self._model.table.take(words, axis=0, mode="clip").astype(np.float32)
        return unit_rows(unit_rows((self._of_queries[words] @ vectors)[np.newaxis]) @ self._turn)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks; the path in the first line is a field of its own."""
        parts = [self._embed(texts[at : at + MOST_TEXTS]) for at in range(0, len(texts), MOST_TEXTS)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def calibrate(self, similarity: float) -> float:
        """A cosine on the common scale from 0 to 1."""
        calibration = self._model.facts.calibration
        return float(np.interp(similarity, calibration.cosines, calibration.values))

    def related(self, word: str) -> tuple[tuple[str, float], ...]:
        """The words of the vocabulary that are most like a word in lower case, best first; none if it is unknown."""
        number = self._numbers.get(word)
        if number is None or word.startswith(PIECE_MARK):
            return ()
        others: list[int] = self._model.related[number].tolist()
        similarities: list[int] = self._model.similarities[number].tolist()
        nearest = zip(others, similarities, strict=True)
        vocabulary = self._model.vocabulary
        return tuple((vocabulary[other], steps / SIMILARITY_STEPS) for other, steps in nearest if steps)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        packed = self._tokens.packed
        lines = [text.encode("utf-8", "replace").partition(b"\n") for text in texts]
        # The chunks of a file stand together and have one path.
        paths = {path: row for row, path in enumerate(dict.fromkeys(path for path, _, _ in lines))}
        contents = self._pooled([packed(content) for _, _, content in lines])
        by_path = self._pooled([packed(path_words(path)) for path in paths])
        by_path *= self._model.facts.path_weight
        contents += by_path[[paths[path] for path, _, _ in lines]]
        return unit_rows(contents)

    def _pooled(self, packed: Sequence[bytes]) -> Vectors:
        return unit_rows(pooled(bags(packed), self._model.table, self._of_documents))
