"""The terms of a document's chunks, as the postings take them."""

from bisect import bisect_right

from lurcher_index.model import Outline
from lurcher_index.text.terms import terms
from lurcher_index.words.candidates import Terms


def chunk_terms(data: bytes, outline: Outline) -> tuple[Terms, ...]:
    """For every chunk the terms of its text and of the symbols that it defines or lies in."""
    names = names_by_chunk(outline)
    return tuple(
        Terms(terms(data[chunk.start : chunk.end]), terms(" ".join(names[at]).encode()))
        for at, chunk in enumerate(outline.chunks)
    )


def names_by_chunk(outline: Outline) -> list[list[str]]:
    """The names of the symbols that overlap each chunk, outermost first."""
    names: list[list[str]] = [[] for _ in outline.chunks]
    ends = [chunk.end for chunk in outline.chunks]
    for symbol in outline.symbols:
        at = bisect_right(ends, symbol.start)
        while at < len(ends) and outline.chunks[at].start < symbol.end:
            names[at].append(symbol.name)
            at += 1
    return names
