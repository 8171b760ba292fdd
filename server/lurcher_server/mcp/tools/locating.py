"""`locate_issue`."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from lurcher_index.results import Status
from lurcher_index.text.numbers import counted
from lurcher_server.lsp.stopping import until_stopped
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
from lurcher_server.mcp.shapes import LocateAnswer, Outcome, PlaceFound, Tried
from lurcher_server.mcp.wording import LOCATE_ISSUE
from lurcher_server.names import Names

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.locate.issue import Issue
    from lurcher_index.locate.located import Located

MAX_TEXT = 20_000
"""Characters of each part of an issue; no more of them is looked at."""

MAX_PLACES = 100
"""Most places in one answer, as with searches."""

Text = Annotated[str, Field(max_length=MAX_TEXT)]


def register(server: MCPServer[Session]) -> None:
    """Offer the tool."""
    server.add_tool(locate_issue, title="Locate an issue", description=LOCATE_ISSUE, annotations=READS)


async def locate_issue(
    ctx: Ctx,
    roots: Roots,
    description: Annotated[Text, Field(description="What is wrong, in the report's own words.")],
    title: Annotated[Text, Field(description="The report's title.")] = "",
    category: Annotated[Text, Field(description="What kind of issue it is, for example security.")] = "",
    codeSnippet: Annotated[Text, Field(description="Code that the report quotes.")] = "",
    goal: Annotated[
        Literal["find-location", "analyze-impact", "find-duplicates", "verify-fix"],
        Field(description="What the places are wanted for."),
    ] = "find-location",
    max_results: Annotated[int, Field(ge=1, le=MAX_PLACES, description="How many places at most.")] = 10,
    token_budget: Budget = TOKEN_BUDGET,
) -> Annotated[CallToolResult, LocateAnswer]:
    """Locate an issue."""
    session = session_of(ctx)
    async with engine_for(ctx, roots) as engine:
        from lurcher_index.locate.issue import Goal, Issue

        issue = Issue(
            description=description, title=title, category=category, code_snippet=codeSnippet, goal=Goal(goal)
        )
        located, places = await until_stopped(lambda stopped: _located(engine, session.names, issue, stopped))
        status = await asyncio.to_thread(engine.status, False)

    def make(count: int) -> tuple[str, LocateAnswer]:
        outcome, message = _outcome(located, status)
        answer = LocateAnswer(
            project=session.names.project,
            outcome=outcome,
            message=message,
            primary=str(located.primary),
            fallback=str(located.fallback),
            confidence=located.confidence,
            reasoning=located.reasoning,
            search_patterns=list(located.search_patterns),
            locations=places[:count],
            did_not_fit=located.left_out + len(places) - count,
            tool_used=located.tool_used,
            fused=located.fused,
            fallback_chain=[
                Tried(strategy=each.strategy, tool=each.tool, outcome=each.outcome.value, detail=each.detail)
                for each in located.fallback_chain
            ],
            index=freshness(status),
            notes=list(located.alerts),
        )
        return _written(answer, head(session.names, status)), answer

    return within_budget(token_budget, min(len(places), max_results), make)


def _located(
    engine: "Engine", names: Names, issue: "Issue", is_stopped: Callable[[], bool]
) -> "tuple[Located, list[PlaceFound]]":
    """In a thread: run the tools, and find the definitions around what they found."""
    located = engine.locate(issue, is_stopped=is_stopped)
    places: list[PlaceFound] = []
    for each in located.locations[:MAX_PLACES]:
        places.append(
            PlaceFound(
                path=names.shown(each.folder, each.path),
                first_line=each.first_line,
                last_line=each.last_line,
                node=each.node,
                reason=each.reason,
                score=round(each.score, 4),
            )
        )
    return located, places


def _outcome(located: "Located", status: Status) -> tuple[Outcome, str]:
    if located.locations:
        return "found", ""
    if not status.complete or status.pending:
        return "not indexed yet", (
            "No place was found so far, but the index is not complete: call index_status with wait_seconds, ask again."
        )
    if not located.could_search:
        return "failed", located.why_empty
    return "no match", f"{located.why_empty} Or ask search_code."


def _written(answer: LocateAnswer, top: str) -> str:
    lines = [top]
    if answer.locations or answer.did_not_fit:
        used = f" by {answer.tool_used}" if answer.tool_used else ""
        used += " and chunk search" if answer.fused else ""
        lines.append(f"{counted(len(answer.locations), 'place')}{used}")
    else:
        lines.append(f"{answer.outcome}: {answer.message}")
    lines.append(
        f"Decision: {answer.primary}, else {answer.fallback}; confidence {answer.confidence} ({answer.reasoning})"
    )
    lines.append("Looked for: " + ", ".join(repr(pattern) for pattern in answer.search_patterns))
    for number, place in enumerate(answer.locations, 1):
        where = f"{place.path}:{place.first_line}-{place.last_line}"
        node = f" · {place.node}" if place.node else ""
        lines.append(f"{number}. {where}{node} · {place.reason} · score {place.score:.2f}")
    if answer.did_not_fit:
        lines.append(f"{answer.did_not_fit} more did not fit (max_results, token_budget).")
    chain = (
        f"{each.tool}: {each.outcome}" + (f" ({each.detail})" if each.detail else "") for each in answer.fallback_chain
    )
    lines.append("Tried: " + "; ".join(chain))
    return "\n".join([*lines, *(f"Note: {note}" for note in answer.notes)])
