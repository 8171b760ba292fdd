"""The embedder that answers by our own model."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import AskedWords, Vectors
from lurcher_index.dense.static.modelfile import SIMILARITY_STEPS, Model
from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.phrases import FoundPhrase, PhraseBook
from lurcher_index.dense.static.pooling import Pooled, PurePooling
from lurcher_index.dense.static.tokens import MEMO_RUNS, PIECE_MARK, Tokens, plain
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.dense.wordlists import Wordlist
from lurcher_index.native import compiled

MOST_ASKED = 64
"""Words of a question that are held against those of chunks; of more, as in a file that was pasted, the weightiest."""

PHRASE_WEIGHT = 0.6
"""What a phrase counts beside the words of the question, if its meaning counts as they do."""

OWN_WORDS_WEIGHT = 0.8
"""What the words that a phrase is made of still count. Both were chosen by written questions about packages that teach
nothing: decision 0049."""

FALL = 0.3
"""How much less each further word of a phrase's meaning counts: one, 1 / 1.3, 1 / 1.6 and so on."""

ALONE = 1 << 18
"""Products up to which a matrix is multiplied by one thread. Beyond it others are woken, which takes longer than all of
the work, and the more so the busier the machine is."""


class _Meant(NamedTuple):
    """A phrase of a question."""

    name: str
    own: set[int]
    """Numbers of the words that it is made of."""
    weight: float
    vector: NDArray[np.float32]
    """Of length 1."""


class StaticEmbedder:
    """Word vectors, weighted and summed: for a question, which is then turned a little, and for a chunk with its path
    beside it.

    Nothing is computed that depends on the rest of a batch: a text has the same vector wherever it stands.
    """

    is_quick = True

    def __init__(self, model: Model, phrases: Callable[[], PhraseBook] = PhraseBook) -> None:
        """`phrases` are asked for with a question, and not by who embeds chunks alone: reading them takes long beside
        all else that is loaded."""
        self.name = model.facts.name
        self.dimension = int(model.table.shape[1])
        self.trust = model.facts.calibration.trust
        self.floor = model.facts.calibration.floor
        self._model = model
        self._phrases = phrases
        self._numbers = {word: number for number, word in enumerate(model.vocabulary)}
        self._tokens = Tokens(model.vocabulary)
        self._of_queries: NDArray[np.float32] = model.scale * model.query_weights
        self._pooled = _pooling(model, self._tokens)
        self._lengths: NDArray[np.float32] = np.zeros(len(model.vocabulary), np.float32)
        self._turn: NDArray[np.float32] = np.eye(self.dimension, dtype=np.float32) + model.query_map
        """Brings the words of those who ask nearer to those of who wrote the code."""

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row; each of its words counts once, and so does each phrase."""
        asked = self._asked(text)
        return unit_rows(unit_rows((asked.weights @ asked.vectors)[np.newaxis]) @ self._turn)

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
        asked = self._asked(question)
        if len(asked.words) <= MOST_ASKED:
            return asked
        kept: list[int] = np.sort(np.argsort(-asked.weights, kind="stable")[:MOST_ASKED]).tolist()
        return AskedWords(tuple(asked.words[at] for at in kept), asked.weights[kept], asked.vectors[kept])

    def _asked(self, text: str) -> AskedWords:
        """The words of a question by their numbers, and its phrases behind them."""
        words = np.array(sorted(set[int](self._tokens.numbers(text.encode("utf-8", "replace")).tolist())), np.int64)
        numbers: list[int] = words.tolist()
        vectors = self._model.table.take(words, axis=0, mode="clip").astype(np.float32)
        lengths = np.linalg.norm(vectors, axis=1)
        vectors /= np.maximum(lengths, 1e-9)[:, np.newaxis]
        weights = self._of_queries[words] * lengths
        found = self._meant_by(text)
        names = tuple(self._model.vocabulary[number] for number in numbers)
        if not found:
            return AskedWords(names, weights, vectors)
        own = {number for phrase in found for number in phrase.own}
        weights[[number in own for number in numbers]] *= OWN_WORDS_WEIGHT
        return AskedWords(
            (*names, *(phrase.name for phrase in found)),
            np.concatenate([weights, np.array([phrase.weight for phrase in found], np.float32)]),
            np.concatenate([vectors, np.stack([phrase.vector for phrase in found])]),
        )

    def _meant_by(self, text: str) -> list[_Meant]:
        """The phrases of a text, each once."""
        found: dict[str, _Meant] = {}
        for phrase in map(self._meant, self._phrases().found_in(text)):
            if phrase is not None:
                found.setdefault(phrase.name, phrase).own.update(phrase.own)
        return list(found.values())

    def _meant(self, phrase: FoundPhrase) -> _Meant | None:
        """A phrase as a word: between those of its meaning, and as weighty as they are."""
        words = np.array([self._numbers[word] for word in phrase.meaning if word in self._numbers], np.int64)
        if not len(words):
            return None
        vectors = self._model.table[words].astype(np.float32)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-9)
        counts = 1 / (1 + FALL * np.arange(len(words), dtype=np.float32))
        vector = (counts / lengths) @ vectors
        weight = PHRASE_WEIGHT * float(counts @ (self._of_queries[words] * lengths) / counts.sum())
        own = {number for word in phrase.own for number in self._tokens.numbers(word.encode()).tolist()}
        return _Meant(phrase.name, own, weight, vector / max(float(np.linalg.norm(vector)), 1e-9))

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
