"""`search_code`."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from lurcher_server.mcp.calls import MAX_TOKENS, MIN_TOKENS, READS, Ctx, Roots, conversation_of, engine_for, session_of
from lurcher_server.mcp.session import Session
from lurcher_server.mcp.shapes import SearchAnswer
from lurcher_server.mcp.wording import SEARCH_CODE

MAX_RESULTS = 100
"""Most results of one search; seed 002's figure."""

TOKENS_A_RESULT = 625
"""What an answer may cost for each result that is wanted, if no budget is given: VS Code's own tool asks for 32
results in 20,000 tokens."""

MAX_QUERY = 8_000
"""Characters of a question: a pasted error with its trace fits."""

Query = Annotated[
    str,
    Field(
        min_length=1, max_length=MAX_QUERY, description="A question in plain words, some words, a name, or an error."
    ),
]
Short = Annotated[str, Field(min_length=1, max_length=200)]
Glob = Annotated[str, Field(min_length=1, max_length=500)]


def register(server: MCPServer[Session]) -> None:
    """Offer the tool."""
    server.add_tool(search_code, title="Search code", description=SEARCH_CODE, annotations=READS)


async def search_code(
    ctx: Ctx,
    roots: Roots,
    query: Query,
    max_results: Annotated[int, Field(ge=1, le=MAX_RESULTS, description="How many results at most.")] = 10,
    token_budget: Annotated[
        int | None,
        Field(ge=MIN_TOKENS, le=MAX_TOKENS, description="Tokens the answer may cost; by default 625 for each result."),
    ] = None,
    languages: Annotated[
        list[Short], Field(max_length=50, description='Only these languages, for example ["python", "golang", "ts"].')
    ] = [],  # noqa: B006 - never changed, and the schema shows it
    filePattern: Annotated[
        Glob | None,
        Field(
            description="Only files that match this glob, for example `*.ts` or `src/**/*.{h,cpp}`; with ! before it"
            " (`!tests/**`) only those that do not."
        ),
    ] = None,
    paths: Annotated[
        list[Glob], Field(max_length=50, description="Only below these folders or files, relative to the workspace.")
    ] = [],  # noqa: B006
    searchScopes: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=1_000)]],
        Field(
            max_length=50, description="Only inside these: ids, folders, feature paths; what names nothing is reported."
        ),
    ] = [],  # noqa: B006
    featureTerms: Annotated[
        list[Short],
        Field(max_length=20, description="More words for what the code does, beside those of the query: synonyms."),
    ] = [],  # noqa: B006
    mode: Annotated[
        Literal["snippets", "features", "auto"],
        Field(
            description="snippets: all at once; features: names, docs and paths only; auto: features, then snippets."
        ),
    ] = "snippets",
    content: Annotated[
        Literal["all", "code", "docs", "config"], Field(description="Only code, documents or configuration.")
    ] = "all",
    include_seen: Annotated[bool, Field(description="Also return what was shown before in this conversation.")] = False,
    include_weak: Annotated[
        bool, Field(description="Also return what is only named otherwise, since it hardly answers the question.")
    ] = False,
) -> Annotated[CallToolResult, SearchAnswer]:
    """Search, and put the answer together within its budget."""
    session, conversation = session_of(ctx), conversation_of(ctx)
    async with engine_for(ctx, roots) as engine:
        # Importing these costs most of a second: not before the engine is there, which has done it.
        from lurcher_index.asking import Ask, Mode, Seen
        from lurcher_server.mcp.answered import answered

        names = session.names
        globs = [names.known(glob)] if (glob := (filePattern or "").removeprefix("!")) else []
        is_unwanted = filePattern is not None and filePattern.startswith("!")
        filters = engine.filters(
            include=() if is_unwanted else globs,
            exclude=globs if is_unwanted else (),
            languages=languages,
            paths=[names.known(path) for path in paths],
            content=content,
        )
        seen = () if include_seen else session.memory.seen(conversation)
        ask = Ask(
            text=query,
            keywords=tuple(featureTerms),
            max_results=max_results,
            filters=filters,
            scopes=tuple(map(names.real, searchScopes)),
            mode=Mode(mode),
            seen=tuple(Seen(chunk_id=chunk_id) for chunk_id in seen),
            unfiltered=include_weak,
        )
        answer = await engine.ask(ask)
        budget = token_budget or TOKENS_A_RESULT * max_results
        found, entries = await asyncio.to_thread(answered, engine, names, query, answer, budget)
    for entry in entries:
        session.memory.show(conversation, entry.shown, Path(entry.chunk.folder, entry.chunk.path))
    return found
