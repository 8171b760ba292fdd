"""What the strategies search: a view of the workspace together with its vectors."""

from collections.abc import Hashable, Sequence

import msgspec

from lurcher_index.dense.embedder import Embedder, Vectors
from lurcher_index.meaning import Meaning
from lurcher_index.strategies.interface import WholeFile
from lurcher_index.text.tokens import estimate_tokens
from lurcher_index.view import View
from lurcher_index.whole import whole_text
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import WordQuery
from lurcher_index.workspace import Workspace

MOST_FILES = 100
"""As many files as anybody asks to count."""


class Searched:
    """One state of the workspace, as strategies see it. Everything here may block and is called in threads."""

    def __init__(self, workspace: Workspace, meaning: Meaning | None) -> None:
        """Take the workspace's present state."""
        self.view = View(workspace)
        self.meaning = meaning
        self.vectors_ready = meaning.searchable() if meaning else 0.0
        self.is_complete = self.view.is_complete
        self.is_filled = self.view.is_filled

    @property
    def generation(self) -> Hashable:
        """Another one whenever the index or the open documents change."""
        return self.view.snapshot.generation

    def words(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        """The best chunks by words."""
        return self.view.words(query, filters, limit)

    def similar(self, vector: Vectors, filters: Filters, limit: int) -> list[Candidate]:
        """The chunks most like the question."""
        return self.meaning.similar(self.view, vector, filters, limit) if self.meaning else []

    def similarities(self, vector: Vectors, candidates: Sequence[Candidate], embedder: Embedder) -> list[float | None]:
        """How like the question each candidate is; None for those whose text is gone."""
        assert self.meaning is not None and self.meaning.embedder is embedder, "one model a search"
        passages, _ = self.view.passages(candidates, stop_at=len(candidates))
        if not passages:
            return [None] * len(candidates)
        cosines = self.meaning.vectors(passages) @ vector.reshape(-1)
        found = {passage.candidate[:3]: float(cosine) for passage, cosine in zip(passages, cosines, strict=True)}
        return [found.get(candidate[:3]) for candidate in candidates]

    def file_count(self, filters: Filters, most: int) -> int:
        """How many files pass the filters, counted up to `most`."""
        rows, are_few = self.view.files(filters, most - 1)
        return len(rows) if are_few else most

    def whole_files(self, filters: Filters) -> tuple[list[WholeFile], list[str]]:
        """All files that pass, in the order of their paths, and those that could not be read."""
        files: list[WholeFile] = []
        unreadable: list[str] = []
        for row in self.view.files(filters, MOST_FILES)[0]:
            text = self.view.text_of(row)
            if text is None:
                unreadable.append(row.path)
                continue
            decoded = text.data.decode("utf-8", "replace")
            file = WholeFile(str(text.folder), row.path, decoded, text.language, 0, text.version)
            files.append(msgspec.structs.replace(file, tokens=estimate_tokens(whole_text(file))))
        return files, unreadable
