"""From what a strategy found to the chunks of the answer: fuse, score, rerank, dedupe, spread, pack."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import format_tb
from typing import NamedTuple

import msgspec

from lurcher_index.answers import AnswerChunk, Dropped, Nearby
from lurcher_index.asking import LEARNED, Ask, Weights
from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import LurcherError
from lurcher_index.features.modules import Modules
from lurcher_index.judging import Judge, Judgement
from lurcher_index.meaning import Meaning
from lurcher_index.pieces import Former, Piece
from lurcher_index.presenting import Asked, Passage, Scored, score_passage, score_passages
from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.ranking.blend import RERANK_TOP
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.diversity import spread_over_files
from lurcher_index.ranking.duplicates import (
    NEAR_DUPLICATE,
    lines_of,
    most_shared,
    shared_lines,
    without_near_duplicates,
)
from lurcher_index.ranking.fusion import Fused, fuse
from lurcher_index.ranking.learned import FEW, SURE
from lurcher_index.ranking.spread import Spread, spread
from lurcher_index.ranking.verbatim import MOSTLY, Runs, runs_of, said_by
from lurcher_index.ranking.worth import FIRST
from lurcher_index.ruling import ranked_by_rules
from lurcher_index.seen import Key, SeenBefore
from lurcher_index.strategies.interface import MEANING, WORDS, Ranking
from lurcher_index.view import View
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.query import WordQuery

_log = logging.getLogger(__name__)

MARGIN = 5
"""Candidates read beyond those asked for, so that a later stage can lift one into the answer or leave one out."""

JUDGED = 64
"""Candidates that are judged, the best of the fusion. With 160, nearly all that 100 by words and 100 by meaning are
together, next to nothing is answered better (docs/ranking.md), and each question takes up to a fifth longer."""

JUDGED_FOR_EACH = 4
"""So many are judged for each result that is asked for, if that is more."""

WEAK_ANSWERABILITY = 0.2
"""Answerability below which an answer says that it hardly is one."""

MOST_NEARBY = 5
"""Places that are named beside what is shown: as many as people look at."""

SMALL_CHUNKS = 100
"""A workspace with so many chunks is small: all of it is found, by words or by meaning, whatever is asked."""

REMOTE_WEIGHT = 0.5
"""What a remote search counts in the fusion, beside words and meaning: as much as each of them by default."""

_COSINE = CLUES.index("cosine")


class Finished(NamedTuple):
    """The chunks of an answer and what was left out on the way."""

    chunks: tuple[AnswerChunk, ...]
    dropped: Dropped
    alerts: tuple[str, ...]
    tokens: int
    changed: list[Path]
    """Files that are not what they were when they were indexed: not in the answer."""
    answerability: float | None = None
    """How likely the answer is among them, from 0 to 1; None if nobody judged that."""
    nearby: tuple[Nearby, ...] = ()
    """What comes next and is too weak to be shown."""


class Finisher:
    """The stages after retrieval, for one question on one view. Blocks on files: to be run in a thread."""

    def __init__(
        self,
        view: View,
        ask: Ask,
        parsed: ParsedQuery,
        query: WordQuery,
        meaning: Meaning | None,
        judge: Judge | None = None,
        modules: Callable[[], Modules | None] = lambda: None,
    ) -> None:
        """Take what all stages need. Without a judge, or if the caller set weights of its own, rules rank; then
        `modules` tells what questions can be about."""
        self._view = view
        self._ask = ask
        self._parsed = parsed
        self._query = query
        self._meaning = meaning
        self._judge = judge if ask.ranker == LEARNED and ask.rerank and ask.weights == Weights() else None
        self._modules = modules
        self._asked = Asked(query)
        self._names = frozenset(parsed.identifiers)
        # Who types a name is told by the name where it stands.
        self._runs = Runs() if parsed.looks_like.is_symbol else runs_of(parsed.text)
        self._alerts: list[str] = []

    def finish(self, rankings: Sequence[Ranking], strategy: str, vector: Vectors | None) -> Finished:
        """Put the findings of all retrievers into the answer's form."""
        fused = self._fused(rankings)
        seen = SeenBefore(self._ask.seen).among(self._view, [each.key for each in fused])
        judgement = self._judgement(rankings, fused, vector, len(seen))
        found = self._order(rankings, fused, judgement)
        # Before the first are read, so that those behind them take the places of what the caller has.
        order = [hit for hit in found if hit[:3] not in seen] if seen else found
        limit = self._ask.result_limit
        wanted = max(limit + MARGIN, RERANK_TOP) if judgement is None else limit + max(MARGIN, limit // 2)
        passages, changed = self._view.passages(order, stop_at=wanted)
        weak_seen = self._weak([hit for hit in found if hit[:3] in seen], judgement)
        pieces = self._pieces(passages, fused, rankings, vector, judgement)
        ranked = self._ruled(pieces) if judgement is None else self._as_judged(pieces, judgement)
        strong = self._strong(ranked, judgement)
        distinct = without_near_duplicates(strong, _alikeness(strong), digest=lambda piece: piece.passage.chunk.digest)
        limited, per_file = self._limited(distinct.kept, judgement)
        kept = self._spread(limited, limit, judgement)
        told = _surer(judgement, kept.kept)
        diverse = spread_over_files(kept.kept, _file_of)
        former = Former(self._view, self._query, self._asked)
        shown = diverse.items if told is None else [self._with_boosts(_told(each, told)) for each in diverse.items]
        chunks, tokens, over_budget = former.packed(shown, strategy, self._ask.token_budget)
        weak = set[Key]() if judgement is None else {piece.fused.key for piece in kept.dropped_by_spread}
        named = [_told(piece, told) for piece in limited[:limit] if piece.fused.key in weak][:MOST_NEARBY]
        dropped = Dropped(
            limit=self._over_limit(kept, len(order) - len(passages) if len(passages) >= wanted else 0, judgement),
            spread=len(kept.dropped_by_spread)
            + len(ranked)
            - len(strong)
            + weak_seen
            + (judgement.beside if judgement else 0),
            duplicates=len(distinct.dropped),
            per_file=per_file,
            budget=over_budget,
            seen=len(found) - len(order) - weak_seen,
        )
        alerts = [*self._alerts, *([kept.note] if kept.note else [])]
        if chunks and self._seems_unanswered(ranked, told):
            alerts.append("nothing here seems to answer the question; this is what comes nearest to it")
        answerability = None if told is None else round(told.answerability, 4)
        nearby = tuple(map(former.nearby, named))
        return Finished(chunks, dropped, tuple(alerts), tokens, changed, answerability, nearby)

    def _judgement(
        self, rankings: Sequence[Ranking], fused: Sequence[Fused[Key]], vector: Vectors | None, seen: int
    ) -> Judgement | None:
        if self._judge is None or not fused or not self._judge.knows(self._meaning):
            return None
        count = max(JUDGED, JUDGED_FOR_EACH * self._ask.result_limit) + seen
        keys = [each.key for each in fused[:count]]
        try:
            return self._judge.judge(
                self._view, self._parsed, self._query, rankings, keys, self._meaning, vector, self._is_small()
            )
        except LurcherError:
            raise
        except Exception as error:  # noqa: BLE001 - what was found is worth more than its order
            # Where, not what: the text of an exception may quote source code.
            _log.error("the learned ranking failed:\n%s", "".join(format_tb(error.__traceback__)))
            self._alerts.append(f"the learned ranking failed ({type(error).__name__}); rules have ordered the answer")
            return None

    def _is_small(self) -> bool:
        """Whether what is searched is a whole project, and a small one. In one language it may have no answer where it
        has one in another."""
        is_whole = self._view.is_filled and not self._ask.filters.languages
        return is_whole and self._view.snapshot.chunk_count <= SMALL_CHUNKS

    def _order(
        self, rankings: Sequence[Ranking], fused: Sequence[Fused[Key]], judgement: Judgement | None
    ) -> list[Candidate]:
        """The candidates in the order in which their texts are read."""
        hits = {hit[:3]: hit for ranking in rankings for hit in ranking.hits}
        if judgement is not None:
            return [hits[key] for key in judgement.keys]
        floor = self._meaning.embedder.floor if self._meaning else 0.0
        by_words = {hit[:3] for each in rankings if each.retriever == WORDS for hit in each.hits}
        # A model that cannot stand alone only helps to order what the words found.
        return [hits[each.key] for each in fused if floor <= 1.0 or each.key in by_words]

    def _spread(self, pieces: Sequence[Piece], limit: int, judgement: Judgement | None) -> Spread[Piece]:
        """What is worth showing of the first places. Of the judged that is told by their strengths; nobody moves."""
        if judgement is None:
            return spread(pieces, lambda piece: piece.relevance, limit, always_keep=self._is_always_kept)
        first = [piece for piece in pieces[:limit] if self._is_worth_showing(piece, judgement, piece.exact)]
        behind = [piece for piece in pieces[limit:] if self._is_worth_showing(piece, judgement)]
        # What is too weak for its place leaves it empty: what stands behind the last place is no better, unless it says
        # word for word what was asked.
        late = [piece for piece in behind if piece.said.words][: limit - len(first)]
        shown = {piece.fused.key for piece in (*first, *late)}
        strong = shown | {piece.fused.key for piece in behind}
        weak = tuple(piece for piece in pieces if piece.fused.key not in strong)
        return Spread((*first, *late), weak, tuple(piece for piece in behind if piece.fused.key not in shown))

    def _is_worth_showing(self, piece: Piece, judgement: Judgement, is_exact: bool = False) -> bool:
        told = is_exact or bool(piece.said.words) or self._ask.unfiltered
        return told or judgement.is_worth_showing(piece.fused.key)

    def _strong(self, ranked: Sequence[Piece], judgement: Judgement | None) -> list[Piece]:
        """Without what is there by chance. The judge has a better idea of that, but none where candidates are few."""
        if judgement is not None and (self._ask.unfiltered or len(judgement.keys) > FEW):
            return list(ranked)
        floor = self._meaning.embedder.floor if self._meaning else 0.0
        return [
            each for each in ranked if each.words is not None or each.said.words or (each.similarity or 0.0) >= floor
        ]

    def _weak(self, seen: Sequence[Candidate], judgement: Judgement | None) -> int:
        """How many chunks that the caller has are not worth showing anyway: an answer is not empty because of them."""
        if judgement is None or self._ask.unfiltered:
            return 0
        weak = [hit for hit in seen if hit[:3] in judgement.strengths and not judgement.is_worth_showing(hit[:3])]
        # Whatever its strength, the place that was asked for word for word is kept, and so is a name's definition.
        first, _ = self._view.passages(weak[:FIRST], stop_at=FIRST)
        said = said_by([each.data for each in first], self._runs)
        kept = sum(bool(each.words) or _defines(it, self._names) for it, each in zip(first, said, strict=True))
        return len(weak) - kept

    def _over_limit(self, kept: Spread[Piece], unread: int, judgement: Judgement | None) -> int:
        """Chunks that only the limit kept out; of those that were judged, as many as are worth showing."""
        if judgement is None or self._ask.unfiltered:
            return len(kept.cut) + unread
        beyond = judgement.keys[len(judgement.keys) - unread :] if unread else []
        return len(kept.cut) + sum(map(judgement.is_worth_showing, beyond))

    def _seems_unanswered(self, ranked: Sequence[Piece], judgement: Judgement | None) -> bool:
        """Whether the judge believes in no answer. Who asks for a few words and gets all of them has one."""
        if judgement is None or judgement.answerability >= WEAK_ANSWERABILITY:
            return False
        return not any(piece.passage.candidate.first for piece in ranked)

    def _is_always_kept(self, piece: Piece) -> bool:
        return piece.exact or bool(piece.said.words) or self._ask.unfiltered

    def _fused(self, rankings: Sequence[Ranking]) -> list[Fused[Key]]:
        weights = {WORDS: self._ask.weights.words, MEANING: self._ask.weights.meaning}
        lists = [
            (weights.get(each.retriever, REMOTE_WEIGHT) if each.counts else 0.0, [hit[:3] for hit in each.hits])
            for each in rankings
        ]
        return fuse(lists, self._ask.rrf_k)

    def _pieces(
        self,
        passages: Sequence[Passage],
        fused: Sequence[Fused[Key]],
        rankings: Sequence[Ranking],
        vector: Vectors | None,
        judgement: Judgement | None,
    ) -> list[Piece]:
        """The passages with everything that is known about them, in the order of the fusion."""
        by_words = {hit[:3]: hit for each in rankings if each.retriever == WORDS for hit in each.hits}
        with_hits = [_with_word_hit(each, by_words) for each in passages]
        if judgement is None:
            scored = score_passages(self._query, self._asked, with_hits)
        else:
            # The order is the judge's: what boosts a score by words is looked for in what is shown, and told.
            scored = [Scored(each, each.candidate.score, {}) for each in with_hits]
        places = {each.key: at for at, each in enumerate(fused)}
        retrievers = [ranking.retriever for ranking in rankings]
        cosines = self._cosines([each.passage for each in scored], vector, judgement)
        said = said_by([each.passage.data for each in scored], self._runs)
        pieces: list[Piece] = []
        for each, cosine, saying in zip(scored, cosines, said, strict=True):
            place = fused[places[each.passage.candidate[:3]]]
            ranks = {name: rank for name, rank in zip(retrievers, place.ranks, strict=True) if rank is not None}
            similarity = None if cosine is None or self._meaning is None else self._meaning.embedder.calibrate(cosine)
            words = each.score if WORDS in ranks else None
            exact = _defines(each.passage, self._names)
            pieces.append(Piece(each, place, ranks, words, cosine, similarity, exact, saying))
        pieces.sort(key=lambda piece: places[piece.fused.key])
        return pieces

    def _with_boosts(self, piece: Piece) -> Piece:
        scored = score_passage(self._query, self._asked, piece.passage)
        return msgspec.structs.replace(piece, scored=scored, words=None if piece.words is None else scored.score)

    def _cosines(
        self, passages: Sequence[Passage], vector: Vectors | None, judgement: Judgement | None
    ) -> Sequence[float | None]:
        if self._meaning is None or vector is None or not passages:
            return [None] * len(passages)
        if judgement is not None:
            return [float(judgement.matrix[judgement.rows[each.candidate[:3]], _COSINE]) for each in passages]
        cosines: list[float] = (self._meaning.vectors(passages) @ vector.reshape(-1)).tolist()
        return cosines

    def _as_judged(self, pieces: Sequence[Piece], judgement: Judgement) -> list[Piece]:
        """The pieces with the judge's relevance, in the places that it gave them."""
        found = {piece.fused.key: piece for piece in pieces}
        shares = self._judge.shares if self._ask.explain and self._judge is not None else None
        judged: list[Piece] = []
        for key in judgement.keys:
            if (piece := found.get(key)) is not None:
                clues = shares(judgement, key) if shares else {}
                judged.append(msgspec.structs.replace(piece, relevance=_relevance(piece, judgement), clues=clues))
        return _said_first(judged)

    def _ruled(self, pieces: Sequence[Piece]) -> list[Piece]:
        return ranked_by_rules(pieces, self._ask, self._query, self._parsed.task, self._meaning, self._modules())

    def _limited(self, pieces: Sequence[Piece], judgement: Judgement | None) -> tuple[Sequence[Piece], int]:
        """At most as many of a file as the caller wants, those that are worth showing before others; before the cut, so
        that other files fill the places."""
        if self._ask.per_file is None:
            return pieces, 0
        strong_first = pieces
        if judgement is not None:
            strong_first = sorted(pieces, key=lambda piece: not self._is_worth_showing(piece, judgement, piece.exact))
        diverse = spread_over_files(strong_first, _file_of, self._ask.per_file)
        kept = {piece.fused.key for piece in diverse.items}
        return [piece for piece in pieces if piece.fused.key in kept], len(diverse.dropped)


def _said_first(ranked: Sequence[Piece]) -> list[Piece]:
    """Before all others what says most of the question word for word: who pastes a message asks for its place. Nothing
    is more likely than that."""
    return sorted(ranked, key=lambda piece: piece.said.share < MOSTLY)


def _surer(judgement: Judgement | None, shown: Sequence[Piece]) -> Judgement | None:
    """Sure of an answer where something that is shown says word for word what was asked, whatever the signs say."""
    return judgement.raised(SURE) if judgement and any(piece.said.words for piece in shown) else judgement


def _told(piece: Piece, judgement: Judgement | None) -> Piece:
    """With its relevance on the scale of what is told."""
    if judgement is None:
        return piece
    return msgspec.structs.replace(piece, relevance=_relevance(piece, judgement))


def _relevance(piece: Piece, judgement: Judgement) -> float:
    """What the judge says, and as much as the best has if it says most of the question word for word."""
    return judgement.answerability if piece.said.share >= MOSTLY else judgement.relevances[piece.fused.key]


def _alikeness(pieces: Sequence[Piece]) -> Callable[[Piece, Piece], float]:
    lines = {piece.fused.key: lines_of(piece.passage.data) for piece in pieces}

    def alike(one: Piece, other: Piece) -> float:
        these, those = lines[one.fused.key], lines[other.fused.key]
        most = most_shared(these, those)
        return shared_lines(these, those) if most >= NEAR_DUPLICATE else most

    return alike


def _defines(passage: Passage, names: frozenset[str]) -> bool:
    """Whether a passage defines exactly one of some names."""
    chunk, symbols = passage.chunk, passage.held.outline.symbols
    return any(
        symbols[at].name in names and chunk.start <= symbols[at].name_start < chunk.end for at in passage.symbols()
    )


def _file_of(piece: Piece) -> int:
    return piece.passage.row.file_id


def _with_word_hit(passage: Passage, by_words: dict[Key, Candidate]) -> Passage:
    """A passage that carries its score by words, 0 if only another retriever found it."""
    hit = by_words.get(passage.candidate[:3])
    return passage._replace(candidate=hit or passage.candidate._replace(score=0.0, first=False))
