"""Grammars and their queries, loaded when the first file of a language comes along and kept from then on."""

import re
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter, thread_time
from typing import cast

import msgspec
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from lurcher_index.chunking.languages import grammar_of
from lurcher_index.chunking.retyping import Typed
from lurcher_index.model import SymbolKind

ROLES = frozenset({"def", "scope", "call", "import", "inherit", "comment", "attach", "doc", "names", "hint", "returns"})
"""The captures that say what a pattern is for; every pattern has exactly one of them."""

_ASCII_ONLY = frozenset({"bash"})
"""Grammars that get underscores for other characters: Bash crashed on `{9` before a character beyond U+FFFF, probably
by looking it up in a table for bytes."""

FAIR_SHARE = 0.5
"""Who was stopped by the clock and had a core for less than this share of the time was kept waiting by others."""

BUSY = 8.0
"""So many times longer a search in a tree may take by the clock if others have the core; then it is tried once more."""

# Not by importlib.resources, which loads a dozen modules: every worker would pay for them.
_QUERIES = Path(__file__).with_name("queries")
_TO_ASCII = bytes(range(128)) + b"_" * 128
_CAPTURE = re.compile(r"@([a-z]+)\b(?:\.([a-z]+))?")


Match = tuple[int, dict[str, list[Node]]]
"""Index of a pattern and the nodes it captured."""


class Role(msgspec.Struct, frozen=True, gc=False):
    """What a match of one query pattern means."""

    name: str
    """One of `ROLES`; also the capture that carries it."""
    capture: str
    kind: SymbolKind | None
    joins: bool
    """Whether neighbours of one name are one definition, as a function's equations in Haskell are."""


class Grammar(msgspec.Struct, frozen=True, gc=False):
    """A language that can be parsed."""

    language: Language
    query: Query
    roles: tuple[Role, ...]
    """One per pattern of the query."""
    ascii_only: bool

    def parse(self, data: bytes, seconds: float, typed: Typed | None = None) -> Tree | None:
        """The syntax tree, or None if it took longer than `seconds` of a core's time.

        What `typed` remembers of the document's last text makes it quicker; it remembers this one then.
        """
        parser = _parser(self.language, round(seconds * 1_000_000))
        text = data.translate(_TO_ASCII) if self.ascii_only else data
        before = typed.start(self.language, text) if typed is not None else None
        began = thread_time()
        while True:
            try:
                tree = parser.parse(text) if before is None else parser.parse(text, before)
                if typed is not None:
                    typed.keep(self.language, text, tree)
                return tree
            except ValueError:
                # The parser looks at the clock, which runs on while others have the core; it goes on where it was.
                if thread_time() - began >= seconds * FAIR_SHARE:
                    break
        # A parser that was stopped would go on with the old text.
        parser.reset()
        return None

    def matches(self, tree: Tree, seconds: float) -> list[Match] | None:
        """All matches of the query in a tree, or None if it took longer than `seconds` of a core's time."""
        for patience in (seconds, seconds * BUSY, seconds * BUSY * BUSY):
            cursor = _cursor(self.query, round(patience * 1_000_000))
            began, began_work = perf_counter(), thread_time()
            found = cursor.matches(tree.root_node)
            # A cursor that was stopped returns what it has, without a word.
            if perf_counter() - began < patience:
                return found
            if thread_time() - began_work >= seconds * FAIR_SHARE:
                break
        return None


@cache
def load_grammar(language: str) -> Grammar | None:
    """The grammar of a language, or None if there is none."""
    place = grammar_of(language)
    if not place:
        return None
    module, _, function = place.partition(":")
    pointer: object = getattr(import_module(module), function or "language")()
    parsed = Language(pointer)
    text = _query_text(language)
    query = Query(parsed, text)
    # The stub says it is a method; it is a number.
    patterns = cast(int, query.pattern_count)
    roles = tuple(_role(query, text.encode(), pattern) for pattern in range(patterns))
    return Grammar(parsed, query, roles, language in _ASCII_ONLY)


def _query_text(language: str) -> str:
    """The language's query file; a first line `; inherits: a b` puts those files before it."""
    text = (_QUERIES / f"{language}.scm").read_text("utf-8")
    head = text.partition("\n")[0]
    _, found, parents = head.partition("; inherits:")
    return "".join(_query_text(parent) + "\n" for parent in parents.split()) + text if found else text


def _role(query: Query, text: bytes, pattern: int) -> Role:
    source = text[query.start_byte_for_pattern(pattern) : query.end_byte_for_pattern(pattern)].decode()
    settings = query.pattern_settings(pattern)
    for found in _CAPTURE.finditer(source):
        if found[1] in ROLES:
            return Role(found[1], found[0][1:], SymbolKind(found[2]) if found[2] else None, "joins" in settings)
    raise ValueError(f"pattern without a role: {source}")


# The parser's progress callback, which is to replace `timeout_micros`, crashes the interpreter in tree-sitter 0.25.2
# (9 of 9 runs); the cursor's was not tried. The old way stops both in time, in most texts, and showed no cost.
@cache
def _parser(language: Language, microseconds: int) -> Parser:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return Parser(language, timeout_micros=microseconds)  # pyright: ignore[reportDeprecated]


@cache
def _cursor(query: Query, microseconds: int) -> QueryCursor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return QueryCursor(query, timeout_micros=microseconds)  # pyright: ignore[reportDeprecated]
