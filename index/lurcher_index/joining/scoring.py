"""The words of a few files, scored as if the whole repository were indexed here.

The postings of a machine that has only some files hold the wrong rarities: in files that were found for a word, that
word is common. So these files are scored in memory, with what the remote side says of its whole repository.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping

import msgspec

from lurcher_index.building.terms import chunk_terms
from lurcher_index.files.reading import read_document
from lurcher_index.model import Skip
from lurcher_index.snapshot import within
from lurcher_index.store.catalog import FileRow
from lurcher_index.text.terms import terms
from lurcher_index.view import View
from lurcher_index.words.candidates import Candidate, WordFile
from lurcher_index.words.delta import Delta, DeltaFile, counted
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import WordQuery

REMEMBERED_FILES = 1_024
"""Files whose terms are kept: those that recent questions led to; about 30 KB each."""


class FewFiles:
    """Terms of files that searches were led to. Thread-safe."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._known: OrderedDict[tuple[int, int], DeltaFile] = OrderedDict()
        self._turn = threading.Lock()

    def search(
        self, view: View, rows: Iterable[FileRow], query: WordQuery, filters: Filters, limit: int
    ) -> list[Candidate]:
        """The best chunks of some files and of the open documents among them, best first."""
        delta = view.snapshot.delta
        wanted = {row.file_id: row for row in rows if row.file_id not in delta.gone}
        files = {number: file for number, file in delta.files.items() if number in wanted or number < 0}
        for number, row in wanted.items():
            if number not in files and (file := self._file(view, row)) is not None:
                files[number] = file
        snapshot = view.snapshot
        rarities = snapshot.chunk_count, snapshot.document_frequency
        # What was published counts the files that it led to, and with them nearly all that differs a little here.
        corpus = snapshot.corpus
        lengths: Mapping[str, float] = corpus.lengths if corpus is not None else {}
        found = Delta(files).search(query, filters, *rarities, are_counted=corpus is not None, lengths=lengths)
        found = within(filters.scope, found)
        found.sort(key=lambda candidate: (not candidate.first, -candidate.score, candidate[:3]))
        return found[:limit]

    def _file(self, view: View, row: FileRow) -> DeltaFile | None:
        """The terms of a file; None if it is no longer what the index has."""
        assert row.content_id is not None, "only files with a content are searched"
        key = (row.file_id, row.content_id)
        with self._turn:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        made = _counted(view, row)
        if made is not None:
            with self._turn:
                self._known[key] = made
                while len(self._known) > REMEMBERED_FILES:
                    self._known.popitem(last=False)
        return made


def _counted(view: View, row: FileRow) -> DeltaFile | None:
    known = view.workspace.catalog.known_file(row.folder_id, row.path)
    outline = view.outline_of(row)
    document = read_document(view.folder_of(row) / row.path, row.path, view.workspace.settings)
    if known is None or outline is None or isinstance(document, Skip) or document.content_hash != known.hash:
        return None
    assert row.content_id is not None, "it has an outline"
    chunks = chunk_terms(document.data, outline)
    key = f"{row.folder_id}/{row.path}"
    made = counted(WordFile(row.file_id, row.content_id, key, terms(row.path.encode()), outline.language, chunks))
    # The terms in their order are for those who fold a file into the postings.
    return msgspec.structs.replace(made, file=msgspec.structs.replace(made.file, chunks=()))
