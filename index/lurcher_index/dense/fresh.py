"""Vectors of what no pass has come to yet: what was written a moment ago is found by meaning, too."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lurcher_index.config import Settings
from lurcher_index.dense.embedder import Embedder, Vectors, WordEmbedder
from lurcher_index.dense.embedding_pass import content_texts
from lurcher_index.dense.segments import SCALE
from lurcher_index.dense.vectors import quantise
from lurcher_index.dense.wordlists import Wordlists, packed, unpacked
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.vectors import VectorRows

MOST_CHUNKS = 1_024
"""So many are made in 20 ms, while a question waits. If more are missing, a pass is on its way, and the answer says
what it covers."""


class Fresh(NamedTuple):
    """What a pass will store of one content."""

    vectors: Vectors
    words: Wordlists | None


class FreshVectors:
    """The vectors that are missing, made when they are asked for and kept until they are stored. Thread-safe."""

    def __init__(
        self,
        catalog: Catalog,
        rows: VectorRows,
        folders: Mapping[int, Path],
        settings: Settings,
        embedder: Embedder,
    ) -> None:
        """Nothing is made before somebody asks."""
        self._catalog = catalog
        self._rows = rows
        self._folders = folders
        self._settings = settings
        self._embedder = embedder
        self._word_embedder = embedder if isinstance(embedder, WordEmbedder) else None
        self._turn = threading.Lock()
        self.made: Mapping[int, Fresh] = {}
        """By content; replaced, never changed."""

    def make(self) -> int:
        """Make what is missing, if that is little and the model is quick; how many chunks have vectors by this."""
        with self._turn:
            self.made = self._made() if self._embedder.is_quick else {}
            return sum(len(each.vectors) for each in self.made.values())

    def forget(self) -> None:
        """Drop what was made: all of it is stored by now, and searched where the rest is."""
        self.made = {}

    def _made(self) -> dict[int, Fresh]:
        coverage = self._rows.coverage()
        if not 0 < coverage.total - coverage.ready <= MOST_CHUNKS:
            return {}
        lacking = self._rows.missing(MOST_CHUNKS)
        kept = {each.content_id: self.made[each.content_id] for each in lacking if each.content_id in self.made}
        new = [each for each in lacking if each.content_id not in kept]
        contents = self._catalog.contents(each.content_id for each in new)
        for missing in new:
            # What cannot be read now, or is no longer what was indexed, is not to be found anyway.
            texts = content_texts(missing, contents.get(missing.content_id), self._folders, self._settings)
            if texts:
                kept[missing.content_id] = self._embedded(texts)
        return kept

    def _embedded(self, texts: list[str]) -> Fresh:
        if self._word_embedder is None:
            return Fresh(_as_stored(self._embedder.embed_documents(texts)), None)
        vectors, words = self._word_embedder.embed_with_words(texts)
        return Fresh(_as_stored(vectors), unpacked(packed(words), len(texts)))


def _as_stored(vectors: Vectors) -> Vectors:
    """With the digits that are stored, so that nothing moves once they are."""
    return quantise(vectors).astype(np.float32) / np.float32(SCALE)
