"""Searching a generation, and what comes back from a server that may say anything."""

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any

import msgspec

from lurcher_index.errors import Cancelled, RemoteError, RemoteUnknown
from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.milvus import notes
from lurcher_index.remote.engines.milvus.client import Client, Row
from lurcher_index.remote.engines.milvus.counting import Counts
from lurcher_index.remote.engines.milvus.keys import repository_key, shown_path, stored_path
from lurcher_index.remote.engines.milvus.layout import CHUNKS, NOTES, checked
from lurcher_index.remote.engines.milvus.limits import MOST_HITS
from lurcher_index.remote.engines.milvus.weighing import NOTHING, Numbering, length_number
from lurcher_index.remote.engines.vectors import asked_vector
from lurcher_index.remote.engines.weighing import asked_numbers, field_numbers, field_statistics, rarity
from lurcher_index.remote.interface import RemoteHit, Statistics, Wanted

MORE = 4
"""How many times as many hits are fetched when too few passed the filters."""

EXPLORED = 512
"""Candidates that the graph of vectors follows at least (`ef`); it must not be smaller than the hits wanted."""

FRESH_SECONDS = 60.0
"""How long a search waits for the newest writes, from when we first searched a generation. Later on it takes what the
server has at hand, which is at most 5 s old by default."""

LOOK_SECONDS = 0.1
"""How often it is looked whether a first search is still waited for."""

_FIELDS = ("path", "content", "language", "digest", "first_line", "last_line", "since", "until")
_Line = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
_Hex = Annotated[str, msgspec.Meta(pattern="^([0-9a-f][0-9a-f])*$", max_length=128)]


class StoredHit(msgspec.Struct, frozen=True):
    """A row of a search's answer."""

    path: Annotated[str, msgspec.Meta(max_length=65_535)]
    content: _Hex
    language: Annotated[str, msgspec.Meta(max_length=64)]
    digest: _Hex
    first_line: _Line
    last_line: _Line
    since: int
    until: int
    distance: float

    def hit(self) -> RemoteHit:
        """As the interface has it."""
        return RemoteHit(
            shown_path(self.path),
            self.first_line,
            self.last_line,
            self.distance,
            self.language,
            bytes.fromhex(self.content),
            bytes.fromhex(self.digest),
        )


class Searcher:
    """Searches one server. Thread-safe."""

    def __init__(self, client: Client) -> None:
        """Nothing was searched yet."""
        self.counts = Counts(client)
        self._client = client
        self._first_search: dict[Where, float] = {}
        self._turn = threading.Lock()

    def by_words(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        """The best chunks by BM25."""
        _go_on(wanted)
        found = self._by_words(where, wanted)
        self._check(where)
        return found

    def by_meaning(self, where: Where, wanted: Wanted, dimension: int) -> list[RemoteHit]:
        """The chunks whose vectors are most alike."""
        _go_on(wanted)
        vector = asked_vector(wanted, dimension, self._client.where)
        found: list[RemoteHit] = []
        if vector is not None:
            found = self._best(where, wanted, "vector", vector.tolist(), " and embedded == true", {"ef": EXPLORED})
        self._check(where)
        return found

    def statistics(self, where: Where, terms: Iterable[str]) -> Statistics:
        """How common terms are in each field."""
        numbers = field_numbers(terms, Numbering())
        asked = [number for each in numbers.values() for number in each.values()]
        measured = {field: length_number(field) for field in ("", *numbers)}
        counts = self.counts.of(where, (*asked, *measured.values()), strong=self._is_fresh(where))
        self._check(where)
        lengths = {field: counts[number] for field, number in measured.items()}
        return field_statistics(counts[NOTHING], numbers, lambda number: counts[number], lengths.pop(""), lengths)

    def warm_up(self, where: Where, dimension: int, cancelled: Callable[[], bool]) -> None:
        """Have the server build in memory what searches need. A call cannot be stopped, but need not be waited for."""
        vectors: dict[str, Any] = {"words": {NOTHING: 1.0}}
        if dimension:
            vectors["vector"] = [1.0, *(dimension - 1) * [0.0]]
        condition = conditions(where, Wanted(words=(), terms={}))
        searching = threading.Thread(
            target=self._search_once, args=(vectors, condition, cancelled), name="lurcher-warming", daemon=True
        )
        searching.start()
        while searching.is_alive() and not cancelled():
            searching.join(LOOK_SECONDS)

    def _search_once(self, vectors: Mapping[str, Any], condition: str, cancelled: Callable[[], bool]) -> None:
        seconds = self._client.limits.first
        try:
            for field, vector in vectors.items():
                if not cancelled():
                    self._client.search(CHUNKS, field, vector, condition, [], 1, {}, strong=True, seconds=seconds)
        except RemoteError:
            pass  # Whoever searches first waits then, or is told why not.

    def _by_words(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        asked = dict(asked_numbers(wanted.terms, Numbering()))
        if not asked:
            return []
        holding = self.counts.of(where, asked, strong=self._is_fresh(where))
        chunks = holding.pop(NOTHING)
        # Counts may be a little wrong, and must not hide what is there.
        worth = {number: asked[number] * rarity(max(count, 1), chunks) for number, count in holding.items()}
        return self._best(where, wanted, "words", worth, "", {})

    def _best(
        self, where: Where, wanted: Wanted, field: str, vector: Any, more: str, options: Mapping[str, Any]
    ) -> list[RemoteHit]:
        condition = conditions(where, wanted) + more
        strong = self._is_fresh(where)
        size = min(max(wanted.limit, 1), MOST_HITS)
        while True:
            _go_on(wanted)
            if "ef" in options:
                options = {"ef": max(size, EXPLORED)}
            rows = self._client.search(CHUNKS, field, vector, condition, _FIELDS, size, options, strong=strong)
            found = list(self._accepted(where, wanted, rows, positive=field == "words"))
            if len(found) >= wanted.limit or len(rows) < size or size == MOST_HITS:
                found.sort(key=lambda each: (-each.score, each.path, each.first_line))
                return found[: wanted.limit]
            size = min(MORE * size, MOST_HITS)

    def _accepted(self, where: Where, wanted: Wanted, rows: list[Row], *, positive: bool) -> Iterator[RemoteHit]:
        """What fits the question, whatever the server made of it."""
        for row in rows:
            stored = checked(row, StoredHit, self._client.where)
            hit = stored.hit()
            if (
                math.isfinite(hit.score)
                and (hit.score > 0.0 or not positive)
                and stored.since <= where.generation < stored.until
                and (not wanted.languages or hit.language in wanted.languages)
                and is_below(hit.path, wanted.below)
                and wanted.accepts(hit.path, hit.language)
            ):
                yield hit

    def _check(self, where: Where) -> None:
        """Refuse what is not shown, or no longer: parts of it may be missing.

        After the search: what is still shown by then was whole meanwhile, since whoever forgets a generation begins
        with that. Before it, it could be forgotten between the look and the search.
        """
        shown = notes.read_publications(self._client, NOTES, where.repository)
        if where.generation not in (each.generation for each in shown):
            raise RemoteUnknown(
                f"{self._client.where} does not show generation {where.generation} of {where.repository}; ask which it"
                " has, or publish it"
            )

    def _is_fresh(self, where: Where) -> bool:
        now = time.monotonic()
        with self._turn:
            if len(self._first_search) > 10_000:
                self._first_search.clear()
            return now - self._first_search.setdefault(where, now) < FRESH_SECONDS


def conditions(where: Where, wanted: Wanted) -> str:
    """What a chunk must meet, in the language of Milvus' filters."""
    generation = int(where.generation)
    parts = [f'repository == "{repository_key(where.repository)}"', f"since <= {generation}", f"until > {generation}"]
    if wanted.languages:
        parts.append(f"language in [{', '.join(map(quoted, wanted.languages))}]")
    # `src/` to, and without, `src0`: zero follows the slash.
    below = [f"(path >= {quoted(f'{each}/')} and path < {quoted(f'{each}0')})" for each in wanted.below]
    if below and "" not in wanted.below:
        parts.append(f"({' or '.join(below)})")
    return " and ".join(parts)


def is_below(path: str, folders: tuple[str, ...]) -> bool:
    """Whether one of some folders holds a path; the empty one is the repository itself, as are none at all."""
    return not folders or "" in folders or any(path.startswith(f"{each}/") for each in folders)


def quoted(text: str) -> str:
    """A text in a filter. Templates would do it, but milvus-lite has none."""
    return '"' + stored_path(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _go_on(wanted: Wanted) -> None:
    if wanted.cancelled():
        raise Cancelled("the search was cancelled")
