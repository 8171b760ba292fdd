"""The answer of `search_code`, within its budget. Importing this loads the engine."""

from collections.abc import Sequence
from typing import NamedTuple

from mcp.types import CallToolResult

from lurcher_index.answers import Answer, AnswerChunk
from lurcher_index.engine import Engine
from lurcher_index.report import Entry, Extent, lay_out, match_of, symbol_name, written
from lurcher_index.text.numbers import counted
from lurcher_index.text.tokens import estimate_tokens
from lurcher_index.words.query import understand
from lurcher_server.mcp.calls import tokens, within_budget
from lurcher_server.mcp.shapes import Freshness, Outcome, Place, Result, SearchAnswer
from lurcher_server.mcp.wording import EMPTY
from lurcher_server.names import Names

NOTES_SHARE = 4
"""One in so many tokens of the budget may be notes, and one in as many weaker places; results come first."""

HEADING = 20
"""Tokens of the line above weaker places, rounded up."""

NAMED = 5
"""Definitions of a name that a note lists; who_calls lists all."""


class Told(NamedTuple):
    """What an answer says besides its results, each as much as there is room for."""

    notes: list[str]
    nearby: list[Place]


def answered(
    engine: Engine, names: Names, query: str, answer: Answer, budget: int
) -> tuple[CallToolResult, list[Entry]]:
    """In a thread: the answer, and the results that are in it."""
    nodes = engine.node_ids(answer.chunks)

    plain = Told(_notes(answer, budget // NOTES_SHARE), [])

    def cost(entry: Entry) -> int:
        structured = _result(entry, nodes).model_dump_json()
        return max(estimate_tokens("\n\n" + _entry(entry)), estimate_tokens(structured)) + 1

    def named(chunk: AnswerChunk) -> str:
        return names.shown(chunk.folder, chunk.path)

    def costing(told: Told, entries: Sequence[Entry]) -> int:
        return tokens(_written(names, query, answer, told, entries), _structured(names, answer, told, entries, nodes))

    room = budget - costing(plain, [])
    entries = lay_out(answer.chunks, engine.surroundings, understand(query), room, name=named, measure=cost)
    kept: list[Entry] = []

    def make(count: int) -> tuple[str, SearchAnswer]:
        kept[:] = entries[:count]
        near = _nearby(names, answer, min(budget // NOTES_SHARE, budget - costing(plain, kept) - HEADING))
        told = plain._replace(nearby=near)
        return _written(names, query, answer, told, kept), _structured(names, answer, told, kept, nodes)

    return within_budget(budget, len(entries), make), kept


def _written(names: Names, query: str, answer: Answer, told: Told, entries: Sequence[Entry]) -> str:
    outcome, message = _outcome(answer, entries)
    fresh = answer.freshness
    pending = f", {fresh.pending:,} not indexed yet" if fresh.pending else ""
    head = f"Project {names.project}: {counted(fresh.indexed, 'file')} indexed{pending}"
    asked = query if len(query) <= 100 else query[:100] + "…"
    lines = [head, f"{counted(len(entries), 'result')} for: {asked!r}" if entries else f"{outcome}: {message}"]
    if answer.stage:
        lines.append(f"Answered by stage: {answer.stage}")
    lines += [f"Note: {note}" for note in told.notes]
    parts = ["\n".join(lines), *(_entry(entry) for entry in entries)]
    if left := _left_out(answer, entries):
        parts.append(left)
    if told.nearby:
        parts.append("\n".join(["Weaker places, a line of each:", *map(_place, told.nearby)]))
    return "\n\n".join(parts)


def _nearby(names: Names, answer: Answer, budget: int) -> list[Place]:
    places: list[Place] = []
    for each in answer.nearby:
        place = Place(
            path=names.shown(each.folder, each.path),
            first_line=each.first_line,
            last_line=each.last_line,
            symbol=symbol_name(each.symbol) if each.symbol else "",
            excerpt=each.excerpt,
        )
        budget -= max(estimate_tokens(_place(place)), estimate_tokens(place.model_dump_json())) + 2
        if budget < 0:
            break
        places.append(place)
    return places


def _place(place: Place) -> str:
    symbol = f" ({place.symbol})" if place.symbol else ""
    return f"- {place.path}:{place.first_line}-{place.last_line}{symbol}: {place.excerpt}"


def _notes(answer: Answer, budget: int) -> list[str]:
    notes: list[str] = []
    uses = answer.cross_reference
    if uses is not None and answer.chunks:
        defined = f", defined: {', '.join(uses.definitions[:NAMED])}" if uses.definitions else ""
        notes.append(
            f"{counted(uses.total, uses.relation.removesuffix('s'))} of {uses.name} by the call graph{defined}"
        )
    for note in answer.alerts:
        budget -= estimate_tokens(note) + 4
        if budget >= 0:
            notes.append(note)
    return notes


def _entry(entry: Entry) -> str:
    in_short = entry.extent in (Extent.SKELETON, Extent.CUT)
    return written(entry) + (f"\nwhole: lurcher://chunk/{entry.chunk.chunk_id}" if in_short else "")


def _left_out(answer: Answer, entries: Sequence[Entry]) -> str:
    lines: list[str] = []
    if answer.dropped.seen and entries:
        lines.append(
            f"Left out, since they were shown to you before (include_seen): {counted(answer.dropped.seen, 'result')}."
        )
    if missing := _missing(answer, entries):
        lines.append(
            f"{counted(missing, 'more result')} did not fit (max_results, token_budget) or overlap with these."
        )
    return "\n".join(lines)


def _missing(answer: Answer, entries: Sequence[Entry]) -> int:
    shown = {chunk_id for entry in entries for chunk_id in entry.shown}
    return answer.dropped.limit + sum(chunk.chunk_id not in shown for chunk in answer.chunks)


def _outcome(answer: Answer, entries: Sequence[Entry]) -> tuple[Outcome, str]:
    if answer.empty is not None:
        outcome, message = EMPTY[answer.empty]
        said = answer.cross_reference.explanation if answer.cross_reference is not None else ""
        return outcome, f"{said} {message}".strip()
    return "found", "" if entries else "Something was found, but token_budget is too small to show it."


def _structured(
    names: Names, answer: Answer, told: Told, entries: Sequence[Entry], nodes: dict[str, str]
) -> SearchAnswer:
    outcome, message = _outcome(answer, entries)
    return SearchAnswer(
        project=names.project,
        outcome=outcome,
        message=message,
        stage=answer.stage,
        results=[_result(entry, nodes) for entry in entries],
        already_shown=answer.dropped.seen,
        did_not_fit=_missing(answer, entries),
        index=Freshness(
            indexed_files=answer.freshness.indexed,
            pending_files=answer.freshness.pending,
            complete=answer.complete,
        ),
        nearby=told.nearby,
        notes=told.notes,
    )


def _result(entry: Entry, nodes: dict[str, str]) -> Result:
    chunk = entry.chunk
    return Result(
        number=entry.number,
        path=entry.where,
        first_line=entry.first_line,
        last_line=entry.last_line,
        symbol=symbol_name(chunk.symbol) if chunk.symbol else "",
        kind=chunk.symbol.kind if chunk.symbol else "",
        match=match_of(chunk),
        score=chunk.score,
        extent=entry.extent.value,
        language=chunk.language,
        node=nodes.get(chunk.chunk_id, ""),
        feature_path=chunk.feature_path or "",
        chunk_id=chunk.chunk_id,
        text=entry.code,
    )
