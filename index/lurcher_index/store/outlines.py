"""What a file holds as it is stored: packed by the workers, unpacked for whoever asks, as little of it as is needed."""

import zlib
from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from lurcher_index.deflate import deflated
from lurcher_index.errors import StoreDamaged
from lurcher_index.model import Chunk, Mask, Outline, Symbol, Value
from lurcher_index.store.linkage import pack_defined, pack_links, pack_used

MAX_OUTLINE_BYTES = 64_000_000
"""Largest outline that is unpacked; ten times what the largest file can give, and a bound for a forged one."""


class Content(Value, frozen=True, array_like=True):
    """What a file holds, packed for the database; made in the workers."""

    hash: bytes
    language: str
    encoding: str
    chunk_count: int
    packed: bytes
    links: bytes = b""
    """What it uses, packed by `pack_links`."""
    defined: bytes = b""
    used: bytes = b""
    """The keys of the names that it defines and uses."""
    digest: bytes = b""
    """What the feature tree is built from; see `features.digests`."""
    phrases: bytes = b""
    """Phrases out of its documentation, by definition."""


class Held(msgspec.Struct, frozen=True, gc=False):
    """A stored content, unpacked, without its edges."""

    encoding: str
    outline: Outline
    _symbols: dict[int, tuple[int, ...]] = {}

    def symbols_of(self, ordinal: int) -> tuple[int, ...]:
        """Indexes of the symbols that a chunk defines or lies in, outermost first; remembered, for a few chunks."""
        found = self._symbols.get(ordinal)
        if found is None:
            chunk = self.outline.chunks[ordinal]
            start, end = chunk.start, chunk.end
            symbols = enumerate(self.outline.symbols)
            within = [at for at, each in symbols if each.start < end and each.end > start]
            found = self._symbols[ordinal] = tuple(within)
        return found


def pack(outline: Outline) -> bytes:
    """An outline as it is stored: without its links, which are stored apart."""
    bare = msgspec.structs.replace(outline, edges=(), imports=(), hints=())
    return deflated(msgspec.msgpack.encode(bare))


def packed_content(content_hash: bytes, encoding: str, outline: Outline) -> Content:
    """A content with all that is stored of it."""
    return Content(
        content_hash,
        outline.language,
        encoding,
        len(outline.chunks),
        pack(outline),
        pack_links(outline),
        pack_defined(outline),
        pack_used(outline),
    )


def unpack(packed: bytes) -> Outline:
    """A stored outline; what is damaged, forged or far too large is refused."""
    with _damage():
        return msgspec.msgpack.decode(_inflated(packed), type=Outline)


def unpack_without_edges(packed: bytes) -> Outline:
    """The same without its edges, which a search does not look at: they are half of the work of unpacking."""
    with _damage():
        found = msgspec.msgpack.decode(_inflated(packed), type=_WithoutEdges)
    return Outline(found.language, found.line_count, found.chunks, found.symbols, (), found.masks, found.note)


class _WithoutEdges(Value, frozen=True, array_like=True):
    """An outline whose edges are passed over."""

    language: str
    line_count: int
    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...]
    edges: msgspec.Raw
    masks: tuple[Mask, ...] = ()
    note: str = ""


class _Named(Value, frozen=True, array_like=True, gc=False):
    """A symbol of which only the name is read."""

    name: str


class _OnlyNames(Value, frozen=True, array_like=True):
    """An outline of which only the names of its symbols are read."""

    language: str
    line_count: int
    chunks: msgspec.Raw
    symbols: tuple[_Named, ...]


def symbol_names(packed: bytes) -> list[str]:
    """The names that a stored outline defines; nothing else of it is read."""
    with _damage():
        return [symbol.name for symbol in msgspec.msgpack.decode(_inflated(packed), type=_OnlyNames).symbols]


def _inflated(packed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    raw = inflater.decompress(packed, MAX_OUTLINE_BYTES)
    if not inflater.eof:
        raise StoreDamaged("a stored outline is cut off or too large")
    return raw


@contextmanager
def _damage() -> Generator[None]:
    try:
        yield
    except (zlib.error, msgspec.DecodeError, TypeError) as error:
        raise StoreDamaged(f"a stored outline is damaged: {error}") from error
