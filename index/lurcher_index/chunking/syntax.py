"""Sorts what tree-sitter's own queries find by what it means. The compiled reader does the same (`finding.c`)."""

from tree_sitter import Node

from lurcher_index.chunking.findings import Definition, Findings, HintRange
from lurcher_index.chunking.grammars import Match
from lurcher_index.chunking.patterns import EDGES, Pattern
from lurcher_index.model import EdgeKind


def find(patterns: tuple[Pattern, ...], matches: list[Match]) -> Findings:
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
    meanings = [(each, each.capture, EDGES.get(each.role), ranges.get(each.role)) for each in patterns]
    references = found.references
    definitions: dict[int, tuple[int, Definition]] = {}
    for number, captures in matches:
        pattern, capture, edge, plain = meanings[number]
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
            _define(definitions, number, pattern, captures)
    names = {definition.name_end for _, definition in definitions.values()}
    found.definitions.extend(sorted((item for _, item in definitions.values()), key=_outermost_first))
    # In Elixir the head of a definition is a call, too.
    references[:] = [item for item in references if item[0] not in names or item[2] is not EdgeKind.CALL]
    references.sort()
    found.hints.sort()
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


def _outermost_first(definition: Definition) -> tuple[int, int, int]:
    return definition.start, -definition.end, definition.name_start


def _define(
    definitions: dict[int, tuple[int, Definition]], number: int, pattern: Pattern, captures: dict[str, list[Node]]
) -> None:
    """Keep one definition per name: of two patterns that match, the one that stands first in the query file."""
    names = captures["name"]
    name = names[0].start_byte
    known = definitions.get(name)
    if name == names[-1].end_byte or (known and known[0] <= number):
        return
    node = captures[pattern.capture][0]
    body = captures["body"][0] if "body" in captures else _body(captures["value"][0] if "value" in captures else node)
    owner = captures["owner"][0].byte_range if "owner" in captures else (0, 0)
    start, end = node.byte_range
    body_start = -1 if body is None else body.start_byte
    definition = Definition(start, end, name, names[-1].end_byte, pattern.kind, body_start, owner, pattern.joins)
    definitions[name] = (number, definition)
