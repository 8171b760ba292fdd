"""The terms of a document's chunks, as the postings take them."""

from lurcher_index.model import Outline, symbols_by_chunk
from lurcher_index.text.terms import terms
from lurcher_index.words.candidates import Terms


def chunk_terms(data: bytes, outline: Outline) -> tuple[Terms, ...]:
    """For every chunk the terms of its text and of the symbols that it defines or lies in."""
    symbols = outline.symbols
    return tuple(
        Terms(terms(data[chunk.start : chunk.end]), terms(" ".join(symbols[at].name for at in named).encode()))
        for chunk, named in zip(outline.chunks, symbols_by_chunk(outline), strict=True)
    )
