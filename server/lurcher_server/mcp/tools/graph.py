"""`explore_graph` and `fetch_node`."""

import asyncio
from collections.abc import Callable
from itertools import accumulate, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from lurcher_index.results import Status
from lurcher_index.text.numbers import counted
from lurcher_index.text.tokens import estimate_tokens
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
    tokens,
    within_budget,
)
from lurcher_server.mcp.session import Session
from lurcher_server.mcp.shapes import GraphAnswer, GraphLink, NodeFound, NodesAnswer, Outcome
from lurcher_server.mcp.tools.nodes import definition, listed
from lurcher_server.mcp.wording import EXPLORE_GRAPH, FETCH_NODE

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.graph.values import Explored, Fetched, FetchedNodes

MAX_NODES = 300
"""Most nodes of one walk; more cannot be read as a list."""

MAX_DEPTH = 6
"""Farthest that is walked: six calls away nearly everything hangs together."""

MAX_IDS = 20
"""Ids in one call."""

MAX_MEMBERS = 100
"""Members of a node that are listed; a folder may have thousands of files."""

NodeIds = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=1_000)]],
    Field(min_length=1, max_length=MAX_IDS, description="Ids: `src/app.py`, `src/db`, `src/app.py:Server.start`."),
]
Kind = Literal["contains", "inherits", "invokes", "imports", "composes"]


def register(server: MCPServer[Session]) -> None:
    """Offer the tools."""
    server.add_tool(explore_graph, title="Explore the code graph", description=EXPLORE_GRAPH, annotations=READS)
    server.add_tool(fetch_node, title="Fetch code by id", description=FETCH_NODE, annotations=READS)


async def explore_graph(
    ctx: Ctx,
    roots: Roots,
    ids: NodeIds,
    direction: Annotated[Literal["up", "down", "both"], Field(description="Which way links are followed.")] = "both",
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH, description="How many steps.")] = 2,
    kinds: Annotated[list[Kind], Field(max_length=5, description="Only these kinds of links; empty for all.")] = [],  # noqa: B006
    max_nodes: Annotated[int, Field(ge=1, le=MAX_NODES, description="How many nodes at most.")] = 60,
    token_budget: Budget = TOKEN_BUDGET,
) -> Annotated[CallToolResult, GraphAnswer]:
    """Walk the graph."""
    session = session_of(ctx)
    async with engine_for(ctx, roots) as engine:
        explored = await asyncio.to_thread(_explored, engine, ids, direction, depth, kinds, max_nodes)
        status = await asyncio.to_thread(engine.status, False)

    def make(count: int) -> tuple[str, GraphAnswer]:
        outcome, message = _outcome(bool(explored.nodes), explored.unknown, status)
        nodes = [definition(node) for node in explored.nodes[:count]]
        kept = {node.id for node in nodes}
        links = [
            GraphLink(
                source=link.source,
                target=link.target,
                kind=link.kind.value,
                line=link.line,
                confidence=round(link.confidence, 2),
            )
            for link in explored.links
            if link.source in kept and (link.target in kept or link.external)
        ]
        answer = GraphAnswer(
            project=session.names.project,
            outcome=outcome,
            message=message,
            nodes=nodes,
            links=links,
            unknown=list(explored.unknown),
            hidden=explored.hidden + len(explored.nodes) - len(nodes),
            index=freshness(status),
        )
        return _graph_written(answer, head(session.names, status)), answer

    return within_budget(token_budget, len(explored.nodes), make)


async def fetch_node(
    ctx: Ctx, roots: Roots, ids: NodeIds, token_budget: Budget = TOKEN_BUDGET
) -> Annotated[CallToolResult, NodesAnswer]:
    """Get code by id."""
    session = session_of(ctx)
    async with engine_for(ctx, roots) as engine:
        fetched, codes = await asyncio.to_thread(_fetched, engine, ids)
        status = await asyncio.to_thread(engine.status, False)

    def answer_with(nodes: list[NodeFound]) -> tuple[str, NodesAnswer]:
        outcome, message = _outcome(bool(fetched.nodes), fetched.unknown, status)
        answer = NodesAnswer(
            project=session.names.project,
            outcome=outcome,
            message=message,
            nodes=nodes,
            unknown=list(fetched.unknown),
            did_not_fit=[each.node.id for each in fetched.nodes[len(nodes) :]],
            index=freshness(status),
        )
        return _nodes_written(answer, head(session.names, status)), answer

    def packed() -> CallToolResult:
        """In a thread: code may be long."""
        nodes = [_node(each, codes[at]) for at, each in enumerate(fetched.nodes)]
        nodes[:1] = [_cut(node, token_budget, lambda cut: tokens(*answer_with([cut]))) for node in nodes[:1]]
        # What cannot fit is not measured again and again.
        fitting = takewhile(lambda size: size <= token_budget, accumulate(estimate_tokens(each.code) for each in nodes))
        return within_budget(token_budget, len(list(fitting)), lambda count: answer_with(nodes[:count]))

    return await asyncio.to_thread(packed)


def _explored(
    engine: "Engine", ids: list[str], direction: str, depth: int, kinds: list[Kind], limit: int
) -> "Explored":
    """In a thread: ask the graph."""
    from lurcher_index.graph.values import Direction, LinkKind

    return engine.graph().explore(ids, Direction(direction), depth, [LinkKind(kind) for kind in kinds], limit)


def _fetched(engine: "Engine", ids: list[str]) -> "tuple[FetchedNodes, list[str]]":
    """In a thread: the nodes and the code of each, with the indentation of its first line."""
    fetched = engine.graph().fetch(list(dict.fromkeys(ids)))
    codes: list[str] = []
    for each in fetched.nodes:
        node = each.node
        place = Path(node.folder, node.path)
        lines = engine.lines(place, node.first_line, node.last_line) if each.code and node.kind != "file" else None
        codes.append(each.code if lines is None else lines.text.rstrip("\r\n"))
    return fetched, codes


def _node(fetched: "Fetched", text: str) -> NodeFound:
    from lurcher_index.rendering import dedented

    return NodeFound(
        node=definition(fetched.node),
        language=fetched.node.language,
        container=fetched.container.id if fetched.container else "",
        members=[node.id for node in fetched.members[:MAX_MEMBERS]],
        feature_paths=list(fetched.feature_paths),
        changed=fetched.changed,
        cut=False,
        code=dedented(text),
    )


def _cut(node: NodeFound, budget: int, cost: Callable[[NodeFound], int]) -> NodeFound:
    """The first node is cut if it is too long for the whole answer, as it is written; later ones are left out."""
    from lurcher_index.ranking.packing import cut_to_tokens

    if cost(node) <= budget:
        return node

    def with_code(code: str) -> NodeFound:
        return node.model_copy(update={"code": code, "cut": True})

    while node.members and cost(with_code("")) > budget // 2:
        node = node.model_copy(update={"members": node.members[: len(node.members) // 2]})
    return with_code(cut_to_tokens(node.code, budget, lambda code: cost(with_code(code))))


def _outcome(found: bool, unknown: tuple[str, ...], status: Status) -> tuple[Outcome, str]:
    named = ", ".join(repr(each[:100]) for each in unknown)
    if found:
        return "found", f"These ids name nothing: {named}." if unknown else ""
    if not status.complete or status.pending:
        return "not indexed yet", (
            f"Not known so far: {named}. The index is not complete: call index_status with wait_seconds and ask again."
        )
    return "unknown", f"These ids name nothing: {named}. Take ids from search_code or find_symbol."


def _graph_written(answer: GraphAnswer, top: str) -> str:
    lines = [top]
    if answer.message:
        lines.append(f"{answer.outcome}: {answer.message}")
    lines += [f"{number}. {listed(node)}" for number, node in enumerate(answer.nodes, 1)]
    if answer.links:
        lines.append("Links:")
    lines += [f"{link.source} {link.kind} {link.target}" + _detail(link) for link in answer.links]
    if answer.hidden:
        lines.append(f"Left out (max_nodes, token_budget): {counted(answer.hidden, 'neighbour')}.")
    return "\n".join(lines)


def _detail(link: GraphLink) -> str:
    line = f" · line {link.line}" if link.line else ""
    return line + (f" · confidence {link.confidence:.2f}" if link.confidence < 1 else "")


def _nodes_written(answer: NodesAnswer, top: str) -> str:
    from lurcher_index.rendering import fenced

    lines = [top]
    if answer.message:
        lines.append(f"{answer.outcome}: {answer.message}")
    for number, each in enumerate(answer.nodes, 1):
        lines += ["", f"{number}. {listed(each.node)}"]
        if each.container:
            lines.append(f"in {each.container}")
        if each.feature_paths:
            lines.append("features: " + "; ".join(each.feature_paths))
        if each.changed:
            lines.append("The file changed a moment ago: ask again for its code.")
        if each.code:
            lines.append(fenced(each.language, each.code))
        if each.cut:
            lines.append("Only the beginning fits; raise token_budget or open the file.")
        if each.members:
            lines.append("contains: " + ", ".join(each.members))
    if answer.did_not_fit:
        lines += ["", "Did not fit (token_budget): " + ", ".join(answer.did_not_fit)]
    return "\n".join(lines)
