"""What a search sees: one state of the postings, the changes in memory on top of it, and what editors show."""

from collections.abc import Collection, Mapping

import msgspec

from lurcher_index.overlay import OpenFile
from lurcher_index.text.terms import analyse
from lurcher_index.ties import Order, TreeOrder, in_order, order_of
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.delta import Delta
from lurcher_index.words.filters import Filters, Scope
from lurcher_index.words.parts import SPARSE, parts_of
from lurcher_index.words.postings import PostingsView
from lurcher_index.words.query import WordQuery
from lurcher_index.words.weights import FIELD_WEIGHTS, Fields

_SHARES = {"body": 1.0, "docs": 0.25, "names": 0.1, "path_terms": 0.03}
"""Of the chunks that hold a term in their text, how many hold it in another field too: geometric means over common
words and five trees."""


class Corpus(msgspec.Struct, frozen=True):
    """How common terms are in something larger than what is indexed here."""

    chunks: int
    holding: Mapping[str, int]
    """By term, the chunks that hold it in their text."""
    fields: Mapping[str, Mapping[str, int]] = {}
    """The same for other fields, as far as they are known."""
    lengths: Mapping[str, float] = {}
    """By field, how many terms a chunk has on average; those of fields that are not known are missing."""

    def frequency(self, field: str, term: str) -> int:
        """In how many chunks a term stands in a field; where that is not known, in about how many."""
        if field in self.fields:
            return self.fields[field].get(term, 0)
        return round(_SHARES[field] * self.holding.get(term, 0))


class Snapshot(msgspec.Struct, frozen=True):
    """A frozen view of the workspace's words; searches on it are not disturbed by changes."""

    postings: PostingsView
    stored: Delta
    """What changed on disk since the postings were written."""
    pending: int
    """Files that are known but cannot be found yet as they are now: not read, or not in the postings."""
    outdated: int
    """Those among them that the index counts all the same."""
    tree: TreeOrder
    """The order of the files that the postings have."""
    generation: tuple[int, int] = (0, 0)
    """Another one whenever the index or an open document has changed."""
    delta: Delta = Delta()
    """`stored` with the open documents in place of their files."""
    shown: Mapping[int, OpenFile] = {}
    """The open documents that are not what the index has, by number."""
    corpus: Corpus | None = None
    """What rarities are taken from where the index here is only a part of what was searched."""

    @property
    def chunk_count(self) -> int:
        """Among how many chunks a term is rare or common."""
        return max(self.postings.chunk_count, self.corpus.chunks if self.corpus else 0)

    def document_frequency(self, field: str, term: str) -> int:
        """In how many of them it stands in a field."""
        elsewhere = self.corpus.frequency(field, term) if self.corpus else 0
        return max(elsewhere, self.postings.document_frequency(field, term))

    def search(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        """The best chunks, best first; changed files hide what the postings say of them.

        Who types a compound name means it as it is: where that stands, chunks that only hold its parts come behind.
        """
        if query.is_compound_name and self._may_stand(query.groups[0].whole, query.fields):
            found = self._search(query.as_written(), filters, limit)
            if any(candidate.first for candidate in found):
                return found
        return self._search(query, filters, limit)

    def _may_stand(self, term: str, fields: Fields) -> bool:
        """Whether a term stands in a field that is searched, or did until a moment ago.

        A search for what stands nowhere would compare it with every term there is, only to be made anew.
        """
        if any(self.postings.document_frequency(field, term) for field in FIELD_WEIGHTS[fields]):
            return True
        return any(file.anywhere(term, fields) for file in self.delta.files.values())

    def holds(self, term: str) -> bool:
        """Whether any chunk holds a term in its text."""
        if any(file.holding("body", term) for file in self.delta.files.values()):
            return True
        return self.postings.holds("body", term, self.delta.hidden())

    def _search(self, query: WordQuery, filters: Filters, limit: int) -> list[Candidate]:
        deep = limit + filters.scope.others if filters.scope is not None else limit
        found = self.postings.search(query, filters, deep, self.delta.hidden())
        found += self.delta.search(query, filters, self.postings.chunk_count, self.postings.document_frequency)
        found = within(filters.scope, found)
        found = in_order(found, self.orders)
        if len(found) < min(limit, SPARSE):
            found += self._in_part(query, filters, deep + len(found), {candidate[:3] for candidate in found})
        return found[:limit]

    def _in_part(
        self, query: WordQuery, filters: Filters, limit: int, known: Collection[tuple[int, int, int]]
    ) -> list[Candidate]:
        """What holds the words of a question only as parts of others, or misspelt, beyond what is found already."""
        parts = parts_of(query, self._is_known)
        if parts is None:
            return []
        found = self.postings.holding_parts(parts, filters, limit, self.delta.hidden())
        found += self.delta.holding_parts(parts, filters)
        found = [candidate for candidate in within(filters.scope, found) if candidate[:3] not in known]
        return in_order(found, self.orders)

    def orders(self, file_ids: Collection[int]) -> dict[int, Order]:
        """Where some files stand among their equals, by what is in memory or in the truth."""
        changed = self.delta.files
        found = {number: order_of(changed[number].file.place) for number in file_ids if number in changed}
        return found | self.tree.of([number for number in file_ids if number not in found])

    def _is_known(self, word: str) -> bool:
        """Whether the workspace holds a word as it is."""
        whole, parts = analyse(word)
        terms = [term for term in (whole, *parts) if term]
        if any(file.anywhere(term, Fields.SNIPPETS) for file in self.delta.files.values() for term in terms):
            return True
        hidden = self.delta.hidden()
        return any(self.postings.holds("body", term, hidden) for term in terms)

    def any_file_passes(self, filters: Filters) -> bool:
        """Whether the filters leave anything to search."""
        changed = (each.file for each in self.delta.files.values())
        return self.postings.any_file_passes(filters) or any(filters.accepts(f.key, f.language) for f in changed)


def within(scope: Scope | None, found: list[Candidate]) -> list[Candidate]:
    """Those of some chunks of files that are covered which are in the scope themselves."""
    if scope is None or not scope.parts:
        return found
    return [candidate for candidate in found if scope.holds(*candidate[:3])]
