"""Files that changed a moment ago, searched in memory until they are folded into the postings.

A commit of the postings takes 15 to 100 ms; adding to a delta takes well under one. A delta is a frozen value: a
change makes a new one that shares the untouched files.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

import msgspec

from lurcher_index.words.candidates import Candidate, WordFile
from lurcher_index.words.filters import Filters
from lurcher_index.words.parts import PART_SCORE, Parts, resembles
from lurcher_index.words.query import WordQuery
from lurcher_index.words.weights import (
    BM25_B,
    BM25_K1,
    FIELD_WEIGHTS,
    PREFIX_TERMS,
    PREFIX_WEIGHT,
    USUAL_CHUNKS,
    USUAL_LENGTHS,
    Fields,
)


class CountedChunk(msgspec.Struct, frozen=True):
    """How often each term stands in each field of a chunk."""

    counts: dict[str, Counter[str]]
    lengths: dict[str, int]

    def has(self, term: str, fields: Fields) -> bool:
        """Whether the term stands anywhere in what is searched of the chunk, its names and its path."""
        return any(term in self.counts[field] for field in FIELD_WEIGHTS[fields])


class DeltaFile(msgspec.Struct, frozen=True):
    """A changed file with its terms counted."""

    file: WordFile
    chunks: tuple[CountedChunk, ...]


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
        document_frequency: Callable[[str, str], int],
    ) -> list[Candidate]:
        """Every matching chunk, scored as the postings would: their statistics, plus the delta's own."""
        chosen = [f for f in self.files.values() if filters.accepts(f.file.key, f.file.language)]
        if not chosen or not query.groups:
            return []
        weights = query.searched() | self._completions(query)
        scorer = _Scorer(self, FIELD_WEIGHTS[query.fields], weights, total_chunks, document_frequency)
        found: list[Candidate] = []
        for each in chosen:
            for ordinal, chunk in enumerate(each.chunks):
                score = scorer.score(chunk)
                if score > 0.0:
                    found.append(
                        Candidate(
                            each.file.file_id,
                            each.file.content_id,
                            ordinal,
                            score,
                            query.is_short and _has_all(chunk, query),
                        )
                    )
        return found

    def holding_parts(self, parts: Parts, filters: Filters) -> list[Candidate]:
        """Chunks with terms that hold some words or resemble one that may be misspelt, scored as the postings would."""
        words, misspelt = parts.words, parts.misspelt
        found: list[Candidate] = []
        for each in self.files.values():
            if not filters.accepts(each.file.key, each.file.language):
                continue
            for ordinal, chunk in enumerate(each.chunks):
                terms = {term for field in parts.fields for term in chunk.counts[field]}
                there = sum(any(resembles(word, term, word in misspelt) for term in terms) for word in words)
                if there:
                    score = PART_SCORE * there / len(words)
                    found.append(Candidate(each.file.file_id, each.file.content_id, ordinal, score, False, partly=True))
        return found

    def _completions(self, query: WordQuery) -> dict[str, float]:
        if not query.prefix:
            return {}
        begun: Counter[str] = Counter()
        for file in self.files.values():
            for chunk in file.chunks:
                begun.update(term for term in chunk.counts["body"] if term.startswith(query.prefix))
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
        document_frequency: Callable[[str, str], int],
    ) -> None:
        chunks = [chunk for file in delta.files.values() for chunk in file.chunks]
        total = total_chunks + len(chunks)
        self._average = {
            field: (sum(chunk.lengths[field] for chunk in chunks) + USUAL_CHUNKS * usual) / (len(chunks) + USUAL_CHUNKS)
            for field, usual in USUAL_LENGTHS.items()
            if field in fields
        }
        self._worth: list[tuple[str, str, float]] = []
        for field, field_weight in fields.items():
            for term, weight in weights.items():
                here = sum(term in chunk.counts[field] for chunk in chunks)
                if here:
                    holding = min(total, here + document_frequency(field, term))
                    rarity = math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
                    self._worth.append((field, term, weight * field_weight * rarity * (BM25_K1 + 1.0)))

    def score(self, chunk: CountedChunk) -> float:
        """The chunk's BM25 score, 0.0 if no term is there."""
        score = 0.0
        for field, term, worth in self._worth:
            count = chunk.counts[field].get(term, 0)
            if count:
                length = chunk.lengths[field] / self._average[field]
                score += worth * count / (count + BM25_K1 * (1.0 - BM25_B + BM25_B * length))
        return score


def counted(file: WordFile) -> DeltaFile:
    """A file with the terms of its chunks counted."""
    path_terms = Counter(file.path_terms.split())
    chunks: list[CountedChunk] = []
    for terms in file.chunks:
        counts = {
            "body": Counter(terms.body.split()),
            "names": Counter(terms.names.split()),
            "path_terms": path_terms,
            "docs": Counter(terms.docs.split()),
        }
        chunks.append(CountedChunk(counts, {field: count.total() for field, count in counts.items()}))
    return DeltaFile(file, tuple(chunks))


def _has_all(chunk: CountedChunk, query: WordQuery) -> bool:
    return all(
        any(all(chunk.has(term, query.fields) for term in terms) for terms in group.alternatives())
        for group in query.groups
    )
