"""What the index says: its definitions, its call edges with their confidence, and bare names as a baseline."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks.callgraph.comparing import Claim, Claimed
from benchmarks.callgraph.truth import Spot, module

from lurcher_index import Engine
from lurcher_index.engine import MEMORY
from lurcher_index.model import EdgeKind, Outline, SymbolKind
from lurcher_index.nodes import symbol_ids
from lurcher_index.text.lines import line_at, line_starts
from lurcher_index.view import View

NEVER_CALLED = {SymbolKind.KEY, SymbolKind.SECTION, SymbolKind.TABLE, SymbolKind.MODULE, SymbolKind.NAMESPACE}
"""Kinds whose names no call means, whatever the language."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """One file of the index with its symbols at their spots."""

    file: str
    outline: Outline
    spots: tuple[Spot, ...]

    def spot(self, symbol: int) -> Spot:
        """The spot of a symbol by its number in the outline, -1 for the file."""
        return self.spots[symbol] if symbol >= 0 else module(self.file)


def claimed(folder: Path, language: str) -> tuple[Claimed, Claimed]:
    """What the index says of a folder, and what bare names say; indexed in memory."""
    with Engine.open([folder], store=MEMORY, embeddings=False) as engine:
        engine.build()
        files = indexed(View(engine.workspace), language)
        outer = {
            spot: each.spot(symbol.container)
            for each in files
            for spot, symbol in zip(each.spots, each.outline.symbols, strict=True)
        }
        return Claimed(outer, our_edges(engine, files)), Claimed(outer, bare_names(files))


def indexed(view: View, language: str) -> list[Indexed]:
    """The files of one language: what stands in others is not what the analyser was asked about."""
    found: list[Indexed] = []
    for row in view.workspace.catalog.all_files():
        if row.content_id is None:
            continue
        outline, text = view.workspace.catalog.whole_outline(row.content_id), view.text_of(row)
        if outline is None or text is None or outline.language not in LANGUAGES[language]:
            continue
        starts = line_starts(text.data) or [0]
        spots = tuple(Spot(row.path, line_at(starts, each.name_start), each.name) for each in outline.symbols)
        found.append(Indexed(row.path, outline, spots))
    return found


LANGUAGES = {
    "python": {"python"},
    "typescript": {"typescript", "tsx", "javascript"},
    "javascript": {"javascript", "typescript", "tsx"},
    "c": {"c", "cpp"},
    "java": {"java"},
    "go": {"go"},
}
"""Languages of the index for each language here; a header of C may be taken for one of C++."""


EVERY = 1_000_000
"""Callers asked for: all there are."""


def our_edges(engine: Engine, files: list[Indexed]) -> list[Claim]:
    """The callers of every definition, however unsure. The one function that knows the graph."""
    graph = engine.graph()
    spots = {
        node: spot for each in files for node, spot in zip(symbol_ids(each.file, each.outline), each.spots, strict=True)
    }
    spots |= {each.file: module(each.file) for each in files}
    claims: list[Claim] = []
    for node, callee in spots.items():
        if not callee.line:
            continue
        for use in graph.callers(node, EVERY, least=0.0, thorough=True).uses:
            # A caller in a file of another language is not what the analyser was asked about.
            if use.kind == EdgeKind.CALL and use.source.id in spots:
                claims.append(Claim(spots[use.source.id], callee, use.confidence, use.name, use.line))
    return claims


def bare_names(files: list[Indexed]) -> list[Claim]:
    """The baseline: a call means every definition of that name, each as likely as the others."""
    named: dict[str, list[Spot]] = defaultdict(list)
    for each in files:
        for spot, symbol in zip(each.spots, each.outline.symbols, strict=True):
            if symbol.kind not in NEVER_CALLED:
                named[symbol.name].append(spot)
    return [
        Claim(each.spot(edge.symbol), callee, 1 / len(named[edge.name]), edge.name, edge.line)
        for each in files
        for edge in each.outline.edges
        if edge.kind is EdgeKind.CALL
        for callee in named.get(edge.name, ())
    ]
