"""What a search sees: one state of the postings, the changes in memory on top of it, and what editors show."""

from collections.abc import Mapping

import msgspec

from lurcher_index.overlay import OpenFile
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.delta import Delta
from lurcher_index.words.filters import Filters
from lurcher_index.words.postings import PostingsView
from lurcher_index.words.query import WordQuery


class Snapshot(msgspec.Struct, frozen=True):
    """A frozen view of the workspace's words; searches on it are not disturbed by changes."""

    postings: PostingsView
    stored: Delta
    """What changed on disk since the postings were written."""
    pending: int
    """Files that are known but cannot be found yet."""
    generation: tuple[int, int] = (0, 0)
    """Another one whenever the index or an open document has changed."""
    delta: Delta = Delta()
    """`stored` with the open documents in place of their files."""
    shown: Mapping[int, OpenFile] = {}
    """The open documents that are not what the index has, by number."""

    def search(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        """The best chunks, best first; changed files hide what the postings say of them."""
        scope = filters.scope
        deep = limit + scope.others if scope is not None else limit
        found = self.postings.search(query, filters, deep, self.delta.hidden())
        found += self.delta.search(query, filters, self.postings.chunk_count, self.postings.document_frequency)
        if scope is not None and scope.parts:
            found = [candidate for candidate in found if scope.holds(*candidate[:3])]
        found.sort(key=lambda candidate: (not candidate.first, -candidate.score, candidate[:3]))
        return found[:limit]

    def any_file_passes(self, filters: Filters) -> bool:
        """Whether the filters leave anything to search."""
        changed = (each.file for each in self.delta.files.values())
        return self.postings.any_file_passes(filters) or any(filters.accepts(f.key, f.language) for f in changed)
