"""A candidate on its way to the answer, and the answer's chunk that it becomes."""

from collections.abc import Sequence

import msgspec

from lurcher_index.answers import AnswerChunk, Form, Nearby, Trace
from lurcher_index.asking import Seen
from lurcher_index.presenting import Asked, Passage, Scored, described, reasons_for, symbol_of
from lurcher_index.ranking.fusion import Fused
from lurcher_index.ranking.packing import Packable, pack
from lurcher_index.ranking.skeleton import skeleton
from lurcher_index.ranking.verbatim import Saying
from lurcher_index.rendering import chunk_id, dedented, excerpt, telling_lines, with_source
from lurcher_index.seen import Key, SeenBefore
from lurcher_index.text.tokens import estimate_tokens
from lurcher_index.view import View
from lurcher_index.words.query import WordQuery


class Piece(msgspec.Struct, frozen=True):
    """A candidate with everything that is known about it."""

    scored: Scored
    fused: Fused[Key]
    ranks: dict[str, int]
    """Its place in each retriever's list."""
    words: float | None
    """Score by words with its boosts; None if the words did not find it."""
    cosine: float | None
    similarity: float | None
    """`cosine` on the common scale from 0 to 1."""
    exact: bool
    """Whether it defines exactly a name that was asked for."""
    said: Saying = Saying()
    """What of the question stands in it word for word."""
    relevance: float = 0.0
    clues: dict[str, float] = {}
    """What each clue adds to its relevance, if somebody asked."""

    @property
    def passage(self) -> Passage:
        """Its text and place."""
        return self.scored.passage


class Former:
    """Gives pieces the form in which they are returned."""

    def __init__(self, view: View, query: WordQuery, asked: Asked) -> None:
        """Take the question, for reasons and for the lines a skeleton keeps."""
        self._view = view
        self._query = query
        self._asked = asked

    def packed(
        self, pieces: Sequence[Piece], strategy: str, budget: int | None
    ) -> tuple[tuple[AnswerChunk, ...], int, int]:
        """The chunks that fit the budget, their tokens, and how many did not fit."""
        chunks = [self._chunk(piece, strategy) for piece in pieces]
        tokens = sum(chunk.tokens for chunk in chunks)
        if budget is None or tokens <= budget:
            return tuple(chunks), tokens, 0
        packables = [self._packable(at, piece, chunks[at]) for at, piece in enumerate(pieces)]
        packed = pack(packables, budget, estimate_tokens)
        chosen = tuple(
            msgspec.structs.replace(chunks[each.key], text=each.text, tokens=each.tokens, form=Form(each.form))
            for each in packed.chosen
        )
        return chosen, packed.tokens, len(packed.left_out)

    def nearby(self, piece: Piece) -> Nearby:
        """Where a piece is, with one line of its text."""
        passage = piece.passage
        at = symbol_of(passage, self._asked)
        return Nearby(
            folder=str(passage.folder),
            path=passage.row.path,
            first_line=passage.chunk.first_line,
            last_line=passage.chunk.last_line,
            symbol=described(passage.held.outline, at) if at >= 0 else None,
            excerpt=excerpt(passage, self._asked),
            score=round(piece.relevance, 4),
        )

    def _packable(self, at: int, piece: Piece, chunk: AnswerChunk) -> Packable[int]:
        code = skeleton(dedented(chunk.raw_text), telling_lines(piece.passage, self._asked))
        lines = (chunk.first_line, chunk.last_line)
        short = with_source(chunk.path, lines, chunk.symbol, chunk.language, code)
        return Packable(at, chunk.text, chunk.tokens, short, estimate_tokens(short))

    def _chunk(self, piece: Piece, strategy: str) -> AnswerChunk:
        passage, outline = piece.passage, piece.passage.held.outline
        at = symbol_of(passage, self._asked)
        symbol = described(outline, at) if at >= 0 else None
        raw = passage.data.decode("utf-8", "replace")
        lines = (passage.chunk.first_line, passage.chunk.last_line)
        text = with_source(passage.row.path, lines, symbol, outline.language, dedented(raw))
        return AnswerChunk(
            chunk_id=chunk_id(passage),
            folder=str(passage.folder),
            path=passage.row.path,
            first_line=lines[0],
            last_line=lines[1],
            before=self._view.before(passage),
            text=text,
            raw_text=raw,
            tokens=estimate_tokens(text),
            is_full_file=len(outline.chunks) == 1,
            score=round(piece.relevance, 4),
            strategy=strategy,
            language=outline.language,
            symbol=symbol,
            reasons=(
                *([f"word for word: {piece.said.words}"] if piece.said.words else []),
                *reasons_for(self._query, self._asked, piece.scored, symbol.name if symbol else ""),
            ),
            digest=passage.chunk.digest.hex(),
            version=self._view.version_of(passage.row),
            trace=_trace(piece),
        )


def unseen(pieces: Sequence[Piece], seen: Sequence[Seen]) -> tuple[list[Piece], int]:
    """Without what the caller has already, and how many those are."""
    before = SeenBefore(seen)
    kept = [piece for piece in pieces if not (before and _is_among(before, piece.passage))]
    return kept, len(pieces) - len(kept)


def _is_among(before: SeenBefore, passage: Passage) -> bool:
    return before.holds(passage.folder, passage.row.path, passage.held.outline, passage.candidate.ordinal)


def _trace(piece: Piece) -> Trace:
    return Trace(
        keyword_rank=piece.ranks.get("words"),
        keyword_score=None if piece.words is None else round(piece.words, 4),
        dense_rank=piece.ranks.get("meaning"),
        dense_score=None if piece.cosine is None else round(piece.cosine, 4),
        remote_rank=piece.ranks.get("remote"),
        fused=round(piece.fused.score, 6),
        boosts=piece.scored.boosts,
        rerank=round(piece.relevance, 4),
        clues=piece.clues,
    )
