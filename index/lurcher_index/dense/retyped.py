"""Vectors of documents that are typed in: of a new text only chunks that were not in the last one get new vectors."""

import threading
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.dense.embedding_pass import document_text

Place = tuple[int, str]
"""A workspace folder and a path in it."""


class _Last(NamedTuple):
    """The chunks of a document when it was last looked at, each with the number of its row."""

    rows: dict[bytes, int]
    vectors: Vectors


class RetypedVectors:
    """Remembers one text of each document. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        """Nothing is known yet."""
        self._embedder = embedder
        self._last: dict[Place, _Last] = {}
        self._turn = threading.Lock()

    def of(self, place: Place, chunks: Sequence[bytes]) -> Vectors:
        """The vectors of a document's chunks, one row each."""
        with self._turn:
            last = self._last.get(place)
        known = last.rows if last is not None else {}
        vectors = np.zeros((len(chunks), self._embedder.dimension), np.float32)
        kept = [at for at, chunk in enumerate(chunks) if chunk in known]
        fresh = [at for at, chunk in enumerate(chunks) if chunk not in known]
        if last is not None and kept:
            vectors[kept] = last.vectors[[known[chunks[at]] for at in kept]]
        if fresh:
            vectors[fresh] = self._embedder.embed_documents([document_text(place[1], chunks[at]) for at in fresh])
        with self._turn:
            self._last[place] = _Last({chunk: at for at, chunk in enumerate(chunks)}, vectors)
        return vectors

    def keep(self, places: Collection[Place]) -> None:
        """Forget all other documents."""
        with self._turn:
            self._last = {place: last for place, last in self._last.items() if place in places}
