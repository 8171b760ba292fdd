"""Search by meaning: the stored vectors of the index, and vectors made on the spot for what has none yet."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from lurcher_index.building.progress import Cancelled, Phase, Progress, Report, never, unheard
from lurcher_index.dense.embedder import Embedder, Vectors, WordEmbedder
from lurcher_index.dense.embedding_pass import document_text, embed_missing
from lurcher_index.dense.fresh import FreshVectors
from lurcher_index.dense.linking import link_early
from lurcher_index.dense.nearest import NO_WORDS, Nearness, nearest_words
from lurcher_index.dense.retyped import RetypedVectors
from lurcher_index.dense.vectors import VectorIndex
from lurcher_index.dense.wordlists import Wordlist, Wordlists, unpacked
from lurcher_index.errors import ModelError
from lurcher_index.presenting import Passage
from lurcher_index.store.catalog import FileRow
from lurcher_index.ties import in_order
from lurcher_index.view import View
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.filters import Filters
from lurcher_index.workspace import Workspace

MOST_NAMED = 2_048
"""Files of a scope up to which they are looked up one by one, and nothing but them; each takes about 20 µs."""

REMEMBERED_CONTENTS = 2_048
"""Contents whose words are kept: those of the files that recent questions touched; one to three KB each."""

Cosines = NDArray[np.float32]
"""One number for each chunk of a content."""


class Meaning:
    """One embedding model over one workspace. Thread-safe."""

    def __init__(self, workspace: Workspace, embedder: Embedder) -> None:
        """Nothing is loaded before the first search."""
        self.embedder = embedder
        self._word_embedder = embedder if isinstance(embedder, WordEmbedder) else None
        self.workspace = workspace
        self._rows = workspace.vector_rows(embedder.name, embedder.dimension)
        self._index = VectorIndex(self._rows)
        self._shown: dict[int, Vectors] = {}
        self._retyped = RetypedVectors(embedder)
        self._turn = threading.Lock()
        folders = {folder.folder_id: folder.path for folder in workspace.folders}
        self._fresh = FreshVectors(workspace.catalog, self._rows, folders, workspace.settings, embedder)
        self._coverage = (-1, 0.0)
        self._words: OrderedDict[int, Wordlists] = OrderedDict()

    def load(self) -> None:
        """Take in the vectors that are stored, and load what searches them even if there are none yet."""
        # Loading it stops the interpreter for 30 ms: at the start, not in a later search.
        link_early("faiss")
        import_module("faiss")
        self._index.refresh()
        if self.embedder.is_quick:
            # What it needs for questions alone is read with the first one; if it cannot be, the next one says why.
            with suppress(ModelError):
                self.embedder.embed_query("a")

    def ready(self) -> float:
        """Share of the chunks that have a vector."""
        version = self.workspace.data_version()
        if self._coverage[0] != version:
            coverage = self._rows.coverage()
            self._coverage = (version, coverage.ready / coverage.total if coverage.total else 1.0)
        return self._coverage[1]

    def searchable(self) -> float:
        """The same once the few that lack one have got it for the moment, so that a search finds what is new."""
        ready = self.ready()
        if ready == 1.0:
            self._fresh.forget()
            return ready
        coverage = self._rows.coverage()
        return min(1.0, (coverage.ready + self._fresh.make()) / max(1, coverage.total))

    @property
    def made_on_the_spot(self) -> int:
        """Chunks whose vectors are kept beside the stored ones, until they are stored too."""
        return sum(len(each.vectors) for each in self._fresh.made.values())

    def catch_up(self, report: Report = unheard, cancelled: Cancelled = never, origin: str = "") -> bool:
        """Make the vectors that are missing; False if it was cancelled, with what was done until then kept.

        After a whole pass the vectors of other models go: all that can be had has one of this model. `origin` says how
        the model can be made again, for the time when another one takes its place.
        """
        self._rows.note_origin(origin)
        began = time.monotonic()

        def tell(done: int, total: int) -> None:
            report(Progress(Phase.EMBEDDING, done, total, seconds=time.monotonic() - began))

        self._embed(tell, cancelled)
        if cancelled():
            return False
        self._rows.forget_other_models()
        return True

    def embed_some(self, content_ids: Collection[int], cancelled: Cancelled = never) -> None:
        """Make the vectors that some contents lack, and those alone."""
        self._embed(lambda _done, _total: None, cancelled, content_ids)

    def _embed(
        self, tell: Callable[[int, int], object], cancelled: Cancelled, among: Collection[int] | None = None
    ) -> None:
        workspace = self.workspace
        folders = {folder.folder_id: folder.path for folder in workspace.folders}
        embed_missing(workspace.catalog, self._rows, folders, workspace.settings, self.embedder, tell, cancelled, among)

    def similar(self, view: View, vector: Vectors, filters: Filters, limit: int) -> list[Candidate]:
        """The chunks most like a question, best first: exactly the best of those that pass the filters."""
        self._index.refresh()
        owners: dict[int, list[FileRow]] = {}

        def accepted(content_ids: Sequence[int]) -> set[int]:
            owners.update(_owners(view, filters, [number for number in content_ids if number not in owners]))
            return {number for number in content_ids if owners[number]}

        scope = filters.scope
        deep = limit + scope.others if scope is not None else limit
        if scope is not None and scope.is_named and len(keys := scope.all_keys()) <= MOST_NAMED:
            hits = self._index.search_among(vector, deep, accepted(view.workspace.catalog.contents_at(keys)))
        else:
            hits = self._index.search_where(vector, deep, accepted)
        found = [
            Candidate(row.file_id, hit.content_id, hit.ordinal, hit.cosine, False)
            for hit in hits
            for row in owners[hit.content_id]
        ]
        found += self._similar_fresh(view, vector, filters, {hit.content_id for hit in hits})
        found += self._similar_shown(view, vector, filters)
        if scope is not None and scope.parts:
            found = [candidate for candidate in found if scope.holds(*candidate[:3])]
        return in_order(found, view.snapshot.orders)[:limit]

    def vectors(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of some passages, one row each: stored ones, or made now."""
        self._index.refresh()
        keys = [(each.candidate.content_id, each.candidate.ordinal) for each in passages]
        matrix, found = self._index.rows(keys)
        missing = [at for at, is_there in enumerate(found) if not is_there]
        if missing:
            texts = [document_text(passages[at].row.path, passages[at].data) for at in missing]
            matrix[missing] = self.embedder.embed_documents(texts)
        return matrix

    def content_cosines(self, view: View, vector: Vectors, content_ids: Sequence[int]) -> dict[int, Cosines]:
        """How like a question every chunk of some files and open documents is; those without vectors are missing.

        What was stored since candidates were last looked for is not taken in: they were chosen without it.
        """
        found = self._index.content_cosines(vector, [number for number in content_ids if number >= 0])
        fresh = self._fresh.made
        for number in content_ids:
            if number < 0 and number in view.snapshot.shown:
                found[number] = self._vectors_of_shown(view, number) @ vector.reshape(-1)
            elif number in fresh and number not in found:
                found[number] = fresh[number].vectors @ vector.reshape(-1)
        return found

    def nearest_words(
        self,
        view: View,
        question: str,
        rarity: Callable[[str], float],
        chunks: Sequence[tuple[int, int]],
        chunk_counts: Mapping[int, int],
    ) -> Nearness | None:
        """How near the words of some chunks, given by content and ordinal, come to those of a question.

        None if the model knows no words. What has no vectors yet is near to nothing.
        """
        embedder = self._word_embedder
        if embedder is None:
            return None
        asked = embedder.asked_words(question)
        stored = self._stored_words({n: count for n, count in chunk_counts.items() if n >= 0})
        shown = _shown_words(view, embedder, [chunk for chunk in chunks if chunk[0] < 0])
        stored |= {n: words for n in chunk_counts if n not in stored and (words := self._fresh_words(n)) is not None}
        found = shown | {(number, at): stored[number].of(at) for number, at in chunks if number in stored}
        lists = [found.get(chunk, _NOTHING) for chunk in chunks]
        return nearest_words(embedder, asked, [rarity(word) for word in asked.words], lists)

    def _stored_words(self, chunk_counts: Mapping[int, int]) -> dict[int, Wordlists]:
        """The words of the chunks of some contents, as far as they are known."""
        with self._turn:
            found = {number: self._words[number] for number in chunk_counts if number in self._words}
            for number in found:
                self._words.move_to_end(number)
        read = self._rows.words([number for number in chunk_counts if number not in found])
        made = {number: words for number, data in read.items() if (words := unpacked(data, chunk_counts[number]))}
        with self._turn:
            self._words.update(made)
            while len(self._words) > REMEMBERED_CONTENTS:
                self._words.popitem(last=False)
        return found | made

    def _fresh_words(self, content_id: int) -> Wordlists | None:
        fresh = self._fresh.made.get(content_id)
        return fresh.words if fresh is not None else None

    def _similar_fresh(self, view: View, vector: Vectors, filters: Filters, known: Collection[int]) -> list[Candidate]:
        """What no pass has come to yet, but for what is stored by now."""
        fresh = {number: each for number, each in self._fresh.made.items() if number not in known}
        # A vector of zeros is similar to none.
        owners = _owners(view, filters, [*fresh]) if fresh and vector.any() else {}
        return [
            Candidate(row.file_id, number, at, float(cosine), False)
            for number, rows in owners.items()
            if rows
            for at, cosine in enumerate(fresh[number].vectors @ vector.reshape(-1))
            for row in rows
        ]

    def _similar_shown(self, view: View, vector: Vectors, filters: Filters) -> list[Candidate]:
        found: list[Candidate] = []
        for number, shown in view.snapshot.shown.items():
            if shown.words is None or not filters.accepts(shown.words.file.key, shown.words.file.language):
                continue
            cosines = self._vectors_of_shown(view, number) @ vector.reshape(-1)
            found += [Candidate(number, number, at, float(cosine), False) for at, cosine in enumerate(cosines)]
        return found

    def _vectors_of_shown(self, view: View, number: int) -> Vectors:
        """The vectors of an open document, made once for each of its texts."""
        with self._turn:
            known = self._shown.get(number)
        if known is not None:
            return known
        shown = view.snapshot.shown[number]
        chunks = shown.held.outline.chunks if shown.held else ()
        place = (shown.folder.folder_id, shown.path)
        made = self._retyped.of(place, [shown.data[chunk.start : chunk.end] for chunk in chunks])
        self._retyped.keep({(each.folder.folder_id, each.path) for each in view.snapshot.shown.values()})
        with self._turn:
            self._shown = {n: rows for n, rows in self._shown.items() if n in view.snapshot.shown} | {number: made}
        return made


_NOTHING = NO_WORDS[:0]


def _shown_words(
    view: View, embedder: WordEmbedder, chunks: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Wordlist]:
    """The words of some chunks of open documents: of those alone, since the next text of a document may have others."""
    texts: dict[tuple[int, int], str] = {}
    for number, ordinal in chunks:
        shown = view.snapshot.shown.get(number)
        pieces = shown.held.outline.chunks if shown is not None and shown.held is not None else ()
        if shown is not None and ordinal < len(pieces):
            data = shown.data[pieces[ordinal].start : pieces[ordinal].end]
            texts[number, ordinal] = document_text(shown.path, data)
    return dict(zip(texts, embedder.embed_with_words([*texts.values()])[1], strict=True)) if texts else {}


def _owners(view: View, filters: Filters, content_ids: Sequence[int]) -> dict[int, list[FileRow]]:
    """The files that have some contents, pass the filters and are not hidden by what an editor shows."""
    owners: dict[int, list[FileRow]] = {number: [] for number in content_ids}
    folders = {folder.folder_id for folder in view.workspace.folders}
    for row, language in view.rows_with(content_ids):
        hidden = row.file_id in view.snapshot.delta.gone or row.folder_id not in folders
        if row.content_id is not None and not hidden and filters.accepts(f"{row.folder_id}/{row.path}", language):
            owners[row.content_id].append(row)
    return owners
