"""What in an area differs from the commit that was searched elsewhere: asked of git, and kept while it holds."""

import threading
import time
from collections.abc import Callable, Collection, Generator, Hashable, Sequence
from contextlib import contextmanager

import msgspec

from lurcher_index.building.scan import Folder
from lurcher_index.checkout.choosing import choose
from lurcher_index.checkout.differences import HashMemory, Lists, differences
from lurcher_index.checkout.stamps import stamp
from lurcher_index.checkout.values import Differences, Unknown
from lurcher_index.config import Settings
from lurcher_index.errors import BadFolder, Cancelled
from lurcher_index.files.discovery import discover
from lurcher_index.files.rules import is_rule_file
from lurcher_index.joining.areas import Area, Place
from lurcher_index.remote.interface import IndexedCommit

KEPT_SECONDS = 10.0
"""How long differences are kept while neither HEAD nor git's index changes. Files that change meanwhile are told to
the index, and are searched here whatever git says; this is for those that nobody tells of."""


MOST_TOUCHED = 4_096
"""Files told of that are remembered; beyond them everything is compared anew. Some programs write files without end,
and while nobody searches elsewhere nothing is compared."""

TURN_SECONDS = 0.05
"""How often somebody who waits for another one's comparison asks whether that is still wanted."""


class Kept(msgspec.Struct, frozen=True):
    """Differences, and what they were found for."""

    commit: str
    stamp: Hashable
    moment: float
    found: Differences | Unknown


class Listed(msgspec.Struct, frozen=True):
    """The files of a folder at a moment."""

    moment: float
    paths: dict[str, None]
    """In the order of the disk, and fast to look up."""


class Differing:
    """Knows the files of folders, and how areas differ from commits. Thread-safe."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing was compared yet."""
        self._settings = settings
        self._clock = clock
        self._kept: dict[Place, Kept] = {}
        self._chosen: dict[Place, tuple[Hashable, IndexedCommit | None]] = {}
        self._memories: dict[Place, tuple[HashMemory, Lists]] = {}
        self._listings: dict[Folder, Listed] = {}
        self._touched: dict[Place, float] = {}
        self._turn = threading.Lock()
        self._comparing = threading.Lock()

    def listed(self, folder: Folder) -> Collection[str]:
        """The files of a folder by our own rules; none of a folder that cannot be listed."""
        return self._listing(folder).paths

    def is_ignored(self, place: Place) -> bool:
        """Whether our rules leave out a file that is there; rules may be newer than what the index was built by."""
        known = self._listings.get(place.folder)
        return known is not None and place.path not in known.paths and (place.folder.path / place.path).is_file()

    def touch(self, places: Sequence[Place]) -> None:
        """Files changed, or may have: they are searched here until git was asked again."""
        now = self._clock()
        with self._turn:
            self._touched |= dict.fromkeys(places, now)
            if len(self._touched) > MOST_TOUCHED or any(is_rule_file(place.path) for place in places):
                self._touched.clear()
                self._listings.clear()
                self._kept.clear()

    def touched(self, area: Area) -> set[Place]:
        """Files of the area's folder that were told of after it was compared."""
        kept = self._kept.get(area.root)
        since = kept.moment if kept else 0.0
        with self._turn:
            return {place for place, at in self._touched.items() if at >= since and place.folder == area.folder}

    def chosen(self, area: Area, commits: Sequence[IndexedCommit]) -> IndexedCommit | None:
        """Which of the commits that are searched elsewhere is nearest to what is checked out."""
        asked = (area.checkout, tuple(commits), stamp(area.checkout))
        known = self._chosen.get(area.root)
        if known is None or known[0] != asked:
            found = choose(area.checkout, [each.commit for each in commits])
            nearest = next((each for each in commits if found is not None and each.commit == found.commit), None)
            known = self._chosen[area.root] = (asked, nearest)
        return known[1]

    def of(self, area: Area, commit: str, cancelled: Callable[[], bool]) -> Differences | Unknown:
        """How an area differs from a commit."""
        with self._alone(cancelled):
            now_stamp = stamp(area.checkout)
            kept = self._kept.get(area.root)
            is_as_it_was = kept is not None and kept.stamp == now_stamp
            if kept is not None and is_as_it_was and kept.commit == commit and not self._is_old(kept.moment):
                return kept.found
            # What git did since files were listed may have brought others, and nobody tells of them one by one.
            listing = self._listing(area.folder, anew=kept is not None and not is_as_it_was)
            memory, lists = self._memories.setdefault(area.root, (HashMemory(), Lists()))
            found = differences(area.checkout, commit, listing.paths, memory=memory, lists=lists, cancelled=cancelled)
            with self._turn:
                # What was listed a moment ago does not hold the files of this moment.
                self._kept[area.root] = Kept(commit, now_stamp, listing.moment, found)
                oldest = min(each.moment for each in self._kept.values())
                self._touched = {place: at for place, at in self._touched.items() if at >= oldest}
            return found

    def _listing(self, folder: Folder, anew: bool = False) -> Listed:
        known = self._listings.get(folder)
        if known is not None and not anew and not self._is_old(known.moment):
            return known
        began = self._clock()
        try:
            paths = [found.path for found in discover(folder.path, self._settings).files]
        except BadFolder:
            paths = []
        made = self._listings[folder] = Listed(began, dict.fromkeys(paths))
        return made

    def _is_old(self, moment: float) -> bool:
        return self._clock() - moment >= KEPT_SECONDS

    @contextmanager
    def _alone(self, cancelled: Callable[[], bool]) -> Generator[None]:
        """One comparison at a time: the next one that waits finds it done."""
        while not self._comparing.acquire(timeout=TURN_SECONDS):
            if cancelled():
                raise Cancelled("comparing the checkout with a commit was stopped")
        try:
            yield
        finally:
            self._comparing.release()
