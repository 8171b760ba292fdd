"""`initialize`, `initialized`, settings and progress."""

from lurcher_server.lsp.features import features_of, initialize_answer
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session, folders_of
from lurcher_server.lsp.standard import ConfigurationParams, InitializeParams, ProgressCancelParams


def register(handlers: Handlers, session: Session) -> None:
    """Bind the methods."""

    async def initialize(params: InitializeParams, _call: Call) -> object:
        folders = folders_of(params.workspace_folders, params.root_uri, params.root_path)
        session.configure(features_of(params), folders, params.initialization_options, params.process_id)
        return initialize_answer(session.features, session.first_settings())

    def initialized(_params: None) -> None:
        session.start()

    def configuration(params: ConfigurationParams) -> None:
        session.soon(session.change_settings(params.settings))

    def cancel_progress(params: ProgressCancelParams) -> None:
        session.when_loaded(lambda loaded: loaded.reporting.cancel(params.token))

    async def shutdown(_params: None, _call: Call) -> None:
        await session.close()

    handlers.request("initialize", InitializeParams, initialize)
    handlers.notification("initialized", None, initialized)
    handlers.notification("workspace/didChangeConfiguration", ConfigurationParams, configuration)
    handlers.notification("window/workDoneProgress/cancel", ProgressCancelParams, cancel_progress)
    handlers.request("shutdown", None, shutdown)
