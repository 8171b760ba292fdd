"""Has files read that a search needs and the index lacks: they are this machine's own, read by its own rules."""

from collections.abc import Callable, Iterable, Sequence

from lurcher_index.joining.areas import Place
from lurcher_index.store.catalog import Catalog, FileRow
from lurcher_index.workspace import DELTA_FILES, Workspace

BATCH_FILES = DELTA_FILES // 2
"""Files read at a time: as many as may be changed at once without a scan, with room for those that are."""


def adopt(workspace: Workspace, places: Iterable[Place], cancelled: Callable[[], bool]) -> bool:
    """Bring the index up to date with some files, whatever became of them; False if it was stopped before the end."""
    stale = [each for each in dict.fromkeys(places) if not is_current(workspace.catalog, each)]
    for at in range(0, len(stale), BATCH_FILES):
        if cancelled():
            return False
        workspace.correct(each.folder.path / each.path for each in stale[at : at + BATCH_FILES])
    return True


def rows_of(catalog: Catalog, places: Sequence[Place]) -> dict[Place, FileRow]:
    """The files that can be searched: those that rules leave out, and those that are gone, are not among them."""
    found = {place: catalog.file_at(place.folder.folder_id, place.path) for place in places}
    return {place: row for place, row in found.items() if row is not None and row.content_id is not None}


def is_current(catalog: Catalog, place: Place) -> bool:
    """Whether the index has seen a file as it is now, by its size and time; one that is neither here nor there, too."""
    row = catalog.file_at(place.folder.folder_id, place.path)
    try:
        status = (place.folder.path / place.path).lstat()
    except (OSError, ValueError):
        return row is None
    return row is not None and (row.size, row.mtime_ns) == (status.st_size, status.st_mtime_ns)
