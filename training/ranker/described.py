"""Questions out of the sources themselves: what a comment says about a definition, asked of the code without it.

A tree is copied with the documentation of every definition blanked out, line by line, so that lines keep their numbers.
The first sentence of a comment is then a question in a developer's own words, and the definition it stood at is the
answer: a signal that is nobody's benchmark, in every language that has a grammar.
"""

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.files.reading import read_document
from lurcher_index.model import Outline, Skip, Symbol, SymbolKind
from lurcher_index.ranking.kinds import kind_of
from training.ranker.labels import PATIENT, Labelled, Span, Tree

MOST_QUESTIONS = 60
"""Of one tree, so that large ones do not drown the others."""

FEWEST_WORDS, MOST_WORDS = 4, 24
"""Length of a sentence that can be a question."""

LONGEST_DEFINITION = 120
"""Lines; a larger one has no single chunk that answers."""

_ASKED_ABOUT = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.CONSTRUCTOR}
)
_COMMENT = re.compile(r"^[ \t]*(?:///?!?|/\*+!?|\*+/?|#+|--+\|?|\{-\|?|\"{3}|'{3}|;+|@\w+doc\b|%+)[ \t]?", re.MULTILINE)
_TAG = re.compile(r"(?m)^\s*(?:@|:\w+|\\\w+|<\w+|Args:|Parameters|Returns|Raises|Examples?\b|>>>|```).*")
_MARKS = re.compile(r"[`*_]{1,3}|</?\w[^>]{0,60}>|\{@\w+ ([^}]*)\}|\"{3}|'{3}|\*/|-\}")
_UNFIT = re.compile(
    r"copyright|licen[sc]e|https?://|todo|fixme|deprecated|generated|inherit|see\b.*\babove", re.IGNORECASE
)


def described_tree(tree: Tree, copy: Path, seed: int = 7) -> Tree:
    """A copy of the indexed part of a tree without its documentation, and questions made of that."""
    shutil.rmtree(copy, ignore_errors=True)
    found: list[Labelled] = []
    for path in sorted(tree.root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            inside = path.relative_to(tree.root).as_posix()
            found += _described(path, inside, copy / inside)
    draw = random.Random(f"{seed} {tree.name}")
    chosen = draw.sample(found, min(MOST_QUESTIONS, len(found)))
    return Tree(tree.name, tree.language, copy, copy, tuple(chosen))


def _described(path: Path, inside: str, target: Path) -> Iterator[Labelled]:
    document = read_document(path, inside, PATIENT)
    if isinstance(document, Skip):
        return
    found = outline(document.data, language_of(inside, document.data[:2_048]), parse_seconds=PATIENT.parse_seconds)
    kind = kind_of(inside)
    if not (kind.test or kind.example or kind.second_hand or kind.documentation):
        for symbol in found.symbols:
            text = _question(document.data, symbol)
            if text:
                yield Labelled(text, "described", (Span(inside, *_lines(document.data, symbol)),), True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(_without_documentation(document.data, found))


def _question(data: bytes, symbol: Symbol) -> str:
    """The first sentence of a definition's documentation, if it can be asked; else nothing."""
    if symbol.kind not in _ASKED_ABOUT or symbol.doc_end <= symbol.doc_start:
        return ""
    if symbol.last_line - symbol.first_line > LONGEST_DEFINITION:
        return ""
    text = _COMMENT.sub("", data[symbol.doc_start : symbol.doc_end].decode("utf-8", "replace"))
    text = _MARKS.sub(r"\1", _TAG.sub("\n\n", text)).strip()
    sentence = " ".join(re.split(r"\n\s*\n|(?<=[.!?])\s", text, maxsplit=1)[0].split()).rstrip(".:")
    words = sentence.split()
    # Go's comments begin with the name; nobody asks like that.
    if words and words[0].strip("()").rpartition(".")[2] == symbol.name:
        words = words[1:]
    fits = FEWEST_WORDS <= len(words) <= MOST_WORDS and sentence.isascii() and not _UNFIT.search(sentence)
    return " ".join(words) if fits else ""


def _lines(data: bytes, symbol: Symbol) -> tuple[int, int]:
    """The lines of a definition without the comment before it."""
    outside = symbol.doc_end <= symbol.name_start
    first = data.count(b"\n", 0, symbol.signature_start) + 1 if outside else symbol.first_line
    return min(first, symbol.last_line), symbol.last_line


def _without_documentation(data: bytes, found: Outline) -> bytes:
    blanked = bytearray(data)
    for symbol in found.symbols:
        for at in range(symbol.doc_start, symbol.doc_end):
            if blanked[at] not in b"\r\n":
                blanked[at] = 32
    return bytes(blanked)
