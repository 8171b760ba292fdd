"""A document's syntax: what is found in it and its chunks, by the compiled reader or by tree-sitter's own binding."""

from collections.abc import Callable
from typing import NamedTuple

from lurcher_index.chunking.attach import Attachments
from lurcher_index.chunking.cuts import Nodes, Syntax
from lurcher_index.chunking.findings import Findings
from lurcher_index.chunking.grammars import Grammar
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.pieces import chunks_of, ranges_of
from lurcher_index.chunking.retyping import Typed
from lurcher_index.chunking.segments import Limits, segment
from lurcher_index.chunking.syntax import find
from lurcher_index.model import Chunk


class Read(NamedTuple):
    """What was read."""

    found: Findings
    chunks: Callable[[Lines, Limits, Attachments], tuple[Chunk, ...]]
    """Cuts the document, given its lines and comments."""


def read(grammar: Grammar, data: bytes, seconds: float, typed: Typed | None = None) -> Read | str:
    """The syntax of a document, or why it cannot be had within `seconds` of a core's time.

    Both ways come to the same. What is typed is read by the binding, whose trees go on from the last text.
    """
    return (
        _compiled(grammar, data, seconds) if grammar.reader and typed is None else _bound(grammar, data, seconds, typed)
    )


def _compiled(grammar: Grammar, data: bytes, seconds: float) -> Read | str:
    tree = grammar.read(data, seconds)
    if tree is None:
        return _parse_took_longer(seconds)
    lists = tree.find(data)
    if lists is None:
        return "too much in one place for a search for symbols"

    def chunks(lines: Lines, limits: Limits, attached: Attachments) -> tuple[Chunk, ...]:
        return chunks_of(data, tree.ranges(data, lines.starts, lines.sums, attached.tops, *limits))

    return Read(Findings(*lists), chunks)


def _bound(grammar: Grammar, data: bytes, seconds: float, typed: Typed | None) -> Read | str:
    tree = grammar.parse(data, seconds, typed)
    if tree is None:
        return _parse_took_longer(seconds)
    matches = grammar.matches(tree, seconds)
    if matches is None:
        return f"search for symbols took longer than {seconds:g} s"

    def chunks(lines: Lines, limits: Limits, attached: Attachments) -> tuple[Chunk, ...]:
        nodes = Nodes(Syntax(lines, attached, limits.full), tree.root_node)
        return chunks_of(data, ranges_of(lines, limits, segment(lines, limits, nodes)))

    return Read(find(grammar.patterns, matches), chunks)


def _parse_took_longer(seconds: float) -> str:
    return f"parse took longer than {seconds:g} s"
