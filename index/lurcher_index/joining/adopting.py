"""Has files read that a search needs and the index lacks: they are this machine's own, read by its own rules."""

from collections.abc import Callable, Iterable

from lurcher_index.building.scan import Folder
from lurcher_index.joining.areas import Place
from lurcher_index.store.catalog import Catalog, FileRow
from lurcher_index.workspace import DELTA_FILES, Workspace

BATCH_FILES = DELTA_FILES // 2
"""Files read at a time: as many as may be changed at once without a scan, with room for those that are."""


def adopt(workspace: Workspace, places: Iterable[Place], cancelled: Callable[[], bool]) -> bool:
    """Bring the index up to date with some files, whatever became of them; False if it was stopped before the end."""
    wanted = dict.fromkeys(places)
    rows = _rows(workspace.catalog, wanted)
    stale = [each for each in wanted if not _is_current(rows.get(each), each)]
    for at in range(0, len(stale), BATCH_FILES):
        if cancelled():
            return False
        workspace.correct(each.folder.path / each.path for each in stale[at : at + BATCH_FILES])
    return True


def rows_of(catalog: Catalog, places: Iterable[Place]) -> dict[Place, FileRow]:
    """The files that can be searched: those that rules leave out, and those that are gone, are not among them."""
    return {place: row for place, row in _rows(catalog, places).items() if row.content_id is not None}


def hashes_of(catalog: Catalog, places: Iterable[Place]) -> dict[Place, bytes]:
    """What the index remembers of what files held; those that it does not know are missing."""
    return {
        place: known[place.path].hash
        for folder, some in _by_folder(places).items()
        for known in [catalog.known_at(folder.folder_id, [place.path for place in some])]
        for place in some
        if place.path in known
    }


def _rows(catalog: Catalog, places: Iterable[Place]) -> dict[Place, FileRow]:
    """In the order of the places."""
    wanted = list(places)
    found = {
        folder: catalog.files_at(folder.folder_id, [place.path for place in some])
        for folder, some in _by_folder(wanted).items()
    }
    rows = ((place, found[place.folder].get(place.path)) for place in wanted)
    return {place: row for place, row in rows if row is not None}


def _by_folder(places: Iterable[Place]) -> dict[Folder, list[Place]]:
    found: dict[Folder, list[Place]] = {}
    for place in places:
        found.setdefault(place.folder, []).append(place)
    return found


def _is_current(row: FileRow | None, place: Place) -> bool:
    """Whether the index has seen a file as it is now, by its size and time; one that is neither here nor there, too."""
    try:
        status = (place.folder.path / place.path).lstat()
    except (OSError, ValueError):
        return row is None
    return row is not None and (row.size, row.mtime_ns) == (status.st_size, status.st_mtime_ns)
