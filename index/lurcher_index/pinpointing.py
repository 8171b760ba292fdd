"""A question that is nothing but a place, `app/cart.py:20`, answered with the chunk that stands there."""

import msgspec

from lurcher_index.answers import AnswerChunk, Dropped
from lurcher_index.asking import Ask
from lurcher_index.finishing import Finished
from lurcher_index.model import Outline
from lurcher_index.nodes import innermost
from lurcher_index.pieces import Former, Piece, unseen
from lurcher_index.presenting import Asked, Passage, Scored, described
from lurcher_index.query.frames import Frame
from lurcher_index.ranking.fusion import Fused
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View
from lurcher_index.whereabouts import files_meant
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.query import WordQuery

PLACE = "place"
"""Name of this way of answering among the strategies."""

MAX_PLACES = 10
"""Files that one place may mean; a name that more files have is searched for as words."""


def pinpoint(view: View, ask: Ask, place: Frame, query: WordQuery) -> Finished | None:
    """The chunks at a place, one of each file that is meant; None if no file has such a line."""
    meant = files_meant(view, place.path)
    if len(meant.rows) > MAX_PLACES:
        return None
    score = 1.0 / max(1, len(meant.rows))
    found = [each for row in meant.rows if (each := candidate_at(view, ask, row, place.line, score)) is not None]
    passages, changed = view.passages(found, stop_at=len(found))
    if not passages and not changed:
        return None
    left, seen = unseen([placed_piece(rank, passage) for rank, passage in enumerate(passages, 1)], ask.seen)
    kept = left[: ask.result_limit]
    chunks, tokens, over_budget = Former(view, query, Asked(query)).packed(kept, PLACE, ask.token_budget)
    outlines = {(str(each.folder), each.row.path): each.held.outline for each in passages}
    told = tuple(_told(chunk, outlines[chunk.folder, chunk.path], place.line, len(found)) for chunk in chunks)
    return Finished(told, Dropped(limit=len(left) - len(kept), budget=over_budget, seen=seen), (), tokens, changed)


def _told(chunk: AnswerChunk, outline: Outline, line: int, files: int) -> AnswerChunk:
    """The chunk with the definition around the line, and why it is there."""
    nearest = min(max(line, chunk.first_line), chunk.last_line)
    at = innermost(outline, nearest, nearest)
    symbol = described(outline, at) if at >= 0 else None
    return msgspec.structs.replace(chunk, symbol=symbol, reasons=(_reason(line, nearest == line, files),))


def _reason(line: int, is_in_it: bool, files: int) -> str:
    if files > 1:
        return f"{'' if is_in_it else 'nearest to '}line {line} of one of {files} such files"
    return f"line {line} is in it" if is_in_it else f"nearest to line {line}"


def candidate_at(view: View, ask: Ask, row: FileRow, line: int, score: float) -> Candidate | None:
    """The chunk of a file that holds a line, or is nearest to it, if filters and scopes leave it."""
    outline = view.outline_of(row)
    if outline is None or row.content_id is None:
        return None
    if not ask.filters.accepts(f"{row.folder_id}/{row.path}", outline.language):
        return None
    ordinal = _ordinal_at(outline, line)
    scope = ask.filters.scope
    if ordinal is None or (scope is not None and not scope.holds(row.file_id, row.content_id, ordinal)):
        return None
    return Candidate(row.file_id, row.content_id, ordinal, score, False)


def _ordinal_at(outline: Outline, line: int) -> int | None:
    """The chunk that holds a line of a file, else the nearest: chunks leave out the blank lines between them."""
    if not 1 <= line <= outline.line_count:
        return None
    away = [max(chunk.first_line - line, line - chunk.last_line, 0) for chunk in outline.chunks]
    return away.index(min(away)) if away else None


def placed_piece(rank: int, passage: Passage) -> Piece:
    """A passage that is shown for where it is: no retriever found it, and no words lifted it."""
    score = passage.candidate.score
    place = Fused(passage.candidate[:3], score, (rank,))
    return Piece(Scored(passage, score, {}), place, {}, None, None, None, exact=True, relevance=score)
