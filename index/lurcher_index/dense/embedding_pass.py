"""One pass over the contents that have no vectors yet: read, embed, store."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.config import Settings
from lurcher_index.dense.embedder import Embedder, WordEmbedder
from lurcher_index.dense.vectors import quantise
from lurcher_index.dense.wordlists import Wordlist, packed
from lurcher_index.files.reading import read_document
from lurcher_index.model import Skip
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.outlines import Held
from lurcher_index.store.vectors import BATCH_CONTENTS, Missing, VectorRows

BATCH_CHUNKS = 128
"""Chunks embedded in one call and stored in one transaction: enough to make calls and commits cheap, few enough to lose
when the pass is stopped."""

QUICK_CHUNKS = 1_024
"""The same for a quick model, which makes so many in 20 ms."""


class EmbeddingResult(msgspec.Struct, frozen=True):
    """How a pass went, in contents."""

    done: int
    """Got their vectors."""
    failed: int
    """Could not be read."""
    complete: bool
    """Whether no content that a file has is without vectors now."""


def document_text(path: str, data: bytes) -> str:
    """The text that is embedded for a chunk: its path, relative to the folder, in the first line."""
    return f"{path}\n{data.decode('utf-8', 'replace')}"


def embed_missing(
    catalog: Catalog,
    rows: VectorRows,
    folders: Mapping[int, Path],
    settings: Settings,
    embedder: Embedder,
    report: Callable[[int, int], object],
    cancelled: Callable[[], bool],
    among: Collection[int] | None = None,
) -> EmbeddingResult:
    """Embed every content that lacks vectors, or those `among` some. `report` hears how many contents were dealt with,
    of how many.

    Every batch is stored when it is ready: what was done before a cancellation or an error stays.
    """
    rows.forget_damaged()
    embedding = _Pass(catalog, rows, folders, settings, embedder, cancelled, among)
    total = rows.missing_count() if among is None else len(among)
    report(0, total)
    for seen in embedding.run():
        report(seen, max(seen, total))
    return EmbeddingResult(embedding.done, embedding.failed, rows.missing_count() == 0)


def content_texts(
    missing: Missing, held: Held | None, folders: Mapping[int, Path], settings: Settings
) -> list[str] | None:
    """What is embedded of a content, chunk by chunk; None if it cannot be read, and nothing if its file has changed."""
    folder = folders.get(missing.folder_id)
    if folder is None or held is None or len(held.outline.chunks) != missing.chunk_count:
        return None
    path = os.path.join(folder, missing.path)  # noqa: PTH118 - a Path costs some µs wherever it is used
    document = read_document(path, missing.path, settings)
    if isinstance(document, Skip):
        return None
    if document.content_hash != missing.hash:
        return []
    return [document_text(missing.path, document.data[c.start : c.end]) for c in held.outline.chunks]


class _Texts(NamedTuple):
    """What there is to embed of one content."""

    content_id: int
    chunks: list[str]


class _Pass:
    """The state of one pass."""

    def __init__(
        self,
        catalog: Catalog,
        rows: VectorRows,
        folders: Mapping[int, Path],
        settings: Settings,
        embedder: Embedder,
        cancelled: Callable[[], bool],
        among: Collection[int] | None,
    ) -> None:
        self.done = 0
        self.failed = 0
        self._catalog = catalog
        self._rows = rows
        self._folders = folders
        self._settings = settings
        self._embedder = embedder
        # Asked once: to look whether somebody keeps to a protocol takes some 100 µs.
        self._word_embedder = embedder if isinstance(embedder, WordEmbedder) else None
        self._batch = QUICK_CHUNKS if embedder.is_quick else BATCH_CHUNKS
        self._cancelled = cancelled
        self._among = among

    def run(self) -> Iterator[int]:
        """Work; after every batch the number of contents dealt with."""
        waiting: list[_Texts] = []
        chunks = 0
        seen = 0
        for missing, held in self._missing():
            if self._cancelled():
                return
            seen += 1
            texts = self._texts(missing, held)
            if texts is not None:
                waiting.append(texts)
                chunks += len(texts.chunks)
            if chunks >= self._batch:
                self._store(waiting)
                waiting, chunks = [], 0
                yield seen
        if not self._cancelled():
            self._store(waiting)
            yield seen

    def _missing(self) -> Iterator[tuple[Missing, Held | None]]:
        after = 0
        while found := self._rows.missing(BATCH_CONTENTS, after, self._among):
            contents = self._catalog.contents(each.content_id for each in found)
            yield from ((each, contents.get(each.content_id)) for each in found)
            after = found[-1].content_id

    def _texts(self, missing: Missing, held: Held | None) -> _Texts | None:
        """None if the content cannot be had now. One whose file has changed comes back with the file's new content."""
        chunks = content_texts(missing, held, self._folders, self._settings)
        if chunks is None:
            self.failed += 1
        return _Texts(missing.content_id, chunks) if chunks else None

    def _store(self, waiting: Sequence[_Texts]) -> None:
        """Embed and store some contents, unless it is cancelled in between."""
        chunks = [chunk for each in waiting for chunk in each.chunks]
        parts: list[NDArray[np.int8]] = []
        words: list[Wordlist] = []
        for at in range(0, len(chunks), self._batch):
            if self._cancelled():
                return
            vectors, found = self._embed(chunks[at : at + self._batch])
            parts.append(vectors)
            words += found
        if not parts:
            return
        ends = np.cumsum([len(each.chunks) for each in waiting]).tolist()
        pieces = np.split(np.concatenate(parts), ends[:-1])
        blobs = {each.content_id: piece.tobytes() for each, piece in zip(waiting, pieces, strict=True)}
        lists = {
            each.content_id: packed(words[end - len(each.chunks) : end])
            for each, end in zip(waiting, ends, strict=True)
            if words
        }
        self._rows.write(blobs, lists)
        self.done += len(blobs)

    def _embed(self, chunks: Sequence[str]) -> tuple[NDArray[np.int8], list[Wordlist]]:
        words: list[Wordlist] = []
        if self._word_embedder is not None:
            vectors, words = self._word_embedder.embed_with_words(chunks)
        else:
            vectors = self._embedder.embed_documents(chunks)
        wanted = (len(chunks), self._rows.dimension)
        if vectors.shape != wanted:
            raise ValueError(f"{self._embedder.name} gave vectors of shape {vectors.shape} instead of {wanted}")
        if words and len(words) != len(chunks):
            raise ValueError(f"{self._embedder.name} gave the words of {len(words)} chunks instead of {len(chunks)}")
        return quantise(vectors), words
