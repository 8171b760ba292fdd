"""Out of what was found elsewhere and what is on this machine: one set of candidates, scored alike. Blocks.

What is named elsewhere only leads to files. Those, and the files that differ from the commit that was searched there,
are read here, by this machine's rules, and all of them are scored by the same formulas: so scores need no translation
between two searches, and nothing is shown that is not on this disk.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from lurcher_index.asking import Ask
from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import EmbedderError
from lurcher_index.joining.adopting import adopt, hashes_of, rows_of
from lurcher_index.joining.areas import Area, Place
from lurcher_index.joining.scoring import FewFiles
from lurcher_index.meaning import Meaning
from lurcher_index.model import Chunk
from lurcher_index.ranking.fusion import RRF_K, fuse
from lurcher_index.remote.interface import RemoteFound, RemoteHit, Statistics
from lurcher_index.searched import Searched
from lurcher_index.snapshot import Corpus, within
from lurcher_index.store.catalog import FileRow
from lurcher_index.strategies.interface import MEANING, REMOTE, WORDS, Ranking
from lurcher_index.view import View
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.contents import Content
from lurcher_index.words.filters import Filters, Scope
from lurcher_index.words.query import WordQuery
from lurcher_index.workspace import Workspace

MOST_TERMS = 100_000.0
"""On average in a field of a chunk; who tells of more is not believed."""

NAMED = 160
"""Places that are looked at of a repository, in the common order of both ways of searching: twice as many as a whole
index has judged, for that order is another one. Every file more has to be read, and every one less is missing where
candidates are compared. Of 35 questions about a large repository that was changed, 29 had the chunks of changed files
as a whole index has them with 50 places, 31 with 100, 32 with these and with all 200; of all chunks 84, 92, 95 and 95 %
were shared with it."""


class Part(msgspec.Struct, frozen=True):
    """What is known of one area for one question."""

    area: Area
    found: RemoteFound
    changed: frozenset[Place]
    """Files that differ from the commit that was searched, or may: what is said about them elsewhere does not count."""
    read: frozenset[Place]
    """Of these, those that are searched here."""
    is_exact: bool
    """Whether the others are surely those of that commit."""


class Merged(msgspec.Struct, frozen=True):
    """One set of candidates."""

    view: Searched
    rankings: tuple[Ranking, ...]
    named: int
    """Files that were named elsewhere and belong to the workspace."""
    usable: int
    """Of these, those that are on this disk as they were meant."""
    alerts: tuple[str, ...] = ()


class Merger:
    """Merges, and remembers the terms of files it has seen. Thread-safe."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._few: tuple[Workspace | None, FewFiles] = (None, FewFiles())

    def merge(
        self,
        workspace: Workspace,
        meaning: Meaning | None,
        ask: Ask,
        query: WordQuery,
        vector: Vectors | None,
        parts: Sequence[Part],
        uncovered: Sequence[str],
        is_ignored: Callable[[Place], bool],
        limit: int,
        cancelled: Callable[[], bool],
    ) -> Merged:
        """Read what is needed and score it. `uncovered` are keys of parts of the workspace that only this machine's
        index knows; what `is_ignored` here is not to be shown, though it may have been indexed before."""
        every = _named(workspace, ask.filters, parts, limit)
        named = {place: each for place, each in every.items() if not is_ignored(place)}
        adopt(workspace, named, cancelled)
        changed = sorted({place for part in parts for place in part.read}, key=lambda place: place.key)
        rows = rows_of(workspace.catalog, [*named, *changed])
        alerts: list[str] = []
        if meaning is not None and vector is not None:
            try:
                meaning.embed_some({rows[place].content_id or 0 for place in named if place in rows}, cancelled)
            except EmbedderError as error:
                alerts.append(f"some files were searched by words only: {error}")
        searched = Searched(workspace, meaning)
        # What is complete here has the right rarities and all terms; what is not borrows rarities.
        if not searched.is_filled:
            searched.view.snapshot = msgspec.structs.replace(searched.view.snapshot, corpus=_corpus(parts))
        meant = _meant(searched.view, named, rows)
        shown = [Place(file.folder, file.path) for file in searched.view.snapshot.shown.values()]
        scope = _scope(ask.filters.scope, [*meant, *changed, *shown], uncovered)
        filters = msgspec.structs.replace(ask.filters, scope=scope)
        here = [rows[place] for place in dict.fromkeys([*meant, *changed]) if place in rows]
        rankings = [Ranking(WORDS, tuple(self._words(searched, here, query, filters, uncovered, limit)))]
        if meaning is not None and vector is not None:
            rankings.append(Ranking(MEANING, tuple(searched.similar(vector, filters, limit))))
        rankings.append(_remote(_ranked(meant, filters), named, rankings))
        return Merged(searched, tuple(rankings), len(named), len(meant), tuple(alerts))

    def _words(
        self,
        searched: Searched,
        rows: Sequence[FileRow],
        query: WordQuery,
        filters: Filters,
        uncovered: Sequence[str],
        limit: int,
    ) -> list[Candidate]:
        if searched.is_filled:
            return searched.words(query, filters, limit)
        found = self._few_of(searched.view.workspace).search(searched.view, rows, query, filters, limit)
        if uncovered:
            known = {candidate[:3] for candidate in found}
            rest = msgspec.structs.replace(filters, scope=_scope(filters.scope, (), uncovered))
            found += [each for each in searched.words(query, rest, limit) if each[:3] not in known]
            found.sort(key=lambda candidate: (not candidate.first, -candidate.score, candidate[:3]))
        return found[:limit]

    def _few_of(self, workspace: Workspace) -> FewFiles:
        """What was seen of this workspace: one that takes its place has other files under the same numbers."""
        seen_of, few = self._few
        if seen_of is not workspace:
            few = FewFiles()
            self._few = (workspace, few)
        return few


def may_pass(filters: Filters, key: str, language: str) -> bool:
    """Whether a file passes as far as can be told: a language that is left open is known when the file was read."""
    asked = filters if language else msgspec.structs.replace(filters, languages=(), content=Content.ALL)
    return asked.accepts(key, language)


class _Meant(msgspec.Struct, frozen=True):
    """A file that is here as it was meant."""

    language: str
    """As this machine sees it: what is said elsewhere may be another one, or none."""
    ranked: list[tuple[int, Candidate]]
    """The chunks that were meant, with their ranks; none for a file that was named whole."""


class _Named(msgspec.Struct, frozen=True):
    """A file that was named elsewhere."""

    part: Part
    hits: list[tuple[int, RemoteHit]]
    """What was named of it, with the rank among all that its provider named."""


def _named(workspace: Workspace, filters: Filters, parts: Sequence[Part], limit: int) -> dict[Place, _Named]:
    """The files of the best places that were named, best first; those that differ here are left out."""
    found: dict[Place, _Named] = {}
    for part in parts:
        hits = _both(part.found, limit)[:NAMED]
        # A file has several chunks among the hits, and to find its place means to ask the disk.
        places = {path: part.area.place(path, workspace.folders) for path in {hit.path for hit in hits}}
        for rank, hit in enumerate(hits):
            place = places[hit.path]
            if place is None or place in part.changed:
                continue
            if may_pass(filters, place.key, hit.language):
                found.setdefault(place, _Named(part, [])).hits.append((rank, hit))
    return found


def _both(found: RemoteFound, limit: int) -> list[RemoteHit]:
    """The hits of both ways of searching in one order; no more of each than were asked for, whoever sends more."""
    words, meaning = found.words[:limit], found.meaning[:limit]
    hits = {_key(hit): hit for hit in (*meaning, *words)}
    lists = [(1.0, list(dict.fromkeys(map(_key, each)))) for each in (words, meaning)]
    return [hits[each.key] for each in fuse(lists, RRF_K)]


def _key(hit: RemoteHit) -> tuple[str, int, int]:
    return hit.path, hit.first_line, hit.last_line


def _meant(view: View, named: Mapping[Place, _Named], rows: Mapping[Place, FileRow]) -> dict[Place, _Meant]:
    """The files that are here as they were meant."""
    contents = view.contents({row.content_id for row in rows.values() if row.content_id is not None})
    hashes = hashes_of(view.workspace.catalog, named)
    found: dict[Place, _Meant] = {}
    for place, each in named.items():
        row = rows.get(place)
        if row is None or place not in hashes or row.content_id is None or row.content_id not in contents:
            continue
        # Git may say that a file is the commit's although its bytes are others: line ends are converted on the way.
        is_other = any(hit.content and hit.content != hashes[place] for _, hit in each.hits)
        if is_other and not each.part.is_exact:
            continue
        outline = contents[row.content_id].outline
        ordinals = [(rank, _ordinal(hit, outline.chunks)) for rank, hit in each.hits]
        ranked = [
            (rank, Candidate(row.file_id, row.content_id, at, 0.0, False)) for rank, at in ordinals if at is not None
        ]
        found[place] = _Meant(outline.language, ranked)
    return found


def _ranked(meant: Mapping[Place, _Meant], filters: Filters) -> tuple[Candidate, ...]:
    """The chunks that were meant and that pass the filters, best first."""
    passing = (each for place, each in meant.items() if filters.accepts(place.key, each.language))
    ordered = sorted(ranked for each in passing for ranked in each.ranked)
    return tuple(within(filters.scope, list(dict.fromkeys(candidate for _, candidate in ordered))))


def _remote(found: tuple[Candidate, ...], named: Mapping[Place, _Named], here: Sequence[Ranking]) -> Ranking:
    """What was meant, beside what was found here. An index of ours named it for its words or its meaning, which are
    compared here again, with all that is new: to count its places too would count the same twice."""
    is_ours = all(hit.digest for each in named.values() for _, hit in each.hits)
    if not is_ours:
        return Ranking(REMOTE, found)
    known = {candidate[:3] for ranking in here for candidate in ranking.hits}
    return Ranking(REMOTE, tuple(each for each in found if each[:3] in known), counts=False)


def _ordinal(hit: RemoteHit, chunks: Sequence[Chunk]) -> int | None:
    """The chunk that a hit means: the one of that text, else the one that has most of its lines."""
    alike = [at for at, chunk in enumerate(chunks) if chunk.digest == hit.digest]
    if alike:
        return min(alike, key=lambda at: abs(chunks[at].first_line - hit.first_line))

    def shared(at: int) -> int:
        return min(chunks[at].last_line, hit.last_line) - max(chunks[at].first_line, hit.first_line)

    # Who names a whole file names none of its chunks.
    if not chunks or (hit.first_line <= 1 and hit.last_line >= chunks[-1].last_line > chunks[0].last_line):
        return None
    best = max(range(len(chunks)), key=shared)
    return best if shared(best) >= 0 else None


def _corpus(parts: Sequence[Part]) -> Corpus | None:
    """How common terms are in all repositories together."""
    told = [part.found.statistics for part in parts if part.found.statistics is not None]
    if not told:
        return None
    known = set(told[0].fields).intersection(*(each.fields for each in told))
    return Corpus(
        sum(each.chunks for each in told),
        _sums(each.holding for each in told),
        {field: _sums(each.fields[field] for each in told) for field in known},
        _averages(told),
    )


def _averages(told: Sequence[Statistics]) -> dict[str, float]:
    """The lengths of fields over all repositories, where all tell them and none tells what cannot be."""
    known = set(told[0].lengths).intersection(*(each.lengths for each in told))
    chunks = sum(each.chunks for each in told)
    if chunks <= 0 or any(each.chunks < 0 for each in told):
        return {}
    averages = {field: sum(each.chunks * each.lengths[field] for each in told) / chunks for field in known}
    return {field: length for field, length in averages.items() if 0.0 < length < MOST_TERMS}


def _sums(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    together: dict[str, int] = {}
    for each in counts:
        for term, count in each.items():
            together[term] = together.get(term, 0) + count
    return together


def _scope(asked: Scope | None, places: Iterable[Place], uncovered: Sequence[str]) -> Scope:
    """Where alone to look: the places and what is uncovered, as far as the question's own scope allows."""
    keys = {place.key for place in places}
    if asked is None:
        return Scope(below=tuple(uncovered), keys=frozenset(keys))
    parts = tuple(part for part in asked.parts if part.key in keys or _is_below(part.key, uncovered))
    whole = {key for key in keys if asked.covers(key)} - {part.key for part in parts}
    below = [folder for folder in uncovered if _is_below(folder, asked.below)]
    below += [folder for folder in asked.below if _is_below(folder, uncovered)]
    whole |= {key for key in asked.keys if _is_below(key, uncovered)}
    return Scope(tuple(dict.fromkeys(below)), frozenset(whole), parts)


def _is_below(key: str, folders: Iterable[str]) -> bool:
    return any(key == folder or key.startswith(folder + "/") for folder in folders)
