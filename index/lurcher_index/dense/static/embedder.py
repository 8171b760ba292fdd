"""The embedder that answers by our own model."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import AskedWords, Vectors
from lurcher_index.dense.static.modelfile import SIMILARITY_STEPS, Model
from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.pooling import Pooled, PurePooling
from lurcher_index.dense.static.tokens import MEMO_RUNS, PIECE_MARK, Tokens, plain
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.dense.wordlists import Wordlist
from lurcher_index.native import compiled

MOST_ASKED = 64
"""Words of a question that are held against those of chunks; of more, as in a file that was pasted, the weightiest."""

ALONE = 1 << 18
"""Products up to which a matrix is multiplied by one thread. Beyond it others are woken, which takes longer than all of
the work, and the more so the busier the machine is."""


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
        self._pooled = _pooling(model, self._tokens)
        self._lengths: NDArray[np.float32] = np.zeros(len(model.vocabulary), np.float32)
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
        return self.embed_with_words(texts)[0]

    def embed_with_words(self, texts: Sequence[str]) -> tuple[Vectors, list[Wordlist]]:
        """The same, and the different words of each chunk and of its path."""
        lines = [text.encode("utf-8", "replace").partition(b"\n") for text in texts]
        # The chunks of a file stand together and have one path.
        paths = {path: row for row, path in enumerate(dict.fromkeys(path for path, _, _ in lines))}
        rows = [paths[path] for path, _, _ in lines]
        vectors, in_contents = self._pooled([content for _, _, content in lines])
        of_paths, in_paths = self._pooled([path_words(path) for path in paths])
        vectors += (of_paths * self._model.facts.path_weight)[rows]
        both = zip(in_contents, rows, strict=True)
        return unit_rows(vectors), [np.frombuffer(words + in_paths[row], np.uint16) for words, row in both]

    def asked_words(self, question: str) -> AskedWords:
        """The words of a question; one counts by its weight and by how long its vector is, as in `embed_query`."""
        words = np.array(sorted(set[int](self._tokens.numbers(question.encode("utf-8", "replace")).tolist())), np.int64)
        if len(words) > MOST_ASKED:
            words = words[np.sort(np.argsort(-self._model.query_weights[words], kind="stable")[:MOST_ASKED])]
        vectors = self._model.table.take(words, axis=0, mode="clip").astype(np.float32)
        lengths = np.linalg.norm(vectors, axis=1)
        vectors /= np.maximum(lengths, 1e-9)[:, np.newaxis]
        numbers: list[int] = words.tolist()
        names = tuple(self._model.vocabulary[number] for number in numbers)
        return AskedWords(names, self._of_queries[words] * lengths, vectors)

    def cosines(self, asked: AskedWords, words: Wordlist) -> NDArray[np.float32]:
        """How like the words of a question each of some words is, a row each. Unknown numbers count as the last."""
        known = np.minimum(words, len(self._lengths) - 1)
        found = np.empty((len(known), len(asked.words)), np.float32)
        block = max(1, ALONE // (max(1, len(asked.words)) * self.dimension))
        for at in range(0, len(known), block):
            vectors = self._model.table.take(known[at : at + block], axis=0, mode="clip").astype(np.float32)
            np.matmul(vectors, asked.vectors.T, out=found[at : at + block])
        found /= self._lengths_of(known)[:, np.newaxis]
        return found

    def _lengths_of(self, words: NDArray[np.integer]) -> NDArray[np.float32]:
        """The lengths of some words' vectors, each reckoned once."""
        lengths = self._lengths.take(words)
        if not lengths.all():
            new = words[lengths == 0.0]
            vectors = self._model.table[new].astype(np.float32)
            self._lengths[new] = np.maximum(np.linalg.norm(vectors, axis=1), 1e-9)
            lengths = self._lengths.take(words)
        return lengths

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


def _pooling(model: Model, tokens: Tokens) -> Callable[[Sequence[bytes]], Pooled]:
    """What sums the vectors of documents' words up: the compiled way, where there is one."""
    weights: NDArray[np.float32] = model.scale * model.document_weights
    if not compiled:
        return PurePooling(tokens, model.table, weights).pooled
    words = "\n".join(model.vocabulary).encode()
    table = np.ascontiguousarray(model.table)
    pooling = compiled.Pooling(words, plain, table.data, weights.data, MEMO_RUNS)
    dimension = model.table.shape[1]

    def pooled(texts: Sequence[bytes]) -> Pooled:
        rows, lists = pooling.pooled(texts)
        return Pooled(np.frombuffer(rows, np.float32).reshape(len(texts), dimension), lists)

    return pooled
