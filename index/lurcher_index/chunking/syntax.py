"""What a query finds in a document, as plain numbers; the only place, beside the cuts, that touches syntax nodes."""

from operator import itemgetter

import msgspec
from tree_sitter import Node

from lurcher_index.chunking.grammars import Match, Role
from lurcher_index.model import EdgeKind, SymbolKind

Range = tuple[int, int]


class Definition(msgspec.Struct, frozen=True, gc=False):
    """A definition as the grammar sees it: without its comments, its container not known yet."""

    start: int
    end: int
    name_start: int
    name_end: int
    kind: SymbolKind | None
    """None for a block that defines nothing itself but holds the methods of a type, as Rust's `impl` does."""
    body: int
    """Where its body starts, -1 without one."""
    owner: Range
    """Where the type it belongs to is named, if that type does not enclose it: a receiver in Go; else (0, 0)."""
    joins: bool


HintRange = tuple[int, int, int, int, bool]
"""Where a variable stands, where its type or what is called for its value stands, and whether that is a call."""

Reference = tuple[int, int, EdgeKind]
"""End and start of the expression that names what is called, imported or inherited: its name stands at the end."""


def _ranges() -> list[Range]:
    return []


def _hints() -> list[HintRange]:
    return []


class Findings(msgspec.Struct, frozen=True, gc=False):
    """All matches of one document, each list in document order."""

    definitions: list[Definition]
    references: list[Reference]
    comments: list[Range] = msgspec.field(default_factory=_ranges)
    attached: list[Range] = msgspec.field(default_factory=_ranges)
    """Decorators and attributes that stand before the definition they belong to."""
    docs: list[Range] = msgspec.field(default_factory=_ranges)
    names: list[Range] = msgspec.field(default_factory=_ranges)
    """Whole import statements."""
    returns: list[Range] = msgspec.field(default_factory=_ranges)
    """Types that functions return."""
    hints: list[HintRange] = msgspec.field(default_factory=_hints)


_END = itemgetter(0)
_EDGES = {"call": EdgeKind.CALL, "import": EdgeKind.IMPORT, "inherit": EdgeKind.INHERIT}


def find(roles: tuple[Role, ...], matches: list[Match]) -> Findings:
    """Sort the matches of the language's query by what they mean."""
    found = Findings([], [])
    ranges = {
        "comment": found.comments,
        "attach": found.attached,
        "doc": found.docs,
        "names": found.names,
        "returns": found.returns,
    }
    # Looked up once per pattern, not once per match: of these there are ten thousand in a megabyte.
    meanings = [(role, role.capture, _EDGES.get(role.name), ranges.get(role.name)) for role in roles]
    references = found.references
    definitions: dict[int, tuple[int, Definition]] = {}
    for pattern, captures in matches:
        role, capture, edge, plain = meanings[pattern]
        start, end = captures[capture][0].byte_range
        if start == end:
            # The parser made it up to mend an error.
            continue
        if edge is not None:
            if "qualifier" in captures:
                start = captures["qualifier"][0].start_byte
            references.append((end, start, edge))
        elif plain is not None:
            plain.append((start, end))
        elif capture == "hint":
            _hint(found.hints, start, end, captures)
        elif "name" in captures:
            _define(definitions, pattern, role, captures)
    names = {definition.name_end for _, definition in definitions.values()}
    found.definitions.extend(sorted((item for _, item in definitions.values()), key=_outermost_first))
    # In Elixir the head of a definition is a call, too.
    if not names.isdisjoint(map(_END, references)):
        references[:] = [item for item in references if item[0] not in names or item[2] is not EdgeKind.CALL]
    references.sort(key=_END)
    for values in ranges.values():
        values.sort()
    return found


def _hint(hints: list[HintRange], start: int, end: int, captures: dict[str, list[Node]]) -> None:
    made = captures.get("made")
    if made is not None:
        hints.append((start, end, *made[0].byte_range, True))
    else:
        # A field that is set to a parameter (`same`) holds what that one holds.
        hints.append((start, end, *captures["type" if "type" in captures else "same"][0].byte_range, False))


def _body(node: Node) -> Node | None:
    return node.child_by_field_name("body")


def _outermost_first(definition: Definition) -> Range:
    return definition.start, -definition.end


def _define(
    definitions: dict[int, tuple[int, Definition]], pattern: int, role: Role, captures: dict[str, list[Node]]
) -> None:
    """Keep one definition per name: of two patterns that match, the one that stands first in the query file."""
    names = captures["name"]
    name = names[0].start_byte
    known = definitions.get(name)
    if name == names[-1].end_byte or (known and known[0] <= pattern):
        return
    node = captures[role.capture][0]
    body = captures["body"][0] if "body" in captures else _body(captures["value"][0] if "value" in captures else node)
    owner = captures["owner"][0].byte_range if "owner" in captures else (0, 0)
    start, end = node.byte_range
    body_start = -1 if body is None else body.start_byte
    definition = Definition(start, end, name, names[-1].end_byte, role.kind, body_start, owner, role.joins)
    definitions[name] = (pattern, definition)
