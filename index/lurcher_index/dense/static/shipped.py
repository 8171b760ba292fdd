"""The model that comes with the package, read when it is first needed."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import read_model
from lurcher_index.errors import ModelError


class Release(NamedTuple):
    """What the code knows of the file beside it, so that nothing has to be read to name the model."""

    name: str
    file: str
    sha256: str
    dimension: int


class ShippedEmbedder:
    """A released model. Whoever embeds first waits for it to be read; embedding and asking belong in threads anyway.

    A file that cannot be used raises ModelError at every use, and is tried again as soon as it is another one.
    """

    def __init__(self, release: Release, folder: Path) -> None:
        """Reads nothing."""
        self.name = release.name
        self.dimension = release.dimension
        self._release = release
        self._file = folder / release.file
        self._turn = threading.Lock()
        self._loaded: StaticEmbedder | None = None
        self._failed: tuple[object, str] | None = None

    @property
    def trust(self) -> float:
        """How far its judgement counts beside that of words."""
        return self._embedder().trust

    @property
    def floor(self) -> float:
        """Calibrated similarity below which a chunk that shares no word is there by chance."""
        return self._embedder().floor

    @property
    def problem(self) -> str:
        """Why the model cannot be used; empty if it can, or if nobody has tried yet."""
        return self._failed[1] if self._failed else ""

    def load(self) -> None:
        """Read the model now. Raises ModelError."""
        self._embedder()

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row."""
        return self._embedder().embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks."""
        return self._embedder().embed_documents(texts)

    def calibrate(self, similarity: float) -> float:
        """A cosine on the common scale from 0 to 1."""
        return self._embedder().calibrate(similarity)

    def related(self, word: str) -> tuple[tuple[str, float], ...]:
        """The words that are most like a word in lower case, best first."""
        return self._embedder().related(word)

    def _embedder(self) -> StaticEmbedder:
        loaded = self._loaded
        if loaded is not None:
            return loaded
        with self._turn:
            if self._loaded is None:
                self._loaded = self._read()
            return self._loaded

    def _read(self) -> StaticEmbedder:
        state = self._state()
        if self._failed is not None and self._failed[0] == state:
            # Reading 13 MB in vain for every question would be noticed.
            raise ModelError(self._failed[1])
        try:
            embedder = StaticEmbedder(read_model(self._file, self._release.sha256))
            if (embedder.name, embedder.dimension) != (self.name, self.dimension):
                raise ModelError(f"{self._file.name} holds {embedder.name} and not {self.name}")
        except ModelError as error:
            self._failed = (state, str(error))
            raise
        self._failed = None
        return embedder

    def _state(self) -> object:
        """Another value when the file is another one."""
        try:
            status = self._file.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino
