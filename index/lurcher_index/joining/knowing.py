"""What the remote side knows of the workspace's repositories, and how that is kept up to date."""

import threading
import time
from collections.abc import Callable, Collection, Sequence

import msgspec

from lurcher_index.building.scan import Folder
from lurcher_index.checkout.identity import repositories_of
from lurcher_index.errors import Cancelled, LurcherError, RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown
from lurcher_index.joining.areas import Area
from lurcher_index.remote.interface import Checked, Provider
from lurcher_index.remote.states import RemoteState, Repository, RepositoryState

POLL_SECONDS = 3.0
POLLS = 120
"""How often, and how many times, a repository is looked at that is being indexed; Copilot Chat's figures."""

INSTANT_POLL_SECONDS = 1.0
INSTANT_POLLS = 5
INSTANT_SECONDS = 8.0
"""The same while a search waits for it, and how long one waits at most."""

FRESH_SECONDS = 60.0
"""How long what was said about a repository is taken to hold. Our figure: commits are published once in many minutes,
and one that is a minute old costs only that its changes are searched here."""

AGAIN_SECONDS = 30.0
"""How long a server that did not answer is left alone, unless it names another time. Afterwards it is looked at in the
background: no second search waits for a server that hangs."""

MOST_NAMES = 16
"""Names of one repository that are asked about, the likeliest ones: its own, where it was forked from, and some more.
Our figure: every name is a request, and a configuration can be made to hold thousands."""

TURN_SECONDS = 0.05
"""How often somebody who waits for another one's look asks whether that is still wanted."""


class Known(msgspec.Struct, frozen=True):
    """One repository of the workspace and what was said about it."""

    area: Area
    name: str
    """The name by which it is known there, or the first that it has."""
    said: Checked

    @property
    def is_ready(self) -> bool:
        """Whether it can be searched there."""
        return self.said.state is RepositoryState.READY

    def told(self) -> Repository:
        """As it is told to people."""
        commit = self.said.commits[0].commit if self.said.commits else None
        return Repository(self.name, self.said.state, commit, self.said.detail)


class Knowing:
    """Looks after the states of all repositories. Thread-safe; its own thread polls what is being indexed."""

    def __init__(
        self,
        provider: Provider,
        folders: Callable[[], Sequence[Folder]],
        listed: Callable[[Folder], Collection[str]],
        changed: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is asked yet. `folders` are those of now; `listed` gives the paths of a folder's files; `changed` is
        called, in any thread, when a state is another one."""
        self._provider = provider
        self._folders = folders
        self._listed = listed
        self._changed = changed
        self._clock = clock
        self._turn = threading.Lock()
        self._looking = threading.Lock()
        self._known: tuple[Known, ...] = ()
        self._reasons: tuple[str, ...] = ()
        self._is_loaded = False
        self._looked_at: tuple[Folder, ...] = ()
        self._is_troubled = False
        self._trouble = ""
        self._due = 0.0
        self._closed = threading.Event()
        self._poller: threading.Thread | None = None

    @property
    def state(self) -> RemoteState:
        """Whether it was looked at every repository once."""
        return RemoteState.LOADED if self._is_loaded else RemoteState.LOADING

    @property
    def is_closed(self) -> bool:
        """Whether nobody may be asked any more."""
        return self._closed.is_set()

    @property
    def known(self) -> tuple[Known, ...]:
        """All repositories, as of the last look."""
        return self._known

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why folders belong to no repository that has a name, and why nothing is known if nobody answers."""
        return (*self._reasons, self._trouble) if self._trouble and not self._known else self._reasons

    def repositories(self) -> tuple[Repository, ...]:
        """All repositories for people."""
        return tuple(each.told() for each in self._known)

    def look(self, anew: bool = False, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Ask about every repository, unless that was done a moment ago. Blocks as long as the provider may take; but
        while the provider does not answer, only who wants to know it `anew` is kept waiting.

        Who waits while another one looks can be `cancelled`. Who looks goes on, for all the others.
        """
        if self._is_troubled and not anew:
            if self._clock() >= self._due:
                self._poll(at_once=True)
            return
        while not self._looking.acquire(timeout=TURN_SECONDS):
            if cancelled():
                return
        try:
            folders = tuple(self._folders())
            is_known = self._is_loaded and folders == self._looked_at and self._clock() < self._due
            if self._closed.is_set() or (is_known and not anew):
                return
            areas, reasons = self._areas(folders)
            self._due = 0.0
            known = tuple(self._check(area) for area in areas)
            with self._turn:
                before, self._known, self._reasons = self._known, known, reasons
                was_loaded, self._is_loaded, self._looked_at = self._is_loaded, True, folders
                self._is_troubled, self._trouble = _is_troubled(known), ""
                self._due = max(self._due, self._clock() + _patience(known))
        finally:
            self._looking.release()
        if before != known or not was_loaded:
            self._changed()
        if _is_building(known):
            self._poll()

    def failed(self, why: str, wait: float = 0.0, one: Known | None = None) -> None:
        """The provider did not answer when it was asked for one repository, or for all. It is left alone for a while,
        `wait` seconds if that is longer."""
        said = Checked(RepositoryState.COULD_NOT_CHECK, detail=why)
        with self._turn:
            before = self._known
            self._known = tuple(
                msgspec.structs.replace(each, said=said) if one is None or each.name == one.name else each
                for each in before
            )
            self._is_troubled, self._trouble = True, why
            self._due = self._clock() + max(wait, AGAIN_SECONDS)
        self._changed()

    def begin_index(self) -> bool:
        """Ask for those to be indexed that are not; whether anybody does so."""
        waiting = [each for each in self._known if each.said.state is RepositoryState.NOT_YET_INDEXED]
        begun = [self._begin(each) for each in waiting]
        return any(begun) or _is_building(self._known)

    def stop(self) -> None:
        """Ask nothing any more; a repository that was closed is nobody's business."""
        self._closed.set()

    def close(self) -> None:
        """Stop, and wait for the background to end; whoever closes the provider first need not wait for that."""
        self.stop()
        poller = self._poller
        if poller is not None and poller is not threading.current_thread():
            poller.join(POLL_SECONDS)

    def _begin(self, known: Known) -> bool:
        if self._closed.is_set():
            return False
        try:
            return self._provider.begin_index(known.name, known.area.checkout.head or "")
        except RemoteError:
            return False

    def _areas(self, folders: Sequence[Folder]) -> tuple[list[Area], tuple[str, ...]]:
        areas: list[Area] = []
        reasons: list[str] = []
        for folder in folders:
            found = repositories_of(folder.path, self._listed(folder), self._closed.is_set)
            areas += [Area(folder, checkout) for checkout in found.checkouts]
            reasons += [each.detail for each in found.unnamed]
        return areas, tuple(dict.fromkeys(reasons))

    def _check(self, area: Area) -> Known:
        """Ask under each of its names; the first that is known there is the one."""
        checkout = area.checkout
        if not checkout.names:
            why = "it has no remote that others know; add one with `git remote add`"
            return Known(area, checkout.root.name, Checked(RepositoryState.NOT_RESOLVABLE, detail=why))
        if checkout.head is None:
            # Nothing was ever committed: there is nothing to search elsewhere, and all there is differs.
            return Known(area, checkout.names[0], Checked(RepositoryState.READY, detail="it has no commit yet"))
        first: Known | None = None
        for name in checkout.names[:MOST_NAMES]:
            known = Known(area, name, self._said(name))
            if known.is_ready or known.said.state is RepositoryState.BUILDING:
                return known
            first = first or known
        assert first is not None, "there is a name"
        return first

    def _said(self, name: str) -> Checked:
        if self._closed.is_set():
            raise Cancelled("remote code search was switched off")
        try:
            return self._provider.check(name)
        except RemoteDenied as error:
            return Checked(RepositoryState.NOT_AUTHORIZED, detail=str(error))
        except RemoteUnknown as error:
            return Checked(RepositoryState.NOT_YET_INDEXED, detail=str(error))
        except LurcherError as error:
            if isinstance(error, RemoteBusy):
                self._due = max(self._due, self._clock() + error.wait)
            return Checked(RepositoryState.COULD_NOT_CHECK, detail=str(error))

    def _poll(self, at_once: bool = False) -> None:
        with self._turn:
            if self._poller is not None and self._poller.is_alive():
                return
            self._poller = threading.Thread(target=self._polling, args=[at_once], name="lurcher-remote", daemon=True)
            self._poller.start()

    def _polling(self, at_once: bool) -> None:
        if at_once:
            self._look_behind()
        for _ in range(POLLS):
            if self._closed.wait(POLL_SECONDS):
                return
            if not _is_building(self._known):
                return
            self._look_behind()

    def _look_behind(self) -> None:
        try:
            self.look(anew=True)
        except LurcherError:
            pass  # It was closed meanwhile, or a folder is gone; the next search says so.


def _is_building(known: Sequence[Known]) -> bool:
    return any(each.said.state is RepositoryState.BUILDING for each in known)


def _is_troubled(known: Sequence[Known]) -> bool:
    """Whether the provider did not answer about some of them."""
    return any(each.said.state is RepositoryState.COULD_NOT_CHECK for each in known)


def _patience(known: Sequence[Known]) -> float:
    """How long what was said is left alone, unless the server names a longer time."""
    return AGAIN_SECONDS if _is_troubled(known) else FRESH_SECONDS
