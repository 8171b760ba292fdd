"""From the files of a commit to what is sent of them: workers parse, the model embeds, batches come out."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import NamedTuple

import numpy as np

from lurcher_index.building.messages import Job, Parsed
from lurcher_index.building.pool import WorkerPool
from lurcher_index.config import Settings
from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.dense.embedding_pass import BATCH_CHUNKS, document_text
from lurcher_index.errors import Cancelled, EmbedderError
from lurcher_index.history.git import Git
from lurcher_index.model import Outline
from lurcher_index.publishing.hashing import slices
from lurcher_index.publishing.source import Entry
from lurcher_index.remote.engines.interface import SharedChunk, SharedFile
from lurcher_index.remote.engines.marks import marked
from lurcher_index.store.outlines import unpack_without_edges
from lurcher_index.text.terms import terms
from lurcher_index.words.candidates import Terms

SLICE_BYTES = 16 << 20
"""Source that is read at a time: all workers have enough to do, and it fits into any memory."""

BATCH_BYTES = 1 << 20
"""Terms and vectors that are sent at once, about: a second or two on a slow line, and no more than that is lost by a
kill. A file is never divided: one of 1.5 MiB makes some 6 MB alone."""

_CHUNK_BYTES = 64
"""What a chunk takes beside its terms and its vector: place, hash, keys."""


class Batch(NamedTuple):
    """What is sent at once, and what was learnt on the way."""

    files: tuple[SharedFile, ...]
    skipped: dict[str, str]
    """By path, why files that were read are not sent."""
    masked: int


class _Made(NamedTuple):
    """A file that workers have taken apart."""

    path: str
    content: bytes
    language: str
    outline: Outline
    terms: tuple[Terms, ...]
    data: bytes


class Making:
    """How files are made. The pool is the caller's."""

    def __init__(self, git: Git, pool: WorkerPool, embedder: Embedder | None, settings: Settings, mark: bytes) -> None:
        """Without an `embedder` there are no vectors."""
        self._git = git
        self._pool = pool
        self._embedder = embedder
        self._settings = settings
        self._mark = mark

    def batches(self, entries: Iterable[Entry], cancelled: Callable[[], bool]) -> Generator[Batch]:
        """Everything that is to be sent of some files; raises `Cancelled` if somebody says so."""
        waiting: list[_Made] = []
        skipped: dict[str, str] = {}
        size = 0
        with closing(self._parsed(entries, cancelled)) as answers:
            for entry, parsed in answers:
                if parsed.content is None:
                    assert parsed.skip is not None, "of bytes at hand there is a content or a reason"
                    skipped[entry.path] = parsed.skip.reason.value
                    continue
                made = _Made(
                    entry.path,
                    parsed.content.hash,
                    parsed.content.language,
                    unpack_without_edges(parsed.content.packed),
                    parsed.terms,
                    parsed.data,
                )
                waiting.append(made)
                size += self._weight(made)
                if size >= BATCH_BYTES:
                    yield self._batch(waiting, skipped)
                    waiting, skipped, size = [], {}, 0
        if waiting or skipped:
            yield self._batch(waiting, skipped)

    def _parsed(self, entries: Iterable[Entry], cancelled: Callable[[], bool]) -> Generator[tuple[Entry, Parsed]]:
        for some in slices(entries, SLICE_BYTES):
            objects = self._git.objects((each.blob for each in some), self._settings.max_file_bytes)
            # As text that an editor shows: the bytes are the commit's, whatever lies in the working tree.
            jobs = [
                Job(number, "", entry.path, shown=stored.data or b"")
                for number, (entry, stored) in enumerate(zip(some, objects, strict=True))
            ]
            answered = 0
            for parsed in self._pool.run(jobs, cancelled):
                answered += 1
                yield some[parsed.number], parsed
            if answered < len(some):
                raise Cancelled("stopped; nothing of the commit is visible yet, and the same command goes on from here")

    def _weight(self, made: _Made) -> int:
        vector = 4 * self._embedder.dimension if self._embedder else 0
        words = sum(len(each.body) + len(each.names) + len(each.docs) for each in made.terms)
        return words + len(made.terms) * (vector + _CHUNK_BYTES)

    def _batch(self, waiting: Sequence[_Made], skipped: dict[str, str]) -> Batch:
        vectors = self._vectors(waiting)
        files: list[SharedFile] = []
        at = 0
        for made in waiting:
            end = at + len(made.outline.chunks)
            files.append(self._file(made, vectors[at:end] if vectors is not None else None))
            at = end
        return Batch(tuple(files), skipped, sum(len(made.outline.masks) for made in waiting))

    def _file(self, made: _Made, vectors: Vectors | None) -> SharedFile:
        chunks = zip(made.outline.chunks, made.terms, strict=True)
        return SharedFile(
            made.path,
            marked(made.content, self._mark),
            made.language,
            terms(made.path.encode()),
            tuple(SharedChunk(chunk.first_line, chunk.last_line, chunk.digest, its) for chunk, its in chunks),
            vectors,
        )

    def _vectors(self, waiting: Sequence[_Made]) -> Vectors | None:
        if self._embedder is None:
            return None
        texts = [document_text(made.path, made.data[c.start : c.end]) for made in waiting for c in made.outline.chunks]
        parts = [
            self._embedder.embed_documents(texts[at : at + BATCH_CHUNKS]) for at in range(0, len(texts), BATCH_CHUNKS)
        ]
        found = np.concatenate(parts) if parts else np.zeros((0, self._embedder.dimension), np.float32)
        wanted = (len(texts), self._embedder.dimension)
        if found.shape != wanted:
            raise EmbedderError(f"{self._embedder.name} gave vectors of shape {found.shape} instead of {wanted}")
        return found
