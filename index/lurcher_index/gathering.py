"""From what the retrievers found to clues: the files behind the candidates, their names, their vectors."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.meaning import Meaning
from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.ranking.clues import Clue, FileClue, Matrix, clue_matrix
from lurcher_index.ranking.evidence import Held as HeldWords
from lurcher_index.ranking.facts import ContentFacts, content_facts, parts_of, path_facts
from lurcher_index.ranking.matching import Asking
from lurcher_index.store.catalog import FileRow
from lurcher_index.store.outlines import Held
from lurcher_index.strategies.interface import MEANING, WORDS, Ranking
from lurcher_index.view import View
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.query import WordQuery

Key = tuple[int, int, int]
"""File, content and ordinal of a chunk."""

REMEMBERED_CONTENTS = 2_048
"""Contents whose facts are kept: those of the files that recent questions touched; about 10 KB each."""


class Gathered(NamedTuple):
    """The candidates that are still there, and their clues."""

    keys: list[Key]
    matrix: Matrix
    words: HeldWords | None = None
    """What the candidates hold of each word of the question; None without a model that knows words."""


class FactsMemo:
    """Content → its facts. A content's number never changes its meaning. Thread-safe."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: OrderedDict[int, ContentFacts] = OrderedDict()
        self._turn = threading.Lock()

    def of(self, contents: Mapping[int, Held]) -> dict[int, ContentFacts]:
        """The facts of some contents."""
        with self._turn:
            found = {number: self._known[number] for number in contents if number in self._known}
        made = {number: content_facts(held.outline) for number, held in contents.items() if number not in found}
        with self._turn:
            self._known.update(made)
            for number in found:
                if number in self._known:
                    self._known.move_to_end(number)
            while len(self._known) > REMEMBERED_CONTENTS:
                self._known.popitem(last=False)
        return found | made


def asking_of(view: View, parsed: ParsedQuery, query: WordQuery) -> Asking:
    """The question as the ranker sees it, with the rarity of its words in this workspace."""
    stems = parts_of(" ".join(group.word for group in query.groups))
    snapshot = view.snapshot
    total = snapshot.chunk_count + 1
    shape = parsed.looks_like
    frequencies = tuple(snapshot.document_frequency("body", stem) for stem in stems)
    return Asking(
        stems=stems,
        rarities=tuple(log(1.0 + total / (1.0 + frequency)) for frequency in frequencies),
        frequencies=frequencies,
        identifiers=parsed.identifiers,
        wants_tests=shape.asks_for_tests,
        wants_examples=shape.asks_for_examples,
        wants_documentation=shape.asks_for_docs,
        wants_configuration=shape.asks_for_config,
        text=parsed.text,
    )


def gather(
    view: View,
    memo: FactsMemo,
    asking: Asking,
    rankings: Sequence[Ranking],
    chosen: Iterable[Key],
    meaning: Meaning | None,
    vector: Vectors | None,
) -> Gathered:
    """The clues of the chosen candidates; those whose file is gone are left out."""
    by_words = _places(rankings, WORDS)
    by_meaning = _places(rankings, MEANING)
    keys = list(chosen)
    rows = view.rows({key[0] for key in keys})
    contents = view.contents({key[1] for key in keys})
    facts = memo.of(contents)
    cosines: Mapping[int, NDArray[np.float32]] = {}
    if meaning is not None and vector is not None:
        cosines = meaning.content_cosines(view, vector, list(contents))
    files: list[FileClue] = []
    numbers: dict[tuple[int, int], int] = {}
    kept: list[Key] = []
    clues: list[Clue] = []
    for key in keys:
        file_id, content_id, ordinal = key
        number = numbers.get((file_id, content_id))
        if number is None:
            file = _file(rows.get(file_id), facts.get(content_id), cosines.get(content_id))
            if file is None:
                continue
            number = numbers[file_id, content_id] = len(files)
            files.append(file)
        if ordinal >= len(files[number].content.chunks):
            continue
        word_rank, word = by_words.get(key, _NOT_FOUND)
        dense_rank, _ = by_meaning.get(key, _NOT_FOUND)
        clues.append(Clue(number, ordinal, word.score, word_rank, word.first, dense_rank))
        kept.append(key)
    near = held = None
    if meaning is not None and vector is not None:
        counts = {number: len(facts[number].chunks) for _, number, _ in kept}
        rarity = partial(_rarity, view, dict(zip(asking.stems, asking.rarities, strict=True)))
        near = meaning.nearest_words(view, asking.text, rarity, [key[1:] for key in kept], counts)
        if near is not None:
            # A piece of a word is never rarest: nothing is known of it.
            known = near.rarities < np.float32(log(2.0 + view.snapshot.chunk_count)) - _ROUNDING
            held = HeldWords(near.asked.vectors, near.asked.weights, near.rarities, known, near.cosines)
    return Gathered(kept, clue_matrix(asking, files, clues, near.rows if near is not None else None), held)


_ROUNDING = 1e-4
_NOT_FOUND = (0, Candidate(0, 0, 0, 0.0, False))
_NO_COSINES = np.zeros(0, dtype=np.float32)


def _places(rankings: Sequence[Ranking], retriever: str) -> dict[Key, tuple[int, Candidate]]:
    found: dict[Key, tuple[int, Candidate]] = {}
    for ranking in rankings:
        if ranking.retriever == retriever:
            for rank, hit in enumerate(ranking.hits, start=1):
                found.setdefault(hit[:3], (rank, hit))
    return found


def _rarity(view: View, known: Mapping[str, float], word: str) -> float:
    """How much a word of a model tells in this workspace. Of a piece of one nothing is known: half of what is rare."""
    total = view.snapshot.chunk_count + 1
    stems = parts_of(word)
    if len(stems) != 1 or word.startswith("#"):
        return log(1.0 + total) / 2
    rarity = known.get(stems[0])
    if rarity is None:
        rarity = log(1.0 + total / (1.0 + view.snapshot.document_frequency("body", stems[0])))
    return rarity


def _file(row: FileRow | None, facts: ContentFacts | None, cosines: NDArray[np.float32] | None) -> FileClue | None:
    if row is None or facts is None:
        return None
    usable = cosines is not None and len(cosines) == len(facts.chunks)
    return FileClue(path_facts(row.path), facts, cosines if cosines is not None and usable else _NO_COSINES)
