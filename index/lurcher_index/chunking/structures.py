"""Finds code of one structure in documents: a snippet's syntax becomes a query, and names are found as code alone."""

import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tree_sitter import Node, Query, QueryCursor, QueryError

from lurcher_index.chunking.grammars import Grammar, load_grammar
from lurcher_index.chunking.guards import refusal
from lurcher_index.chunking.lines import Lines

MAX_DEPTH = 6
"""How deep a snippet's syntax is copied into a query. Deeper, only equal texts would be equal."""

MAX_NODES = 60
"""Nodes of a query; larger ones find nothing but copies, and take long."""

LEAST_NODES = 3
"""Nodes of the least query: a structure of two is everywhere."""

_WRAPPERS = frozenset(
    {"expression_statement", "program", "source_file", "module", "translation_unit", "chunk", "document"}
)
_TEXTS = ("comment", "string", "text", "char")


def structure_query(code: str, language: str, seconds: float) -> str:
    """A query for everything that has the syntax of a snippet; empty if it is no code of this language."""
    grammar = _grammar(language)
    tree = grammar.parse(code.encode(), seconds) if grammar is not None else None
    if tree is None or tree.root_node.has_error:
        return ""
    node = tree.root_node
    while node.type in _WRAPPERS and node.named_child_count:
        node = max(node.named_children, key=lambda child: child.end_byte - child.start_byte)
    left = [MAX_NODES]
    made = _shape(node, MAX_DEPTH, left)
    return f"{made} @found" if MAX_NODES - left[0] >= LEAST_NODES else ""


def lines_of_structure(data: bytes, language: str, query: str, seconds: float) -> list[tuple[int, int]]:
    """First and last line, from 1, of everything in a document that a query finds."""
    grammar = _grammar(language)
    if grammar is None or refusal(Lines.of(data), language):
        return []
    compiled = _compiled(grammar, query)
    tree = grammar.parse(data, seconds) if compiled is not None else None
    if tree is None or compiled is None:
        return []
    captures = _cursor(compiled, seconds).captures(tree.root_node)
    return sorted({(node.start_point[0] + 1, node.end_point[0] + 1) for node in captures.get("found", [])})


def lines_of_names(data: bytes, language: str, names: Sequence[str], seconds: float) -> list[tuple[int, int]]:
    """Number of a name and the line, from 1, where it stands as code, not in a comment or a string."""
    wanted = [(number, name.encode()) for number, name in enumerate(names) if name.encode() in data]
    grammar = _grammar(language) if wanted else None
    if grammar is None or refusal(Lines.of(data), language):
        return []
    tree = grammar.parse(data, seconds)
    if tree is None:
        return []
    found: dict[tuple[int, int], None] = {}
    for number, name in wanted:
        at = data.find(name)
        while at >= 0:
            node = tree.root_node.descendant_for_byte_range(at, at + len(name))
            if node is not None and node.end_byte - node.start_byte == len(name) and not _is_text(node):
                found[number, node.start_point[0] + 1] = None
            at = data.find(name, at + len(name))
    return list(found)


def has_grammar(language: str) -> bool:
    """Whether documents of a language have a syntax here."""
    return _grammar(language) is not None


def _grammar(language: str) -> Grammar | None:
    try:
        return load_grammar(language)
    except (ImportError, AttributeError, ValueError, OSError):
        return None


def _shape(node: Node, depth: int, left: list[int]) -> str:
    left[0] -= 1
    inside: list[str] = []
    if depth > 0 and not _is_text(node):
        for child in _told(node):
            if left[0] <= 0:
                break
            inside.append(_shape(child, depth - 1, left))
    return f"({' '.join([node.type, *inside])})"


def _told(node: Node) -> Iterator[Node]:
    return (child for child in node.named_children if "comment" not in child.type and not child.is_missing)


def _is_text(node: Node) -> bool:
    return any(word in node.type for word in _TEXTS)


@lru_cache(64)
def _compiled(grammar: Grammar, query: str) -> Query | None:
    try:
        return Query(grammar.language, query)
    except QueryError:
        return None


def _cursor(query: Query, seconds: float) -> QueryCursor:
    with warnings.catch_warnings():
        # As in `grammars`: the way that is to replace it was not tried.
        warnings.simplefilter("ignore", DeprecationWarning)
        return QueryCursor(query, timeout_micros=round(seconds * 1_000_000))  # pyright: ignore[reportDeprecated]
