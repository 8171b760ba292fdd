"""`textDocument/did…`: what the editor shows."""

from typing import TYPE_CHECKING

from lurcher_server.lsp.registry import Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.standard import DidChangeParams, DidOpenParams, DocumentParams
from lurcher_server.lsp.uris import path_of

if TYPE_CHECKING:
    from lurcher_server.lsp.loaded import Loaded


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods. Each may come before the server has loaded its parts, and then waits in its turn."""

    def did_open(params: DidOpenParams) -> None:
        def act(loaded: "Loaded") -> None:
            loaded.documents.open(params.text_document)
            loaded.showing.touch(params.text_document.uri)

        session.when_loaded(act)

    def did_change(params: DidChangeParams) -> None:
        def act(loaded: "Loaded") -> None:
            document = params.text_document
            if loaded.documents.change(document.uri, document.version, params.content_changes):
                loaded.showing.touch(document.uri)

        session.when_loaded(act)

    def did_close(params: DocumentParams) -> None:
        def act(loaded: "Loaded") -> None:
            if loaded.documents.close(params.text_document.uri):
                loaded.showing.touch(params.text_document.uri)

        session.when_loaded(act)

    def did_save(params: DocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            session.when_loaded(lambda loaded: loaded.updating.changed([path]))

    handlers.notification("textDocument/didOpen", DidOpenParams, did_open)
    handlers.notification("textDocument/didChange", DidChangeParams, did_change)
    handlers.notification("textDocument/didClose", DocumentParams, did_close)
    handlers.notification("textDocument/didSave", DocumentParams, did_save)
