"""`workspace/locate`: from an issue to the places it is about."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lurcher_server.lsp.convert import whole_lines
from lurcher_server.lsp.protocol import LOCATE, LocateAnswer, LocateParams, LocationAnswer, SymbolAnswer, TriedAnswer
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.stopping import until_stopped
from lurcher_server.lsp.uris import uri_of

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_index.locate.issue import Issue
    from lurcher_index.locate.located import Located, Location


def register(handlers: Handlers, session: Session) -> None:
    """Bind the method."""

    async def locate(params: LocateParams, _call: Call) -> object:
        from lurcher_index.locate.issue import Goal, Issue

        issue = Issue(
            description=params.description,
            title=params.title,
            category=params.category,
            code_snippet=params.code_snippet,
            goal=Goal(params.goal),
        )
        loaded = await session.loaded()
        await loaded.showing.settle()
        async with session.slot.use() as engine:
            located = await until_stopped(lambda stopped: _located(engine, issue, params.debug, stopped))
        return await asyncio.to_thread(_answer, session, located, params.max_results)

    handlers.request(LOCATE, LocateParams, locate)


def _located(engine: "Engine", issue: "Issue", debug: bool, is_stopped: Callable[[], bool]) -> "Located":
    """In a thread: how tools are chosen is in the environment of the server."""
    from lurcher_index.locate.settings import environment_settings

    settings, complaints = environment_settings()
    chosen = msgspec.structs.replace(settings, debug=settings.debug or debug)
    located = engine.locate(issue, chosen, is_stopped)
    return msgspec.structs.replace(located, alerts=(*complaints, *located.alerts))


def _answer(session: Session, located: "Located", most: int | None) -> LocateAnswer:
    shown = located.locations[:most]
    return LocateAnswer(
        primary=located.primary.value,
        fallback=located.fallback.value,
        confidence=located.confidence,
        reasoning=located.reasoning,
        search_patterns=located.search_patterns,
        locations=tuple(_location(session, each) for each in shown),
        left_out=located.left_out + len(located.locations) - len(shown),
        tool_used=located.tool_used,
        strategy_used=located.strategy_used,
        fallback_chain=tuple(
            TriedAnswer(strategy=each.strategy, tool=each.tool, outcome=each.outcome.value, detail=each.detail)
            for each in located.fallback_chain
        ),
        scores=located.scores,
        fused=located.fused,
        alerts=(*session.alerts, *located.alerts),
        transcript=located.transcript,
    )


def _location(session: Session, place: "Location") -> LocationAnswer:
    symbol = place.symbol
    return LocationAnswer(
        uri=uri_of(Path(session.folder_shown(place.folder), place.path)),
        range=whole_lines(place.first_line, place.last_line),
        symbol=None if symbol is None else SymbolAnswer(name=symbol.name, kind=symbol.kind, container=symbol.container),
        reason=place.reason,
        score=place.score,
    )
