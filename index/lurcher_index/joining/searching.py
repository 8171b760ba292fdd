"""Remote code search as the race knows it: asks elsewhere, searches here what differs, and joins the two."""

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import msgspec

from lurcher_index.answers import RemotePart
from lurcher_index.asking import Ask
from lurcher_index.building.scan import Folder
from lurcher_index.building.updates import place_in
from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import EmbedderError, RemoteBusy, RemoteUnreachable
from lurcher_index.joining.areas import Area, Place, uncovered
from lurcher_index.joining.changes import Changes
from lurcher_index.joining.differing import Differing
from lurcher_index.joining.knowing import INSTANT_POLL_SECONDS, INSTANT_POLLS, INSTANT_SECONDS, Knowing, Known
from lurcher_index.joining.merging import Merger, Part, may_pass
from lurcher_index.race import in_words
from lurcher_index.remote.interface import IndexedCommit, Provider, RemoteFound, Wanted
from lurcher_index.remote.states import RemoteState, Repository, RepositoryState
from lurcher_index.searched import Searched
from lurcher_index.strategies.code_search import CODE_SEARCH_TIMEOUT
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Cannot, Retrieved
from lurcher_index.workspace import Workspace

P = ParamSpec("P")
R = TypeVar("R")


class Use(StrEnum):
    """When to ask elsewhere."""

    AUTO = "auto"
    """While the index of this machine is not complete. Afterwards it has the same chunks, fresher and sooner."""
    ALWAYS = "always"
    """Before this machine's index is asked."""
    OFF = "off"


class RemoteCodeSearch:
    """Searches the repositories of one workspace elsewhere. Made by whoever has the person's consent."""

    def __init__(
        self,
        provider: Provider,
        workspace: Callable[[], Workspace],
        use: Use = Use.AUTO,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        """Nothing is sent before the first search. `workspace` gives the one of now; `changed` hears of new states."""
        self.provider = provider
        self._workspace = workspace
        self._use = use
        self._merger = Merger()
        self._differing = Differing(workspace().settings)
        self._changes = Changes(self._differing)
        self._knowing = Knowing(provider, lambda: workspace().folders, self._differing.listed, changed)

    @property
    def state(self) -> RemoteState:
        """Whether it can be asked."""
        return RemoteState.DISABLED if self._use is Use.OFF else self._knowing.state

    @property
    def repositories(self) -> tuple[Repository, ...]:
        """What is known of the workspace's repositories."""
        return self._knowing.repositories()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why some folders cannot be asked for."""
        return self._knowing.reasons

    def check(self) -> None:
        """Look at all repositories anew; blocks."""
        self._knowing.look(anew=True)

    def touch(self, paths: Sequence[Path]) -> None:
        """Files changed on disk."""
        placed = (place_in(path, self._workspace().folders) for path in paths)
        self._differing.touch([Place(*each) for each in placed if each is not None])

    def close(self) -> None:
        """Give up connections, which ends what waits for an answer, and stop what runs in the background."""
        self._knowing.stop()
        self.provider.close()
        self._knowing.close()

    async def prepare(self, ask: Ask) -> None:
        """Nobody has to be asked: that was done before this was made."""

    async def search(self, context: Context) -> Retrieved | Cannot:
        """Search elsewhere and here; `RemoteError` if nothing could be searched elsewhere."""
        searched = context.view
        assert isinstance(searched, Searched), "the engine searches its own views"
        if self._use is Use.AUTO and searched.is_filled:
            return Cannot("the index of this machine has every file, so nobody else was asked (`remoteUse` is auto)")
        late = asyncio.get_running_loop().time() + CODE_SEARCH_TIMEOUT
        await self._look(context, late)
        ready = [each for each in self._knowing.known if each.is_ready]
        if not ready:
            return Cannot(self._why_not())
        vector, alerts = await _vector(context)
        hunts = await asyncio.gather(
            *(self._hunt(context, searched, each, vector, late) for each in ready), return_exceptions=True
        )
        return await self._joined(context, searched, ready, hunts, vector, alerts)

    async def _look(self, context: Context, late: float) -> None:
        """Know the states: asked the first time, waited for a little while something is being indexed."""
        await self._asked(context, late, None, self._knowing.look, False, context.cancelled)
        known = self._knowing.known
        if any(each.is_ready for each in known) or not await context.run_apart(self._knowing.begin_index):
            return
        try:
            async with asyncio.timeout(INSTANT_SECONDS):
                for _ in range(INSTANT_POLLS):
                    await asyncio.sleep(INSTANT_POLL_SECONDS)
                    await context.run_apart(self._knowing.look, True, context.cancelled)
                    if any(each.is_ready for each in self._knowing.known):
                        return
        except TimeoutError:
            return

    async def _asked(
        self,
        context: Context,
        late: float,
        known: Known | None,
        call: Callable[P, R],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """What the provider says. If it does not, or the race went on without it, later searches do not wait for it."""
        try:
            return await context.run_apart(call, *args, **kwargs)
        except (RemoteBusy, RemoteUnreachable) as error:
            self._knowing.failed(str(error), error.wait if isinstance(error, RemoteBusy) else 0.0, known)
            raise
        except asyncio.CancelledError:
            if asyncio.get_running_loop().time() >= late:
                why = f"{self.provider.name} did not answer within {CODE_SEARCH_TIMEOUT:g} s"
                self._knowing.failed(why, one=known)
            raise

    def _why_not(self) -> str:
        known = self._knowing.known
        told = [f"{each.name} is {_STATES[each.said.state]}{_because(each.said.detail)}" for each in known]
        return "; ".join([*told, *self._knowing.reasons]) or "no folder of the workspace is a repository with a name"

    async def _hunt(
        self, context: Context, searched: Searched, known: Known, vector: Vectors | None, late: float
    ) -> "_Hunted":
        """Search one repository elsewhere, without what differs here, while that is read."""
        area = known.area
        chosen = await context.run(self._differing.chosen, area, known.said.commits)
        stop = threading.Event()

        def cancelled() -> bool:
            return stop.is_set() or self._knowing.is_closed or context.cancelled()

        # Before it is searched: places in files that differ would take those of others.
        differs = await context.run(self._changes.found, searched, area, chosen, cancelled)
        local = asyncio.create_task(self._changes.read(context, searched, differs, vector, cancelled))
        try:
            if chosen is None:
                found = RemoteFound()
            else:
                folders = searched.view.workspace.folders
                wanted = _wanted(context, area, folders, chosen, differs.changed, vector, cancelled)
                if self._knowing.is_closed:
                    raise RemoteUnreachable("remote code search was switched off while it was searching")
                found = await self._asked(context, late, known, self.provider.search, known.name, chosen, wanted)
            here = await local
        finally:
            stop.set()
            local.cancel()
            await asyncio.wait([local])
        told = RemotePart(
            repository=known.name,
            commit=chosen.commit if chosen else "",
            changed=len(here.read),
            possibly_outdated=not here.is_exact,
        )
        part = Part(area, found, here.changed, here.read, here.is_exact)
        alerts = [*found.alerts, *here.alerts]
        if chosen is not None and vector is not None and chosen.model != _model(context):
            alerts.append(_other_model(known.name, chosen.model))
        return _Hunted(part, told, tuple(alerts), here.is_whole)

    async def _joined(
        self,
        context: Context,
        searched: Searched,
        ready: Sequence[Known],
        hunts: Sequence["_Hunted | BaseException"],
        vector: Vectors | None,
        alerts: list[str],
    ) -> Retrieved | Cannot:
        hunted = [each for each in hunts if isinstance(each, _Hunted)]
        for known, each in zip(ready, hunts, strict=True):
            if isinstance(each, BaseException) and not isinstance(each, Exception):
                raise each
            if isinstance(each, Exception):
                if not hunted:
                    raise each
                alerts.append(f"{known.name} could not be searched at {self.provider.name}: {in_words(each)}")
        workspace = self._workspace()
        areas = [known.area for known in self._knowing.known]
        rest = uncovered(workspace.folders, areas, [each.part.area for each in hunted])
        merged = await context.run(
            self._merger.merge,
            workspace,
            searched.meaning,
            context.ask,
            context.query,
            vector,
            [each.part for each in hunted],
            rest,
            self._differing.is_ignored,
            context.candidates,
            context.cancelled,
        )
        if merged.named and not merged.usable and not any(each.part.read for each in hunted):
            raise RemoteUnreachable(
                f"{self.provider.name} names {merged.named} files, none of which is here as it was indexed there; check"
                " that it is the same repository, or have it indexed again"
            )
        if rest and not searched.is_filled:
            alerts.append("folders that are not known elsewhere are searched as far as they are indexed here")
        for each in hunted:
            alerts += each.alerts
        alerts += merged.alerts
        exact = all(not each.told.possibly_outdated and each.is_whole for each in hunted)
        covered = exact and len(hunted) == len(ready) and (not rest or searched.is_filled)
        model = searched.meaning.embedder.name if searched.meaning is not None and vector is not None else ""
        return Retrieved(
            merged.rankings,
            alerts=tuple(dict.fromkeys(alerts)),
            model=model,
            view=merged.view,
            is_covered=covered,
            remote=tuple(each.told for each in hunted),
        )


class _Hunted(msgspec.Struct, frozen=True):
    """What came of one repository."""

    part: Part
    told: RemotePart
    alerts: tuple[str, ...]
    is_whole: bool


_STATES = {
    RepositoryState.NOT_RESOLVABLE: "not known by any name",
    RepositoryState.RESOLVING: "being resolved",
    RepositoryState.CHECKING: "being looked at",
    RepositoryState.NOT_YET_INDEXED: "not indexed there",
    RepositoryState.NOT_INDEXABLE: "not to be indexed there",
    RepositoryState.COULD_NOT_CHECK: "not to be reached",
    RepositoryState.NOT_AUTHORIZED: "not open to this token",
    RepositoryState.BUILDING: "being indexed there",
    RepositoryState.READY: "ready",
}


def _because(detail: str) -> str:
    return f" ({detail})" if detail else ""


def _wanted(
    context: Context,
    area: Area,
    folders: Sequence[Folder],
    commit: IndexedCommit,
    changed: Collection[Place],
    vector: Vectors | None,
    cancelled: Callable[[], bool],
) -> Wanted:
    filters = context.ask.filters

    # A file has many chunks, and where little passes all of them are asked about.
    @cache
    def accepts(path: str, language: str) -> bool:
        place = area.place(path, folders)
        return place is not None and place not in changed and may_pass(filters, place.key, language)

    return Wanted(
        words=tuple(group.word for group in context.query.groups),
        terms=context.query.searched(),
        vector=vector if commit.model == _model(context) else None,
        languages=filters.languages,
        below=area.below,
        accepts=accepts,
        limit=context.candidates,
        cancelled=cancelled,
    )


def _model(context: Context) -> str:
    return context.embedder.name if context.embedder is not None else ""


def _other_model(name: str, published: str) -> str:
    what = f"vectors of {published}" if published else "no vectors"
    return f"{name} was published with {what}, so it was searched there by words alone"


async def _vector(context: Context) -> tuple[Vectors | None, list[str]]:
    """The question's vector; without one, words alone are searched for."""
    if context.embedder is None:
        return None, []
    try:
        return await context.query_vector(), []
    except EmbedderError as error:
        return None, [f"searched by words only: {error}"]
