"""More of a file than one chunk, or one chunk again: read through a view and shown only if it is what was indexed."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from lurcher_index.answers import AnswerChunk
from lurcher_index.model import Chunk, Outline
from lurcher_index.nodes import folder_labels, labelled, symbol_ids
from lurcher_index.presenting import described
from lurcher_index.rendering import id_of_chunk
from lurcher_index.results import HitSymbol
from lurcher_index.text.lines import line_at, line_starts
from lurcher_index.view import View

CONTEXT_LINES = 5
"""Lines shown before and after a chunk that belongs to no symbol; seed 002's figure."""


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """Some whole lines of a file."""

    folder: str
    path: str
    """Relative to its folder."""
    first_line: int
    last_line: int
    text: str
    language: str
    symbol: HitSymbol | None
    """The symbol that is all there; None for lines around a chunk, or a chunk alone."""
    chunk_ids: tuple[str, ...]
    """The chunks that are in it from beginning to end."""


class _Document(NamedTuple):
    folder: Path
    path: str
    outline: Outline
    data: bytes
    starts: list[int]


def surroundings(view: View, chunk: AnswerChunk) -> Excerpt | None:
    """The whole symbol a chunk belongs to, else the chunk with some lines around it; None if the file has changed."""
    document = _document(view, Path(chunk.folder, chunk.path))
    if document is None:
        return None
    at = _symbol(document.outline, chunk)
    if at is None:
        lines = (chunk.first_line - CONTEXT_LINES, chunk.last_line + CONTEXT_LINES)
        return _excerpt(document, *lines, None)
    symbol = document.outline.symbols[at]
    # A chunk may hold more than the symbol that stands for it; nothing of it is lost.
    first, last = min(symbol.first_line, chunk.first_line), max(symbol.last_line, chunk.last_line)
    return _excerpt(document, first, last, described(document.outline, at))


def whole_lines(view: View, path: Path, first: int, last: int) -> Excerpt | None:
    """Some lines of a file, from 1 and inclusive; None if they are not what was indexed."""
    document = _document(view, path)
    return None if document is None else _excerpt(document, first, last, None)


def chunk_by_id(view: View, path: Path, chunk_id: str) -> Excerpt | None:
    """A chunk of a file by its id; None if the file holds no such chunk any more."""
    document = _document(view, path)
    if document is None:
        return None
    for ordinal, chunk in enumerate(document.outline.chunks):
        if id_of_chunk(document.folder, document.path, document.outline, ordinal) == chunk_id:
            return _of_chunk(document, chunk, chunk_id)
    return None


def node_ids(view: View, chunks: Sequence[AnswerChunk]) -> dict[str, str]:
    """By chunk id the id of the symbol that stands for it; chunks without a symbol are missing."""
    folders = view.workspace.folders
    labels = folder_labels([folder.path.name for folder in folders])
    label_of = {str(folder.path): label for folder, label in zip(folders, labels, strict=True)}
    ids: dict[str, str] = {}
    for chunk in chunks:
        row = view.row_at(Path(chunk.folder, chunk.path)) if chunk.symbol is not None else None
        outline = view.outline_of(row) if row is not None else None
        at = _symbol(outline, chunk) if outline is not None else None
        if outline is not None and at is not None:
            path = labelled(label_of.get(chunk.folder, ""), chunk.path)
            ids[chunk.chunk_id] = symbol_ids(path, outline)[at]
    return ids


def _document(view: View, path: Path) -> _Document | None:
    row = view.row_at(path)
    outline = view.outline_of(row) if row is not None else None
    text = view.text_of(row) if row is not None and outline is not None else None
    if row is None or outline is None or text is None:
        return None
    return _Document(text.folder, row.path, outline, text.data, line_starts(text.data))


def _symbol(outline: Outline, chunk: AnswerChunk) -> int | None:
    """Index of the symbol that stands for a chunk."""
    for at, symbol in enumerate(outline.symbols):
        overlaps = symbol.first_line <= chunk.last_line and symbol.last_line >= chunk.first_line
        if overlaps and chunk.symbol is not None and described(outline, at) == chunk.symbol:
            return at
    return None


def _of_chunk(document: _Document, chunk: Chunk, chunk_id: str) -> Excerpt | None:
    if not _is_indexed(document, chunk):
        return None
    return Excerpt(
        folder=str(document.folder),
        path=document.path,
        first_line=chunk.first_line,
        last_line=chunk.last_line,
        text=document.data[chunk.start : chunk.end].decode("utf-8", "replace"),
        language=document.outline.language,
        symbol=None,
        chunk_ids=(chunk_id,),
    )


def _excerpt(document: _Document, first: int, last: int, symbol: HitSymbol | None) -> Excerpt | None:
    """Some lines, from 1 and inclusive, as far as the file has them."""
    starts, chunks = document.starts, document.outline.chunks
    first, last = max(1, first), min(len(starts), last)
    if last < first:
        return None
    start = starts[first - 1]
    end = starts[last] if last < len(starts) else len(document.data)
    touched = [at for at, chunk in enumerate(chunks) if chunk.start < end and chunk.end > start]
    if not all(_is_indexed(document, chunks[at]) for at in touched):
        return None
    return Excerpt(
        folder=str(document.folder),
        path=document.path,
        first_line=first,
        last_line=max(first, line_at(starts, end - 1)),
        text=document.data[start:end].decode("utf-8", "replace"),
        language=document.outline.language,
        symbol=symbol,
        chunk_ids=tuple(
            id_of_chunk(document.folder, document.path, document.outline, at)
            for at in touched
            if start <= chunks[at].start and chunks[at].end <= end
        ),
    )


def _is_indexed(document: _Document, chunk: Chunk) -> bool:
    """Whether the text at a chunk's place is the text that was indexed."""
    return blake2b(document.data[chunk.start : chunk.end], digest_size=8).digest() == chunk.digest
