"""The engine: index some folders, keep the index fresh, search it."""

import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeGuard

import msgspec

from lurcher_index.building.progress import Cancelled, Phase, Progress, Report, never, unheard
from lurcher_index.building.updates import Update
from lurcher_index.config import Settings, split_model
from lurcher_index.errors import (
    BadFolder,
    BadQuery,
    EmbedderError,
    ModelError,
    StoreError,
)
from lurcher_index.files.listing import printable
from lurcher_index.keeping import UNUSABLE, Keeper, delete_index
from lurcher_index.store.places import Place, place_for
from lurcher_index.words.contents import Content
from lurcher_index.workspace import Workspace

# What a build does without is loaded where it is first needed: with all of it, loading took 210 ms in place of 130.
if TYPE_CHECKING:
    from lurcher_index.answering import Answerer, Partial
    from lurcher_index.answers import Answer, AnswerChunk
    from lurcher_index.asking import Ask
    from lurcher_index.auditing import Audit
    from lurcher_index.excerpts import Excerpt
    from lurcher_index.explaining import Explanation
    from lurcher_index.featuring import Featuring, TreeListing
    from lurcher_index.following import Followed
    from lurcher_index.graph.graph import Graph
    from lurcher_index.graph.keeping import Graphs
    from lurcher_index.joining.remoting import Remoting
    from lurcher_index.joining.searching import RemoteCodeSearch
    from lurcher_index.judging import Judge
    from lurcher_index.locate.issue import Issue
    from lurcher_index.locate.located import Located
    from lurcher_index.locate.locating import Locator
    from lurcher_index.locate.settings import LocateSettings
    from lurcher_index.meaning import Meaning
    from lurcher_index.models import Models
    from lurcher_index.naming import DocumentOutline, NamedSymbol
    from lurcher_index.remote.connection import Connection
    from lurcher_index.remote.interface import Provider
    from lurcher_index.remote.states import RemoteStatus
    from lurcher_index.results import SearchResult, Status
    from lurcher_index.secret import Secret
    from lurcher_index.strategies.context import Run
    from lurcher_index.view import View
    from lurcher_index.words.filters import Filters, Within

MEMORY = ":memory:"
"""Value of `store` for an index that leaves nothing on disk."""


class Engine:
    """Search over some folders; a context manager that stops its worker processes at the end.

    >>> with Engine.open(["path/to/project"]) as engine:
    ...     engine.build()
    ...     for hit in engine.search("where are settings read").hits:
    ...         print(hit.path, hit.first_line, hit.score)
    """

    def __init__(
        self, folders: Sequence[Path], settings: Settings, place: Place | None, embeddings: bool = True
    ) -> None:
        """Use `Engine.open`."""
        self._embeddings = embeddings and split_model(settings.model)[0] != "none"
        self._folders = folders
        self._settings = settings
        self._keeper = Keeper(folders, settings, place)
        self._answers: Answerer | None = None
        self._answers_turn = threading.Lock()
        self._featuring: Featuring | None = None
        self._locator: Locator | None = None
        self.on_remote_changed: Callable[[], object] = lambda: None
        """Called, in any thread, when `remote_status` is another one."""
        self.before_remote: Callable[[], Awaitable[None]] | None = None
        """Awaited by every search before remote code search is looked at, outside of its timeout: who has to ask a
        person for consent does it there, and may call `set_remote`."""
        self.before_search: Callable[[], object] = lambda: None
        """Called by every search in its first thread: who has to notice something before, as that remote code search
        was allowed elsewhere, needs no thread of its own."""
        self._remoting: Remoting | None = None
        self._models: Models | None = None
        self._graphs: Graphs | None = None

    @classmethod
    def without_folders(cls, settings: Settings | None = None, embeddings: bool = True) -> "Engine":
        """An engine for documents that were opened without a workspace: only what editors show is searched."""
        engine = cls([], settings or Settings(), None, embeddings)
        engine.build()
        return engine

    @classmethod
    def open(
        cls,
        folders: Iterable[str | Path],
        *,
        settings: Settings | None = None,
        store: str | Path | None = None,
        embeddings: bool = True,
    ) -> "Engine":
        """Open the index of some folders. `store` is the directory for indexes, by default the user's cache;
        `MEMORY` keeps the index in memory. If the directory cannot be used the index is kept in memory, with an alert.
        Without `embeddings` questions are answered by words alone.
        """
        chosen = settings or Settings()
        real = _real_folders(folders)
        if store == MEMORY:
            return cls(real, chosen, None, embeddings)
        return cls(real, chosen, place_for(real, chosen.shape(), Path(store) if store else None), embeddings)

    @staticmethod
    def clear_gone(
        folders: Iterable[str | Path], *, settings: Settings | None = None, store: str | Path | None = None
    ) -> Path | None:
        """Delete the index of folders that cannot be opened any more, and say where it was; None if there is none."""
        try:
            places = [Path(folder).expanduser().resolve() for folder in folders]
        except (OSError, RuntimeError, ValueError):
            return None
        place = place_for(places, (settings or Settings()).shape(), Path(store) if store else None)
        return place.directory if delete_index(place) else None

    def build(self, progress: Report = unheard, cancelled: Cancelled = never) -> bool:
        """Bring the index up to date with the disk; False if it was cancelled, with what was done until then kept."""
        return self._keeper.attempt(lambda workspace: workspace.build(progress, cancelled), (StoreError,))

    def build_all(
        self, progress: Report = unheard, cancelled: Cancelled = never, embed_up_to: int | None = None
    ) -> bool:
        """`build` and, if there are at most so many files, `embed`."""
        if not self.build(progress, cancelled):
            return False
        if embed_up_to is not None and self.workspace.counts().files > embed_up_to:
            return True
        return self.embed(progress, cancelled)

    def build_in_background(
        self, progress: Report = unheard, cancelled: Cancelled = never, embed_up_to: int | None = None
    ) -> bool:
        """`build_all` in a process of its own; this one stays free to answer."""
        from lurcher_index.background import build_in_background

        workspace = self.workspace
        place = workspace.place
        scan = workspace.begin_scan()

        def heard(told: Progress) -> None:
            if told.phase in (Phase.DONE, Phase.EMBEDDING):
                workspace.end_scan(scan)  # Vectors come later, and take longer.
            progress(told)

        if place is not None and self._folders:
            try:
                complete = build_in_background(self._folders, self._settings, place.root, heard, cancelled, embed_up_to)
                if complete:
                    workspace.end_scan(scan)
                    if self._models is not None:
                        self._models.revive()
                return complete
            except BadFolder:
                workspace.await_scan()  # It may have gone away after the words were said to be up to date.
                raise
            except EmbedderError:
                workspace.end_scan(scan)  # Words come first, and are up to date.
                raise
            except StoreError as error:
                self._keeper.recover(workspace, error)
            finally:
                workspace.forget_rules()
        return self.build_all(progress, cancelled, embed_up_to)

    def embed(self, progress: Report = unheard, cancelled: Cancelled = never) -> bool:
        """Make the vectors that are missing; False if it was cancelled, with what was done until then kept."""
        return self.models.catch_up(progress, cancelled) if self._embeddings else not cancelled()

    def update(self, paths: Iterable[str | Path], may_build: bool = True) -> Update:
        """Follow changes at some paths (files or folders, created, changed or deleted); searchable on return.

        Without `may_build` a change that needs a look at the whole disk only says so (`needs_scan`).
        """
        changed = [Path(path) for path in paths]
        if self._remoting is not None:
            self._remoting.touch(changed)
        workspace = self.workspace
        try:
            return workspace.update(changed, may_build)
        except StoreError as error:
            self._keeper.recover(workspace, error)
        if not may_build:
            return Update(needs_scan=True)
        self.workspace.build()
        return self.workspace.update(changed)

    def show(self, path: Path, text: str, version: int | None) -> bool:
        """Search a document as an editor shows it; False if it is no part of the workspace."""
        return self.workspace.show(path, text, version) is not None

    def hide(self, path: Path) -> None:
        """Search a document as it is on disk again."""
        self.workspace.hide(path)

    async def ask(self, ask: "Ask", partial: "Partial | None" = None, run_quick: "Run | None" = None) -> "Answer":
        """Race the strategies for the answer to a question; `partial` gets an early one.

        Work of some milliseconds is done in threads, so that the loop stays free, unless `run_quick` has it done
        elsewhere: `at_once`, in a loop that has nothing else to do.
        """
        workspace = self.workspace
        answerer = await self._loaded_answerer()
        try:
            return await answerer.answer(ask, partial, run_quick)
        except UNUSABLE as error:
            await answerer.elsewhere(self._keeper.recover, workspace, error)
            return await (await self._loaded_answerer()).answer(ask, partial, run_quick)

    def symbols(self, name: str, limit: int | None, languages: tuple[str, ...] = ()) -> "list[NamedSymbol]":
        """Definitions in the workspace whose name holds what was typed, best first; in some languages, or in all.

        Without a limit all that were looked at: whoever chooses among them must not do so after a cut.
        """
        from lurcher_index.naming import find_symbols

        return find_symbols(self._view(), name, limit, languages)

    def document_symbols(self, path: Path) -> "DocumentOutline | None":
        """The definitions of one document, as an editor shows it or as it is on disk."""
        from lurcher_index.naming import outline_of_document

        return outline_of_document(self._view(), path)

    def surroundings(self, chunk: "AnswerChunk") -> "Excerpt | None":
        """The whole symbol that a chunk of an answer belongs to, or some lines around it; None if that is no longer as
        it was indexed."""
        from lurcher_index.excerpts import surroundings
        from lurcher_index.view import View

        return surroundings(View(self.workspace), chunk)

    def lines(self, path: Path, first: int, last: int) -> "Excerpt | None":
        """Some lines of a file, from 1 and inclusive; None if they are not what was indexed."""
        from lurcher_index.excerpts import whole_lines
        from lurcher_index.view import View

        return whole_lines(View(self.workspace), path, first, last)

    def node_ids(self, chunks: "Sequence[AnswerChunk]") -> dict[str, str]:
        """By chunk id the id of the symbol that stands for it in the graph, where there is one."""
        from lurcher_index.excerpts import node_ids

        return node_ids(self._view(), chunks)

    def chunk(self, path: Path, chunk_id: str) -> "Excerpt | None":
        """A chunk of an earlier answer as it stands in its file now; None if the file no longer holds that text."""
        from lurcher_index.excerpts import chunk_by_id

        return chunk_by_id(self._view(), path, chunk_id)

    def tree(self, target: str = "", depth: int | None = None) -> "TreeListing":
        """The feature tree, or the part that a target names: a group's id or feature path, a folder, a file.

        Without a depth the whole tree has its groups only, a part of it its files too, and a file its definitions.
        """
        from lurcher_index.featuring import listing

        self.require_folders()
        view = self._view()
        return listing(view, self.featuring.catch_up(view), target, depth)

    @property
    def featuring(self) -> "Featuring":
        """The keeper of the feature tree."""
        from lurcher_index.featuring import Featuring

        if self._featuring is None or self._featuring.workspace is not self.workspace:
            self._featuring = Featuring(self.workspace)
        return self._featuring

    def graph(self) -> "Graph":
        """The call graph as the workspace is now. What it has read is kept for the next question, until it changes."""
        return self._kept_graphs().of(self._view())

    def _view(self) -> "View":
        """The workspace as it is now; of another index if this one was replaced or is damaged."""
        from lurcher_index.view import View

        return self._keeper.attempt(View)

    def _kept_graphs(self) -> "Graphs":
        from lurcher_index.graph.keeping import Graphs

        if self._graphs is None:
            self._graphs = Graphs()
        return self._graphs

    def warm(self) -> None:
        """Load what the first question needs, so that it does not have to wait."""
        self.workspace.overlay.warm()
        self._answerer()
        self.workspace.catalog.warm()
        if self._embeddings:
            self.models.warm()

    def filters(
        self,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        languages: Sequence[str] = (),
        paths: Sequence[str] = (),
        content: str = Content.ALL,
    ) -> "Filters":
        """Filters out of what a person or a client wrote; what is written absolute holds in its folder only."""
        from lurcher_index.chunking.language_names import languages_named
        from lurcher_index.words.filters import Filters

        # A name that nobody knows stays one: it must not become a search in all languages.
        meant = [each for name in languages for each in languages_named(name) or (name.lower(),)]
        return Filters(
            tuple(self._relative(glob) for glob in include),
            tuple(self._relative(glob) for glob in exclude),
            tuple(dict.fromkeys(meant)),
            tuple(self._relative(path) for path in paths),
            _content(content),
            named=tuple(languages),
        )

    def search(
        self,
        query: str,
        *,
        max_results: int = 10,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        languages: Sequence[str] = (),
        paths: Sequence[str] = (),
        content: str = Content.ALL,
        scopes: Sequence[str] = (),
    ) -> "SearchResult":
        """The best chunks for a question or some words. Filters act inside the search, `exclude` wins."""
        from lurcher_index.search import search

        if max_results < 1:
            raise BadQuery(f"max_results must be at least 1, not {max_results}")
        filters = self.filters(include, exclude, languages, paths, content)

        def searched(workspace: Workspace) -> "SearchResult":
            scoped, unknown = self._scoped(workspace, filters, scopes)
            return search(workspace, query, max_results, scoped, (*self._keeper.alerts, *unknown))

        return self._keeper.attempt(searched)

    def _scoped(
        self, workspace: Workspace, filters: "Filters", scopes: Sequence[str]
    ) -> "tuple[Filters, tuple[str, ...]]":
        """The filters with the place that some scopes name, and alerts about those that name nothing."""
        if not scopes:
            return filters, ()
        from lurcher_index.scoping import scope_of
        from lurcher_index.view import View

        found = scope_of(View(workspace), self.featuring, scopes)
        return msgspec.structs.replace(filters, scope=found.scope), found.alerts

    def locate(
        self,
        issue: "Issue",
        settings: "LocateSettings | None" = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> "Located":
        """Where an issue is: what was decided, and places, best first. Without settings those of the environment hold.

        Blocks, and runs an event loop of its own: call it in a thread. As soon as it `is_stopped`, no further tool
        begins and `Cancelled` is raised.
        """
        from lurcher_index.locate.locating import Locator
        from lurcher_index.locate.settings import environment_settings
        from lurcher_index.view import View

        if self._locator is None:
            self._locator = Locator()
        chosen, complaints = (settings, ()) if settings is not None else environment_settings()
        locator = self._locator
        told = (*complaints, *self.workspace.require_folders())
        return self._keeper.attempt(
            lambda workspace: locator.locate(View(workspace), issue, chosen, self.ask, told, is_stopped)
        )

    def status(self, measure_disk: bool = True) -> "Status":
        """What is in the index, what is not, and where it is kept; adding up its files takes longest."""
        from lurcher_index.native import compiled
        from lurcher_index.results import Status

        serving = self.models.serving() if self._embeddings else None
        workspace = self.workspace
        problems = workspace.problems()
        counts = workspace.counts()
        pending, outdated = workspace.backlog()
        place = self.workspace.place
        return Status(
            folders=tuple(str(folder) for folder in self._folders),
            store=str(place.directory) if place else "memory",
            indexed=max(0, counts.files - outdated),
            pending=pending,
            skipped=counts.skipped,
            chunks=counts.chunks,
            complete=workspace.is_complete(pending),
            compared=not workspace.awaits_scan,
            was_completed=self.is_complete,
            unseen=min(pending, workspace.catalog.unread().kept),
            bytes_on_disk=_disk_use(place.directory) if place and measure_disk else 0,
            alerts=(*self._keeper.alerts, *problems, *(serving.alerts if serving else ())),
            unsaved=sum(file.shadows for file in self.workspace.overlay.files()),
            vectors_ready=serving.ready if serving else 0.0,
            model=serving.model if serving else "",
            next_model=serving.next_model if serving else "",
            compiled=bool(compiled),
        )

    def set_remote(self, connection: "Connection | None", secret: "Secret | None" = None, use: str = "auto") -> None:
        """Switch remote code search to a connection, or off; whoever calls this has the person's consent.

        `use` says when it is asked: `auto`, while the index here is not complete; `always`, before it; `off`.
        """
        from lurcher_index.joining.searching import Use

        remoting = self._switched()
        if connection is None:
            remoting.close()
        else:
            remoting.connect(connection, secret, Use(use))

    def set_provider(self, provider: "Provider", use: str = "auto") -> None:
        """The same for somebody to ask whom the caller made; the engine closes it."""
        from lurcher_index.joining.searching import Use

        remoting = self._switched()
        remoting.close()
        remoting.provide(provider, Use(use))

    def _switched(self) -> "Remoting":
        from lurcher_index.joining.remoting import Remoting

        if self._remoting is None:
            self._remoting = Remoting(lambda: self.workspace, lambda: self.on_remote_changed())
        return self._remoting

    def remote_status(self) -> "RemoteStatus":
        """Whether remote code search is on, for which repositories, and what it sends."""
        from lurcher_index.remote.states import RemoteStatus

        return self._remoting.status() if self._remoting is not None else RemoteStatus()

    def check_remote(self) -> None:
        """Ask anew what the remote side knows of the repositories; blocks."""
        if self._remoting is not None:
            self._remoting.check()

    def explain(self, path: str | Path) -> "Explanation":
        """Why a file is, or is not, in the index."""
        from lurcher_index.explaining import explain

        return explain(self.workspace, Path(path))

    def audit(self) -> "Audit":
        """What was kept out of the index, and which secrets were masked, by rule."""
        from lurcher_index.auditing import audit

        return audit(self.workspace)

    def follow(
        self, stop: threading.Event, heard: "Callable[[Followed], object]", ready: threading.Event | None = None
    ) -> None:
        """Keep the index fresh by watching the disk until `stop` is set; `ready` is set when nothing can be missed."""
        from lurcher_index.following import follow

        follow(self, self._folders, self._settings, stop, heard, ready)

    async def _prepare_remote(self) -> None:
        if self.before_remote is not None:
            await self.before_remote()

    def clear(self) -> None:
        """Delete the index and start an empty one."""
        self._keeper.clear()

    @property
    def is_complete(self) -> bool:
        """Whether a build ever ran to its end; what changed since is told by `status`."""
        return self.workspace.catalog.is_complete()

    @property
    def awaits_scan(self) -> bool:
        """Whether files may have changed while nobody looked, and a build is going to see to that."""
        return self.workspace.awaits_scan

    def await_scan(self) -> None:
        """Until a build that begins from now on has ended, no answer is called complete: files may have changed while
        nobody looked. One that is under way may have looked already."""
        self.workspace.await_scan()

    def require_folders(self) -> None:
        """Refuse to answer if no folder can be opened: what the index says of their files may not hold."""
        self.workspace.require_folders()

    def lacks_folders(self) -> bool:
        """Whether a folder cannot be opened now."""
        return bool(self.workspace.problems())

    def has_unseen(self) -> bool:
        """Whether the last build had to leave out folders that cannot be opened, and files in them that are indexed."""
        return bool(self.workspace.catalog.unread().kept)

    @property
    def meaning(self) -> "Meaning":
        """Search by meaning with the chosen model; `EmbedderError` if that cannot be had."""
        return self.models.wanted()

    @property
    def models(self) -> "Models":
        """The embedding models; loaded when first asked for, since numpy and faiss take a quarter of a second."""
        if self._models is None:
            from lurcher_index.models import Models

            self._models = Models(self.workspace)
        elif self._models.workspace is not self.workspace:
            self._models = self._models.over(self.workspace)
        return self._models

    @property
    def workspace(self) -> Workspace:
        """The workspace behind the engine, for those who look closer: audits, explanations, servers."""
        return self._keeper.workspace

    @property
    def on_reset(self) -> Callable[[], object]:
        """Called, in any thread, after an index that failed was replaced by an empty or another one."""
        return self._keeper.on_reset

    @on_reset.setter
    def on_reset(self, called: Callable[[], object]) -> None:
        self._keeper.on_reset = called

    def close(self) -> None:
        """Stop the worker processes and close the index."""
        if self._remoting is not None:
            self._remoting.close()
        self.workspace.close()

    def __enter__(self) -> "Engine":
        """The engine itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _asked_elsewhere(self) -> "RemoteCodeSearch | None":
        """Whom remote code search asks now."""
        return self._remoting.search if self._remoting is not None else None

    async def _loaded_answerer(self) -> "Answerer":
        """The answerer without holding up who waits for it: to load it takes a quarter of a second."""
        from lurcher_index.strategies.apart import apart

        answers = self._answers
        return answers if self._is_current(answers) else await apart(self._answerer)

    def _is_current(self, answers: "Answerer | None") -> "TypeGuard[Answerer]":
        return answers is not None and answers.workspace is self.workspace

    def _answerer(self) -> "Answerer":
        """Loaded late, as `meaning` is: who only builds, or searches by words, does without."""
        from lurcher_index.answering import Answerer
        from lurcher_index.models import Serving
        from lurcher_index.strategies.registry import default_strategies

        with self._answers_turn:
            if self._is_current(self._answers):
                return self._answers
            serving = self.models.serving if self._embeddings else Serving
            judge, alerts = _judge()
            # Strategies remember what they found out about a workspace, so another one gets others.
            told = (*self._keeper.alerts, *alerts)
            known = (self.featuring, self._kept_graphs())
            strategies = default_strategies(self._asked_elsewhere, self._prepare_remote)

            def prepared() -> Serving:
                self.before_search()
                return serving()

            self._answers = Answerer(self.workspace, strategies, prepared, judge, told, *known)
            return self._answers

    def _relative(self, pattern: str) -> "str | Within":
        """A glob or path that is written absolute, as one of its folder."""
        from lurcher_index.words.filters import Within

        # The innermost folder first: what lies in a nested one belongs to that one.
        for folder in sorted(self.workspace.folders, key=lambda folder: -len(folder.path.parts)):
            base = folder.path.as_posix()
            if pattern == base or pattern.startswith(base + "/"):
                return Within(folder.folder_id, pattern[len(base) :].rstrip("/") or "/**", pattern)
        return pattern


def _real_folders(folders: Iterable[str | Path]) -> list[Path]:
    real: dict[Path, None] = {}
    for folder in folders:
        try:
            path = Path(folder).expanduser().resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise BadFolder(f"the folder {str(folder)!r} cannot be opened: {error}") from None
        if not path.is_dir():
            raise BadFolder(f"{str(folder)!r} is not a folder")
        if printable(str(path)) is not None:
            raise BadFolder(f"the folder {str(folder)!r} cannot be indexed: its name is not valid UTF-8")
        real[path] = None
    if not real:
        raise BadFolder("name at least one folder")
    return list(real)


def _disk_use(directory: Path) -> int:
    total = 0
    for path in directory.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue  # Merged away between listing and looking.
    return total


def _content(name: str) -> Content:
    try:
        return Content(name)
    except ValueError:
        raise BadQuery(f"unknown kind of content {name!r}; there are {', '.join(Content)}") from None


def _judge() -> "tuple[Judge | None, tuple[str, ...]]":
    """The learned judge; without one, and with an alert, if its file is damaged."""
    from lurcher_index.judging import Judge, shipped_evidence, shipped_ranker

    try:
        return Judge(shipped_ranker(), shipped_evidence()), ()
    except ModelError as error:
        return None, (f"answers are ranked by rules: {error}; install lurcher anew to repair it",)
