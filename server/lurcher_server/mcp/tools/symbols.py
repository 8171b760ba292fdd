"""`find_symbol`."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

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
from lurcher_server.mcp.shapes import Definition, Outcome, SymbolAnswer
from lurcher_server.mcp.tools.nodes import definition, listed
from lurcher_server.mcp.wording import FIND_SYMBOL
from lurcher_server.names import Names

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.naming import NamedSymbol

MAX_DEFINITIONS = 200
"""Most definitions in one answer; more than anybody reads."""

Kind = Literal[
    "module",
    "namespace",
    "class",
    "interface",
    "struct",
    "enum",
    "trait",
    "function",
    "method",
    "constructor",
    "property",
    "field",
    "variable",
    "constant",
    "type",
    "macro",
    "table",
    "key",
    "section",
    "file",
    "folder",
]
"""What a name may stand for: the engine's kinds of symbols and, since ids are names too, files and folders. They are in
the tool's schema, so that nobody has to guess them."""


def register(server: MCPServer[Session]) -> None:
    """Offer the tool."""
    server.add_tool(find_symbol, title="Find symbol", description=FIND_SYMBOL, annotations=READS)


async def find_symbol(
    ctx: Ctx,
    roots: Roots,
    name: Annotated[str, Field(min_length=1, max_length=500, description="A name, a part of it, or Class.method.")],
    kind: Annotated[Kind | None, Field(description="Only definitions of this kind.")] = None,
    max_results: Annotated[int, Field(ge=1, le=MAX_DEFINITIONS, description="How many at most.")] = 20,
    token_budget: Budget = TOKEN_BUDGET,
) -> Annotated[CallToolResult, SymbolAnswer]:
    """Find definitions by name."""
    session = session_of(ctx)
    async with engine_for(ctx, roots) as engine:
        found = await asyncio.to_thread(_found, engine, session.names, name, kind)
        status = await asyncio.to_thread(engine.status, False)

    def make(count: int) -> tuple[str, SymbolAnswer]:
        outcome, message = _outcome(found, status)
        answer = SymbolAnswer(
            project=session.names.project,
            outcome=outcome,
            message=message,
            definitions=found.definitions[:count],
            did_not_fit=found.total - count,
            index=freshness(status),
        )
        return _written(answer, head(session.names, status), name), answer

    return within_budget(token_budget, min(len(found.definitions), max_results), make)


class _Found(NamedTuple):
    """What has a name, or one like it."""

    definitions: list[Definition]
    """Of the kind that is wanted, as many as may be listed."""
    total: int
    """How many of that kind there are, listed or not."""
    kinds: tuple[str, ...]
    """Every kind that has such a name, wanted or not."""


def _found(engine: "Engine", names: Names, name: str, kind: Kind | None) -> _Found:
    """In a thread: what has exactly that name, qualified or not, and then what has a similar one."""
    exact = [definition(node) for node in engine.graph().definitions(name)]
    # A qualified name that is known is not taken for a part of others.
    similar = [_similar(names, each) for each in engine.symbols(name.strip(), None)]
    known = {each.id for each in exact}
    every = [*exact, *(each for each in similar if each.id not in known)]
    # Cut last: one class must not be lost behind two hundred functions of its name.
    wanted = [each for each in every if kind in (None, each.kind)]
    return _Found(wanted[:MAX_DEFINITIONS], len(wanted), tuple(dict.fromkeys(each.kind for each in every)))


def _similar(names: Names, found: "NamedSymbol") -> Definition:
    return Definition(
        id=names.shown(found.folder, found.node),
        name=f"{found.container}.{found.symbol.name}" if found.container else found.symbol.name,
        kind=found.symbol.kind.value,
        path=names.shown(found.folder, found.path),
        first_line=found.symbol.first_line,
        last_line=found.symbol.last_line,
    )


def _written(answer: SymbolAnswer, top: str, name: str) -> str:
    if not answer.definitions and not answer.did_not_fit:
        return f"{top}\n{answer.outcome}: {answer.message}"
    lines = [top, f"{counted(len(answer.definitions), 'definition')} for {name[:100]!r}"]
    lines += [f"{number}. {listed(each)}" for number, each in enumerate(answer.definitions, 1)]
    if answer.did_not_fit:
        lines.append(f"{answer.did_not_fit} more did not fit (max_results, token_budget).")
    return "\n".join(lines)


def _outcome(found: _Found, status: Status) -> tuple[Outcome, str]:
    if found.definitions:
        return "found", ""
    if not status.complete or status.pending:
        return "not indexed yet", (
            "No such name so far, but the index is not complete. Call index_status with wait_seconds, then ask again."
        )
    if found.kinds:
        kinds = ", ".join(found.kinds)
        return "no match", f"What has such a name is of another kind: {kinds}. Ask without kind, or with one of these."
    if not status.indexed:
        return "no files", "The workspace has no files that can be searched."
    return "no match", "No definition has this name. Try a part of it, or search_code with what it does."
