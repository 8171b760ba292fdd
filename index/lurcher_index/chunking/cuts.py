"""Cuts for text with syntax: where the children of a node begin, found only for nodes that are too large."""

from bisect import bisect_right

import msgspec
from tree_sitter import Node

from lurcher_index.chunking.attach import Attachments
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.plain import Paragraphs
from lurcher_index.chunking.segments import Part

MAX_DEPTH = 300
"""Levels of syntax that are looked at; a sum of a thousand lines is a thousand levels deep and has no better cuts."""


class Syntax(msgspec.Struct, frozen=True, gc=False):
    """What the cuts of a document have in common."""

    lines: Lines
    attached: Attachments
    full: int
    """Size above which comments are not kept together with what they belong to."""

    def children(self, node: Node) -> list[Node]:
        """A node's children; a body that is too large gives its own, so that the header is packed with the first."""
        children = node.named_children
        body = node.child_by_field_name("body")
        if body is None or body.end_byte - body.start_byte <= self.full:
            return children
        return [inner for child in children for inner in (child.named_children if child == body else [child])]


class Nodes(msgspec.Struct, frozen=True, gc=False):
    """Cuts between the children of one syntax node."""

    syntax: Syntax
    node: Node
    depth: int = 0

    def parts(self, low: int, high: int) -> list[Part]:
        """One part per child that begins a line, with the comments above it."""
        node: Node | None = self.node
        depth = self.depth
        while node is not None and depth < MAX_DEPTH:
            children = self.syntax.children(node)
            depth += 1
            parts = _between(self.syntax, children, low, high, depth)
            if len(parts) > 1:
                return parts
            node = max(children, key=_length, default=None)
        return [Part(low, high, Paragraphs(self.syntax.lines))]


def _length(node: Node) -> int:
    return node.end_byte - node.start_byte


def _between(syntax: Syntax, children: list[Node], low: int, high: int, depth: int) -> list[Part]:
    """The children as parts. The hot loop of chunking: it runs for every child of everything that is too large."""
    starts, sums, tops, full = syntax.lines.starts, syntax.lines.sums, syntax.attached.tops, syntax.full
    count = len(starts) - 1
    parts: list[Part] = []
    first = after = line = line_end = -1
    chosen: Node | None = None
    for child in children:
        start, end = child.byte_range
        if start >= line_end:
            line = bisect_right(starts, start, 0, count) - 1
            line_end = starts[line + 1]
            if line >= high:
                break
        elif end <= line_end and after > line:
            continue  # It lies on a line that a part holds already.
        ends = line + 1 if end <= line_end else min(bisect_right(starts, end - 1, line, count), high)
        top = tops.get(line, line)
        if top != line and sums[ends] - sums[top] > full:
            top = line
        if chosen is not None and top <= first:
            # Two children on one line, or a comment and what it belongs to: the larger one is cut further.
            if ends - max(after, first) > after - first:
                chosen = child
            after = max(after, ends)
            continue
        if chosen is not None:
            parts.append(_part(syntax, first, after, chosen, depth))
        first = max(top, low) if chosen is not None else low
        after, chosen = ends, child
    if chosen is not None:
        parts.append(_part(syntax, first, after, chosen, depth))
    return parts


def _part(syntax: Syntax, first: int, after: int, node: Node, depth: int) -> Part:
    """A part; one that fits is never cut, so nobody has to know how."""
    fits = syntax.lines.size(first, after) <= syntax.full
    return Part(first, after, None if fits else Nodes(syntax, node, depth))
