"""What a ranker wants to know of a file and of its chunks, whatever is asked: names, their words, the words of a path.

Made once for a content and kept with it, since the same files come up in answer after answer. There are many thousands
then, and Python's garbage collector stops all threads while it looks at each: `gc=False` spares it those that cannot be
part of a cycle. So do tuples and dictionaries of text, but sets do not, whatever they hold: it looks at every word.
"""

from functools import lru_cache

import msgspec

from lurcher_index.model import Outline, SymbolKind, symbols_by_chunk
from lurcher_index.ranking.doing import NOTHING_DONE, doing_of
from lurcher_index.ranking.kinds import FileKind, kind_of
from lurcher_index.text.terms import MAX_TERM_CHARACTERS, analyse, terms, words

TYPES = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.ENUM,
        SymbolKind.INTERFACE,
        SymbolKind.MODULE,
        SymbolKind.NAMESPACE,
        SymbolKind.STRUCT,
        SymbolKind.TABLE,
        SymbolKind.TRAIT,
        SymbolKind.TYPE,
    }
)
"""Definitions that others are named after: who asks for `Request` means the class before a method of that name."""

FOLDERS = 3
"""How many of the innermost folders of a path say what a file is about; those above name the project."""


Words = dict[str, None]
"""A set of words that the garbage collector need not look at."""


class Name(msgspec.Struct, frozen=True, gc=False):
    """A definition's name."""

    name: str
    parts: tuple[str, ...]
    """Its words as stems."""
    is_type: bool


class ChunkFacts(msgspec.Struct, frozen=True, gc=False):
    """What a chunk defines."""

    names: tuple[Name, ...]
    parts: tuple[str, ...]
    """The words of these names, each once."""
    around: tuple[str, ...]
    """Words of the names of what it lies in."""
    defines_type: bool
    documented: bool
    complete: bool
    """Whether a definition lies in it from its beginning to its end."""
    lines: int
    doing: tuple[float, ...] = NOTHING_DONE
    """The numbers of `ranking.doing`."""


class ContentFacts(msgspec.Struct, frozen=True, gc=False):
    """What a file's content defines."""

    chunks: tuple[ChunkFacts, ...]
    parts: Words
    """The words of all its names."""
    ordered_parts: tuple[str, ...]
    """The same in order, to find those that begin alike."""
    names: Words
    lower_names: Words
    type_names: Words


class PathFacts(msgspec.Struct, frozen=True, gc=False):
    """What a path says."""

    stem: tuple[str, ...]
    """Words of the file's name without its ending."""
    folders: tuple[str, ...]
    """Words of the innermost folders."""
    flat: str
    """Letters and digits of the file's name, in lower case."""
    kind: FileKind


def content_facts(outline: Outline) -> ContentFacts:
    """The facts of a content."""
    names = [Name(symbol.name, parts_of(symbol.name), symbol.kind in TYPES) for symbol in outline.symbols]
    chunks: list[ChunkFacts] = []
    for chunk, symbols in zip(outline.chunks, symbols_by_chunk(outline), strict=True):
        defined: list[Name] = []
        around: list[str] = []
        documented = complete = False
        for at in symbols:
            symbol = outline.symbols[at]
            if chunk.start <= symbol.name_start < chunk.end:
                defined.append(names[at])
                documented = documented or symbol.doc_end > 0
                complete = complete or (symbol.start >= chunk.start and symbol.end <= chunk.end)
            else:
                around += names[at].parts
        lines = chunk.last_line - chunk.first_line + 1
        has_type = any(name.is_type for name in defined)
        parts = tuple(dict.fromkeys(part for name in defined for part in name.parts))
        doing = doing_of(chunk, [outline.symbols[at] for at in symbols])
        around_it = tuple(dict.fromkeys(around))
        chunks.append(ChunkFacts(tuple(defined), parts, around_it, has_type, documented, complete, lines, doing))
    parts_of_names = dict.fromkeys([part for name in names for part in name.parts])
    return ContentFacts(
        chunks=tuple(chunks),
        parts=parts_of_names,
        ordered_parts=tuple(sorted(parts_of_names)),
        names=dict.fromkeys([name.name for name in names]),
        lower_names=dict.fromkeys([name.name.lower() for name in names]),
        type_names=dict.fromkeys([name.name for name in names if name.is_type]),
    )


@lru_cache(20_000)
def path_facts(path: str) -> PathFacts:
    """The facts of a path relative to its folder."""
    *folders, file = path.split("/")
    stem = file.partition(".")[0] if file.rfind(".") > 0 else file
    flat = "".join(filter(str.isalnum, stem)).lower()
    return PathFacts(parts_of(stem), parts_of(" ".join(folders[-FOLDERS:])), flat, kind_of(path))


@lru_cache(100_000)
def parts_of(text: str) -> tuple[str, ...]:
    """The words of a name or a path, each once, as stems."""
    if len(text) <= MAX_TERM_CHARACTERS and text.isascii() and text.isidentifier():
        return _parts_of_name(text)
    return _parts_of_any(text)


def _parts_of_name(name: str) -> tuple[str, ...]:
    """The same for a plain name, as nearly all are, in a fraction of the time: terms are the whole and the parts."""
    found = terms(name.encode()).split()
    return tuple(found[1:] or found)


def _parts_of_any(text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for word in words(text):
        whole, parts = analyse(word)
        found.update(dict.fromkeys(parts or ((whole,) if whole else ())))
    return tuple(found)
