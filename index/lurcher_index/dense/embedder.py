"""What an embedding model is to the engine."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.wordlists import Wordlist

Vectors = NDArray[np.float32]
"""One row a text, each of length 1 (or 0 for a text without words)."""


class Embedder(Protocol):
    """Turns texts into vectors of length 1 whose dot product is their similarity. Safe to call from any thread."""

    @property
    def name(self) -> str:
        """Names the model and its version: vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def trust(self) -> float:
        """How far its judgement counts beside that of words, from 0 to 1."""
        ...

    @property
    def floor(self) -> float:
        """Calibrated similarity below which a chunk that shares no word with the question is there by chance."""
        ...

    @property
    def is_quick(self) -> bool:
        """Whether the vector of a usual question takes less time than a thread needs to begin."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks; each text begins with a line that holds its path."""
        ...

    def calibrate(self, similarity: float) -> float:
        """A raw similarity on the common scale from 0 to 1, where 0.65 of the best is still worth showing."""
        ...


class AskedWords(NamedTuple):
    """The words of a question that a model knows."""

    words: tuple[str, ...]
    weights: NDArray[np.float32]
    """How much each counts, by what the model has learned."""
    vectors: Vectors
    """One row each, of length 1."""


@runtime_checkable
class WordEmbedder(Embedder, Protocol):
    """A model that has a vector for each word, so that words can be held against words."""

    def embed_with_words(self, texts: Sequence[str]) -> tuple[Vectors, list[Wordlist]]:
        """The vectors of chunks as `embed_documents` gives them, and the words of each and of its path."""
        ...

    def asked_words(self, question: str) -> AskedWords:
        """The words of a question."""
        ...

    def cosines(self, asked: AskedWords, words: Wordlist) -> NDArray[np.float32]:
        """How like the words of a question each of some words is, a row each."""
        ...
