"""The frozen values that travel between the rooms. Lines count from 1 and are inclusive; offsets are bytes.

Offsets and lines always refer to a *document*: the file's text as UTF-8 without a byte-order mark and with its
secrets masked. Masking keeps the length, so for a UTF-8 file they are the file's own offsets.
"""

from bisect import bisect_right
from enum import StrEnum
from typing import NamedTuple

import msgspec


class Value(msgspec.Struct, frozen=True, array_like=True):
    """Base of the values that are stored or sent between processes: compact on disk, checked when decoded.

    Those that come in thousands and hold nothing but numbers and text say `gc=False`: no cycle can go through them, so
    nobody has to look for one there.
    """


class Reason(StrEnum):
    """Why a file is not in the index."""

    IGNORED = "ignored"
    EXCLUDED = "excluded"
    BINARY = "binary"
    TOO_LARGE = "too large"
    MINIFIED = "minified"
    SECRET = "secret"  # noqa: S105 - a reason, not a password
    UNREADABLE = "unreadable"
    QUARANTINED = "quarantined"


class Skip(Value, frozen=True, array_like=True):
    """A file that is left out: the reason, and the rule or error behind it in words."""

    reason: Reason
    detail: str


class Found(NamedTuple):
    """A file that discovery saw. `path` is relative to its folder, with forward slashes."""

    path: str
    size: int
    mtime_ns: int


class Mask(Value, frozen=True, array_like=True):
    """One secret that was masked: the rule that found it and the line it stands on. Never the secret itself."""

    rule: str
    line: int


class Document(Value, frozen=True, array_like=True):
    """A file's text, ready to be chunked."""

    data: bytes
    """UTF-8, no byte-order mark, secrets replaced by asterisks of the same length, line ends as in the file."""
    content_hash: bytes
    """BLAKE2b-128 of the file's raw bytes: the key under which everything derived from it is kept."""
    encoding: str
    masks: tuple[Mask, ...] = ()


class Chunk(Value, frozen=True, array_like=True, gc=False):
    """A piece of a document of about 250 tokens. Chunks never overlap and hold every non-blank character."""

    first_line: int
    last_line: int
    start: int
    end: int
    """One past the last byte; the line end after the last line is not part of the chunk."""
    digest: bytes
    """BLAKE2b-64 of the chunk's bytes: shows whether the text on disk is still the text that was indexed."""
    branches: int = 0
    """How often it decides, and how many marks of comments it has: see `chunking.doing`."""
    remarks: int = 0


class SymbolKind(StrEnum):
    """What a definition defines; the names follow LSP's SymbolKind."""

    MODULE = "module"
    NAMESPACE = "namespace"
    CLASS = "class"
    INTERFACE = "interface"
    STRUCT = "struct"
    ENUM = "enum"
    TRAIT = "trait"
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    PROPERTY = "property"
    FIELD = "field"
    VARIABLE = "variable"
    CONSTANT = "constant"
    TYPE = "type"
    MACRO = "macro"
    TABLE = "table"
    KEY = "key"
    SECTION = "section"


class Symbol(Value, frozen=True, array_like=True, gc=False):
    """A definition. Signature and documentation are ranges, so that no source text is stored."""

    name: str
    kind: SymbolKind
    container: int
    """Index of the enclosing symbol in the outline, or -1."""
    first_line: int
    """Where it starts with its comments and decorators."""
    last_line: int
    start: int
    end: int
    name_start: int
    name_end: int
    signature_start: int
    signature_end: int
    doc_start: int
    """0 with `doc_end` 0: no documentation."""
    doc_end: int
    owner: str = ""
    """Name of the type it belongs to, if that type is not in this document: methods in Go and C++ can stand apart."""


class EdgeKind(StrEnum):
    """How one place in the code refers to a name."""

    CALL = "call"
    IMPORT = "import"
    INHERIT = "inherit"


class Edge(Value, frozen=True, array_like=True, gc=False):
    """A reference by name, not resolved yet: `symbol` (index in the outline, -1 for the file) uses `name`."""

    kind: EdgeKind
    name: str
    """Bare name of what is called, inherited or imported, e.g. `join`; for an import the module's name, whole."""
    qualifier: str
    """What stands before it (`os.path` in `os.path.join(…)`), empty if nothing simple does."""
    line: int
    """Where it does so first."""
    symbol: int
    column: int = -1
    """Bytes before the name on that line; -1 if not known."""
    more: tuple[int, ...] = ()
    """Lines and columns, in turns, of where it does so again."""
    bound: bool = False
    """Whether a parameter of that name, of the function or one around it, is what is called."""


class Import(Value, frozen=True, array_like=True, gc=False):
    """A name that an import brings into the file."""

    module: str
    """As written: `os.path`, `.models`, `./util`, `github.com/x/y`, `std::fmt`."""
    name: str
    """What is taken out of the module: empty for the module itself, `*` for everything."""
    local: str
    """What it is called in this file; empty where only the language knows, as for a plain `import` in Go."""
    is_exported: bool = False
    """Whether the file hands it on as its own, as `export … from` does."""


class Hint(Value, frozen=True, array_like=True, gc=False):
    """What a variable holds, as far as its text tells: a type, or the result of a call."""

    symbol: int
    """Index of the function or type in which it holds, -1 for the file."""
    variable: str
    """A name; with a dot before it, a field that a method sets (`.pool` for `self.pool = …`); empty for what the
    function returns."""
    type: str
    is_call: bool = False
    """Whether `type` is what is called to get it: a class, or a function that returns something."""


class Links(Value, frozen=True, array_like=True):
    """What a document uses: kept apart from its outline, because a search does not look at it."""

    edges: tuple[Edge, ...] = ()
    imports: tuple[Import, ...] = ()
    hints: tuple[Hint, ...] = ()


class Outline(Value, frozen=True, array_like=True, gc=False):
    """Everything that is known about a document's content, whatever its path."""

    language: str
    line_count: int
    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...]
    edges: tuple[Edge, ...]
    masks: tuple[Mask, ...] = ()
    note: str = ""
    """Why the document was chunked by lines although its language has a grammar, e.g. "parse took longer than 2 s"."""
    imports: tuple[Import, ...] = ()
    hints: tuple[Hint, ...] = ()


def symbols_by_chunk(outline: Outline) -> list[list[int]]:
    """For each chunk the indexes of the symbols that it defines or lies in, outermost first."""
    found: list[list[int]] = [[] for _ in outline.chunks]
    ends = [chunk.end for chunk in outline.chunks]
    for index, symbol in enumerate(outline.symbols):
        at = bisect_right(ends, symbol.start)
        while at < len(ends) and outline.chunks[at].start < symbol.end:
            found[at].append(index)
            at += 1
    return found
