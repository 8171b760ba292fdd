"""What a content defines and uses, packed: its links as a whole, and its names as short keys to search by."""

import re
import sys
import zlib
from array import array
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache
from typing import TypeVar

import msgspec
from msgspec.msgpack import encode

from lurcher_index.deflate import deflated
from lurcher_index.errors import StoreDamaged
from lurcher_index.model import Edge, EdgeKind, Hint, Import, Links, Outline, SymbolKind
from lurcher_index.native import compiled

MAX_LINKS_BYTES = 64_000_000
"""Largest links that are unpacked; far more than the largest file can give, and a bound for forged ones."""

KIND_BITS = 5
"""Bits of a number that hold a symbol's kind; the rest is its index."""

KINDS = tuple(SymbolKind)
"""Kinds by their number in what is packed."""

MEMO = 32_768
"""Names kept in mind between contents: the same few thousand are used all over a workspace."""

NOT_NAMED = frozenset({SymbolKind.KEY, SymbolKind.SECTION})
"""Keys of data and headings of texts are not looked up as definitions, and there are very many of them."""

# Looked up once: a member of an enum takes several times as long to find as a global.
_IMPORT = EdgeKind.IMPORT
_KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS) if kind not in NOT_NAMED}
_STEM = re.compile(r"[^/\\.:]+")
_ENDING = re.compile(r"\.(?:[cm]?[jt]sx?|h|hh|hpp|hxx|php|rb|sh|zig|lua|inc)$")
_EMPTY = msgspec.msgpack.encode(Links())


@lru_cache(MEMO)
def name_key(name: str) -> int:
    """The key of a name: 32 bits of it. Two names can have one key, so what is found by key is looked at again."""
    return zlib.crc32(name.encode("utf-8", "replace"))


def module_key(stem: str) -> int:
    """The key of a file or folder that is imported, by its name without an ending."""
    return zlib.crc32(b"\0" + stem.encode("utf-8", "replace"))


def module_stem(module: str) -> str:
    """The last part of a module as an import names it: `b` of `a.b`, `./a/b.js` and `a::b`."""
    parts = _STEM.findall(_ENDING.sub("", module))
    return parts[-1] if parts else ""


@lru_cache(MEMO)
def _module_key(module: str) -> int:
    return module_key(module_stem(module))


def pack_links(outline: Outline) -> bytes:
    """Edges, imports and hints as they are stored; empty without any."""
    packed = msgspec.msgpack.encode(Links(outline.edges, outline.imports, outline.hints))
    return b"" if packed == _EMPTY else deflated(packed)


class StoredLinks:
    """Links whose parts are unpacked when first looked at: who asks what a function returns needs no edges, and who
    looks for a plain call no hints."""

    def __init__(self, raw: bytes) -> None:
        """Take what was packed, inflated."""
        self._parts = _PARTS.decode(raw)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """What is called, imported and inherited."""
        return _unpacked(_EDGES, self._parts.edges)

    def uses_of(self, names: Collection[str]) -> tuple[Edge, ...]:
        """The calls and inheritances of some names; of a long file's edges only these are unpacked."""
        if "edges" in self.__dict__:
            return tuple(edge for edge in self.edges if edge.name in names and edge.kind is not _IMPORT)
        beginnings = tuple(
            _EDGE_HEAD + encode(kind) + encode(name) for kind in (EdgeKind.CALL, EdgeKind.INHERIT) for name in names
        )
        try:
            return tuple(_EDGE.decode(raw) for raw in self._packed_edges if bytes(raw).startswith(beginnings))
        except msgspec.DecodeError as error:
            raise StoreDamaged(f"stored links are damaged: {error}") from error

    @cached_property
    def _packed_edges(self) -> tuple[msgspec.Raw, ...]:
        return _unpacked(_RAWS, self._parts.edges)

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """Names that imports bring."""
        return _unpacked(_IMPORTS, self._parts.imports)

    @cached_property
    def hints(self) -> tuple[Hint, ...]:
        """What variables hold."""
        return _unpacked(_HINTS, self._parts.hints)

    def whole(self) -> Links:
        """All parts as one value."""
        return Links(self.edges, self.imports, self.hints)


_NOTHING = msgspec.Raw(msgspec.msgpack.encode(()))


class _Parts(msgspec.Struct, frozen=True, array_like=True):
    edges: msgspec.Raw = _NOTHING
    imports: msgspec.Raw = _NOTHING
    hints: msgspec.Raw = _NOTHING


_PARTS = msgspec.msgpack.Decoder(_Parts)
_EDGE = msgspec.msgpack.Decoder(Edge)
_RAWS = msgspec.msgpack.Decoder(tuple[msgspec.Raw, ...])
_EDGE_HEAD = encode(Edge(EdgeKind.CALL, "", "", 0, 0))[:1]
"""What every edge begins with: how many parts it has. Its kind and its name follow."""
_EDGES = msgspec.msgpack.Decoder(tuple[Edge, ...])
_IMPORTS = msgspec.msgpack.Decoder(tuple[Import, ...])
_HINTS = msgspec.msgpack.Decoder(tuple[Hint, ...])
_T = TypeVar("_T")


def _unpacked(decoder: "msgspec.msgpack.Decoder[tuple[_T, ...]]", raw: msgspec.Raw) -> tuple[_T, ...]:
    try:
        return decoder.decode(raw)
    except msgspec.DecodeError as error:
        raise StoreDamaged(f"stored links are damaged: {error}") from error


NO_LINKS = StoredLinks(_EMPTY)
"""Of what uses nothing."""


def unpack_links(packed: bytes) -> StoredLinks:
    """The same back; what is damaged, forged or far too large is refused, here or where a part is looked at."""
    if not packed:
        return NO_LINKS
    try:
        inflater = zlib.decompressobj()
        raw = inflater.decompress(packed, MAX_LINKS_BYTES)
        if not inflater.eof:
            raise StoreDamaged("stored links are cut off or too large")
        return StoredLinks(raw)
    except (zlib.error, msgspec.DecodeError) as error:
        raise StoreDamaged(f"stored links are damaged: {error}") from error


def pack_defined(outline: Outline) -> bytes:
    """Three numbers for each definition: key of its name, key of what it lies in, index and kind."""
    if not compiled:
        return pack_defined_in_python(outline)
    return compiled.defined_keys(outline.symbols, _KIND_NUMBERS, KIND_BITS)


def pack_defined_in_python(outline: Outline) -> bytes:
    """The same without the compiled part, which has this loop once more."""
    numbers = array("I")
    symbols = outline.symbols
    for at, symbol in enumerate(symbols):
        if symbol.kind in NOT_NAMED:
            continue
        around = symbol.owner
        if not around and 0 <= symbol.container < len(symbols):
            around = symbols[symbol.container].name
        numbers.append(name_key(symbol.name))
        numbers.append(name_key(around) if around else 0)
        numbers.append(at << KIND_BITS | _KIND_NUMBERS[symbol.kind])
    return _little(numbers)


def pack_used(outline: Outline) -> bytes:
    """The keys of all names that are called, inherited or imported, and of the modules."""
    if not compiled:
        return pack_used_in_python(outline)
    return compiled.used_keys(outline.edges, _IMPORT, _module_key, tuple(_imported(outline.imports)))


def pack_used_in_python(outline: Outline) -> bytes:
    """The same without the compiled part, which has this loop once more."""
    keys = {name_key(edge.name) if edge.kind is not _IMPORT else _module_key(edge.name) for edge in outline.edges}
    keys |= set(_imported(outline.imports))
    return _little(array("I", sorted(keys)))


def _imported(imports: Iterable[Import]) -> Iterable[int]:
    for each in imports:
        yield from _import_keys(each.module, each.name)


@lru_cache(MEMO)
def _import_keys(module: str, name: str) -> tuple[int, ...]:
    if not name or name == "*":
        return (_module_key(module),)
    # `from . import models` may mean the module.
    return name_key(name), module_key(name), _module_key(module)


def _little(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
