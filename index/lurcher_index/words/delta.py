"""Files that changed a moment ago, searched in memory until they are folded into the postings.

A commit of the postings takes 15 to 100 ms; adding to a delta takes well under one. A delta is a frozen value: a
change makes a new one that shares the untouched files.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType

import msgspec

from lurcher_index.words.candidates import Candidate, WordFile
from lurcher_index.words.filters import Filters
from lurcher_index.words.parts import Parts, resembles
from lurcher_index.words.query import Group, WordQuery
from lurcher_index.words.weights import (
    BM25_B,
    BM25_K1,
    FIELD_WEIGHTS,
    PART_SCORE,
    PREFIX_TERMS,
    PREFIX_WEIGHT,
    USUAL_CHUNKS,
    USUAL_LENGTHS,
    Fields,
    stored_length,
)

Frequency = Callable[[str, str], int]
"""In how many chunks a term stands, by field and term."""


class DeltaFile(msgspec.Struct, frozen=True):
    """A changed file with its terms counted: a small index of its own, since a search asks for few of its terms."""

    file: WordFile
    places: dict[str, dict[str, tuple[int, ...]]]
    """By field and term, the chunks that hold it: ordinal and count, one after the other."""
    lengths: dict[str, tuple[int, ...]]
    """By field, how many terms each chunk has, as exactly as the postings know it."""
    totals: dict[str, int]
    """By field, how many all of them have together."""
    begun: tuple[str, ...]
    """The terms of the text in their order."""

    @property
    def chunk_count(self) -> int:
        """How many chunks the file has."""
        return len(self.lengths["body"])

    def holding(self, field: str, term: str) -> tuple[int, ...]:
        """The chunks that hold a term in a field, by ordinal."""
        return self.places[field].get(term, ())[::2]

    def anywhere(self, term: str, fields: Fields) -> set[int]:
        """The chunks that hold a term anywhere in what is searched of them, their names and their path."""
        return {ordinal for field in FIELD_WEIGHTS[fields] for ordinal in self.holding(field, term)}

    def completions(self, prefix: str) -> Iterator[str]:
        """The terms of the text that begin so."""
        for term in islice(self.begun, bisect_left(self.begun, prefix), None):
            if not term.startswith(prefix):
                return
            yield term


class Delta(msgspec.Struct, frozen=True):
    """What changed since the postings were written: new content by file number, and files that are gone."""

    files: dict[int, DeltaFile] = {}
    gone: frozenset[int] = frozenset()

    def hidden(self) -> Collection[int]:
        """Files whose chunks in the postings no longer count. Numbers below 0 are of open documents, never in them."""
        return {number for number in self.files.keys() | self.gone if number >= 0}

    def with_changes(self, changed: Iterable[WordFile], gone: Iterable[int]) -> "Delta":
        """This delta plus newer changes."""
        return self.with_counted(map(counted, changed), gone)

    def with_counted(self, changed: Iterable[DeltaFile], gone: Iterable[int]) -> "Delta":
        """The same with files whose terms are counted already."""
        files = dict(self.files)
        removed = set(self.gone)
        for each in changed:
            files[each.file.file_id] = each
            removed.discard(each.file.file_id)
        for file_id in gone:
            files.pop(file_id, None)
            removed.add(file_id)
        return Delta(files, frozenset(removed))

    def search(
        self,
        query: WordQuery,
        filters: Filters,
        total_chunks: int,
        document_frequency: Frequency,
        *,
        are_counted: bool = False,
        lengths: Mapping[str, float] = MappingProxyType({}),
    ) -> list[Candidate]:
        """Every matching chunk, scored as the postings would: by their statistics, plus the delta's own unless these
        `are_counted` among them. `lengths` are the average ones of fields, where they are known."""
        chosen = [f for f in self.files.values() if filters.accepts(f.file.key, f.file.language)]
        if not chosen or not query.groups:
            return []
        begun = self._completions(query)
        weights = query.searched() | begun
        fields = FIELD_WEIGHTS[query.fields]
        rarities = total_chunks, document_frequency
        if are_counted:
            rarities = total_chunks, self._guessing(document_frequency, query.prefix, begun)
        scorer = _Scorer(self, fields, weights, *rarities, are_counted=are_counted, lengths=lengths)
        found: list[Candidate] = []
        for each in chosen:
            scores = scorer.scores(each)
            first = _with_all(each, query) if scores and query.is_short else frozenset[int]()
            found += [
                Candidate(each.file.file_id, each.file.content_id, ordinal, scores[ordinal], ordinal in first)
                for ordinal in sorted(scores)
                if scores[ordinal] > 0.0
            ]
        return found

    def holding_parts(self, parts: Parts, filters: Filters) -> list[Candidate]:
        """Chunks with terms that hold some words or resemble one that may be misspelt, scored as the postings would."""
        found: list[Candidate] = []
        for each in self.files.values():
            if not filters.accepts(each.file.key, each.file.language):
                continue
            there = Counter(ordinal for word in parts.words for ordinal in _resembling(each, parts, word))
            for ordinal in sorted(there):
                score = PART_SCORE * there[ordinal] / len(parts.words)
                found.append(Candidate(each.file.file_id, each.file.content_id, ordinal, score, False, partly=True))
        return found

    def _guessing(self, document_frequency: Frequency, prefix: str, begun: Collection[str]) -> Frequency:
        """The frequencies with those of completions: nobody else was asked for them, so they are taken to be to the
        unfinished word elsewhere what they are to it here."""

        def guessed(field: str, term: str) -> int:
            known = document_frequency(field, term)
            if term not in begun:
                return known
            word = sum(len(file.holding(field, prefix)) for file in self.files.values())
            here = sum(len(file.holding(field, term)) for file in self.files.values())
            return max(known, here * document_frequency(field, prefix) // word if word else 0)

        return guessed

    def _completions(self, query: WordQuery) -> dict[str, float]:
        if not query.prefix:
            return {}
        begun: Counter[str] = Counter()
        for file in self.files.values():
            for term in file.completions(query.prefix):
                begun[term] += len(file.holding("body", term))
        asked = query.searched()
        best = sorted(begun, key=lambda term: (-begun[term], term))
        new = [term for term in best if term not in asked and term != query.prefix]
        return dict.fromkeys(new[:PREFIX_TERMS], PREFIX_WEIGHT)


class _Scorer:
    """BM25 over the delta's chunks with the whole index's document frequencies."""

    def __init__(
        self,
        delta: Delta,
        fields: Mapping[str, float],
        weights: dict[str, float],
        total_chunks: int,
        document_frequency: Frequency,
        *,
        are_counted: bool,
        lengths: Mapping[str, float],
    ) -> None:
        files = delta.files.values()
        chunks = sum(file.chunk_count for file in files)
        total = max(total_chunks, chunks) if are_counted else total_chunks + chunks
        self._average = {
            field: (sum(file.totals[field] for file in files) + USUAL_CHUNKS * usual) / (chunks + USUAL_CHUNKS)
            for field, usual in USUAL_LENGTHS.items()
            if field in fields
        }
        self._average |= {field: length for field, length in lengths.items() if field in fields}
        self._worth: list[tuple[str, str, float]] = []
        for field, field_weight in fields.items():
            for term, weight in weights.items():
                here = sum(len(file.holding(field, term)) for file in files)
                if here:
                    known = document_frequency(field, term)
                    holding = min(total, max(here, known) if are_counted else here + known)
                    rarity = math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
                    self._worth.append((field, term, weight * field_weight * rarity * (BM25_K1 + 1.0)))

    def scores(self, file: DeltaFile) -> dict[int, float]:
        """The BM25 scores of a file's chunks that hold a term, by ordinal."""
        scores: dict[int, float] = {}
        for field, term, worth in self._worth:
            places = file.places[field].get(term, ())
            lengths, average = file.lengths[field], self._average[field]
            for ordinal, count in zip(places[::2], places[1::2], strict=True):
                length = lengths[ordinal] / average
                gained = worth * count / (count + BM25_K1 * (1.0 - BM25_B + BM25_B * length))
                scores[ordinal] = scores.get(ordinal, 0.0) + gained
        return scores


def counted(file: WordFile) -> DeltaFile:
    """A file with the terms of its chunks counted."""
    texts = {
        "body": [chunk.body for chunk in file.chunks],
        "names": [chunk.names for chunk in file.chunks],
        "path_terms": len(file.chunks) * [file.path_terms],
        "docs": [chunk.docs for chunk in file.chunks],
    }
    places: dict[str, dict[str, tuple[int, ...]]] = {}
    lengths: dict[str, tuple[int, ...]] = {}
    totals: dict[str, int] = {}
    for field, chunks in texts.items():
        gathered: dict[str, list[int]] = {}
        sizes: list[int] = []
        for ordinal, text in enumerate(chunks):
            terms = text.split()
            sizes.append(len(terms))
            for term, count in Counter(terms).items():
                gathered.setdefault(term, []).extend((ordinal, count))
        places[field] = {term: tuple(where) for term, where in gathered.items()}
        lengths[field] = tuple(map(stored_length, sizes))
        totals[field] = sum(sizes)
    return DeltaFile(file, places, lengths, totals, tuple(sorted(places["body"])))


def _with_all(file: DeltaFile, query: WordQuery) -> frozenset[int]:
    """The chunks that hold every word of a question."""
    holding = {term: file.anywhere(term, query.fields) for group in query.groups for term in _terms(group)}
    every = frozenset(range(file.chunk_count))
    for group in query.groups:
        every &= frozenset[int]().union(
            *(every.intersection(*(holding[term] for term in terms)) for terms in group.alternatives())
        )
    return every


def _terms(group: Group) -> set[str]:
    return {term for terms in group.alternatives() for term in terms}


def _resembling(file: DeltaFile, parts: Parts, word: str) -> set[int]:
    """The chunks with a term that holds a word, or is nearly it."""
    misspelt = word in parts.misspelt
    return {
        ordinal
        for field in parts.fields
        for term in file.places[field]
        if resembles(word, term, misspelt)
        for ordinal in file.holding(field, term)
    }
