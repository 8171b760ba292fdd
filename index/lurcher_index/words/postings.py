"""The stored term index (tantivy). Derived from the truth in SQLite: it can be deleted at any time."""

import shutil
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import tantivy
from tantivy import Occur, Query

from lurcher_index.errors import BadQuery, StoreDamaged, StoreError
from lurcher_index.words.candidates import Candidate, WordFile
from lurcher_index.words.contents import CONFIGURATION_LANGUAGES, DOCUMENT_LANGUAGES, Content
from lurcher_index.words.weights import FIELD_WEIGHTS, PART_SCORE, PREFIX_TERMS, PREFIX_WEIGHT, USUAL_LENGTHS, Fields

if TYPE_CHECKING:
    from lurcher_index.words.filters import Filters, Scope
    from lurcher_index.words.parts import Parts
    from lurcher_index.words.query import WordQuery

WRITER_BYTES = 96_000_000
"""Memory the writer may fill before it writes a segment: fewer, larger segments make queries quicker."""

SPARE_HITS = 32
"""Hits fetched beyond those that are wanted, to see where the last ones' equals end: enough for 59 of 62 questions
about two trees, and a second search costs as much as the first."""

MOST_EQUALS = 1_024
"""Hits beyond those that are wanted that are fetched at most. Where more are equal, as where thousands of files are
copies, the postings' own order decides: to look at 20,000 of them took 30 times as long as the search. Where only parts
of words are looked for, all that hold as many of them are equal, so there it is the first try."""

_ALL_WORDS_BONUS = 10_000.0
"""Far above any BM25 score, so that chunks with all words come first and can be told from the rest."""


class Postings:
    """Terms → chunks. One process writes at a time; any number read."""

    def __init__(self, directory: Path | None, before_new: Callable[[], object] = lambda: None) -> None:
        """Open or create the index in `directory`, or in memory. What cannot be opened is created anew, empty.

        `before_new` is called before an empty one is made: a crash in between must not leave an empty index that
        passes for a full one.
        """
        self.was_reset = False
        self.is_new = directory is None or not (directory / "meta.json").exists()
        self._before_new = before_new
        if directory is None:
            before_new()
            self._index = tantivy.Index(_schema())
        else:
            self._index = self._open(directory)
        self._schema = self._index.schema
        self._writer: tantivy.IndexWriter | None = None

    def _open(self, directory: Path) -> tantivy.Index:
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if self.is_new:
                self._before_new()
            try:
                return tantivy.Index(_schema(), str(directory))
            except (ValueError, OSError):
                self.was_reset = self.is_new = True
                shutil.rmtree(directory)
                self._before_new()
                directory.mkdir()
                return tantivy.Index(_schema(), str(directory))
        except (ValueError, OSError) as error:
            raise StoreError(f"the word index in {directory} cannot be opened or created: {error}") from error

    def searcher(self) -> "PostingsView":
        """A frozen view of what is committed now."""
        try:
            self._index.reload()
            return PostingsView(self._index.searcher(), self._schema)
        except (ValueError, OSError) as error:
            raise StoreDamaged(f"the word index cannot be read: {error}") from error

    def replace(self, file: WordFile) -> None:
        """Put a file's chunks in place of those it had; visible after `commit`."""
        writer = self._open_writer()
        try:
            self._delete(writer, file.file_id)
            for ordinal, terms in enumerate(file.chunks):
                document = tantivy.Document()
                document.add_text("body", terms.body)
                document.add_text("names", terms.names)
                document.add_text("docs", terms.docs)
                document.add_text("path_terms", file.path_terms)
                document.add_text("key", file.key)
                document.add_text("language", file.language)
                document.add_unsigned("file", file.file_id)
                document.add_unsigned("content", file.content_id)
                document.add_unsigned("ordinal", ordinal)
                writer.add_document(document)
        except (ValueError, OSError) as error:
            raise StoreError(f"the word index cannot be written: {error}") from error

    def remove(self, file_id: int) -> None:
        """Take a file's chunks out; visible after `commit`."""
        self._delete(self._open_writer(), file_id)

    def _delete(self, writer: tantivy.IndexWriter, file_id: int) -> None:
        # Not by term: tantivy 0.27 takes a Python int for a signed one there, and deletes nothing.
        writer.delete_documents_by_query(Query.term_query(self._schema, "file", file_id))

    def commit(self) -> None:
        """Make what was written durable and visible."""
        if self._writer is None:
            return
        try:
            self._writer.commit()
        except (ValueError, OSError) as error:
            raise StoreError(f"the word index cannot be written: {error}") from error

    def release(self) -> None:
        """Give up the writer (uncommitted changes are dropped) so that another process can write."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        try:
            writer.rollback()
            writer.wait_merging_threads()
        except (ValueError, OSError) as error:
            raise StoreError(f"the word index cannot be written: {error}") from error

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            try:
                self._writer = self._index.writer(WRITER_BYTES, 1)
            except (ValueError, OSError) as error:
                raise StoreError(f"the word index cannot be written: {error}") from error
        return self._writer


class PostingsView:
    """One state of the postings, unchanged by later commits."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        """Wrap a searcher; made by `Postings.searcher`."""
        self._searcher = searcher
        self._schema = schema
        self.chunk_count = searcher.num_docs

    def document_frequency(self, field: str, term: str) -> int:
        """In how many chunks a term stands in a field; chunks deleted a moment ago may still count."""
        with _translated_errors():
            return self._searcher.doc_freq(field, term)

    def holds(self, field: str, term: str, hidden: Collection[int] = ()) -> bool:
        """Whether a chunk that is still there holds a term in a field, without the `hidden` files."""
        # Most terms that nothing holds were never there, and that is told thirty times quicker.
        if not self.document_frequency(field, term):
            return False
        clauses = [(Occur.Must, self._term(field, term)), *self._without(hidden)]
        with _translated_errors():
            return bool(self._searcher.search(Query.boolean_query(clauses), 1, count=False).hits)

    def completions(self, prefix: str) -> list[str]:
        """The most frequent terms that begin with an unfinished word, without the word itself."""
        found = self._searcher.terms_with_prefix("body", prefix, limit=PREFIX_TERMS + 1)
        return [term for term, _ in found if term != prefix][:PREFIX_TERMS]

    def search(
        self, query: "WordQuery", filters: "Filters", limit: int, hidden: Collection[int] = ()
    ) -> list[Candidate]:
        """The best chunks for a question, those with all words of a short one first, without the `hidden` files.

        They are more than `limit` where others equal the last of them: which of equals count is not decided here.
        """
        if not query.groups:
            return []
        filtering = self._filter_clauses(filters)
        with _translated_errors():
            clauses = [(Occur.Must, self._any_word(query)), *filtering]
        return [
            Candidate(file, content, ordinal, *_without_bonus(score))
            for score, file, content, ordinal in self._hits(clauses, limit, hidden, SPARE_HITS)
        ]

    def _hits(
        self, clauses: list[tuple[Occur, Query]], limit: int, hidden: Collection[int], spare: int
    ) -> Iterator[tuple[float, int, int, int]]:
        """Score, file, content and ordinal of the best chunks."""
        with _translated_errors():
            found = self._best(Query.boolean_query([*clauses, *self._without(hidden)]), limit, spare)
            places = [place for _, place in found]
            columns = [self._searcher.fast_field_values(name, places) for name in ("file", "content", "ordinal")]
        for (score, _), file, content, ordinal in zip(found, *columns, strict=True):
            yield score, int(file or 0), int(content or 0), int(ordinal or 0)

    def _without(self, hidden: Collection[int]) -> list[tuple[Occur, Query]]:
        return [(Occur.MustNot, Query.term_set_query(self._schema, "file", list(hidden)))] if hidden else []

    def _best(self, query: Query, limit: int, spare: int) -> list[tuple[float, tantivy.DocAddress]]:
        """The best hits with those that equal the last of them, up to `MOST_EQUALS`.

        tantivy cuts equal scores by its own numbers, which follow the order of writing and of merges.
        """
        found: list[tuple[float, tantivy.DocAddress]] = []
        for beyond in dict.fromkeys((spare, MOST_EQUALS)):
            # The collector sets aside memory for as many hits as it is asked for.
            asked = min(limit + beyond, max(1, self.chunk_count))
            found = self._searcher.search(query, asked, count=False).hits
            if len(found) < asked or found[-1][0] < found[min(limit, asked) - 1][0]:
                break
        return found if len(found) <= limit else [hit for hit in found if hit[0] >= found[limit - 1][0]]

    def holding_parts(self, parts: "Parts", filters: "Filters", limit: int, hidden: Collection[int]) -> list[Candidate]:
        """Chunks with terms that hold some words or resemble one that may be misspelt, those with most words first."""
        found = [(Occur.Should, Query.const_score_query(self._like(parts, word), 1.0)) for word in parts.words]
        clauses = [(Occur.Must, Query.boolean_query(found)), *self._filter_clauses(filters)]
        count = len(parts.words)
        return [
            # As the delta reckons, to the last bit.
            Candidate(file, content, ordinal, PART_SCORE * score / count, False, partly=True)
            for score, file, content, ordinal in self._hits(clauses, limit, hidden, MOST_EQUALS)
        ]

    def _like(self, parts: "Parts", word: str) -> Query:
        queries = [Query.regex_query(self._schema, field, f".*{word}.*") for field in parts.fields]
        if word in parts.misspelt:
            queries += [Query.fuzzy_term_query(self._schema, field, word) for field in parts.fields]
        return Query.boolean_query([(Occur.Should, query) for query in queries])

    def any_file_passes(self, filters: "Filters") -> bool:
        """Whether the filters leave anything to search."""
        clauses = [(Occur.Must, Query.all_query()), *self._filter_clauses(filters)]
        with _translated_errors():
            return bool(self._searcher.search(Query.boolean_query(clauses), 1, count=False).hits)

    def files_passing(
        self, filters: "Filters", most_chunks: int, hidden: Collection[int] = ()
    ) -> tuple[set[int], bool]:
        """Files with chunks that the filters leave, and whether those are all: only so many chunks are looked at."""
        clauses = [(Occur.Must, Query.all_query()), *self._filter_clauses(filters)]
        limit = min(most_chunks, max(1, self.chunk_count))
        with _translated_errors():
            found = self._searcher.search(Query.boolean_query(clauses), limit, count=False).hits
            files = self._searcher.fast_field_values("file", [place for _, place in found])
        return {int(file or 0) for file in files} - set(hidden), len(found) < limit or limit == self.chunk_count

    def _any_word(self, query: "WordQuery") -> Query:
        weights = query.searched()
        clauses = [(Occur.Should, self._weighted(query.fields, term, weight)) for term, weight in weights.items()]
        if query.prefix:
            for term in self.completions(query.prefix):
                if term not in weights:
                    clauses.append((Occur.Should, self._weighted(query.fields, term, PREFIX_WEIGHT)))
        if query.is_short:
            clauses.append((Occur.Should, Query.const_score_query(self._all_words(query), _ALL_WORDS_BONUS)))
        return Query.boolean_query(clauses)

    def _weighted(self, searched: Fields, term: str, weight: float) -> Query:
        fields = [
            (Occur.Should, Query.boost_query(self._term(field, term), weight * field_weight))
            for field, field_weight in FIELD_WEIGHTS[searched].items()
        ]
        return Query.boolean_query(fields)

    def _all_words(self, query: "WordQuery") -> Query:
        groups: list[tuple[Occur, Query]] = []
        fields = query.fields
        for group in query.groups:
            choices = [
                (
                    Occur.Should,
                    Query.boolean_query([(Occur.Must, self._anywhere(fields, term)) for term in terms]),
                )
                for terms in group.alternatives()
            ]
            groups.append((Occur.Must, Query.boolean_query(choices)))
        return Query.boolean_query(groups)

    def _anywhere(self, searched: Fields, term: str) -> Query:
        return Query.boolean_query([(Occur.Should, self._term(field, term)) for field in FIELD_WEIGHTS[searched]])

    def _term(self, field: str, term: str) -> Query:
        return Query.term_query(self._schema, field, term, "freq")

    def _filter_clauses(self, filters: "Filters") -> list[tuple[Occur, Query]]:
        clauses: list[tuple[Occur, Query]] = []
        for patterns in (filters.include_patterns(), filters.path_patterns()):
            if patterns:
                clauses.append((Occur.Must, Query.const_score_query(self._matching(patterns), 0.0)))
        if filters.languages:
            spoken = Query.term_set_query(self._schema, "language", list(filters.languages))
            clauses.append((Occur.Must, Query.const_score_query(spoken, 0.0)))
        clauses += self._content_clauses(filters.content)
        if filters.scope is not None:
            clauses.append((Occur.Must, Query.const_score_query(self._within(filters.scope), 0.0)))
        if unwanted := filters.exclude_patterns():
            clauses.append((Occur.MustNot, self._matching(unwanted)))
        return clauses

    def _within(self, scope: "Scope") -> Query:
        named = Query.term_set_query(self._schema, "key", scope.all_keys())
        return Query.boolean_query([(Occur.Should, named), (Occur.Should, self._matching(scope.below_patterns()))])

    def _content_clauses(self, content: Content) -> list[tuple[Occur, Query]]:
        if content is Content.ALL:
            return []
        wanted = {Content.DOCS: DOCUMENT_LANGUAGES, Content.CONFIG: CONFIGURATION_LANGUAGES}.get(content)
        spoken = wanted or DOCUMENT_LANGUAGES | CONFIGURATION_LANGUAGES
        found = Query.const_score_query(Query.term_set_query(self._schema, "language", sorted(spoken)), 0.0)
        return [(Occur.Must if wanted else Occur.MustNot, found)]

    def _matching(self, patterns: Sequence[str]) -> Query:
        # One automaton each: all in one would soon have more than the 1,000 states that are allowed.
        try:
            each = [(Occur.Should, Query.regex_query(self._schema, "key", pattern)) for pattern in patterns]
        except ValueError as error:
            raise BadQuery(f"a filter is too long or cannot be understood: {error}") from None
        return Query.boolean_query(each)


@contextmanager
def _translated_errors() -> Generator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise StoreDamaged(f"the word index cannot be read: {error}") from error


def _without_bonus(score: float) -> tuple[float, bool]:
    """The plain score, and whether all words of a short question were found."""
    first = score >= _ALL_WORDS_BONUS
    return (score - _ALL_WORDS_BONUS if first else score), first


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in USUAL_LENGTHS:
        # Frequencies without positions: half the size. Nearness is measured on the text of the few best chunks.
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    for field in ("key", "language"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("file", indexed=True, fast=True)
    builder.add_unsigned_field("content", fast=True)
    builder.add_unsigned_field("ordinal", fast=True)
    return builder.build()
