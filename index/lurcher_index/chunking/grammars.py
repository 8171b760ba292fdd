"""Grammars and their queries, loaded when the first file of a language comes along and kept from then on."""

import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, TypeVar

import msgspec
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from lurcher_index.chunking.findings import Definition
from lurcher_index.chunking.languages import grammar_of
from lurcher_index.chunking.legible import LEGIBLE
from lurcher_index.chunking.patterns import Pattern, compiled_patterns, read_patterns
from lurcher_index.chunking.retyping import Typed
from lurcher_index.native import compiled

if TYPE_CHECKING:
    from lurcher_index.native._compiled import Reader, Syntax

FAIR_SHARE = 0.5
"""Who was stopped by the clock and had a core for less than this share of the time was kept waiting by others."""

BUSY = 8.0
"""So many times longer a search in a tree may take by the clock if others have the core; then it is tried once more."""

# Not by importlib.resources, which loads a dozen modules: every worker would pay for them.
_QUERIES = Path(__file__).with_name("queries")
_Read = TypeVar("_Read")

Match = tuple[int, dict[str, list[Node]]]
"""Index of a pattern and the nodes it captured."""


class Grammar(msgspec.Struct, frozen=True, gc=False):
    """A language that can be parsed."""

    language: Language
    patterns: tuple[Pattern, ...]
    query_text: str
    legible: Callable[[bytes], bytes] | None
    """What the parser is given in place of a text: as long, with the same lines."""
    reader: "Reader | None"
    """The compiled reader, where there is one."""

    def read(self, data: bytes, seconds: float) -> "Syntax | None":
        """What the compiled reader makes of a text, or None if it took longer than `seconds` of a core's time."""
        reader = self.reader
        assert reader is not None, "only a grammar with a compiled reader can be asked to read"
        text, microseconds = self._text(data), round(seconds * 1_000_000)
        return _patiently(lambda: reader.read(text, microseconds), reader.reset, seconds)

    def parse(self, data: bytes, seconds: float, typed: Typed | None = None) -> Tree | None:
        """The syntax tree, or None if it took longer than `seconds` of a core's time.

        What `typed` remembers of the document's last text makes it quicker; it remembers this one then.
        """
        parser = _parser(self.language, round(seconds * 1_000_000))
        text = self._text(data)
        before = typed.start(self.language, text) if typed is not None else None

        def attempt() -> Tree | None:
            try:
                return parser.parse(text) if before is None else parser.parse(text, before)
            except ValueError:
                return None

        tree = _patiently(attempt, parser.reset, seconds)
        if typed is not None and tree is not None:
            typed.keep(self.language, text, tree)
        return tree

    def matches(self, tree: Tree, seconds: float) -> list[Match] | None:
        """All matches of the query in a tree, or None if it took longer than `seconds` of a core's time."""
        for patience in (seconds, seconds * BUSY, seconds * BUSY * BUSY):
            cursor = _cursor(self.language, self.query_text, round(patience * 1_000_000))
            began, began_work = perf_counter(), thread_time()
            found = cursor.matches(tree.root_node)
            # A cursor that was stopped returns what it has, without a word.
            if perf_counter() - began < patience:
                return found
            if thread_time() - began_work >= seconds * FAIR_SHARE:
                break
        return None

    def _text(self, data: bytes) -> bytes:
        return data if self.legible is None else self.legible(data)


def _patiently(attempt: Callable[[], _Read | None], reset: Callable[[], object], seconds: float) -> _Read | None:
    """What an attempt comes to. One that the clock stopped is gone on with until it had a core for long enough: the
    clock runs on while others have the core."""
    began = thread_time()
    while (found := attempt()) is None:
        if thread_time() - began >= seconds * FAIR_SHARE:
            # A parser that was stopped would go on with the old text.
            reset()
            return None
    return found


@cache
def load_grammar(language: str) -> Grammar | None:
    """The grammar of a language, or None if there is none."""
    place = grammar_of(language)
    if not place:
        return None
    module, _, function = place.partition(":")
    pointer: object = getattr(import_module(module), function or "language")()
    text = _query_text(language)
    patterns = read_patterns(text)
    reader = compiled.Reader(pointer, compiled_patterns(patterns), Definition) if compiled else None
    return Grammar(Language(pointer), patterns, text, LEGIBLE.get(language), reader)


def _query_text(language: str) -> str:
    """The language's query file; a first line `; inherits: a b` puts those files before it."""
    text = (_QUERIES / f"{language}.scm").read_text("utf-8")
    head = text.partition("\n")[0]
    _, found, parents = head.partition("; inherits:")
    return "".join(_query_text(parent) + "\n" for parent in parents.split()) + text if found else text


# The parser's progress callback, which is to replace `timeout_micros`, crashes the interpreter in tree-sitter 0.25.2
# (9 of 9 runs); the cursor's was not tried. The old way stops both in time, in most texts, and showed no cost.
@cache
def _parser(language: Language, microseconds: int) -> Parser:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return Parser(language, timeout_micros=microseconds)  # pyright: ignore[reportDeprecated]


@cache
def _query(language: Language, text: str) -> Query:
    return Query(language, text)


@cache
def _cursor(language: Language, text: str, microseconds: int) -> QueryCursor:
    query = _query(language, text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return QueryCursor(query, timeout_micros=microseconds)  # pyright: ignore[reportDeprecated]
