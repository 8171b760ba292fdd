"""Where the engine's values and LSP's meet: lines from 1 or from 0, paths or URIs, bytes or the client's units."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lurcher_server.lsp import protocol
from lurcher_server.lsp.uris import path_of, uri_of
from lurcher_server.lsp.wire import Position, Range

if TYPE_CHECKING:
    from lurcher_index.answers import Answer, AnswerChunk, AskedQuery, CrossReferenced, Nearby
    from lurcher_index.asking import Ask, Seen
    from lurcher_index.results import HitSymbol
    from lurcher_index.words.filters import Filters

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""The unit in which a client counts characters."""

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-32", "utf-16")
"""Those we know, the cheapest to count first."""

Renamed = Callable[[str], str]
"""A path as the other side names it: the engine knows folders with links resolved, the client as they were opened."""

LAST_LINE = 2**31
"""Beyond the end of every file."""


def units(text: str, encoding: Encoding) -> int:
    """How long a text is for the client."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def bytes_before(line: bytes, character: int, encoding: Encoding) -> int:
    """How many bytes of a line stand before a character of the client's; beyond the end of the line, all of them."""
    if encoding == "utf-8" or line.isascii():
        return min(character, len(line))
    text = line.decode("utf-8", "replace")
    if encoding == "utf-32":
        return len(text[:character].encode())
    # Half of a surrogate pair is no character; who points into one means the character.
    return len(text.encode("utf-16-le")[: 2 * character].decode("utf-16-le", "ignore").encode())


def whole_lines(first_line: int, last_line: int) -> Range:
    """Lines of the engine's, up to the beginning of the one behind them."""
    return Range(start=Position(line=first_line - 1, character=0), end=Position(line=last_line, character=0))


def chunk_range(first_line: int, last_line: int, before: str, text: str, encoding: Encoding) -> Range:
    """The range of a chunk that begins after `before` on its first line."""
    start = units(before, encoding)
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if plain.endswith("\n"):
        # A whole file: its last line ends where the next one would begin.
        return Range(start=Position(line=first_line - 1, character=start), end=Position(line=last_line, character=0))
    end = units(plain.rpartition("\n")[2], encoding) + (start if first_line == last_line else 0)
    return Range(start=Position(line=first_line - 1, character=start), end=Position(line=last_line - 1, character=end))


def ask_of(
    params: protocol.ChunkSearchParams, filters: "Filters", deadline_seconds: float, real: Renamed = str
) -> "Ask":
    """A question as the engine takes it; what cannot be asked raises BadQuery."""
    from lurcher_index.asking import PRESETS, Ask, Mode, Weights
    from lurcher_index.ranking.fusion import RRF_K

    weights = PRESETS[params.preset or "balanced"]
    if params.weights is not None:
        weights = Weights(params.weights.words, params.weights.meaning)
    return Ask(
        text=params.query,
        keywords=params.keywords,
        max_results=params.max_results,
        token_budget=params.token_budget,
        filters=filters,
        seen=tuple(seen for each in params.already_in_context if (seen := _seen(each, real)) is not None),
        weights=weights,
        rrf_k=RRF_K if params.rrf_k is None else params.rrf_k,
        rerank=params.rerank,
        ranker=params.ranker,
        per_file=params.max_per_file,
        unfiltered=params.weak,
        deadline_seconds=deadline_seconds if params.deadline_ms is None else params.deadline_ms / 1000.0,
        strategies=params.strategies,
        mode=Mode(params.mode),
        module_boost=params.module_boost,
        scopes=tuple(_scope(each, real) for each in params.search_scopes),
        expand=params.expand,
    )


def answer_of(answer: "Answer", encoding: Encoding, shown: Renamed, correlation_id: str) -> protocol.ChunkSearchAnswer:
    """An answer as it goes over the wire."""
    fresh, dropped = answer.freshness, answer.dropped
    return protocol.ChunkSearchAnswer(
        chunks=tuple(_chunk(chunk, encoding, shown) for chunk in answer.chunks),
        strategy=answer.strategy,
        stage=answer.stage,
        is_full_workspace=answer.is_full_workspace,
        alerts=answer.alerts,
        empty=None if answer.empty is None else answer.empty.value,
        complete=answer.complete,
        limit_hit=answer.limit_hit,
        parsed_query=_parsed(answer.parsed_query),
        attempts=tuple(
            protocol.AttemptAnswer(
                strategy=row.strategy,
                outcome=row.outcome,
                detail=row.detail,
                started=_rounded(row.started_ms),
                ended=_rounded(row.ended_ms),
                timed_out=row.timed_out,
            )
            for row in answer.attempts
        ),
        freshness=protocol.FreshnessAnswer(
            indexed=fresh.indexed,
            pending=fresh.pending,
            skipped=fresh.skipped,
            unsaved=fresh.unsaved,
            vectors_ready=fresh.vectors_ready,
        ),
        cross_reference=None if answer.cross_reference is None else _uses(answer.cross_reference),
        answerability=answer.answerability,
        model=answer.model,
        remote=tuple(
            protocol.RemotePartAnswer(
                repository=part.repository,
                commit=part.commit,
                changed=part.changed,
                possibly_outdated=part.possibly_outdated,
            )
            for part in answer.remote
        ),
        dropped=protocol.DroppedAnswer(
            limit=dropped.limit,
            spread=dropped.spread,
            duplicates=dropped.duplicates,
            per_file=dropped.per_file,
            budget=dropped.budget,
            already_in_context=dropped.seen,
        ),
        nearby=tuple(_nearby(each, shown) for each in answer.nearby),
        tokens=answer.tokens,
        timings=answer.timings,
        correlation_id=correlation_id,
    )


def _uses(uses: "CrossReferenced") -> protocol.UsesAnswer:
    return protocol.UsesAnswer(
        relation=uses.relation,
        name=uses.name,
        definitions=uses.definitions,
        total=uses.total,
        truncated=uses.truncated,
        unsure=uses.unsure,
        explanation=uses.explanation,
    )


def _parsed(parsed: "AskedQuery") -> protocol.QueryAnswer:
    reference, looks = parsed.cross_reference, parsed.looks_like
    return protocol.QueryAnswer(
        original=parsed.original,
        text=parsed.text,
        intent=parsed.intent.value,
        task=parsed.task.value,
        keywords=parsed.keywords,
        code_terms=parsed.code_terms,
        expanded=tuple(each.term for each in parsed.expanded),
        expanded_from={each.term: f"{each.source.value}: {each.word}" for each in parsed.expanded},
        languages=parsed.languages,
        phrases=parsed.phrases,
        cross_reference=None
        if reference is None
        else protocol.CrossReferenceAnswer(relation=reference.relation.value, name=reference.name),
        looks_like=protocol.LooksLikeAnswer(
            is_symbol=looks.is_symbol,
            is_question=looks.is_question,
            asks_for_tests=looks.asks_for_tests,
            asks_for_config=looks.asks_for_config,
            asks_for_docs=looks.asks_for_docs,
            asks_for_examples=looks.asks_for_examples,
            is_error_text=looks.is_error_text,
            mentions_path=looks.mentions_path,
        ),
        confidence=parsed.confidence,
        used_model=parsed.used_model,
        terms=parsed.terms,
        cut=parsed.cut,
    )


def _chunk(chunk: "AnswerChunk", encoding: Encoding, shown: Renamed) -> protocol.ChunkAnswer:
    trace = chunk.trace
    return protocol.ChunkAnswer(
        id=chunk.chunk_id,
        uri=uri_of(Path(shown(chunk.folder), chunk.path)),
        range=chunk_range(chunk.first_line, chunk.last_line, chunk.before, chunk.raw_text, encoding),
        text=chunk.text,
        raw_text=chunk.raw_text,
        form=chunk.form.value,
        is_full_file=chunk.is_full_file,
        score=chunk.score,
        tokens=chunk.tokens,
        strategy=chunk.strategy,
        language=chunk.language,
        symbol=_symbol(chunk.symbol),
        reasons=chunk.reasons,
        content_hash=chunk.digest,
        version=chunk.version,
        feature_path=chunk.feature_path,
        scores=protocol.TraceAnswer(
            keyword_rank=trace.keyword_rank,
            keyword_score=trace.keyword_score,
            dense_rank=trace.dense_rank,
            dense_score=trace.dense_score,
            remote_rank=trace.remote_rank,
            fused=trace.fused,
            boosts=trace.boosts,
            rerank=trace.rerank,
        ),
    )


def _nearby(place: "Nearby", shown: Renamed) -> protocol.NearbyAnswer:
    return protocol.NearbyAnswer(
        uri=uri_of(Path(shown(place.folder), place.path)),
        # Whole lines: up to where the next one begins.
        range=Range(start=Position(line=place.first_line - 1, character=0), end=Position(place.last_line, 0)),
        symbol=_symbol(place.symbol),
        excerpt=place.excerpt,
        score=place.score,
    )


def _symbol(symbol: "HitSymbol | None") -> protocol.SymbolAnswer | None:
    if symbol is None:
        return None
    return protocol.SymbolAnswer(name=symbol.name, kind=symbol.kind, container=symbol.container)


def _scope(given: str, real: Renamed) -> str:
    """A scope in the names that the engine knows; a URI is the path it stands for."""
    path = path_of(given) if given.startswith("file:") else None
    return real(given if path is None else str(path))


def _seen(given: protocol.SeenParams, real: Renamed) -> "Seen | None":
    from lurcher_index.asking import Seen

    if given.chunk_id:
        return Seen(chunk_id=given.chunk_id)
    path = path_of(given.uri) if given.uri else None
    if path is None:
        return None
    if given.range is None:
        return Seen(path=real(str(path)), first_line=1, last_line=LAST_LINE)
    start, end = given.range.start, given.range.end
    # A range that ends at the very beginning of a line does not hold that line.
    last = end.line if end.character == 0 and end.line > start.line else end.line + 1
    return Seen(path=real(str(path)), first_line=start.line + 1, last_line=last)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
