"""What in an area differs from the commit that was searched elsewhere: asked of git, and kept while it holds."""

import threading
import time
from collections.abc import Callable, Hashable, Sequence

import msgspec

from lurcher_index.building.scan import Folder
from lurcher_index.checkout.differences import HashMemory, differences
from lurcher_index.checkout.stamps import stamp
from lurcher_index.checkout.values import Differences, Unknown
from lurcher_index.config import Settings
from lurcher_index.errors import BadFolder
from lurcher_index.files.discovery import discover
from lurcher_index.joining.areas import Area, Place

KEPT_SECONDS = 10.0
"""How long differences are kept while neither HEAD nor git's index changes. Files that change meanwhile are told to
the index, and are searched here whatever git says; this is for those that nobody tells of."""


class Kept(msgspec.Struct, frozen=True):
    """Differences, and what they were found for."""

    commit: str
    stamp: Hashable
    moment: float
    found: Differences | Unknown


class Differing:
    """Knows the files of folders, and how areas differ from commits. Thread-safe."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing was compared yet."""
        self._settings = settings
        self._clock = clock
        self._kept: dict[Place, Kept] = {}
        self._memories: dict[Place, HashMemory] = {}
        self._listings: dict[Folder, tuple[float, tuple[str, ...]]] = {}
        self._touched: dict[Place, float] = {}
        self._turn = threading.Lock()

    def listed(self, folder: Folder) -> Sequence[str]:
        """The files of a folder by our own rules; none of a folder that cannot be listed."""
        known = self._listings.get(folder)
        if known is not None and self._clock() - known[0] < KEPT_SECONDS:
            return known[1]
        began = self._clock()
        try:
            paths = tuple(found.path for found in discover(folder.path, self._settings).files)
        except BadFolder:
            paths = ()
        self._listings[folder] = (began, paths)
        return paths

    def touch(self, places: Sequence[Place]) -> None:
        """Files changed, or may have: they are searched here until git was asked again."""
        now = self._clock()
        with self._turn:
            self._touched |= dict.fromkeys(places, now)

    def touched(self, area: Area) -> set[Place]:
        """Files of the area's folder that were told of after it was compared."""
        kept = self._kept.get(area.root)
        since = kept.moment if kept else 0.0
        with self._turn:
            return {place for place, at in self._touched.items() if at >= since and place.folder == area.folder}

    def of(self, area: Area, commit: str, cancelled: Callable[[], bool]) -> Differences | Unknown:
        """How an area differs from a commit."""
        now_stamp = stamp(area.checkout)
        kept = self._kept.get(area.root)
        is_same = kept is not None and (kept.commit, kept.stamp) == (commit, now_stamp)
        if kept is not None and is_same and self._clock() - kept.moment < KEPT_SECONDS:
            return kept.found
        listed = self.listed(area.folder)
        # What was listed a moment ago does not hold the files of this moment.
        moment = self._listings[area.folder][0]
        memory = self._memories.setdefault(area.root, HashMemory())
        found = differences(area.checkout, commit, listed, memory=memory, cancelled=cancelled)
        self._kept[area.root] = Kept(commit, now_stamp, moment, found)
        with self._turn:
            oldest = min(each.moment for each in self._kept.values())
            self._touched = {place: at for place, at in self._touched.items() if at >= oldest}
        return found
