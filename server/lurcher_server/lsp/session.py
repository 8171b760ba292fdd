"""One client's session: its folders, settings, engine and open documents, and the work that keeps them in step."""

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.features import ClientFeatures
from lurcher_server.lsp.lanes import Lanes
from lurcher_server.lsp.liveness import watch_parent
from lurcher_server.lsp.logs import set_up_logs
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.metrics import Metrics
from lurcher_server.lsp.offers import Feature, Languages, languages_of
from lurcher_server.lsp.protocol import STATUS_CHANGED
from lurcher_server.lsp.registering import Registering
from lurcher_server.lsp.registry import Peer
from lurcher_server.lsp.settings import SECTION, ServerSettings, read_settings, what_leaves
from lurcher_server.lsp.standard import Folder
from lurcher_server.lsp.uris import path_of, uri_of

if TYPE_CHECKING:
    from lurcher_index import Engine
    from lurcher_server.lsp.loaded import Loaded

R = TypeVar("R")
log = logging.getLogger(__name__)

SETTINGS_SECONDS = 5.0
"""How long the client may take to tell its settings before it is taken to have none."""

STATUS_SECONDS = 0.25
"""How long changes of the status are gathered before the client is told."""

TRUSTED = "trusted"
"""The initialization option that says whether the person trusts the workspace. It is no setting: those may be the
workspace's own."""

WARNING = 2
"""LSP's number for a message of type warning."""


class Session:
    """The one mutable thing of a connection. Everything heavy is in `Loaded`, which comes behind `initialize`."""

    def __init__(
        self, peer: Peer, client_gone: Callable[[], None], load: "Callable[[], Callable[[Session], Loaded]]"
    ) -> None:
        """Nothing is opened yet. `client_gone` ends the connection when the client's process has died; `load` imports
        what is heavy and is called in a thread."""
        self.peer = peer
        self._client_gone = client_gone
        self._import = load
        self.features = ClientFeatures()
        self.settings = ServerSettings()
        self.metrics = Metrics()
        self.slot = EngineSlot()
        self.lanes = Lanes()
        self._registering = Registering(peer)
        self.folders: dict[Path, str] = {}
        """The workspace's folders as the client names them, with their URIs."""
        self.alerts: list[str] = []
        self.trusted = True
        """Whether the person trusts the workspace, as clients that know of such a thing tell."""
        self._shown_as: dict[str, str] = {}
        self._options: object = None
        self._loaded: Loaded | None = None
        self._loading: asyncio.Task[Loaded] | None = None
        self._waiting: list[Callable[[Loaded], object]] = []
        self._status_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._turn = asyncio.Lock()
        self._closed = False

    # -- life

    def configure(
        self, features: ClientFeatures, folders: Sequence[Folder], options: object, client: int | None
    ) -> None:
        """Take what `initialize` says; `client` is the process that the server must not outlive."""
        self.soon(watch_parent(client, self._client_gone))
        self.features = features
        self._options = options
        self.trusted = is_trusted(options)
        self._take_folders(folders)

    def start(self) -> None:
        """Begin to load and to open, once; called when the client is ready to be asked."""
        if self._loading is None:
            self._loading = asyncio.create_task(self._load())

    def first_settings(self) -> ServerSettings:
        """The settings as far as `initialize` has told them; what is wrong with them is said later, once."""
        return read_settings(_section(self._options))[0]

    async def loaded(self) -> "Loaded":
        """Everything heavy, waited for if need be."""
        self.start()
        assert self._loading is not None
        return await asyncio.shield(self._loading)

    async def look_again(self, engine: "Engine") -> None:
        """Somebody asks: see `Indexing.look_again`. Nobody waits for what is still being loaded."""
        if self._loaded is not None:
            await self._loaded.indexing.look_again(engine)

    def when_loaded(self, action: "Callable[[Loaded], object]") -> None:
        """Do something now, or in its turn when everything is loaded."""
        if self._loaded is not None:
            action(self._loaded)
        else:
            self._waiting.append(action)

    async def close(self) -> None:
        """Stop all work and close the engine, once; no process is left behind."""
        if self._closed:
            return
        self._closed = True
        if self._status_timer is not None:
            self._status_timer.cancel()
        for task in [*self._tasks, *([self._loading] if self._loading and not self._loading.done() else [])]:
            task.cancel()
            await asyncio.wait([task])
        if self._loaded is not None:
            await self._loaded.pause()
        await self.slot.close()
        self.lanes.close()

    # -- folders and settings

    def change_folders(self, added: Sequence[Folder], removed: Sequence[Folder]) -> None:
        """Folders came or went."""
        gone = {path_of(folder.uri) for folder in removed}
        left = [Folder(uri=uri) for path, uri in self.folders.items() if path not in gone]
        before = list(self.folders)
        self._take_folders([*left, *added])
        if list(self.folders) != before:
            self.soon(self._reopen())

    async def change_settings(self, pushed: object = None) -> None:
        """Ask the client for its settings, or take those it pushed, and act on what is new."""
        before = self.settings
        await self._take_settings(pushed)
        if _shaping(self.settings) != _shaping(before) and self._loaded is not None:
            await self._reopen()
        if self._loaded is not None:
            await self._loaded.remoting.refresh()
            await self._registering.update(self.features, self.settings)

    def languages(self, feature: Feature) -> Languages:
        """The languages that a feature is offered for now."""
        return languages_of(feature, self.settings, self.features.has_other_servers)

    def warn(self, message: str) -> None:
        """Tell the person something that needs attention."""
        log.warning("%s", message)
        self.peer.notify("window/showMessage", {"type": WARNING, "message": f"Lurcher: {message}"})

    def soon(self, work: Coroutine[Any, Any, R]) -> "asyncio.Task[R]":
        """Run a coroutine beside everything else; it is stopped with the session."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log_failure("work in the background", error)

    def folder_shown(self, real: str) -> str:
        """A folder as the client named it: the engine knows it with links resolved."""
        return self._shown_as.get(real, real)

    def path_known(self, shown: str) -> str:
        """A path, or an absolute glob, as the engine knows it: below the folder with links resolved."""
        for real, folder in self._shown_as.items():
            if shown == folder or shown.startswith(folder.rstrip(os.sep) + os.sep):
                return real + shown[len(folder) :]
        return shown

    # -- status

    def status_changed(self) -> None:
        """The status is another one; the client is told soon, once for many changes."""
        if self._status_timer is None:
            loop = asyncio.get_running_loop()
            self._status_timer = loop.call_later(STATUS_SECONDS, self._tell_status)

    def _tell_status(self) -> None:
        self._status_timer = None
        self.soon(self._send_status())

    async def _send_status(self) -> None:
        if self._loaded is not None and not self.peer.is_congested:
            self.peer.notify(STATUS_CHANGED, await self._loaded.status())

    # -- parts

    async def _load(self) -> "Loaded":
        make = await asyncio.to_thread(self._import)
        loaded = make(self)
        # Documents first: what is typed while the rest is loading must not be lost.
        self._loaded = loaded
        for action in self._waiting:
            action(loaded)
        self._waiting.clear()
        await self._take_settings(self._options)
        await self._reopen()
        self.soon(self._register())
        self.soon(self._registering.update(self.features, self.settings))
        return loaded

    async def _take_settings(self, pushed: object) -> None:
        before = what_leaves(self.settings)
        self.settings, complaints = read_settings(await self._pull(pushed))
        leaving = what_leaves(self.settings)
        for complaint in (*complaints, *([leaving] if leaving and leaving != before else [])):
            self.warn(complaint)
        set_up_logs(self.settings.log_level, self.settings.log_file)

    async def _pull(self, pushed: object) -> object:
        if self.features.configuration:
            try:
                items = {"items": [{"section": SECTION}]}
                answer = await self.peer.request("workspace/configuration", items, list[Any], SETTINGS_SECONDS)
                if answer and answer[0] is not None:
                    return answer[0]
            except RpcError as error:
                log.warning("the client did not tell its settings: %s", error)
        # An empty push says nothing; some clients send one at the start by habit.
        return _section(pushed) or _section(self._options)

    async def _register(self) -> None:
        """Have the client tell us of changed files and settings, if it can."""
        wanted: list[dict[str, Any]] = []
        if self.features.registers_watchers and self.settings.watch in ("auto", "client"):
            options: dict[str, Any] = {"watchers": [{"globPattern": "**/*"}]}
            method = "workspace/didChangeWatchedFiles"
            wanted.append({"id": "lurcher-files", "method": method, "registerOptions": options})
        if self.features.registers_configuration:
            options = {"section": SECTION}
            method = "workspace/didChangeConfiguration"
            wanted.append({"id": "lurcher-settings", "method": method, "registerOptions": options})
        if not wanted:
            return
        try:
            await self.peer.request("client/registerCapability", {"registrations": wanted}, object)
        except RpcError as error:
            log.warning("the client does not watch files for us: %s", error)
            self.features = msgspec.structs.replace(self.features, registers_watchers=False)
            await self._reopen()

    async def _reopen(self) -> None:
        """Close the engine and open one for the present folders and settings."""
        async with self._turn:
            loaded = self._loaded
            assert loaded is not None
            await loaded.pause()
            loop = asyncio.get_running_loop()
            await self.slot.replace(lambda: self._make_engine(loaded, loop))
            await loaded.resume()

    def _make_engine(self, loaded: "Loaded", loop: asyncio.AbstractEventLoop) -> "Engine":
        """In a thread: the engine for the present folders; without any, one for open documents only."""
        engine, alerts, self._shown_as = loaded.make_engine(list(self.folders), self.settings, loop)
        self.alerts = alerts
        return engine

    def _take_folders(self, folders: Sequence[Folder]) -> None:
        paths: dict[Path, str] = {}
        for folder in folders:
            path = path_of(folder.uri)
            if path is None:
                self.warn(f"{folder.uri} is no folder on this machine and cannot be searched")
            else:
                paths[path] = folder.uri
        self.folders = paths


_NOT_SHAPING = (
    "log_level", "log_file", "deadline_seconds", "definition", "references", "call_hierarchy", "document_symbol",
    "workspace_symbol", "other_servers", "remote_kind", "remote_url", "remote_token_variable", "remote_use",
)  # fmt: skip


def _shaping(settings: ServerSettings) -> ServerSettings:
    """The settings without those that need no other engine."""
    plain = ServerSettings()
    same = {name: getattr(plain, name) for name in _NOT_SHAPING}
    return msgspec.structs.replace(settings, **same)


def _section(pushed: object) -> object:
    """Our part of pushed settings: some clients send it alone, others with its name around it."""
    if not isinstance(pushed, dict):
        return pushed
    settings = {name: value for name, value in cast("dict[str, object]", pushed).items() if name != TRUSTED}
    if SECTION in settings:
        return settings[SECTION]
    known = {field.encode_name for field in msgspec.structs.fields(ServerSettings)}
    return settings if known & settings.keys() else None


def is_trusted(options: object) -> bool:
    """What `initialize` says about the workspace; whatever is not a plain yes, if something is said, is a no."""
    return not isinstance(options, dict) or cast("dict[str, object]", options).get(TRUSTED, True) is True


def folders_of(params_folders: Sequence[Folder] | None, root_uri: str | None, root_path: str | None) -> list[Folder]:
    """The folders `initialize` names, in the newest of its three ways."""
    if params_folders is not None:
        return list(params_folders)
    if root_uri:
        return [Folder(uri=root_uri)]
    return [Folder(uri=uri_of(root_path))] if root_path else []
