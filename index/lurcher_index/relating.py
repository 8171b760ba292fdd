"""Questions about the uses of one name, answered from the call graph: "who calls X", "what does X call"."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from lurcher_index.answers import AnswerChunk, CrossReferenced, Dropped
from lurcher_index.asking import MAX_RESULTS, Ask
from lurcher_index.finishing import Finished
from lurcher_index.graph.graph import Graph
from lurcher_index.graph.values import Node, Use, Uses
from lurcher_index.pieces import Former, unseen
from lurcher_index.pinpointing import candidate_at, placed_piece
from lurcher_index.presenting import Asked, Passage
from lurcher_index.query.code_terms import has_code_shape
from lurcher_index.query.parsed import CrossReference, Relation
from lurcher_index.results import HitSymbol
from lurcher_index.text.numbers import counted
from lurcher_index.view import View
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.query import WordQuery

CALL_GRAPH = "callGraph"
"""Name of this way of answering among the strategies."""

_VERBS = {"call": "calls", "import": "imports", "inherit": "inherits from"}


class Related(NamedTuple):
    """What the graph says about a name."""

    finished: Finished
    reference: CrossReferenced


def relate(view: View, graph: Graph, ask: Ask, asked: CrossReference, query: WordQuery) -> Related | None:
    """The answer, also an empty one; None if the name is a plain word that the graph has never seen.

    "Who uses authentication" is about a topic if nothing is called so; "who calls loginUser" is about a name, and that
    nobody has it is the answer.
    """
    # What a filter or the caller's context leaves out must not take the place of what they leave in.
    limit = ask.result_limit if ask.filters.is_empty and not ask.seen else MAX_RESULTS
    uses = _uses(graph, asked, limit, thorough=not ask.filters.is_empty)
    if not uses.targets and not uses.total and not uses.unsure and not has_code_shape(asked.name):
        return None
    reference = CrossReferenced(
        relation=asked.relation,
        name=asked.name,
        definitions=tuple(node.id for node in uses.targets),
        total=uses.total,
        truncated=uses.truncated,
        unsure=uses.unsure,
        explanation=uses.explanation,
    )
    return Related(_finished(view, ask, query, uses), reference)


def _uses(graph: Graph, asked: CrossReference, limit: int, thorough: bool) -> Uses:
    if asked.relation is Relation.CALLERS:
        return graph.callers(asked.name, limit, thorough=thorough)
    if asked.relation is Relation.CALLEES:
        return graph.callees(asked.name, limit)
    return graph.references(asked.name, limit, thorough=thorough)


class _Shown(NamedTuple):
    """A chunk with the uses that it is shown for."""

    candidate: Candidate
    uses: list[Use]


def _finished(view: View, ask: Ask, query: WordQuery, uses: Uses) -> Finished:
    shown = _chunks_of(view, ask, uses)
    passages, changed = view.passages([each.candidate for each in shown.values()], stop_at=len(shown))
    left, seen = unseen([placed_piece(rank, passage) for rank, passage in enumerate(passages, 1)], ask.seen)
    kept = left[: ask.result_limit]
    former = Former(view, query, Asked(query))
    chunks, tokens, over_budget = former.packed(kept, CALL_GRAPH, ask.token_budget)
    by_place = {(str(p.folder), p.row.path, p.chunk.first_line): p for p in passages}
    told = tuple(_told(chunk, shown, by_place, uses) for chunk in chunks)
    # Uses, not chunks: nobody has looked in which chunks those lie that are not shown.
    beyond = len(left) - len(kept) + max(0, uses.total - len(uses.uses))
    alerts = (uses.explanation,) if uses.explanation else ()
    if uses.uses and not shown:
        lie = "lies" if uses.total == 1 else "lie"
        alerts = (*alerts, f"{counted(uses.total, 'use')} of {uses.asked} {lie} outside of the filters and scopes")
    return Finished(told, Dropped(limit=beyond, budget=over_budget, seen=seen), alerts, tokens, changed)


def _chunks_of(view: View, ask: Ask, uses: Uses) -> dict[tuple[int, int, int], _Shown]:
    """The chunks in which the uses stand, surest first, as far as the filters leave them."""
    found: dict[tuple[int, int, int], _Shown] = {}
    for use in uses.uses:
        node, line = _place(use, uses)
        row = view.row_at(Path(node.folder) / node.path)
        candidate = None if row is None else candidate_at(view, ask, row, line, use.confidence)
        if candidate is not None:
            found.setdefault(candidate[:3], _Shown(candidate, [])).uses.append(use)
    return found


def _place(use: Use, uses: Uses) -> tuple[Node, int]:
    """Where to look: at what is called if that is asked for and known, else at the place that uses it."""
    if uses.relation is Relation.CALLEES and use.target is not None:
        return use.target, use.target.first_line
    return use.source, use.line


def _told(
    chunk: AnswerChunk,
    shown: dict[tuple[int, int, int], _Shown],
    by_place: dict[tuple[str, str, int], Passage],
    uses: Uses,
) -> AnswerChunk:
    """The chunk with the definition that uses the name, and how."""
    passage = by_place[chunk.folder, chunk.path, chunk.first_line]
    here = shown[passage.candidate[:3]].uses
    node = _place(here[0], uses)[0]
    symbol = None if node.kind == "file" else HitSymbol(node.name, node.kind, node.container)
    return msgspec.structs.replace(chunk, symbol=symbol, reasons=tuple(dict.fromkeys(_reasons(here))))


def _reasons(uses: Sequence[Use]) -> Iterable[str]:
    for use in uses:
        why = f" ({use.reason})" if use.reason else ""
        name = f"{use.qualifier}.{use.name}" if use.qualifier else use.name
        yield f"{use.source.name} {_VERBS.get(use.kind, use.kind)} {name} in line {use.line}{why}"
