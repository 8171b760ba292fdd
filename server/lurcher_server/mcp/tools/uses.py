"""`who_calls`."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from lurcher_index.results import Status
from lurcher_index.text.numbers import counted
from lurcher_server.mcp.calls import (
    READS,
    TOKEN_BUDGET,
    Budget,
    Ctx,
    Roots,
    engine_for,
    freshness,
    head,
    session_of,
    within_budget,
)
from lurcher_server.mcp.session import Session
from lurcher_server.mcp.shapes import Outcome, UseFound, UsesAnswer
from lurcher_server.mcp.tools.nodes import definition, listed
from lurcher_server.mcp.wording import WHO_CALLS

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.graph.values import Use, Uses

MAX_USES = 500
"""Most uses in one answer: those of a name that is used everywhere."""

MAX_LINES = 20
"""Lines that are listed of one definition that uses another again and again."""

MAX_TARGETS = 20
"""Definitions of the name that are listed; the uses tell which one is meant."""

Direction = Literal["callers", "callees", "references"]


def register(server: MCPServer[Session]) -> None:
    """Offer the tool."""
    server.add_tool(who_calls, title="Who calls", description=WHO_CALLS, annotations=READS)


async def who_calls(
    ctx: Ctx,
    roots: Roots,
    name: Annotated[
        str, Field(min_length=1, max_length=1_000, description="A name, Class.method, module:function, or an id.")
    ],
    direction: Annotated[Direction, Field(description="callers, callees or references.")] = "callers",
    max_results: Annotated[int, Field(ge=1, le=MAX_USES, description="How many uses at most.")] = 50,
    token_budget: Budget = TOKEN_BUDGET,
) -> Annotated[CallToolResult, UsesAnswer]:
    """Answer from the call graph, also when the answer is that there is nothing."""
    session = session_of(ctx)
    async with engine_for(ctx, roots) as engine:
        uses = await asyncio.to_thread(_uses, engine, name.strip(), direction, max_results)
        status = await asyncio.to_thread(engine.status, False)

    def make(count: int) -> tuple[str, UsesAnswer]:
        outcome, message = _outcome(uses, status)
        answer = UsesAnswer(
            project=session.names.project,
            outcome=outcome,
            message=message,
            direction=direction,
            definitions=[definition(node) for node in uses.targets[:MAX_TARGETS]],
            uses=[_use(each) for each in uses.uses[:count]],
            total=uses.total,
            unsure=uses.unsure,
            index=freshness(status),
        )
        return _written(answer, head(session.names, status), name), answer

    return within_budget(token_budget, len(uses.uses), make)


def _uses(engine: "Engine", name: str, direction: Direction, limit: int) -> "Uses":
    """In a thread: ask the graph."""
    graph = engine.graph()
    if direction == "callers":
        return graph.callers(name, limit)
    if direction == "references":
        return graph.references(name, limit)
    callees = graph.callees(name, MAX_USES)
    # What can be looked into comes before what libraries have.
    known = sorted(callees.uses, key=lambda use: use.target is None)
    return msgspec.structs.replace(callees, uses=tuple(known[:limit]))


def _use(use: "Use") -> UseFound:
    lines = dict.fromkeys(place.line for place in use.places) or {use.line: None}
    return UseFound(
        source=definition(use.source),
        target="" if use.target is None else use.target.id,
        name=f"{use.qualifier}.{use.name}" if use.qualifier else use.name,
        kind=use.kind,
        lines=list(lines)[:MAX_LINES],
        confidence=round(use.confidence, 2),
        reason=use.reason,
    )


def _outcome(uses: "Uses", status: Status) -> tuple[Outcome, str]:
    if uses.uses:
        return "found", uses.explanation
    if not status.complete or status.pending:
        return "not indexed yet", (
            f"{uses.explanation} But the index is not complete: call index_status with wait_seconds, then ask again."
        ).strip()
    return ("no match" if uses.targets else "unknown"), uses.explanation


def _written(answer: UsesAnswer, top: str, name: str) -> str:
    lines = [top]
    if not answer.total:
        lines.append(f"{answer.outcome}: {answer.message}")
    else:
        shown = f" ({len(answer.uses)} shown)" if len(answer.uses) < answer.total else ""
        lines.append(f"{counted(answer.total, answer.direction.removesuffix('s'))} of {name[:100]!r}{shown}")
        if answer.message:
            lines.append(f"Note: {answer.message}")
    lines += [f"Defined: {listed(each)}" for each in answer.definitions]
    for number, use in enumerate(answer.uses, 1):
        places = ", ".join(map(str, use.lines))
        if answer.direction == "callees" and not use.target:
            lines.append(f"{number}. {use.name} (not in the workspace) · {use.kind} in line {places}")
            continue
        what = f"{use.target if answer.direction == 'callees' else listed(use.source)} · {use.kind} in line {places}"
        sure = f"confidence {use.confidence:.2f}" + (f", {use.reason}" if use.reason else "")
        lines.append(f"{number}. {what} · {sure}")
    if answer.unsure:
        lines.append(f"{answer.unsure} more may be meant, but that is too doubtful.")
    return "\n".join(lines)
