"""What a search sees: one state of the postings, the changes in memory on top of it, and what editors show."""

from collections.abc import Collection, Mapping

import msgspec

from lurcher_index.overlay import OpenFile
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.delta import Delta
from lurcher_index.text.terms import analyse
from lurcher_index.words.filters import Filters
from lurcher_index.words.parts import SPARSE, parts_of
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
        found = self.postings.search(query, filters, limit, self.delta.hidden())
        found += self.delta.search(query, filters, self.postings.chunk_count, self.postings.document_frequency)
        found.sort(key=lambda candidate: (not candidate.first, -candidate.score, candidate[:3]))
        if len(found) < min(limit, SPARSE):
            found += self._in_part(query, filters, limit, {candidate[:3] for candidate in found})
        return found[:limit]

    def _in_part(
        self, query: WordQuery, filters: Filters, limit: int, known: Collection[tuple[int, int, int]]
    ) -> list[Candidate]:
        """What holds the words of a question only as parts of others, or misspelt, beyond what is found already."""
        parts = parts_of(query, self._is_known)
        if parts is None:
            return []
        found = self.postings.holding_parts(parts, filters, limit + len(known), self.delta.hidden())
        found += self.delta.holding_parts(parts, filters)
        found.sort(key=lambda candidate: (-candidate.score, candidate[:3]))
        return [candidate for candidate in found if candidate[:3] not in known]

    def _is_known(self, word: str) -> bool:
        """Whether the workspace holds a word as it is; a changed file that nobody asked for does not matter here."""
        whole, parts = analyse(word)
        return any(self.postings.document_frequency("body", term) for term in (whole, *parts) if term)

    def any_file_passes(self, filters: Filters) -> bool:
        """Whether the filters leave anything to search."""
        changed = (each.file for each in self.delta.files.values())
        return self.postings.any_file_passes(filters) or any(filters.accepts(f.key, f.language) for f in changed)
