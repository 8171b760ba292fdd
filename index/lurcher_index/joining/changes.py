"""What differs here from the commit that is searched elsewhere: found, read and made searchable, within limits."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence

import msgspec

from lurcher_index.building.scan import Folder
from lurcher_index.checkout.values import Unknown
from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import EmbedderError
from lurcher_index.joining.adopting import adopt, rows_of
from lurcher_index.joining.areas import Area, Place
from lurcher_index.joining.differing import Differing
from lurcher_index.meaning import Meaning
from lurcher_index.remote.interface import IndexedCommit
from lurcher_index.searched import Searched
from lurcher_index.strategies.context import Context
from lurcher_index.workspace import Workspace

MOST_CHANGED = 2_000
MOST_CHANGED_SHARE = 0.7
"""Changed files beyond which they are not searched here at once; Copilot Chat's figures. What did not change is
searched all the same, and the answer says what is missing."""

MOST_EMBEDDED = 300
"""Changed files beyond which they are searched by words alone; Copilot Chat's figure."""

MEANING_SECONDS = 8.0
"""How long the words of changed files wait for their meaning; Copilot Chat's figure."""

LOCAL_SECONDS = 15.0
"""How long the changed files may take altogether before the answer goes without them; Copilot Chat's figure."""


class Here(msgspec.Struct, frozen=True):
    """What is to be searched on this machine of one area."""

    changed: frozenset[Place]
    """All that differs, or may."""
    read: frozenset[Place]
    """What of it is read and searched."""
    is_exact: bool
    is_whole: bool
    """Whether all that differs is searched."""
    alerts: tuple[str, ...] = ()


class Changes:
    """The changed files of a workspace's repositories, for one search after the other."""

    def __init__(self, differing: Differing) -> None:
        """`differing` knows which files differ."""
        self._differing = differing

    def found(
        self, searched: Searched, area: Area, chosen: IndexedCommit | None, cancelled: Callable[[], bool]
    ) -> Here:
        """In a thread: which files of an area are to be searched here."""
        folders = searched.view.workspace.folders
        shown = {Place(file.folder, file.path) for file in searched.view.snapshot.shown.values()}
        touched = self._differing.touched(area)
        own = {place for place in shown | touched if _holds(area, place)}
        if chosen is None:
            listed = (Place(area.folder, path) for path in self._differing.listed(area.folder))
            everything = frozenset({place for place in listed if _holds(area, place)} | own)
            return _limited(everything, frozenset(own), 0, True, ())
        found = self._differing.of(area, chosen.commit, cancelled)
        if isinstance(found, Unknown):
            note = f"what differs from the commit that was searched elsewhere is not known: {found.reason}"
            return Here(frozenset(own), frozenset(own), False, False, (note,))
        # What was told of before it was compared is among what differs, if it does.
        own = {place for place in shown | self._differing.touched(area) if _holds(area, place)}
        changed = _placed(area, found.changed, folders) | own
        alerts = (found.possibly_outdated,) if found.possibly_outdated else ()
        here = _limited(changed, frozenset(own), found.total, found.is_exact, alerts)
        # What is gone cannot be read; but what is said about it elsewhere does not count either.
        return msgspec.structs.replace(here, changed=here.changed | _placed(area, found.gone, folders))

    async def read(
        self,
        context: Context,
        searched: Searched,
        here: Here,
        vector: Vectors | None,
        cancelled: Callable[[], bool],
    ) -> Here:
        """What differs here, read and made searchable, within limits of number and time."""
        if not here.read:
            return here
        late = asyncio.timeout(LOCAL_SECONDS)
        try:
            async with late:
                meaning = searched.meaning if vector is not None and len(here.read) <= MOST_EMBEDDED else None
                await context.run(_read, searched.view.workspace, here.read, cancelled)
                if meaning is not None:
                    await _embedded(context, meaning, searched.view.workspace, here.read, cancelled)
        except TimeoutError:
            if not late.expired():
                raise
            note = f"{len(here.read):,} changed files could not be read within {LOCAL_SECONDS:g} s; some are missing"
            return msgspec.structs.replace(here, alerts=(*here.alerts, note), is_whole=False)
        return here


def _placed(area: Area, paths: Iterable[str], folders: Sequence[Folder]) -> frozenset[Place]:
    placed = (area.place(path, folders) for path in paths)
    return frozenset(place for place in placed if place is not None)


def _holds(area: Area, place: Place) -> bool:
    return place.folder == area.folder and area.checkout.in_repository(place.path) is not None


def _limited(
    changed: frozenset[Place], own: frozenset[Place], total: int, is_exact: bool, alerts: tuple[str, ...]
) -> Here:
    """The changed files; only those that a person touched just now are searched if there are too many.

    `total` are the files of the commit; 0 if there is none, so that nobody else could search anything.
    """
    if len(changed) <= MOST_CHANGED and (not total or len(changed) <= MOST_CHANGED_SHARE * total):
        return Here(changed, changed, is_exact, True, alerts)
    note = f"{len(changed):,} files differ from the {total:,} that were searched elsewhere; most of those are left out"
    return Here(changed, own, is_exact, False, (*alerts, note))


def _read(workspace: Workspace, places: frozenset[Place], cancelled: Callable[[], bool]) -> None:
    adopt(workspace, sorted(places, key=lambda place: place.key), cancelled)


async def _embedded(
    context: Context,
    meaning: Meaning,
    workspace: Workspace,
    places: frozenset[Place],
    cancelled: Callable[[], bool],
) -> None:
    """Make the vectors of the changed files, unless that takes too long: then their words have to do."""
    late = threading.Event()

    def stopped() -> bool:
        return late.is_set() or cancelled()

    def embed() -> None:
        rows = rows_of(workspace.catalog, list(places)).values()
        meaning.embed_some({row.content_id for row in rows if row.content_id is not None}, stopped)

    try:
        async with asyncio.timeout(MEANING_SECONDS):
            await context.run(embed)
    except (TimeoutError, EmbedderError):
        late.set()
