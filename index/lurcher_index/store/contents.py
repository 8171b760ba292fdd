"""Reading what contents hold: outlines, links, names and features, by a content's number.

A content's number never changes its meaning, so what was unpacked once can be kept.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from lurcher_index.model import Outline
from lurcher_index.store.database import Database
from lurcher_index.store.linkage import NO_LINKS, StoredLinks, unpack_links
from lurcher_index.store.outlines import Held, symbol_names, unpack, unpack_without_edges

if TYPE_CHECKING:
    from lurcher_index.store.names import NameTable

CACHED_CONTENTS = 1_024
"""Contents kept unpacked: those of the files that recent answers came from."""


class ContentReader:
    """Typed access to what contents hold. Thread-safe."""

    def __init__(self, database: Database) -> None:
        """Wrap a database."""
        self._database = database
        self._cache: OrderedDict[int, Held] = OrderedDict()
        self._cache_turn = threading.Lock()
        self._links: OrderedDict[int, StoredLinks] = OrderedDict()
        self._names: NameTable | None = None
        self._names_turn = threading.Lock()

    def contents(self, content_ids: Iterable[int]) -> dict[int, Held]:
        """What some contents hold; a content's number never changes its meaning, so they are cached."""
        wanted = dict.fromkeys(content_ids)
        with self._cache_turn:
            missing = [number for number in wanted if number not in self._cache]
        sql = "SELECT content_id, encoding, outline FROM content WHERE content_id IN"
        rows = self._database.read_among(sql, missing)
        read = {number: Held(encoding, unpack_without_edges(packed)) for number, encoding, packed in rows}
        with self._cache_turn:
            self._cache.update(read)
            found = {number: self._cache[number] for number in wanted if number in self._cache}
            for number in found:
                self._cache.move_to_end(number)
            while len(self._cache) > CACHED_CONTENTS:
                self._cache.popitem(last=False)
        return found

    def names_after(self, content_id: int, limit: int) -> list[tuple[int, list[str]]]:
        """The names that contents with greater numbers define, in the order of the numbers, for so many contents."""
        sql = "SELECT content_id, outline FROM content WHERE content_id > ? ORDER BY content_id LIMIT ?"
        rows = self._database.read(sql, (content_id, limit))
        return [(number, symbol_names(packed)) for number, packed in rows]

    def whole_outline(self, content_id: int) -> Outline | None:
        """A content's outline with its edges; not cached, since no search looks at them."""
        rows = self._database.read("SELECT outline FROM content WHERE content_id = ?", (content_id,))
        if not rows:
            return None
        links = self.links([content_id]).get(content_id, NO_LINKS)
        outline = unpack(rows[0][0])
        return msgspec.structs.replace(outline, edges=links.edges, imports=links.imports, hints=links.hints)

    def links(self, content_ids: Iterable[int]) -> dict[int, StoredLinks]:
        """What some contents use; those that use nothing are missing. Cached, as contents are."""
        wanted = dict.fromkeys(content_ids)
        with self._cache_turn:
            missing = [number for number in wanted if number not in self._links]
        rows = self._database.read_among("SELECT content_id, links FROM link WHERE content_id IN", missing)
        read = {number: unpack_links(packed) for number, packed in rows}
        with self._cache_turn:
            self._links.update(read)
            found = {number: self._links[number] for number in wanted if number in self._links}
            for number in found:
                self._links.move_to_end(number)
            while len(self._links) > CACHED_CONTENTS:
                self._links.popitem(last=False)
        return found

    def names(self) -> "NameTable":
        """Which contents define and use which names, as of now; loaded when first asked for, then kept up to date."""
        from lurcher_index.store.names import NameTable

        with self._names_turn:
            if self._names is None:
                self._names = NameTable()
            sql = "SELECT content_id, defined, used FROM name WHERE content_id > ? ORDER BY content_id"
            self._names.add(self._database.read(sql, (self._names.last,)))
            return self._names

    def digests_after(self, content_id: int, limit: int) -> list[tuple[int, bytes]]:
        """The digests of contents with greater numbers, in the order of the numbers, for so many contents."""
        sql = "SELECT content_id, digest FROM feature WHERE content_id > ? ORDER BY content_id LIMIT ?"
        return [(number, digest) for number, digest in self._database.read(sql, (content_id, limit))]

    def digests(self, content_ids: Iterable[int]) -> dict[int, bytes]:
        """The digests of some contents."""
        return dict(
            self._database.read_among("SELECT content_id, digest FROM feature WHERE content_id IN", content_ids)
        )

    def phrases(self, content_ids: Iterable[int]) -> dict[int, bytes]:
        """The phrases out of the documentation of some contents."""
        return dict(
            self._database.read_among("SELECT content_id, phrases FROM feature WHERE content_id IN", content_ids)
        )
