"""A document's outline: chunks, symbols and references, from its text and language alone."""

from lurcher_index.chunking.attach import attachments
from lurcher_index.chunking.edges import build_edges
from lurcher_index.chunking.findings import Range
from lurcher_index.chunking.grammars import Grammar, load_grammar
from lurcher_index.chunking.guards import refusal
from lurcher_index.chunking.hints import build_hints
from lurcher_index.chunking.imports import read_imports
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.parsing import read
from lurcher_index.chunking.plain import plain_chunks
from lurcher_index.chunking.retyping import Typed
from lurcher_index.chunking.segments import Limits
from lurcher_index.chunking.symbols import build_symbols
from lurcher_index.config import CHUNK_TOKENS, PARSE_SECONDS
from lurcher_index.model import Import, Outline


def outline(
    data: bytes,
    language: str,
    *,
    chunk_tokens: int = CHUNK_TOKENS,
    parse_seconds: float = PARSE_SECONDS,
    typed: Typed | None = None,
) -> Outline:
    """Chunks, symbols and references of a UTF-8 text; never fails, but says in `note` why it fell back to lines.

    `typed` remembers the last text of a document that is typed in.
    """
    lines = Lines.of(data)
    limits = Limits.of(chunk_tokens)
    try:
        grammar = load_grammar(language)
    except (ImportError, AttributeError, ValueError, OSError) as error:
        return _by_lines(lines, limits, language, f"grammar cannot be loaded: {error}")
    if grammar is None:
        return _by_lines(lines, limits, language)
    return _by_syntax(lines, limits, language, grammar, parse_seconds, typed)


def _by_lines(lines: Lines, limits: Limits, language: str, note: str = "") -> Outline:
    return Outline(language, lines.count, plain_chunks(lines, limits), (), (), note=note)


def _by_syntax(
    lines: Lines, limits: Limits, language: str, grammar: Grammar, seconds: float, typed: Typed | None
) -> Outline:
    if note := refusal(lines, language):
        return _by_lines(lines, limits, language, note)
    syntax = read(grammar, lines.data, seconds, typed)
    if isinstance(syntax, str):
        return _by_lines(lines, limits, language, syntax)
    found = syntax.found
    attached = attachments(lines, found)
    symbols, nest = build_symbols(lines, found, attached)
    return Outline(
        language,
        lines.count,
        syntax.chunks(lines, limits, attached),
        symbols,
        build_edges(lines, found.references, nest, symbols),
        imports=_imports(lines.data, language, found.names),
        hints=build_hints(lines.data, found.hints, found.returns, nest, symbols),
    )


def _imports(data: bytes, language: str, statements: list[Range]) -> tuple[Import, ...]:
    return tuple(each for start, end in statements for each in read_imports(language, data[start:end]))
