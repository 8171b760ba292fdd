"""The rule-based ranking: words and meaning on one scale, lifted by written-down factors. It needs nothing learned."""

import time
from collections.abc import Sequence
from itertools import accumulate
from math import prod

import msgspec

from lurcher_index.asking import Ask
from lurcher_index.features.modules import Modules
from lurcher_index.meaning import Meaning
from lurcher_index.pieces import Piece
from lurcher_index.query.parsed import Task
from lurcher_index.ranking.blend import Evidence, by_rules
from lurcher_index.ranking.boosts import Seen, boosts
from lurcher_index.ranking.facts import parts_of
from lurcher_index.ranking.kinds import kind_of
from lurcher_index.ranking.symbol_match import flat, symbol_score
from lurcher_index.words.query import WordQuery
from lurcher_index.words.weights import PART_SCORE

ALL_WORDS_FROM = 0.75
"""Relevance from which chunks with all words of a short question begin, and where the others end. A chunk without all
words is then kept by the spread if its relevance is at least 0.87 of a perfect one's."""


def ranked_by_rules(
    pieces: Sequence[Piece],
    ask: Ask,
    query: WordQuery,
    task: Task,
    meaning: Meaning | None,
    modules: Modules | None = None,
) -> list[Piece]:
    """The pieces with their relevance, best first; without the rerank stage in the order of the fusion."""
    trust = meaning.embedder.trust if meaning else 0.0
    best = max((piece.words for piece in pieces if piece.words is not None), default=0.0)
    relevances = by_rules(best, trust, ask.weights)([_evidence(piece) for piece in pieces])
    named = _by_names(pieces, query)
    # Found twice, by words and by name: the higher of the two counts.
    relevances = [max(pair) for pair in zip(relevances, named, strict=True)]
    relevances = [_of_parts(relevance, piece) for relevance, piece in zip(relevances, pieces, strict=True)]
    if any(piece.passage.candidate.first for piece in pieces):
        pairs = zip(relevances, pieces, strict=True)
        relevances = [_with_all_words(relevance, piece.passage.candidate.first) for relevance, piece in pairs]
    if ask.rerank:
        inside = _inside(pieces, query, modules if ask.module_boost > 1 else None)
        pieces, relevances = _boosted(pieces, relevances, task, inside, ask.module_boost)
    else:
        relevances = _never_rising(relevances)
    placed = [msgspec.structs.replace(piece, relevance=r) for piece, r in zip(pieces, relevances, strict=True)]
    placed.sort(key=lambda piece: -piece.relevance)
    return placed


def _of_parts(relevance: float, piece: Piece) -> float:
    """Whatever else speaks for it, a chunk that the words led to only in part is worth no more than that."""
    is_partly = piece.passage.candidate.partly and piece.similarity is None
    return min(relevance, PART_SCORE) if is_partly else relevance


def _inside(pieces: Sequence[Piece], query: WordQuery, modules: Modules | None) -> list[bool]:
    """Whether each piece lies in one of the modules that the question is about; nobody waits to know the modules."""
    if modules is None:
        return [False] * len(pieces)
    asked = modules.asked_about(parts_of(" ".join(group.word for group in query.groups)))
    rows = (piece.passage.row for piece in pieces)
    return [modules.group_of(f"{row.folder_id}/{row.path}") in asked for row in rows]


def _by_names(pieces: Sequence[Piece], query: WordQuery) -> list[float]:
    """How well the best name that each piece defines fits the question."""
    text = " ".join(group.word for group in query.groups)
    question, stems = flat(text), parts_of(text)
    found: list[float] = []
    for piece in pieces:
        chunk, symbols = piece.passage.chunk, piece.passage.held.outline.symbols
        names = (symbols[at] for at in piece.passage.symbols())
        defined = (each.name for each in names if chunk.start <= each.name_start < chunk.end)
        found.append(max((symbol_score(question, stems, name, parts_of(name)) for name in defined), default=0.0))
    return found


def _boosted(
    pieces: Sequence[Piece], relevances: Sequence[float], task: Task, inside: Sequence[bool], module_boost: float
) -> tuple[list[Piece], list[float]]:
    """The pieces with their factors, and the relevances with these in them, the best one at most 1."""
    now = time.time()
    factors = [
        boosts(task.value, _seen(piece, now)) | ({"module": module_boost} if is_inside else {})
        for piece, is_inside in zip(pieces, inside, strict=True)
    ]
    lifted = [relevance * prod(each.values()) for relevance, each in zip(relevances, factors, strict=True)]
    most = max((1.0, *lifted))
    told = [
        msgspec.structs.replace(piece, scored=piece.scored._replace(boosts={**piece.scored.boosts, **each}))
        for piece, each in zip(pieces, factors, strict=True)
    ]
    return told, [value / most for value in lifted]


def _seen(piece: Piece, now: float) -> Seen:
    passage = piece.passage
    chunk, symbols = passage.chunk, passage.held.outline.symbols
    defined = [symbols[at] for at in passage.symbols() if chunk.start <= symbols[at].name_start < chunk.end]
    kind = kind_of(passage.row.path)
    changed = passage.row.mtime_ns / 1e9
    return Seen(
        documented=any(symbol.doc_end > symbol.doc_start for symbol in defined),
        complete=any(symbol.start >= chunk.start and symbol.end <= chunk.end for symbol in defined),
        defines=bool(defined),
        public=any(not symbol.name.startswith("_") for symbol in defined),
        is_test_or_example=kind.test or kind.example,
        data=passage.data,
        # An open document has no time of its own: it is being changed now.
        age_seconds=now - changed if changed else 0.0,
    )


def _with_all_words(relevance: float, has_all: bool) -> float:
    """Where chunks hold all words of a short question, they come first, and others have to be nearly as good."""
    return ALL_WORDS_FROM + (1.0 - ALL_WORDS_FROM) * relevance if has_all else ALL_WORDS_FROM * relevance


def _never_rising(relevances: Sequence[float]) -> list[float]:
    """Relevances that keep the order they stand in: each is at least as large as all that follow."""
    return list(accumulate(reversed(relevances), max))[::-1]


def _evidence(piece: Piece) -> Evidence:
    return Evidence(
        words=piece.words,
        similarity=piece.similarity,
        fused=piece.fused.score,
        exact=piece.exact,
        all_words="allWords" in piece.scored.boosts or piece.passage.candidate.first,
        near="near" in piece.scored.boosts,
    )
