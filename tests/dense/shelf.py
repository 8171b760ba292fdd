"""A small workspace on disk with its truth, and embedders that say what they were asked."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lurcher_index.chunking.outline import outline
from lurcher_index.config import Settings
from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.dense.embedding_pass import EmbeddingResult, embed_missing
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.files.reading import read_document
from lurcher_index.model import Skip
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.database import Database
from lurcher_index.store.outlines import Content, pack
from lurcher_index.store.vectors import VectorRows

SETTINGS = Settings()
FUNCTIONS = "".join(f"def function_{n}(argument):\n    return {n} + argument\n\n\n" for n in range(100))
"""A source of several chunks."""


class Shelf:
    """Files in one folder, each recorded in the truth as a build would do it."""

    def __init__(self, folder: Path, database: Path | None) -> None:
        folder.mkdir()
        self.folder = folder
        self.database = Database(database, "test")
        self.catalog = Catalog(self.database)
        self.folder_id = self.catalog.folder_ids([folder])[folder]

    def put(self, path: str, text: str) -> int:
        """Write and record a file; the number of its content."""
        (self.folder / path).write_text(text, "utf-8")
        document = read_document(self.folder / path, path, SETTINGS)
        assert not isinstance(document, Skip)
        found = outline(document.data, "python", chunk_tokens=SETTINGS.chunk_tokens, parse_seconds=2.0)
        content = Content(document.content_hash, "python", document.encoding, len(found.chunks), pack(found))
        with self.catalog.write() as write:
            content_id = write.content(content)
            write.file(self.folder_id, path, (len(text), 1, 1), content_id)
        return content_id

    def rename(self, old: str, new: str) -> None:
        """Move a file, and record that."""
        text = (self.folder / old).read_text("utf-8")
        self.remove(old)
        self.put(new, text)

    def remove(self, path: str) -> None:
        """Delete a file, and record that."""
        (self.folder / path).unlink()
        with self.catalog.write() as write:
            write.remove(self.folder_id, path)

    def chunks(self, content_id: int) -> int:
        """How many chunks a content has."""
        return len(self.catalog.contents([content_id])[content_id].outline.chunks)

    def rows(self, embedder: Embedder | None = None) -> VectorRows:
        """The stored vectors of an embedder."""
        chosen = embedder or HashingEmbedder()
        return VectorRows(self.database, chosen.name, chosen.dimension)

    def embed(
        self,
        embedder: Embedder | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        report: Callable[[int, int], object] = max,
    ) -> EmbeddingResult:
        """One pass; nobody needs to hear its reports."""
        chosen = embedder or HashingEmbedder()
        folders = {self.folder_id: self.folder}
        return embed_missing(self.catalog, self.rows(chosen), folders, SETTINGS, chosen, report, cancelled)

    def damage(self, content_id: int, blob: object) -> None:
        """Put something else in the place of a content's vectors."""
        with self.database.transaction() as connection:
            connection.execute("DELETE FROM vector WHERE content_id = ?", (content_id,))
            connection.execute(
                "INSERT INTO vector (model, content_id, rows) VALUES (?, ?, ?)",
                (HashingEmbedder().name, content_id, blob),
            )


class Recorder(HashingEmbedder):
    """The hashing embedder, with a list of what it embedded; fails at its call number `fails_at`, counted from 1."""

    def __init__(self, fails_at: int = 0) -> None:
        self.texts: list[str] = []
        self.calls = 0
        self._fails_at = fails_at

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.calls == self._fails_at:
            raise RuntimeError("out of luck")
        self.texts += texts
        return super().embed_documents(texts)

    @property
    def paths(self) -> set[str]:
        """First lines of all texts."""
        return {text.partition("\n")[0] for text in self.texts}


def random_vectors(count: int, dimension: int, seed: int = 1) -> Vectors:
    """Vectors of length 1 in all directions."""
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return unit_rows(rows)


def mixed_vectors(count: int, dimension: int, seed: int = 1, topics: int = 200) -> Vectors:
    """Vectors of length 1 as models make them: about topics, alike in a file, and strongest in the first numbers."""
    strengths = (1 + np.arange(dimension)) ** -0.35
    centres = np.random.default_rng(0).standard_normal((topics, dimension))
    random = np.random.default_rng(seed)
    files = centres[random.integers(topics, size=-(-count // 10))] * 0.7
    files += 0.5 * random.standard_normal(files.shape)
    chunks = np.repeat(files, 10, axis=0)[:count] + 0.7 * random.standard_normal((count, dimension))
    return unit_rows((chunks * strengths).astype(np.float32))
