"""An embedder in front of which a cache stands: the same chunk is embedded once, whichever workspace it is in."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.store.embedding_cache import EmbeddingCache

_STORED = np.dtype("<f4")
"""Numbers of a stored vector: 32 bits each, so that a vector out of the cache is the one that was made."""


class CachedEmbedder:
    """Another embedder with a cache for the vectors of chunks. Questions seldom repeat, and are not kept."""

    def __init__(self, inner: Embedder, cache: EmbeddingCache) -> None:
        """The cache may be shared by many embedders: the model's name is part of every key."""
        self.inner = inner
        self.cache = cache

    @property
    def name(self) -> str:
        """The model's."""
        return self.inner.name

    @property
    def dimension(self) -> int:
        """The model's."""
        return self.inner.dimension

    @property
    def trust(self) -> float:
        """The model's."""
        return self.inner.trust

    @property
    def floor(self) -> float:
        """The model's."""
        return self.inner.floor

    @property
    def is_quick(self) -> bool:
        """The model's: questions are not kept."""
        return self.inner.is_quick

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, made now."""
        return self.inner.embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks; equal chunks are embedded once."""
        keys = [self._key(text) for text in texts]
        known = {key: row for key, value in self.cache.get(set(keys)).items() if (row := self._row(value)) is not None}
        wanted = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if wanted:
            made = self.inner.embed_documents(list(wanted.values()))
            if made.shape != (len(wanted), self.dimension):
                # For whoever asked to refuse: vectors that cannot be told apart must not be kept.
                return made
            fresh = dict(zip(wanted, made, strict=True))
            self.cache.put({key: row.astype(_STORED).tobytes() for key, row in fresh.items()})
            known |= fresh
        rows = [known[key] for key in keys]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def calibrate(self, similarity: float) -> float:
        """The model's."""
        return self.inner.calibrate(similarity)

    def _key(self, text: str) -> bytes:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32, key=_short(self.name))
        return digest.digest()

    def _row(self, value: bytes) -> Vectors | None:
        """A vector out of the cache; None if it is none, for a cache may hold anything."""
        if len(value) != self.dimension * _STORED.itemsize:
            return None
        row = np.frombuffer(value, dtype=_STORED).astype(np.float32)
        # A vector has length 1, or 0 for a text without words.
        length = float(np.linalg.norm(row))
        return row if length == 0.0 or abs(length - 1.0) < 0.01 else None


def _short(name: str) -> bytes:
    """A model's name in the size of a key of blake2b."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=32).digest()
