"""`find_symbol`."""

import asyncio
import re
from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from lurcher_index.results import Status
from lurcher_server.mcp.calls import READS, Ctx, Roots, engine_for, session_of, within_budget
from lurcher_server.mcp.folders import Names
from lurcher_server.mcp.session import Session
from lurcher_server.mcp.shapes import Definition, Freshness, Outcome, SymbolAnswer
from lurcher_server.mcp.wording import FIND_SYMBOL

if TYPE_CHECKING:
    from lurcher_index.naming import NamedSymbol

MAX_DEFINITIONS = 200
"""Most definitions in one answer; more than anybody reads."""

TOKEN_BUDGET = 8_000
"""What a list of names may cost if nothing is said: 200 definitions of 40 tokens."""

_SEPARATOR = re.compile(r"::|[.:#/]")


def register(server: MCPServer[Session]) -> None:
    """Offer the tool."""
    server.add_tool(find_symbol, title="Find symbol", description=FIND_SYMBOL, annotations=READS)


async def find_symbol(
    ctx: Ctx,
    roots: Roots,
    name: Annotated[str, Field(min_length=1, max_length=500, description="A name, or Class.method.")],
    kind: Annotated[
        str | None, Field(max_length=50, description="Only this kind: function, method, class, constant, …")
    ] = None,
    max_results: Annotated[int, Field(ge=1, le=MAX_DEFINITIONS, description="How many at most.")] = 20,
    token_budget: Annotated[int, Field(ge=100, le=1_000_000, description="Tokens the answer may cost.")] = TOKEN_BUDGET,
) -> Annotated[CallToolResult, SymbolAnswer]:
    """Find definitions by name."""
    session = session_of(ctx)
    containers, bare = _split(name)
    async with engine_for(ctx, roots) as engine:
        every = await asyncio.to_thread(engine.symbols, bare, MAX_DEFINITIONS)
        status = await asyncio.to_thread(engine.status, False)
    found = [each for each in every if _lies_in(each, containers) and kind in (None, each.symbol.kind.value)]

    def make(count: int) -> tuple[str, SymbolAnswer]:
        return _written(session.names, name, found, count, status), _structured(session.names, found, count, status)

    return within_budget(token_budget, min(len(found), max_results), make)


def _split(name: str) -> tuple[list[str], str]:
    """What contains a symbol, outermost first, and its own name."""
    *containers, bare = [part for part in _SEPARATOR.split(name.strip()) if part] or [name]
    return containers, bare


def _lies_in(found: "NamedSymbol", containers: list[str]) -> bool:
    """Whether a symbol lies in something of these names: of its outer symbols and, before them, of its path."""
    path = found.path.rpartition(".")[0].split("/")
    outer = [*path, *(found.container.split(".") if found.container else [])]
    at = 0
    for part in outer:
        at += at < len(containers) and part.casefold() == containers[at].casefold()
    return at == len(containers)


def _written(names: Names, name: str, found: "list[NamedSymbol]", count: int, status: Status) -> str:
    outcome, message = _outcome(found, status)
    head = f"Project {names.project}: {status.indexed:,} files indexed"
    head += f", {status.pending:,} not indexed yet" if status.pending else ""
    if not found:
        return f"{head}\n{outcome}: {message}"
    lines = [head, f"{count} definitions for {name[:100]!r}"]
    for number, each in enumerate(found[:count], 1):
        place = f"{names.shown(each.folder, each.path)}:{each.symbol.first_line}-{each.symbol.last_line}"
        lines.append(f"{number}. {each.symbol.kind.value} {_qualified(each)} · {place}")
    if len(found) > count:
        lines.append(f"{len(found) - count} more did not fit (max_results, token_budget).")
    return "\n".join(lines)


def _structured(names: Names, found: "list[NamedSymbol]", count: int, status: Status) -> SymbolAnswer:
    outcome, message = _outcome(found, status)
    return SymbolAnswer(
        project=names.project,
        outcome=outcome,
        message=message,
        definitions=[
            Definition(
                name=_qualified(each),
                kind=each.symbol.kind.value,
                path=names.shown(each.folder, each.path),
                first_line=each.symbol.first_line,
                last_line=each.symbol.last_line,
            )
            for each in found[:count]
        ],
        did_not_fit=len(found) - count,
        index=Freshness(
            indexed_files=status.indexed,
            pending_files=status.pending,
            complete=status.complete and not status.pending,
        ),
    )


def _outcome(found: "list[NamedSymbol]", status: Status) -> tuple[Outcome, str]:
    if found:
        return "found", ""
    if not status.complete or status.pending:
        return (
            "not indexed yet",
            "No such name so far, but the index is not complete. Call index_status with wait_seconds.",
        )
    if not status.indexed:
        return "no files", "The workspace has no files that can be searched."
    return "no match", "No definition has this name. Try a part of it, or search_code with what it does."


def _qualified(found: "NamedSymbol") -> str:
    return f"{found.container}.{found.symbol.name}" if found.container else found.symbol.name
