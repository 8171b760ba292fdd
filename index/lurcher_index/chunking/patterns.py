"""Query files as data: what each pattern is for, and the steps by which the compiled reader looks for it.

tree-sitter's own queries mean the same and are slower by far: they are analysed for every grammar in every process,
which takes longer than reading a small project, and each node they find becomes an object.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from lurcher_index.model import EdgeKind, SymbolKind

ROLES = frozenset({"def", "scope", "call", "import", "inherit", "comment", "attach", "doc", "names", "hint", "returns"})
"""The captures that say what a pattern is for; every pattern has exactly one of them."""

RANGES = ("comment", "attach", "doc", "names", "returns")
"""Roles of which only the range is kept, in the order in which the compiled reader lists them."""

EDGES = {"call": EdgeKind.CALL, "import": EdgeKind.IMPORT, "inherit": EdgeKind.INHERIT}

_SLOTS = ("", "name", "body", "value", "owner", "qualifier", "type", "made", "same")
"""Captures that have a place of their own in a match of the compiled reader; the first is that of the role."""

_ASKED_SLOTS = 4
"""Places for captures that only conditions look at."""

_RANGE, _EDGE, _HINT, _DEFINITION = range(4)

_COMMENT = re.compile(r"^\s*;[^\n]*", re.MULTILINE)
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[()\[\]]|@[\w.-]+|#[\w-]+[?!]|![\w-]+|[\w-]+:|[\w-]+|[.?*+])')


class Node(NamedTuple):
    """A node that a pattern wants, or a choice between some."""

    kinds: tuple[tuple[str, bool], ...] = ()
    """Names of kinds, and whether they are named nodes or texts; empty for every named node."""
    children: tuple["Node", ...] = ()
    choices: tuple["Node", ...] = ()
    field: str = ""
    absent: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    quantifier: str = ""
    immediate: bool = False
    last: bool = False


class Condition(NamedTuple):
    """What a captured text must be, or must not be: one of some texts, or one that an expression is found in."""

    capture: str
    texts: tuple[str, ...]
    expression: str
    negated: bool


class Pattern(NamedTuple):
    """One pattern of a query file."""

    root: Node
    role: str
    """One of `ROLES`."""
    capture: str
    """The capture that carries it: the role, and for a definition its kind."""
    kind: SymbolKind | None
    conditions: tuple[Condition, ...]
    joins: bool
    """Whether neighbours of one name are one definition, as a function's equations in Haskell are."""


def read_patterns(text: str) -> tuple[Pattern, ...]:
    """The patterns of a query file; ValueError for what ours do not say."""
    tokens = _Tokens(text)
    patterns: list[Pattern] = []
    while tokens.peek():
        conditions: list[list[str]] = []
        root = _node(tokens, conditions)
        patterns.append(_pattern(root, conditions))
    return tuple(patterns)


def compiled_patterns(patterns: Sequence[Pattern]) -> tuple[object, ...]:
    """The patterns as the compiled reader takes them."""
    return tuple(_compiled(pattern) for pattern in patterns)


class _Tokens:
    """The tokens of a query file, one after the other."""

    def __init__(self, text: str) -> None:
        text = _COMMENT.sub("", text)
        self._tokens: list[str] = _TOKEN.findall(text)
        self._at = 0
        if rest := _TOKEN.sub("", text).strip():
            raise ValueError(f"a query file has {rest[:40]!r} in it")

    def peek(self, ahead: int = 0) -> str:
        """The next token, or one behind it; empty at the end."""
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def take(self) -> str:
        """The next token, which is done with."""
        token = self.peek()
        if not token:
            raise ValueError("a query file ends in the middle of a pattern")
        self._at += 1
        return token

    def takes(self, wanted: str) -> bool:
        """Whether the next token is this one, which is done with then."""
        if self.peek() != wanted:
            return False
        self._at += 1
        return True


def _node(tokens: _Tokens, conditions: list[list[str]]) -> Node:
    """One node with all that follows it: how many of it, and what it is captured as."""
    field = tokens.take()[:-1] if tokens.peek().endswith(":") else ""
    begin = tokens.take()
    if begin == "(":
        node = _in_brackets(tokens, conditions)
    elif begin == "[":
        choices: list[Node] = []
        while not tokens.takes("]"):
            choices.append(_node(tokens, conditions))
        node = _choice(choices)
    elif begin[0] == '"':
        node = Node(((_text(begin), False),))
    else:
        raise ValueError(f"a query file has {begin!r} where a node should be")
    quantifier = tokens.take() if tokens.peek() in ("?", "*", "+") else ""
    captures: list[str] = []
    while tokens.peek().startswith("@"):
        captures.append(tokens.take()[1:])
    return node._replace(field=field, quantifier=quantifier, captures=tuple(captures))


def _in_brackets(tokens: _Tokens, conditions: list[list[str]]) -> Node:
    name = tokens.take()
    kinds = () if name == "_" else ((name, True),)
    children: list[Node] = []
    absent: list[str] = []
    immediate = False
    while not tokens.takes(")"):
        if tokens.takes("."):
            immediate = True
        elif tokens.peek().startswith("!"):
            absent.append(tokens.take()[1:])
        elif tokens.peek() == "(" and tokens.peek(1).startswith("#"):
            conditions.append(_condition(tokens))
        else:
            children.append(_node(tokens, conditions)._replace(immediate=immediate))
            immediate = False
    if immediate:
        children[-1] = children[-1]._replace(last=True)
    return Node(kinds, tuple(children), absent=tuple(absent))


def _condition(tokens: _Tokens) -> list[str]:
    tokens.take()
    words: list[str] = []
    while not tokens.takes(")"):
        words.append(tokens.take())
    return words


def _choice(choices: Sequence[Node]) -> Node:
    """Kinds without anything below them are one node of any of these kinds."""
    if all(choice == Node(choice.kinds) and choice.kinds for choice in choices):
        return Node(tuple(kind for choice in choices for kind in choice.kinds))
    return Node(choices=tuple(choices))


def _text(token: str) -> str:
    return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def _pattern(root: Node, words: Sequence[Sequence[str]]) -> Pattern:
    captures = [capture for capture in _captures(root) if capture.partition(".")[0] in ROLES]
    if len(set(captures)) != 1:
        raise ValueError(f"a pattern has to have one role, not {captures}")
    role, _, kind = captures[0].partition(".")
    conditions = [_read_condition(each) for each in words if each[0] != "#set!"]
    joins = any(each[0] == "#set!" and "joins" in each for each in words)
    return Pattern(root, role, captures[0], SymbolKind(kind) if kind else None, tuple(conditions), joins)


def _captures(node: Node) -> Iterator[str]:
    yield from node.captures
    for inner in (*node.children, *node.choices):
        yield from _captures(inner)


def _read_condition(words: Sequence[str]) -> Condition:
    name, capture, *texts = words
    told = tuple(map(_text, texts))
    if name in ("#eq?", "#any-of?"):
        return Condition(capture[1:], told, "", negated=False)
    if name in ("#match?", "#not-match?"):
        return Condition(capture[1:], (), told[0], negated=name == "#not-match?")
    raise ValueError(f"a query file has the condition {name}")


class _Step(NamedTuple):
    """A node of one reading of a pattern, as the compiled reader takes it."""

    depth: int
    kinds: tuple[tuple[str, bool], ...]
    field: str
    absent: tuple[str, ...]
    slots: int
    immediate: bool
    last: bool
    many: bool
    telling: bool


def _compiled(pattern: Pattern) -> tuple[object, ...]:
    asked = dict.fromkeys(each.capture for each in pattern.conditions)
    slots = {pattern.capture: 0} | {name: at for at, name in enumerate(_SLOTS) if at}
    slots |= {name: len(_SLOTS) + at for at, name in enumerate(name for name in asked if name not in slots)}
    if max(slots.values()) >= len(_SLOTS) + _ASKED_SLOTS:
        raise ValueError("a pattern has too many conditions")
    readings = tuple(tuple(map(tuple, steps)) for steps in _readings(pattern.root, 0, slots))
    conditions = tuple(
        (
            slots[each.capture],
            each.negated,
            tuple(text.encode() for text in each.texts),
            re.compile(each.expression).search if each.expression else None,
        )
        for each in pattern.conditions
    )
    if pattern.role in EDGES:
        edge = EDGES[pattern.role]
        return _EDGE, tuple(EDGES.values()).index(edge), edge, False, readings, conditions
    if pattern.role in RANGES:
        return _RANGE, RANGES.index(pattern.role), None, False, readings, conditions
    meaning = _HINT if pattern.role == "hint" else _DEFINITION
    return meaning, 0, pattern.kind, pattern.joins, readings, conditions


def _readings(node: Node, depth: int, slots: dict[str, int]) -> list[list[_Step]]:
    """Every way to read a node with its choices made, as steps in the order of the text."""
    if node.quantifier in ("*", "+") and (node.captures or node.children or node.quantifier == "+"):
        raise ValueError("many nodes in a row can be passed over, not captured")
    if node.quantifier == "*" and not node.kinds:
        return [[]]  # Any nodes may stand between two steps anyway.
    found: list[list[_Step]] = []
    for choice in node.choices:
        inherited = choice._replace(
            field=choice.field or node.field,
            captures=(*choice.captures, *node.captures),
            immediate=node.immediate,
            last=node.last,
        )
        found += _readings(inherited, depth, slots)
    if not node.choices:
        found = [list(steps) for steps in _plain_readings(node, depth, slots)]
    return [*found, []] if node.quantifier == "?" else found


def _plain_readings(node: Node, depth: int, slots: dict[str, int]) -> Iterator[list[_Step]]:
    filled = 0
    for capture in node.captures:
        filled |= 1 << slots[capture] if capture in slots else 0
    below = [_readings(child, depth + 1, slots) for child in node.children]
    for choice in product(*below):
        steps = [step for part in choice for step in part]
        telling = bool(filled) or any(step.slots for step in steps)
        many = node.quantifier == "*"
        if many and not node.immediate:
            raise ValueError("many nodes in a row have to begin where the one before ends")
        own = _Step(
            depth, node.kinds, node.field, node.absent, filled, node.immediate, node.last, many=many, telling=telling
        )
        yield [own, *steps]
