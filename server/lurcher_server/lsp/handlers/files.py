"""Files and folders that come, go and change."""

from collections.abc import Iterable

from lurcher_server.lsp.registry import Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.standard import FilesParams, FoldersParams, WatchedFilesParams
from lurcher_server.lsp.uris import path_of


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods. What is on disk decides, so that all of them come to the same."""

    def changed(uris: Iterable[str]) -> None:
        paths = [path for uri in uris if uri and (path := path_of(uri)) is not None]
        session.when_loaded(lambda loaded: loaded.updating.changed(paths))

    def watched(params: WatchedFilesParams) -> None:
        changed(event.uri for event in params.changes)

    def named(params: FilesParams) -> None:
        changed(uri for file in params.files for uri in (file.uri, file.old_uri, file.new_uri))

    def folders(params: FoldersParams) -> None:
        session.when_loaded(lambda _: session.change_folders(params.event.added, params.event.removed))

    handlers.notification("workspace/didChangeWatchedFiles", WatchedFilesParams, watched)
    for method in ("workspace/didCreateFiles", "workspace/didRenameFiles", "workspace/didDeleteFiles"):
        handlers.notification(method, FilesParams, named)
    handlers.notification("workspace/didChangeWorkspaceFolders", FoldersParams, folders)
