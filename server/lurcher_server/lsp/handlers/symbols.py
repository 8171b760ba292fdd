"""`workspace/symbol`, `workspaceSymbol/resolve` and `textDocument/documentSymbol`, from the symbols of the index."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lurcher_server.lsp.convert import Encoding, units, whole_lines
from lurcher_server.lsp.offers import Feature
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.standard import DocumentParams, FoundSymbol, SymbolParams, SymbolPlace
from lurcher_server.lsp.uris import path_of, uri_of
from lurcher_server.lsp.wire import Position, Range

if TYPE_CHECKING:
    from lurcher_index.naming import DocumentOutline, NamedSymbol

MAX_SYMBOLS = 200
"""Symbols in one answer to `workspace/symbol`; more than a person reads."""

KINDS = {
    "module": 2, "namespace": 3, "class": 5, "interface": 11, "struct": 23, "enum": 10, "trait": 11, "function": 12,
    "method": 6, "constructor": 9, "property": 7, "field": 8, "variable": 13, "constant": 14, "type": 26, "macro": 12,
    "table": 23, "key": 20, "section": 15, "file": 1, "folder": 4,
}  # fmt: skip
"""LSP's numbers for kinds of symbols. It has none for traits, macros, tables, headings and folders; the nearest stand
in."""


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods."""

    async def workspace_symbol(params: SymbolParams, _call: Call) -> object:
        languages = session.languages(Feature.WORKSPACE_SYMBOL)
        if languages == frozenset():
            return []
        loaded = await session.loaded()
        await loaded.showing.settle()
        async with session.slot.use() as engine:
            found = await asyncio.to_thread(engine.symbols, params.query, MAX_SYMBOLS, tuple(sorted(languages or ())))
            return await asyncio.to_thread(_located, session, found)

    async def resolve(symbol: FoundSymbol, _call: Call) -> object:
        path = path_of(symbol.location.uri)
        if path is None:
            return symbol
        loaded = await session.loaded()
        await loaded.showing.settle()
        async with session.slot.use() as engine:
            outline = await asyncio.to_thread(engine.document_symbols, path)
        if outline is None:
            return symbol
        return await asyncio.to_thread(_resolved, symbol, outline, session.features.encoding)

    async def document_symbol(params: DocumentParams, _call: Call) -> object:
        path = path_of(params.text_document.uri)
        if path is None:
            return []
        loaded = await session.loaded()
        await loaded.showing.settle()
        async with session.slot.use() as engine:
            outline = await asyncio.to_thread(engine.document_symbols, path)
        languages = session.languages(Feature.DOCUMENT_SYMBOL)
        if outline is None or (languages is not None and outline.outline.language not in languages):
            return []
        if session.features.document_symbol_tree:
            return await asyncio.to_thread(_tree, outline, session.features.encoding)
        return await asyncio.to_thread(_flat, outline, session.features.encoding, params.text_document.uri)

    handlers.request("workspace/symbol", SymbolParams, workspace_symbol)
    handlers.request("workspaceSymbol/resolve", FoundSymbol, resolve)
    handlers.request("textDocument/documentSymbol", DocumentParams, document_symbol)


def _located(session: Session, found: "list[NamedSymbol]") -> list[dict[str, Any]]:
    """In a thread: symbols with whole lines as their places, so that no file has to be read for a list of names.

    A client that can ask for the exact place of one is told what to ask with.
    """
    return [
        {
            **({"data": each.symbol.name_start} if session.features.resolves_symbols else {}),
            "name": each.symbol.name,
            "kind": KINDS[each.symbol.kind.value],
            "containerName": each.container,
            "location": {
                "uri": uri_of(Path(session.folder_shown(each.folder), each.path)),
                "range": whole_lines(each.symbol.first_line, each.symbol.last_line),
            },
        }
        for each in found
    ]


def _resolved(symbol: FoundSymbol, outline: "DocumentOutline", encoding: Encoding) -> FoundSymbol:
    """In a thread: where the name stands now; of several, the one nearest to where it stood."""
    same = [each for each in outline.outline.symbols if each.name == symbol.name]
    if not same:
        return symbol
    nearest = min(same, key=lambda each: abs(each.name_start - symbol.data))
    place = _range(outline, nearest.name_start, nearest.name_end, encoding)
    return msgspec.structs.replace(symbol, location=SymbolPlace(uri=symbol.location.uri, range=place))


def _tree(outline: "DocumentOutline", encoding: Encoding) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = []
    roots: list[dict[str, Any]] = []
    for at, symbol in enumerate(outline.outline.symbols):
        node: dict[str, Any] = {
            "name": symbol.name,
            "kind": KINDS[symbol.kind.value],
            "range": _range(outline, symbol.start, symbol.end, encoding),
            "selectionRange": _range(outline, symbol.name_start, symbol.name_end, encoding),
            "children": [],
        }
        # Containers come before what they contain.
        (nodes[symbol.container]["children"] if 0 <= symbol.container < at else roots).append(node)
        nodes.append(node)
    return roots


def _flat(outline: "DocumentOutline", encoding: Encoding, uri: str) -> list[dict[str, Any]]:
    symbols = outline.outline.symbols
    return [
        {
            "name": symbol.name,
            "kind": KINDS[symbol.kind.value],
            "containerName": symbols[symbol.container].name if 0 <= symbol.container < at else "",
            "location": {"uri": uri, "range": _range(outline, symbol.start, symbol.end, encoding)},
        }
        for at, symbol in enumerate(symbols)
    ]


def _range(outline: "DocumentOutline", start: int, end: int, encoding: Encoding) -> Range:
    return Range(start=_position(outline, start, encoding), end=_position(outline, end, encoding))


def _position(outline: "DocumentOutline", offset: int, encoding: Encoding) -> Position:
    line, before = outline.place(offset)
    return Position(line=line, character=units(before, encoding))
