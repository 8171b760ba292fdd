"""The terms of a document's chunks, as the postings take them."""

from lurcher_index.model import Chunk, Outline, symbols_by_chunk
from lurcher_index.text.terms import terms
from lurcher_index.words.candidates import Terms


def chunk_terms(data: bytes, outline: Outline) -> tuple[Terms, ...]:
    """For every chunk the terms of its text, of the symbols that it defines or lies in, and of their documentation."""
    symbols = outline.symbols
    return tuple(
        Terms(
            terms(data[chunk.start : chunk.end]),
            terms(" ".join(symbols[at].name for at in named).encode()),
            terms(_documentation(data, outline, chunk, named)),
        )
        for chunk, named in zip(outline.chunks, symbols_by_chunk(outline), strict=True)
    )


def _documentation(data: bytes, outline: Outline, chunk: Chunk, named: list[int]) -> bytes:
    """What is said about the symbols that a chunk defines."""
    said: list[bytes] = []
    for at in named:
        symbol = outline.symbols[at]
        if symbol.doc_end and chunk.start <= symbol.name_start < chunk.end:
            said.append(data[symbol.doc_start : symbol.doc_end])
    return b" ".join(said)
