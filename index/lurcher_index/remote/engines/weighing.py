"""Terms as engines have them: numbers, and what BM25 makes of how often each stands in a field.

The part of BM25 that belongs to the chunk is stored (against the usual lengths: averages of a repository would change
with every publish); the rarity, which changes, comes with the question. A search by words is then the inner product of
two sparse vectors, which every engine has, and the terms themselves are stored nowhere.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b

from lurcher_index.remote.engines.interface import SharedChunk, SharedFile
from lurcher_index.remote.interface import Statistics
from lurcher_index.words.weights import BM25_B, BM25_K1, FIELD_WEIGHTS, USUAL_LENGTHS, Fields

WEIGHTS = FIELD_WEIGHTS[Fields.SNIPPETS]
"""Documentation is searched on this machine only: who asks a shared index compares with the code."""


class Numbering:
    """The numbers of terms in fields. What was asked for is remembered: the same terms come again and again."""

    def __init__(self, most: int, among: str = "") -> None:
        """From 1 to `most`; the same term has other numbers `among` others."""
        self._most = most
        self._among = among
        self._known: dict[tuple[str, str], int] = {}

    def number(self, field: str, term: str) -> int:
        """The number of a term in a field."""
        known = self._known.get((field, term))
        if known is None:
            text = f"{self._among}{field}\0{term}".encode("utf-8", "surrogatepass")
            known = 1 + int.from_bytes(blake2b(text, digest_size=8).digest(), "big") % self._most
            self._known[field, term] = known
        return known


def stored_weights(chunk: SharedChunk, path_terms: str, numbering: Numbering) -> dict[int, float]:
    """By the numbers of its terms, what each counts in a chunk, from 0 to 1."""
    weights: dict[int, float] = {}
    for field, terms in _field_terms(chunk, path_terms).items():
        length = BM25_K1 * (1.0 - BM25_B + BM25_B * len(terms) / USUAL_LENGTHS[field])
        for term, count in Counter(terms).items():
            weights[numbering.number(field, term)] = count / (count + length)
    return weights


def field_lengths(files: Iterable[SharedFile]) -> dict[str, int]:
    """By field, how many terms all chunks of some files have together."""
    lengths = dict.fromkeys(WEIGHTS, 0)
    for file in files:
        for chunk in file.chunks:
            for field, terms in _field_terms(chunk, file.path_terms).items():
                lengths[field] += len(terms)
    return lengths


def _field_terms(chunk: SharedChunk, path_terms: str) -> dict[str, list[str]]:
    return {"body": chunk.terms.body.split(), "names": chunk.terms.names.split(), "path_terms": path_terms.split()}


def asked_numbers(terms: Mapping[str, float], numbering: Numbering) -> Iterator[tuple[int, float]]:
    """The numbers a question looks for, with what a match of each counts before its rarity."""
    for field, field_weight in WEIGHTS.items():
        for term, weight in terms.items():
            if weight > 0.0:
                yield numbering.number(field, term), weight * field_weight * (BM25_K1 + 1.0)


def field_numbers(terms: Iterable[str], numbering: Numbering) -> dict[str, dict[str, int]]:
    """The numbers of some terms in each field."""
    wanted = list(terms)
    return {field: {term: numbering.number(field, term) for term in wanted} for field in WEIGHTS}


def field_statistics(
    chunks: int,
    numbers: Mapping[str, Mapping[str, int]],
    holding: Callable[[int], int],
    measured: int,
    lengths: Mapping[str, int],
) -> Statistics:
    """What the counts behind the numbers of terms say; `lengths` are those of the chunks that were `measured`."""
    counted = {field: {term: holding(number) for term, number in each.items()} for field, each in numbers.items()}
    averages = {field: length / measured for field, length in lengths.items()} if measured > 0 else {}
    return Statistics(chunks, counted.pop("body"), counted, averages)


def rarity(holding: int, chunks: int) -> float:
    """BM25's worth of a term that so many of all chunks hold. Counts may be a little wrong: it is never negative."""
    total = max(chunks, holding)
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
